from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import sys
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.ensemble import AdaBoostClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from covey import C45Classifier
from covey.datasets import make_twonorm, ringnorm_task, twonorm_task
from covey.study import CycledFolds, FreshSamples
from covey.study.fingerprint import describe, digest
from covey.table import as_table


def test_parameters_are_described_in_full():
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=3), n_estimators=200)
    described = describe(model)
    assert described["class"] == "sklearn.ensemble._weight_boosting.AdaBoostClassifier"
    assert described["n_estimators"] == 200
    assert described["estimator"]["max_depth"] == 3
    assert described["estimator"]["min_samples_leaf"] == 1
    assert json.loads(json.dumps(described)) == described


@dataclass(frozen=True, slots=True)
class Slotted:
    size: int


class Plain:
    def __init__(self, **attributes):
        vars(self).update(attributes)


PAIRS = [
    (DecisionTreeClassifier(max_features=1), DecisionTreeClassifier(max_features=1.0)),
    (DecisionTreeClassifier(class_weight={0: 1, 1: 2}), DecisionTreeClassifier(class_weight={0: 1, 1: 3})),
    (make_pipeline(StandardScaler(), C45Classifier()), make_pipeline(StandardScaler(), C45Classifier(pruning=False))),
    (GridSearchCV(C45Classifier(), {}, cv=KFold(3)), GridSearchCV(C45Classifier(), {}, cv=KFold(4))),
    (FunctionTransformer(np.log1p), FunctionTransformer(np.log)),
    (FunctionTransformer(len), FunctionTransformer(partial(len))),
    (partial(make_twonorm, n_features=2), partial(make_twonorm, n_features=4)),
    (CountVectorizer(dtype=np.int64), CountVectorizer(dtype=np.int32)),
    (CountVectorizer(vocabulary={"a", "b"}), CountVectorizer(vocabulary={"a", "c"})),
    (FreshSamples(twonorm_task(20)), FreshSamples(ringnorm_task(20))),
    (FreshSamples(make_twonorm), FreshSamples(twonorm_task())),
    (CycledFolds(), CycledFolds(stratified=True)),
    (np.arange(2000), np.where(np.arange(2000) == 1000, 7, np.arange(2000))),
    (pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"b": [1, 2]})),
    (pd.Series([1, 2]), pd.Series([1, 3])),
    (sparse.csr_array(np.eye(2)), sparse.csr_array(np.eye(2) * 2)),
    (float("nan"), float("inf")),
    (b"a", b"b"),
    (Slotted(1), Slotted(2)),
    (Plain(), Slotted(1)),
    (Plain(a=1), Plain(a=2)),
    (Decimal("1"), Decimal("2")),
    (re.compile("a"), re.compile("b")),
    (Plain, Slotted),
]


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=lambda value: type(value).__name__)
def test_parameters_are_told_apart_and_recognised(one, other):
    first, second = (json.dumps(describe(value), sort_keys=True) for value in (one, other))
    assert first != second
    for value, described in ((one, first), (other, second)):
        copied = pickle.loads(pickle.dumps(value))
        assert json.dumps(describe(copied), sort_keys=True) == described


@pytest.mark.parametrize(
    "value",
    [lambda x: x, np.random.RandomState(0), np.random.default_rng(0), Plain().__init__, object()],
    ids=["lambda", "RandomState", "Generator", "method", "object"],
)
def test_what_no_later_run_could_recognise_is_refused(value):
    with pytest.raises(TypeError, match=r"estimator\.func=.* cannot be recognised by a later run"):
        describe(FunctionTransformer(value), "estimator")


def test_what_contains_itself_is_refused():
    ring = Plain()
    ring.me = ring
    with pytest.raises(TypeError, match="contains itself"):
        describe(ring)


def tables():
    frame = pd.DataFrame({"n": [1.0, np.nan, 3.0], "k": pd.Categorical(["a", "b", None]), "t": ["u", "v", "w"]})
    return {
        "array": np.array([[1.0, 2.0], [3.0, np.nan]]),
        "other type": np.array([[1.0, 2.0], [3.0, np.nan]], dtype=np.float32),
        "other shape": np.array([[1.0, 2.0, 3.0, np.nan]]),
        "list": [[1.0, 2.0], [3.0, 4.0]],
        "list of text": [["a", "1"], ["b", "2"]],
        "list of text and numbers": [["a", 1], ["b", 2]],
        "ragged": [["a"], ["b", "c"]],
        "objects": np.array([["a", 1], ["b", None]], dtype=object),
        "strings": np.array(["a", "a long text that NumPy keeps elsewhere"], dtype=np.dtypes.StringDType()),
        "frame": frame,
        "renamed": frame.rename(columns={"n": "m"}),
        "another category": frame.assign(k=frame["k"].cat.add_categories("c")),
        "numbered columns": frame.set_axis([0, 1, 2], axis=1),
        "polars": pl.from_pandas(frame),
        "table": as_table(frame),
        "table of fewer": as_table(frame[["n", "k"]]),
        "sparse": sparse.csr_array([[1.0, 0.0], [0.0, 2.0]]),
        "transposed sparse": sparse.csr_array([[0.0, 1.0], [2.0, 0.0]]),
    }


def test_data_of_any_kind_have_a_digest_of_their_own():
    first, again = ({name: digest(X) for name, X in tables().items()} for _ in range(2))
    assert first == again
    assert len({found["sha256"] for found in first.values()}) == len(first)
    assert first["frame"]["shape"] == first["table"]["shape"] == [3, 3]
    assert first["list"]["shape"] == [2, 2]


def test_order_in_memory_is_not_part_of_the_data():
    X = np.arange(12.0).reshape(3, 4)
    assert digest(X) == digest(np.asfortranarray(X)) == digest(X[::1])


def test_another_process_finds_the_same_digest():
    code = (
        "import pandas as pd; from covey.study.fingerprint import describe, digest;"
        "print(digest(pd.DataFrame({'a': ['x', None], 'b': [1.5, 2]})), describe({'p', 'q', 'r', 's'}))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": "5"},
    )
    found = digest(pd.DataFrame({"a": ["x", None], "b": [1.5, 2]}))
    assert ran.stdout.strip() == f"{found} {describe({'p', 'q', 'r', 's'})}"
