"""Input of figures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from covey.plots.reading import by_name, by_value, distinct_names, labels_of, levels, measure_each


class Measured:
    def __init__(self, *given, classes=None):
        if given[0] == "bad":
            raise ValueError("predictions has shape (), but must be a matrix.")
        self.given, self.classes = given, classes


def read(ensembles, **options):
    return measure_each(ensembles, Measured, Measured, **{"classes": None, **options})


def test_measured_or_to_be_measured():
    ready = Measured(1, 2)
    found = read({"a": ready, 7: (3, 4), "c": (5, 6, 7)}, classes=[0, 1])
    assert list(found) == ["a", "7", "c"]
    assert found["a"] is ready
    assert (found["7"].given, found["7"].classes) == ((3, 4), [0, 1])
    assert found["c"].given == (5, 6, 7)
    assert list(read(ready)) == list(read((1, 2))) == ["ensemble"]


@pytest.mark.parametrize("wrong", [5, (1,), (1, 2, 3, 4), np.zeros((2, 2)), [1, 2]])
def test_what_is_neither(wrong):
    with pytest.raises(TypeError, match=r"ensembles has .* for 'a'; give \(predictions, y\) or .* or Measured"):
        read({"a": wrong})


def test_weights_are_refused_where_they_do_not_count():
    with pytest.raises(TypeError, match=r"for 'a'; give \(predictions, y\) as a tuple"):
        read({"a": (1, 2, 3)}, weighted=False)


def test_errors_name_the_ensemble():
    with pytest.raises(ValueError, match="ensembles, 'b': predictions has shape"):
        read({"a": (1, 2), "b": ("bad", 2)})
    with pytest.raises(ValueError, match="ensembles has 0 of them"):
        read({})
    with pytest.raises(ValueError, match="ensembles has 3 of them; give one or more, and no more than the 2"):
        read(dict.fromkeys("abc", (1, 2)), most=2)


def test_labels():
    assert labels_of([1, 2]) is None
    assert labels_of(np.arange(2)) is None
    assert labels_of(pd.Series([5, 6])) is None
    assert labels_of(pd.Series([5, 6], index=[1, 2])) == [1, 2]
    assert labels_of({"a": 1}) == ["a"]
    assert by_name(pd.Series([5, 6], index=[1, 2]), ["2", "1"], "x").tolist() == [6, 5]
    assert by_name([5, 6], ["2", "1"], "x").tolist() == [5, 6]
    frame = pd.DataFrame({"a": [5, 6]}, index=[0.5, 1])
    assert by_value(frame, [1, 0.5], "x")["a"].tolist() == [6, 5]


def test_levels_are_shared_up_to_rounding():
    assert levels([0.3, 0.1 + 0.2, -1.0, 7.0]).tolist() == [1, 1, 0, 2]
    assert levels([0.0, 0.0]).tolist() == [0, 0]


def test_clipped_names_stay_distinct():
    long = [f"RandomForestClassifier(max_depth={k}, n_estimators=100, random_state=0)" for k in (3, 5, 9)]
    short = distinct_names([*long, "tree"], 32)
    assert [text[text.index("depth=") + 6] for text in short[:3]] == ["3", "5", "9"]
    assert all(text.startswith("RandomFore") for text in short[:3])
    assert short[3] == "tree"
    # Names differ in two places far from each other: numbers.
    far = [a + "x" * 60 + b + "x" * 60 + c for a in "pq" for b in "rs" for c in "tu"]
    assert len(set(distinct_names(far, 20))) == 8
    assert distinct_names(["a\nb", "a\\nb"], 20) == ["a\\nb (1)", "a\\nb (2)"]
    assert distinct_names(["y" * 70, "y" * 70], 20)[0] == distinct_names(["y" * 70], 20)[0]
    assert distinct_names([], 20) == []


letters = st.text(st.sampled_from("ab(1…"), max_size=40)


@settings(deadline=None, max_examples=100)
@given(st.lists(letters, unique=True, max_size=12))
def test_different_names_are_different_when_clipped(names):
    short = distinct_names(names, 12)
    assert len(set(short)) == len(names)
    assert max(map(len, short), default=0) <= 12
