"""The studies that a store has cells of."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from covey.study import Store, StudyRecord
from covey.study.store import StoreError
from study.outcomes import key, make, record_of

CELLS = {key(1): {"dataset": "iris", "fit": 0}, key(2): {"dataset": "iris", "fit": 1}}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.store"


def test_records_and_cells_come_back_as_they_were_put(path):
    first, second = record_of("first"), record_of('it\'s "two" <b>', seed=2)
    with Store.open(path, write=True) as store:
        store.put_study(second, CELLS)
        store.put_study(first, dict(list(CELLS.items())[:1]))
    with Store.open(path, write=False) as store:
        assert store.studies() == {"first": first, second.name: second}
        assert store.study_cells(second.name) == CELLS
        assert list(store.study_cells("first")) == [key(1)]


def test_a_record_without_what_was_added_later_is_read():
    record = record_of("one")
    found = json.loads(record.to_json())
    del found["earlier"], found["datasets"][0]["notes"]
    assert StudyRecord.from_json(json.dumps(found)) == record


def test_a_study_of_the_same_name_takes_the_place_of_the_first(path):
    with Store.open(path, write=True) as store:
        store.put_study(record_of("one"), CELLS)
        store.put_study(record_of("one", seed=5), {key(3): {"fit": 7}})
        assert store.studies()["one"].seed == 5
        assert store.study_cells("one") == {key(3): {"fit": 7}}


def test_cells_of_an_unknown_study_are_refused(path):
    with Store.open(path, write=True) as store, pytest.raises(StoreError, match="'other'"):
        store.study_cells("other")


def test_a_reader_cannot_put_a_study(path):
    with Store.open(path, write=True) as store:
        store.put(make(1))
    with Store.open(path, write=False) as store, pytest.raises(StoreError, match="write=True"):
        store.put_study(record_of("one"), CELLS)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE studies SET record = replace(record, '\"seed\": 1', '\"seed\": 2')",
        "UPDATE studies SET record = '[]'",
        "UPDATE studies SET cells = '{}'",
        "UPDATE studies SET name = 'two'",
    ],
)
def test_what_was_changed_by_hand_is_not_believed(path, change):
    with Store.open(path, write=True) as store:
        store.put_study(record_of("one"), CELLS)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(change)
    with Store.open(path, write=False) as store, pytest.raises(StoreError, match="not what was put"):
        _ = store.studies(), store.study_cells("one")


def test_a_record_says_its_protocol_in_words():
    def words(**protocol):
        return replace(record_of("one"), protocol=protocol).protocol_text

    folds = {"kind": "cross-validation", "n_folds": 3}
    assert words(**folds, n_repeats=10, stratified=False) == "10 x 3-fold cross-validation"
    assert words(**folds, n_repeats=1, stratified=True) == "3-fold cross-validation, stratified by class"
    halves = {"kind": "resamples", "n_repeats": 1, "stratified": False}
    assert words(**halves, train_size=2 / 3) == "1 random split with two thirds for training"
    assert words(**halves, train_size=0.7) == "1 random split with 70 % for training"
    assert words(**halves, train_size=100) == "1 random split with 100 cases for training"
    bags = words(kind="bootstrap", n_repeats=200, sample_size=200, test_size=1 / 3)
    assert bags == "200 bootstrap samples of 200 cases each, a third held out for testing"
    parts = words(kind="disjoint-samples", n_repeats=100, train_size=300, test_size=3000)
    assert parts == "100 training sets of 300 cases each that share none, 3000 cases for testing"
    assert words(kind="fixed-split", n_train=100) == "one split, the first 100 cases for training"
    assert words(kind="fixed-split", test=[1]) == "one split, 1 named case for testing"
