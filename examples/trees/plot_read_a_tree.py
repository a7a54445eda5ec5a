"""
A tree that can be read
=======================

C4.5 grows one branch for each category and splits numbers in two; pruning takes back what only fits noise. The result
can be printed, drawn, or handed to Graphviz.
"""

# %%
# Wine: three growers, told apart by a dozen chemical measurements. A leaf shows its class, how many training rows reach
# it and, after the slash, how many of them are of another class.

from sklearn.model_selection import train_test_split

from covey import C45Classifier
from covey.datasets import load, make_led

X, y = load("wine").to_xy()
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
tree = C45Classifier().fit(X_train, y_train)
print(tree.export_text())

# %%
# The same tree as a picture.

tree.plot()

# %%
# What pruning is for: digits of a broken display, whose segments are wrong one time in ten, beside 17 columns of
# noise.

X_led, y_led = make_led(400, random_state=0, as_frame=True)
X_new, y_new = make_led(2000, random_state=1, as_frame=True)
for pruning in (True, False):
    model = C45Classifier(pruning=pruning).fit(X_led, y_led)
    score = model.score(X_new, y_new)
    print(
        f"pruning={pruning}: {model.get_n_leaves()} leaves, accuracy {score:.3f} on new rows"
    )

# %%
# Which leaf does a row reach, and which columns matter?

print("leaf of the first test row:", tree.apply(X_test.head(1))[0])
for name, share in sorted(
    zip(X.columns, tree.feature_importances_, strict=True), key=lambda pair: -pair[1]
)[:3]:
    print(f"{name}: {share:.2f}")
