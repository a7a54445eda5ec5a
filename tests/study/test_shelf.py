from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path

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
from covey.study import CycledFolds, FreshSamples, Shelf
from covey.study.shelf import describe, differences, digest
from covey.table import as_table

DESIGN = {"protocol": {"class": "Folds", "n": 3}, "seed": 0}
RESULT = {"predictions": np.array(["yes", "no"]), "seconds": np.array(0.25)}


def test_what_is_written_is_read_again(tmp_path):
    Shelf.open(tmp_path / "new" / "shelf", DESIGN).write(3, RESULT)
    found = Shelf.open(tmp_path / "new" / "shelf", DESIGN).read(3)
    assert found.keys() == RESULT.keys()
    np.testing.assert_array_equal(found["predictions"], RESULT["predictions"])
    assert float(found["seconds"]) == 0.25


def test_only_whole_files_are_left_behind(tmp_path, monkeypatch):
    shelf = Shelf.open(tmp_path, DESIGN)
    shelf.write(0, RESULT)
    monkeypatch.setattr(Path, "replace", lambda self, target: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        shelf.write(1, RESULT)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["design.json", "fit-00000.npz"]


def test_a_run_that_was_killed_leaves_no_file_under_its_final_name(tmp_path):
    shelf = Shelf.open(tmp_path, DESIGN)
    (tmp_path / "fit-00001.npz.0123.part").write_bytes(b"half")
    assert Shelf.open(tmp_path, DESIGN).read(1) is None
    shelf.write(1, RESULT)
    assert shelf.read(1) is not None


def test_a_folder_that_was_left_before_its_design_was_whole_can_be_used(tmp_path):
    (tmp_path / "design.json.0123.part").write_text("{")
    assert Shelf.open(tmp_path, DESIGN).read(0) is None


class Trap:
    def __reduce__(self):
        return (pytest.fail, ("a file ran code",))


def damage(path: Path, kind: str) -> None:
    content = path.read_bytes()
    middle = len(content) // 2
    match kind:
        case "cut off":
            path.write_bytes(content[:-30])
        case "empty":
            path.write_bytes(b"")
        case "zeros within":
            path.write_bytes(content[: middle - 20] + b"\0" * 40 + content[middle + 20 :])
        case "text":
            path.write_text("predictions")
        case "a pickle":
            path.write_bytes(pickle.dumps(Trap()))
        case "a pickle within":
            np.savez(path, predictions=np.array([Trap()], dtype=object))
        case "unlabelled":
            np.savez(path, **RESULT)


@pytest.mark.parametrize(
    "kind",
    ["cut off", "empty", "zeros within", "text", "a pickle", "a pickle within", "unlabelled"],
)
def test_a_damaged_file_counts_as_missing_and_runs_nothing(tmp_path, kind):
    shelf = Shelf.open(tmp_path, DESIGN)
    shelf.write(0, RESULT)
    damage(shelf.path(0), kind)
    assert shelf.read(0) is None


def test_a_flipped_bit_is_noticed_or_does_no_harm(tmp_path):
    shelf = Shelf.open(tmp_path, DESIGN)
    shelf.write(0, RESULT)
    content = shelf.path(0).read_bytes()
    noticed = 0
    for place in range(0, len(content), 4):
        shelf.path(0).write_bytes(content[:place] + bytes([content[place] ^ 16]) + content[place + 1 :])
        found = shelf.read(0)
        noticed += found is None
        assert found is None or {name: array.tolist() for name, array in found.items()} == {
            "predictions": ["yes", "no"],
            "seconds": 0.25,
        }
    assert noticed > len(content) / 8


def test_a_file_from_another_shelf_or_of_another_fit_is_not_taken(tmp_path):
    one, other = Shelf.open(tmp_path / "one", DESIGN), Shelf.open(tmp_path / "other", {**DESIGN, "seed": 1})
    one.write(0, RESULT)
    one.path(1).write_bytes(one.path(0).read_bytes())
    other.path(0).write_bytes(one.path(0).read_bytes())
    assert one.read(1) is None
    assert other.read(0) is None


def test_a_folder_of_another_design_is_refused_by_what_differs(tmp_path):
    Shelf.open(tmp_path, DESIGN).write(0, RESULT)
    with pytest.raises(
        ValueError, match=r"another design: protocol\.n is 3 there and 4 here; seed is 0 there and 1 here"
    ):
        Shelf.open(tmp_path, {"protocol": {"class": "Folds", "n": 4}, "seed": 1})
    assert Shelf.open(tmp_path, DESIGN).read(0) is not None


@pytest.mark.parametrize("content", ["", "[1, 2]", '{"seed": 0}', "\0\1"])
def test_a_damaged_design_is_refused(tmp_path, content):
    (tmp_path / "design.json").write_text(content)
    with pytest.raises(ValueError, match="no design written by covey"):
        Shelf.open(tmp_path, DESIGN)


def test_folders_with_other_things_or_of_another_format_are_refused(tmp_path):
    Shelf.open(tmp_path / "old", DESIGN)
    (tmp_path / "old" / "design.json").write_text(json.dumps({"format": 0, **DESIGN}))
    with pytest.raises(ValueError, match="has format 0"):
        Shelf.open(tmp_path / "old", DESIGN)
    with pytest.raises(ValueError, match=r"holds files but no design\.json"):
        Shelf.open(tmp_path, DESIGN)


@pytest.mark.parametrize(
    ("found", "wanted", "told"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 1.0}, ["a is 1 there and 1.0 here"]),
        ({"a": 1}, {"a": True}, ["a is 1 there and true here"]),
        ({"a": 1}, {"b": 1}, ["a is only there", "b is only here"]),
        ({"a": [1, {"b": "x"}]}, {"a": [1, {"b": "y"}]}, ['a[1].b is "x" there and "y" here']),
        ({"a": [1]}, {"a": [1, 2]}, ["a is [1] there and [1, 2] here"]),
        ({"a": {"class": "A", "x": 1}}, {"a": {"class": "B", "y": 1}}, ['a.class is "A" there and "B" here']),
        ({"a": {"class": "A"}}, {"a": None}, ['a is {"class": "A"} there and null here']),
        ({"a": "x" * 99}, {"a": "y" * 99}, ["a differs"]),
    ],
)
def test_differences_are_told_in_words(found, wanted, told):
    assert list(differences(found, wanted)) == told


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
    first, second = describe(one), describe(other)
    assert list(differences(first, second))
    for value, described in ((one, first), (other, second)):
        copied = pickle.loads(pickle.dumps(value))
        assert not list(differences(json.loads(json.dumps(described)), describe(copied)))


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
    with pytest.raises(TypeError, match="goes round in circles"):
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
        "import pandas as pd; from covey.study.shelf import describe, digest;"
        "print(digest(pd.DataFrame({'a': ['x', None], 'b': [1.5, 2]})), describe({'p', 'q', 'r', 's'}))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "5"}
    )
    found = digest(pd.DataFrame({"a": ["x", None], "b": [1.5, 2]}))
    assert ran.stdout.strip() == f"{found} {describe({'p', 'q', 'r', 's'})}"
