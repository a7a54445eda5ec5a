from __future__ import annotations

import json
import math
import pickle
from io import BytesIO
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.study.outcome import COLUMNS, Outcome, PackedArrays, from_row, pack_arrays, to_row, unpack_arrays

LABELS = {"dataset": "iris", "method": "bagging", "repeat": 0, "fit": 3}

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
numbers = st.dictionaries(st.text(), st.floats(), max_size=5)


def same(left, right):
    return left.keys() == right.keys() and all(
        left[name] == right[name] or (math.isnan(left[name]) and math.isnan(right[name])) for name in left
    )


@settings(deadline=None, max_examples=100)
@given(st.dictionaries(st.text(), values, max_size=4), numbers, numbers, st.lists(st.text()), st.text(), st.text())
def test_what_is_written_is_read_again(labels, scores, seconds, warnings, error, traceback):
    outcome = Outcome("key", labels, "failed", scores, seconds, tuple(warnings), error, traceback)
    row = to_row(outcome)
    assert len(row) == len(COLUMNS)
    found = from_row(row)
    assert (found.key, found.status, found.labels) == ("key", "failed", labels)
    assert same(found.scores, scores)
    assert same(found.seconds, seconds)
    assert (found.warnings, found.error, found.traceback) == (tuple(warnings), error, traceback)
    assert found.arrays == {}


def test_rows_are_canonical_json_that_any_reader_takes():
    one = Outcome.done("k", {"b": 1, "a": [True, None]}, {"z": 1.0, "a": 0.1}, {})
    other = Outcome.done("k", {"a": (np.bool_(True), None), "b": np.int64(1)}, {"a": np.float64(0.1), "z": 1}, {})
    assert to_row(one) == to_row(other)
    assert to_row(one)[2:4] == ('{"a":[true,null],"b":1}', '{"a":0.1,"z":1.0}')
    odd = Outcome.done("k", {}, {"auc": math.nan, "up": math.inf, "down": -math.inf}, {})
    strict = json.loads(to_row(odd)[3], parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert strict == {"auc": "nan", "up": "inf", "down": "-inf"}


def test_text_that_utf8_cannot_hold_does_not_lose_an_outcome():
    odd = "file \udc80\0 \U0001f333"
    found = from_row(tuple(text.encode().decode() for text in to_row(Outcome.failed("k", {"dataset": odd}, odd, odd))))
    assert found.labels == {"dataset": odd}
    assert found.error == found.traceback == "file \\udc80\0 \U0001f333"


def test_mappings_of_any_kind_and_lists_of_warnings_are_taken():
    outcome = Outcome.done("k", MappingProxyType({"a": MappingProxyType({"b": 1})}), MappingProxyType({}), {}, ["x"])
    assert outcome.warnings == ("x",)
    assert from_row(to_row(outcome)).labels == {"a": {"b": 1}}


def test_outcomes_go_between_processes():
    outcome = Outcome.done("k", LABELS, {"accuracy": 0.5}, {"fit": 1.0}, (), {"votes": np.eye(2)})
    found = pickle.loads(pickle.dumps(outcome))
    assert to_row(found) == to_row(outcome)
    np.testing.assert_array_equal(found.arrays["votes"], np.eye(2))


@pytest.mark.parametrize(
    ("changed", "kind", "message"),
    [
        ({"key": 3}, TypeError, "key=3 is no text"),
        ({"key": ""}, ValueError, "key is empty"),
        ({"status": "running"}, ValueError, "status='running' is unknown; give one of done, failed"),
        ({"labels": {"seed": math.nan}}, ValueError, "labels=.*cannot be written as JSON"),
        ({"labels": {"data": {1, 2}}}, TypeError, "labels=.*is of type set; give text"),
        ({"labels": {1: "a"}}, TypeError, "labels has the names 1; give text"),
        ({"scores": {"accuracy": "high"}}, TypeError, r"scores\['accuracy'\]='high' is no number"),
        ({"scores": {"accuracy": None}}, TypeError, "give a float, NaN if it is not defined"),
        ({"seconds": {"fit": True}}, TypeError, r"seconds\['fit'\]=True is no number"),
        ({"warnings": "one"}, TypeError, "warnings='one' is no sequence of texts"),
        ({"warnings": (1,)}, TypeError, "is no sequence of texts"),
        ({"error": ValueError("x")}, TypeError, r"error=ValueError\('x'\) is no text"),
    ],
)
def test_what_cannot_be_written_is_refused_by_name(changed, kind, message):
    with pytest.raises(kind, match=message):
        to_row(Outcome(**{"key": "k", "labels": {}, "status": "done", **changed}))


@pytest.mark.parametrize("place", range(1, 6))
@pytest.mark.parametrize("text", ["", "3", "[1", '["a",1]', None])
def test_rows_that_were_not_written_here_are_refused(place, text):
    row = list(to_row(Outcome.done("k", LABELS, {"a": 1.0}, {})))
    row[place] = text
    with pytest.raises((AttributeError, TypeError, ValueError)):
        from_row(row)


def test_arrays_of_all_plain_types_are_read_again():
    arrays = {
        "predictions": np.array(["yes", "nö"]),
        "votes": np.arange(12, dtype=np.uint8).reshape(3, 4).T,
        "weights": np.array([0.1, np.nan, np.inf]),
        "probabilities": np.zeros((0, 3), dtype=np.float32),
        "swapped": np.arange(3, dtype=">i4"),
        "number": np.array(3 + 1j),
        "days": np.array(["2020-02-29"], dtype="datetime64[D]"),
        "bytes": np.array([b"a", b"bc"]),
        "wrong": np.array([True, False]),
    }
    found = unpack_arrays(pack_arrays(arrays))
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        np.testing.assert_array_equal(found[name], array)


def test_packed_arrays_are_kept_as_they_are_and_read_like_others():
    arrays = {"predictions": np.arange(5), "classes": np.array(["a", "b"])}
    packed = pickle.loads(pickle.dumps(PackedArrays(arrays)))
    assert pack_arrays(packed) is packed.content
    assert list(packed) == list(arrays)
    assert bool(packed)
    assert not PackedArrays({})
    for name, array in arrays.items():
        np.testing.assert_array_equal(packed[name], array)
    with pytest.raises(TypeError, match="pickle"):
        PackedArrays({"votes": np.array([{}])})


def test_arrays_are_compressed_and_can_be_read_by_numpy():
    content = pack_arrays({"votes": np.zeros((1000, 100), dtype=np.uint8)})
    assert len(content) < 2000
    with np.load(BytesIO(content), allow_pickle=False) as file:
        assert file["votes"].shape == (1000, 100)


@pytest.mark.parametrize(
    ("arrays", "kind", "message"),
    [
        ({"labels": np.array(["a", None])}, TypeError, r"arrays\['labels'\] has type object.*astype\(str\)"),
        ({"labels": np.array(["a"], dtype=np.dtypes.StringDType())}, TypeError, "only a pickle could hold"),
        ({"rows": np.zeros(2, dtype=[("a", "i4")])}, TypeError, r"arrays\['rows'\]"),
        ({"rows": np.ma.masked_array([1, 2], [0, 1])}, TypeError, "is masked"),
        ({"a/b": np.zeros(2)}, ValueError, "arrays has the name 'a/b'"),
        ({"": np.zeros(2)}, ValueError, "arrays has the name ''"),
    ],
)
def test_arrays_that_no_file_could_hold_are_refused(arrays, kind, message):
    with pytest.raises(kind, match=message):
        pack_arrays(arrays)


class Trap:
    def __reduce__(self):
        return (pytest.fail, ("a file ran code",))


def test_pickles_are_not_read():
    content = BytesIO()
    np.savez(content, predictions=np.array([Trap()], dtype=object))
    with pytest.raises(ValueError, match="allow_pickle"):
        unpack_arrays(content.getvalue())
    with pytest.raises(ValueError, match="pickled"):
        unpack_arrays(pickle.dumps(Trap()))


def test_outcomes_in_words():
    done = Outcome.done("k", LABELS, {"accuracy": 0.95}, {"fit": 1.0, "predict": 0.25}, (), {"votes": np.eye(9)})
    assert str(done) == "dataset iris, method bagging, repeat 0, fit 3: done, accuracy 0.95 in 1.25 s"
    assert str(Outcome.failed("k", {}, "ValueError: no")) == "k: failed: ValueError: no"
    assert "votes" not in repr(done)
