"""Models, and what reads and rewrites their files, for the tests."""

import json
import zipfile

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification

from covey import EnsembleClassifier
from covey.models.declaration import id_of
from covey.models.document import Reader, Writer

X, Y = make_classification(60, n_features=5, random_state=0)


class Constant(ClassifierMixin, BaseEstimator):
    """A learner of no package that covey knows."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


class Unwritable:
    def __reduce__(self):
        raise TypeError("no way")


def ensemble(estimator, **options):
    return EnsembleClassifier(estimator, n_estimators=3, random_state=1, **options)


def reread(model):
    """Return a model made of what it declares, without a file; what it does not allow is refused."""
    writer = Writer()
    node = writer._declared(model, id_of(type(model)))
    pools = {name: np.concatenate(arrays) for name, arrays in writer.pools.items()}
    return Reader(pools, writer.shared, writer.foreign.__getitem__, 2**30).model(node)


def parts_of(path):
    """Return the parts of a file by name."""
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def write_parts(path, parts, compression=zipfile.ZIP_STORED):
    """Write a file of these parts."""
    with zipfile.ZipFile(path, "w", compression) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return path


def rewrite(path, change):
    """Write a file anew with what a function makes of its document."""
    parts = parts_of(path)
    document = json.loads(parts["model.json"])
    changed = change(document)
    parts["model.json"] = json.dumps(document if changed is None else changed)
    return write_parts(path, parts)


def forge_array(path, where, change):
    """Change an array of a file: ``where`` finds its place in the document, ``change`` works on it in place."""
    parts = parts_of(path)
    place = where(json.loads(parts["model.json"])["model"])
    name, start, *shape = place
    entry = f"arrays/{name}.npy"
    header = len(parts[entry]) - (len(parts[entry]) - 128)
    pool = np.frombuffer(parts[entry][header:], dtype=name).copy()
    change(pool[start : start + int(np.prod(shape))].reshape(shape))
    parts[entry] = parts[entry][:header] + pool.tobytes()
    return write_parts(path, parts)
