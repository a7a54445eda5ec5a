from __future__ import annotations

import os
import pickle

import numpy as np
import pytest

from covey.analysis.filters import SelectAttributes, chi_squared
from covey.datasets import load, make_ringnorm
from covey.study import data as data_module
from covey.study.cell import content_of
from covey.study.data import DataSpec, Selection

ROWS = """\
@relation small
@attribute size numeric
@attribute colour {red,green,blue}
@attribute weight numeric
@attribute class {a,b,c}
@data
1,red,5,a
2,?,4,b
?,blue,3,c
4,green,2,a
5,blue,1,c
6,red,0,b
"""


@pytest.fixture
def small(tmp_path):
    file = tmp_path / "small.arff"
    file.write_text(ROWS)
    return str(file)


def test_what_is_not_wished_is_not_done(small):
    data = DataSpec("x", small).load()
    assert content_of(data) == content_of(load(small))
    assert data.provenance.notes == load(small).provenance.notes


def test_the_first_rows_are_kept(small):
    data = DataSpec("x", small, rows=4).load()
    assert data.frame["size"].tolist()[:2] == [1, 2]
    assert data.target.tolist() == ["a", "b", "c", "a"]
    assert data.provenance.notes == ("the first 4 of 6 rows",)


def test_rows_with_gaps_are_left_out(small):
    data = DataSpec("x", small, complete=True).load()
    assert data.frame["weight"].tolist() == [5, 2, 1, 0]
    assert data.frame.index.tolist() == [0, 1, 2, 3]
    assert data.provenance.notes == ("2 rows with missing values left out",)
    assert DataSpec("x", small, rows=4, complete=True).load().frame["weight"].tolist() == [5, 2]  # of the first 4
    assert DataSpec("y", "wine", complete=True).load().provenance.notes == load("wine").provenance.notes


def test_one_class_is_set_against_the_others(small):
    data = DataSpec("x", small, against="b").load()
    assert data.classes == ("b", "not b")
    assert data.target.tolist() == ["not b", "b", "not b", "not b", "not b", "b"]
    assert data.provenance.notes == ("class 'b' against the 2 others",)


def test_classes_that_are_numbers_are_named_by_text():
    data = DataSpec("x", "sklearn:digits", against="3").load()
    assert (data.target == "3").sum() == (load("sklearn:digits").target == 3).sum() == 183


def test_the_target_may_be_its_logarithm(tmp_path):
    file = tmp_path / "prices.csv"
    file.write_text("size,price\n1,1\n2,10\n3,\n4,2.5\n")
    data = DataSpec("x", str(file), "price", task="regression", log_target=True).load()
    np.testing.assert_allclose(data.target, np.log([1, 10, 2.5]))
    assert data.target.name == "price"
    assert data.frame["size"].tolist() == [1, 2, 4]
    assert data.provenance.notes[-1] == "'price' replaced by its natural logarithm"
    plain = DataSpec("x", str(file), "price", task="regression").load()
    assert plain.target.tolist() == [1, 10, 2.5]
    assert content_of(data) != content_of(plain)


def test_whole_numbers_have_logarithms_too(tmp_path):
    file = tmp_path / "counts.arff"
    file.write_text("@relation r\n@attribute a numeric\n@attribute n integer\n@data\n1,2\n2,8\n")
    data = DataSpec("x", str(file), "n", task="regression", log_target=True).load()
    np.testing.assert_allclose(data.target, np.log([2, 8]))


def test_rows_are_chosen_before_logarithms_are_taken(tmp_path):
    """So a number that has none is no trouble in a row that is left out."""
    file = tmp_path / "prices.csv"
    file.write_text("size,price\n1,1.5\n2,10\n,0\n4,-1\n")
    wishes = {"task": "regression", "log_target": True}
    data = DataSpec("x", str(file), "price", rows=3, complete=True, **wishes).load()
    np.testing.assert_allclose(data.target, np.log([1.5, 10]))
    with pytest.raises(ValueError, match=r"dataset 'x': .* but the target is 0 in row 2, counted from 0"):
        DataSpec("x", str(file), "price", **wishes).load()


def test_categories_become_their_numbers_and_gaps_stay(small):
    data = DataSpec("x", small, ordinal=True).load()
    np.testing.assert_array_equal(data.frame["colour"], [0, np.nan, 2, 1, 2, 0])
    assert data.frame.dtypes.eq("float64").all()
    assert data.provenance.notes == ("1 column of categories turned into their numbers",)
    assert data.target.dtype == "category"


def test_numbers_may_become_categories():
    data = DataSpec("wine", "sklearn:wine", rows=40, nominal=True).load()
    plain = DataSpec("wine", "sklearn:wine", rows=40).load()
    assert (data.frame.dtypes == "category").all()
    assert data.frame.astype(float).equals(plain.frame)
    assert "13 columns of numbers turned into categories" in data.provenance.notes
    assert DataSpec("x", "memory", held=data, nominal=True).load().frame.equals(data.frame)
    with pytest.raises(ValueError, match="ordinal=True and nominal=True undo each other"):
        DataSpec("wine", "sklearn:wine", ordinal=True, nominal=True)


@pytest.mark.parametrize("by", data_module.SCORES)
def test_the_best_attributes_are_those_of_the_filter_on_all_cases(by):
    whole = load("wine")
    data = DataSpec("x", "wine", select={"by": by, "k": 4}).load()
    chosen = SelectAttributes(by, k=4).fit(whole.frame, whole.target)
    assert list(data.frame) == list(chosen.transform(whole.frame))
    assert f"4 of 13 attributes, chosen by {by} on all rows" in data.provenance.notes


def test_attributes_are_chosen_on_the_classes_as_they_are_wished():
    whole = load("wine")
    first = str(whole.classes[0])
    data = DataSpec("x", "wine", against=first, select=Selection("chi_squared", 1)).load()
    best = int(np.argmax(chi_squared(whole.frame, whole.target.astype(str) == first)))
    assert list(data.frame) == [whole.frame.columns[best]]


def test_scores_are_found_once_for_several_numbers_of_attributes(monkeypatch):
    from covey.analysis.filters import select

    calls = []

    def counted(*given):
        calls.append(given)
        return chi_squared(*given)

    monkeypatch.setitem(select.SCORES, "chi_squared", counted)
    data_module._scores.clear()
    sets = [set(DataSpec(str(k), "wine", select={"by": "chi_squared", "k": k}).load().frame) for k in (2, 5, 13)]
    assert len(calls) == 1
    assert sets[0] < sets[1] < sets[2]
    data_module._scores.clear()


def test_a_file_that_has_changed_is_read_again(tmp_path):
    file = tmp_path / "data.csv"
    spec = DataSpec("x", str(file), "y", select={"by": "chi_squared", "k": 1})
    for place, names in enumerate((("a", "b"), ("b", "a"))):
        rows = [f"{i // 10},{i % 2},{'uv'[i // 10]}" for i in range(20)]
        file.write_text("\n".join([f"{','.join(names)},y", *rows]))
        os.utime(file, ns=(place, place))
        assert list(spec.load().frame) == [names[0]]
        assert list(spec.load().frame) == [names[0]]


def test_few_datasets_are_remembered(monkeypatch):
    monkeypatch.setattr(data_module, "_REMEMBERED", 2)
    for k in range(1, 3):
        for name in ("wine", "iris", "breast_cancer"):
            DataSpec("x", f"sklearn:{name}", select={"by": "chi_squared", "k": k}).load()
    assert len(data_module._datasets) == len(data_module._scores) == 2


def test_artificial_data_have_a_size_and_a_seed():
    data = DataSpec("x", "generator:ringnorm", n_samples=74, seed=3).load()
    X, y = make_ringnorm(74, random_state=3)
    np.testing.assert_array_equal(data.frame, X)
    np.testing.assert_array_equal(np.asarray(data.target), y)
    assert data.provenance.notes == ("seed 3",)
    usual = load("generator:ringnorm")
    assert content_of(DataSpec("x", "generator:ringnorm", n_samples=usual.n_rows).load()) == content_of(usual)
    assert content_of(DataSpec("x", "Generator:Ringnorm", seed=0).load()) == content_of(usual)
    assert DataSpec("x", "generator:sim-regression", n_samples=50, task="regression").load().n_rows == 50


def test_data_that_are_held_are_prepared_too(small):
    held = load(small)
    data = DataSpec("x", "memory", held=held, rows=3, ordinal=True).load()
    assert content_of(data) == content_of(DataSpec("y", small, rows=3, ordinal=True).load())


def test_preparing_twice_changes_nothing(small):
    wishes = {"complete": True, "against": "a", "ordinal": True, "select": {"by": "information_gain", "k": 2}}
    once = DataSpec("x", small, rows=5, **wishes).load()
    twice = DataSpec("x", "memory", held=once, rows=3, **wishes).load()
    assert content_of(once) == content_of(twice)


@pytest.mark.parametrize(
    ("source", "wishes", "message"),
    [
        (None, {"rows": 7}, "dataset 'x': rows=7 is more than the 6 that there are; give at most 6"),
        (None, {"against": "d"}, "dataset 'x': against='d' is no class of the target, which has 'a', 'b'.*; name one"),
        (None, {"against": "a", "rows": 1}, "against='a' is the only class"),
        (
            None,
            {"select": {"by": "relieff", "k": 4}},
            "asks for more attributes than the 3 that there are",
        ),
        (None, {"select": {"by": "relieff", "k": 1}, "rows": 1}, "needs two classes, but there is one, 'a'"),
        ("diabetes", {"against": "3"}, "against='3' needs classes, but the target holds numbers"),
        ("diabetes", {"select": {"by": "relieff", "k": 1}}, "needs classes, but the target holds numbers"),
        (None, {"log_target": True}, "dataset 'x': log_target=True needs numbers, but the target holds classes"),
        ("generator:rngnorm", {"n_samples": 5}, "generator has no dataset 'rngnorm'. Close names: 'ringnorm'"),
    ],
)
def test_what_the_data_do_not_allow_is_said(small, source, wishes, message):
    with pytest.raises((ValueError, LookupError), match=message):
        DataSpec("x", source or small, **wishes).load()


def test_rows_that_all_have_gaps_are_refused(tmp_path):
    file = tmp_path / "gaps.csv"
    file.write_text("a,b,y\n1,,u\n,2,v\n")
    with pytest.raises(ValueError, match="dataset 'x': complete=True leaves no row"):
        DataSpec("x", str(file), "y", complete=True).load()


def test_wishes_make_other_specs_that_can_be_sent():
    plain, chosen = DataSpec("x", "wine"), DataSpec("x", "wine", select={"by": "relieff", "k": 3})
    assert plain != chosen
    assert pickle.loads(pickle.dumps(chosen)) == chosen
    assert len({plain, chosen, DataSpec("x", "wine", select=Selection("relieff", 3))}) == 2
