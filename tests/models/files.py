"""Models, and what reads and rewrites their files, for the tests."""

import io
import json
import zipfile

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from covey import (
    EnsembleClassifier,
    save_model,
)

X, Y = make_classification(60, n_features=5, random_state=0)


TREE = "sklearn.tree._tree.Tree"


class Constant(ClassifierMixin, BaseEstimator):
    """A learner of no package that covey knows."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


STRANGER = f"{Constant.__module__}.Constant"


class Trap:
    """Counts how often it is built."""

    built = 0

    def __init__(self, *args):
        Trap.built += 1

    def __reduce__(self):
        return Trap, ("harm",)


class Unwritable:
    def __reduce__(self):
        raise TypeError("no way")


def ensemble(estimator, **options):
    return EnsembleClassifier(estimator, n_estimators=3, random_state=1, **options)


def read_schema(path):
    with zipfile.ZipFile(path) as file:
        return json.loads(file.read("schema.json"))


def rewrite(path, schema=None, arrays=lambda name, content: content):
    """Write a file anew with another schema or other arrays."""
    with zipfile.ZipFile(path) as file:
        content = {name: file.read(name) for name in file.namelist()}
    if schema is not None:
        content["schema.json"] = json.dumps(schema).encode()
    with zipfile.ZipFile(path, "w") as file:
        for name, data in content.items():
            file.writestr(name, data if name == "schema.json" else arrays(name, data))


def nodes_of(schema):
    """Give all nodes of a schema, from the outside in."""
    todo = [schema]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            if "__class__" in node:
                yield node
            todo += node.values()
        elif isinstance(node, list):
            todo += node


def forge_nodes(change):
    """Return what changes those arrays of a file that hold the nodes of a tree."""

    def forge(name, content):
        if not name.endswith(".npy"):
            return content
        values = np.load(io.BytesIO(content))
        if not {"left_child", "left"} & set(values.dtype.names or ()):
            return content
        change(values)
        forged = io.BytesIO()
        np.save(forged, values)
        return forged.getvalue()

    return forge


def plant(path, **node):
    """Put a node in the place of one of a harmless model's attributes."""
    save_model(LogisticRegression().fit(X, Y), path)
    schema = read_schema(path)
    model = schema["content"]["model"]
    model["content"]["content"]["classes_"] = node
    rewrite(path, schema)


def arguments(*values):
    texts = [
        {
            "__class__": "str",
            "__module__": "builtins",
            "__loader__": "JsonNode",
            "content": json.dumps(value),
            "is_json": True,
        }
        for value in values
    ]
    return {"__class__": "tuple", "__module__": "builtins", "__loader__": "TupleNode", "content": texts}
