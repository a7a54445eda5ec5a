import gc
from threading import Event, Thread

import numpy as np
import pytest

from covey.learners.per_table import PerTable
from covey.table import as_table
from waiting import PATIENCE


def small_table():
    return as_table(np.arange(6.0)[:, None])


def test_what_is_known_is_not_found_out_again():
    memo, table, calls = PerTable(), small_table(), []
    for _ in range(3):
        assert memo.get(table, lambda: calls.append(1) or "found") == "found"
    assert len(calls) == 1
    assert memo.get(small_table(), lambda: "other") == "other"


def test_only_the_last_key_is_kept():
    memo, table = PerTable(), small_table()
    assert memo.get(table, lambda: 1, "a") == 1
    assert memo.get(table, lambda: 2, "b") == 2
    assert memo.get(table, lambda: 3, "b") == 2
    assert memo.get(table, lambda: 4, "a") == 4


def test_it_is_forgotten_with_its_table():
    memo, table = PerTable(), small_table()
    memo.get(table, lambda: np.zeros(3))
    assert len(memo) == 1
    del table
    gc.collect()
    assert len(memo) == 0


def test_a_failure_is_not_kept():
    memo, table = PerTable(), small_table()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            memo.get(table, lambda: 1 / 0)
    assert memo.get(table, lambda: "found") == "found"


def test_threads_wait_for_the_one_that_finds_out():
    memo, table, calls, go_on, results = PerTable(), small_table(), [], Event(), []

    def find():
        calls.append(1)
        go_on.wait(PATIENCE)
        return len(calls)

    threads = [Thread(target=lambda: results.append(memo.get(table, find))) for _ in range(4)]
    for thread in threads:
        thread.start()
    go_on.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert results == [1, 1, 1, 1]
