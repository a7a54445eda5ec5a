"""
Save a model, load it elsewhere
===============================

A model file holds numbers and names, no pickle: neither loading it nor predicting with it runs code from the file.
"""

# %%
# Train, save, load.

import tempfile
from pathlib import Path

from sklearn.metrics import confusion_matrix
from sklearn.model_selection import train_test_split

from covey import StochasticCommitteeClassifier, load_model, read_about, save_model
from covey.datasets import load
from covey.plots import confusion_map, draw_confusion

X, y = load("digits").to_xy()
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
model = StochasticCommitteeClassifier(n_estimators=30, random_state=0).fit(X_train, y_train)

with tempfile.TemporaryDirectory() as folder:
    path = save_model(
        model, Path(folder, "digits.covey"), about={"trained on": f"{len(X_train)} digits"}
    )
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB, {read_about(path)}")
    loaded = load_model(path)

# %%
# The same model, down to the last probability.

print(
    "same probabilities:",
    (loaded.predict_proba(X_test) == model.predict_proba(X_test)).all(),
)

# %%
# What the loaded model takes new digits for.

counts = confusion_matrix(y_test, loaded.predict(X_test), labels=loaded.classes_)
draw_confusion(confusion_map(counts, loaded.classes_.tolist()))
