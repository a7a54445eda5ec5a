from __future__ import annotations

import json
import random
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from covey.study import StudyRecord
from covey.study.store import Outcome, Store, StoreError
from study.outcomes import filled, key, make, record_of


@pytest.fixture
def store(path):
    with Store.open(path, write=True) as opened:
        yield opened


def test_what_is_put_is_read_again(path):
    outcome = make(
        0, "failed", warnings=("one", "two"), error="ValueError: no", traceback="Traceback ...\nValueError: no"
    )
    with Store.open(path, write=True) as store:
        assert store.put(outcome)
        assert store.put(make(1))
    with Store.open(str(path), write=False) as store:
        first, second = store.read([key(0), key(1)])
        assert (first.key, first.status, first.labels) == (key(0), "failed", {"dataset": "iris", "fit": 0})
        assert (first.scores, first.seconds, first.warnings) == ({"accuracy": 0.0}, {"fit": 0.25}, ("one", "two"))
        assert (first.error, first.traceback) == ("ValueError: no", "Traceback ...\nValueError: no")
        assert first.arrays == {}
        assert second.scores == {"accuracy": 1 / 7}
        assert store.arrays(key(1))["predictions"].tolist() == [1, 2, 3, 4, 5]
        assert (len(store), store.counts(), store.keys()) == (2, {"done": 1, "failed": 1}, [key(0), key(1)])
        assert str(store) == "results.sqlite: 1 done, 1 failed"


def test_what_is_done_stays_and_what_failed_is_replaced(store):
    assert store.put(make(0, "failed", error="first"))
    assert store.put(make(0, "failed", error="second", arrays={}))
    assert next(store.read([key(0)])).error == "second"
    assert store.arrays(key(0)) == {}
    assert store.put(make(0))
    later = make(0, scores={"accuracy": 0.5}, arrays={"predictions": np.zeros(3)})
    assert not store.put(later)
    assert not store.put(make(0, "failed", error="late"))
    found = next(store.read([key(0)]))
    assert (found.status, found.error, found.scores) == ("done", "", {"accuracy": 0.0})
    assert store.arrays(key(0))["predictions"].tolist() == [0, 1, 2, 3, 4]
    assert len(store) == 1


def test_finished_and_read_tell_of_the_keys_that_are_asked_for(store):
    for number in range(1200):
        store.put(make(number, "failed" if number % 3 == 0 else "done", arrays={}))
    asked = [key(number) for number in range(1500, 0, -2)]
    random.Random(0).shuffle(asked)
    there = {key(number): "failed" if number % 3 == 0 else "done" for number in range(1200)}
    assert store.finished(iter(asked)) == {one: there[one] for one in asked if one in there}
    assert [one.key for one in store.read(iter(asked))] == [one for one in asked if one in there]
    assert store.finished([]) == {}
    assert list(store.read([])) == []
    assert store.counts() == {"done": 800, "failed": 400}


def test_reading_streams(store):
    for number in range(3):
        store.put(make(number))
    asked = []

    def endless():
        for number in range(10**9):
            asked.append(number)
            yield key(number % 3)

    outcomes = store.read(endless())
    assert [next(outcomes).key for _ in range(5)] == [key(0), key(1), key(2), key(0), key(1)]
    assert len(asked) < 2000


def test_a_cell_or_a_study_that_is_not_there_is_named(store):
    store.put(make(0, arrays={}))
    assert store.arrays(key(0)) == {}
    with pytest.raises(KeyError, match="has no cell 'nowhere'"):
        store.arrays("nowhere")
    with pytest.raises(StoreError, match="'other'"):
        store.study_cells("other")


def test_labels_may_hold_anything(store):
    odd = "'; DROP TABLE cells; -- \" <b>&amp; ../../etc C:\\x \0 \n %s {} ж 🌳 \udc80"
    store.put(Outcome.failed(odd.replace("\udc80", ""), {odd: odd, "list": [odd, {"in": None}]}, odd, odd))
    found = next(store.read(store.keys()))
    assert found.labels == {odd: odd, "list": [odd, {"in": None}]}
    assert found.key == odd.replace("\udc80", "")
    assert found.error == odd.replace("\udc80", "\\udc80")


def test_what_cannot_be_written_is_refused_and_leaves_nothing(store):
    with pytest.raises(TypeError, match="only a pickle could hold"):
        store.put(make(0, arrays={"predictions": np.array([None])}))
    with pytest.raises(ValueError, match="surrogates not allowed"):
        store.put(Outcome.failed("\udc80", {}, ""))
    assert len(store) == 0
    assert store.put(make(0))


def test_a_store_is_used_by_one_thread_until_it_is_closed(path, store):
    raised = []

    def work():
        try:
            store.put(make(0))
        except StoreError as error:
            raised.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert "thread" in raised[0]
    assert str(path) in raised[0]
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.finished([key(0)])


def test_a_reader_cannot_put_and_leaves_the_file_alone(path):
    content = sha256(filled(path, 20).read_bytes()).hexdigest()
    with Store.open(path, write=False) as store:
        assert len(list(store.read(store.keys()))) == 20
        with pytest.raises(StoreError, match="open it with write=True"):
            store.put(make(20))
        with pytest.raises(StoreError, match="open it with write=True"):
            store.put_study(record_of("one"), CELLS)
    assert sha256(path.read_bytes()).hexdigest() == content


def test_the_log_is_forced_to_the_disk_about_once_a_second(store, monkeypatch):
    now = [100.0]
    monkeypatch.setattr("covey.study.store.time.monotonic", lambda: now[0])
    said = []
    store._connection.set_trace_callback(lambda query: said.append(query) if "synchronous" in query else None)
    for number, moment in enumerate([100.0, 100.5, 100.9, 101.0, 101.5, 103.0]):
        now[0] = moment
        store.put(make(number))
    assert [query.split()[-1] for query in said] == ["FULL", "NORMAL", "NORMAL", "FULL", "NORMAL", "FULL"]
    assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


# The studies that a store has cells of

CELLS = {key(1): {"dataset": "iris", "fit": 0}, key(2): {"dataset": "iris", "fit": 1}}


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
