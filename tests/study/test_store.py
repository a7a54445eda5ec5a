from __future__ import annotations

import random
import threading
from hashlib import sha256

import numpy as np
import pytest

from covey.study.store import Outcome, Store, StoreError
from study.outcomes import key, make


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.sqlite"


@pytest.fixture
def store(path):
    with Store.open(path, write=True) as opened:
        yield opened


def filled(path, n):
    with Store.open(path, write=True) as store:
        for number in range(n):
            store.put(make(number))
    return path


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


def test_a_cell_that_is_not_there_is_named(store):
    store.put(make(0, arrays={}))
    assert store.arrays(key(0)) == {}
    with pytest.raises(KeyError, match="has no cell 'nowhere'"):
        store.arrays("nowhere")


def test_labels_may_hold_anything(store):
    odd = "'; DROP TABLE cells; -- \" <b>&amp; ../../etc C:\\x \0 \n %s {} ж 🌳 \udc80"
    store.put(Outcome.failed(odd.replace("\udc80", ""), {odd: odd, "list": [odd, {"in": None}]}, odd, odd))
    found = next(store.read(store.keys()))
    assert found.labels == {odd: odd, "list": [odd, {"in": None}]}
    assert found.key == odd.replace("\udc80", "")
    assert found.error == odd.replace("\udc80", "\\udc80")


def test_undefined_scores_are_kept_as_such(store):
    store.put(make(0, scores={"auc": np.nan, "ratio": np.inf, "accuracy": np.float32(0.1)}))
    scores = next(store.read([key(0)])).scores
    assert np.isnan(scores["auc"])
    assert (scores["ratio"], scores["accuracy"]) == (np.inf, float(np.float32(0.1)))


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
