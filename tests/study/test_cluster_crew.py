"""Who does which task when workers come and go, with a link that only takes notes."""

from __future__ import annotations

import pickle

import pytest

from covey.study import cluster_crew
from covey.study.cluster_crew import ClusterCrew
from covey.study.cluster_worker import PACKAGES, Order
from covey.study.crew import Failure
from covey.study.record import versions
from covey.study.worker import DONE


class Note:
    """What was asked of a worker, and the promise of an answer."""

    def __init__(self, arguments, address, answer=None, trouble=None):
        self.arguments, self.address, self.answer, self.trouble = arguments, address, answer, trouble
        self.status = "finished"
        self.withdrawn = False

    def withdraw(self):
        self.withdrawn = True


class FakeLink:
    address = "tcp://scheduler:1"

    def __init__(self):
        self.given, self.prepared, self.sent = [], [], []

    def submit(self, function, *arguments, address, answer, trouble, parts):
        self.given.append(Note(arguments, address, answer, trouble))
        return self.given[-1]

    def prepare(self, function, *arguments, address):
        note = Note(arguments, address)
        if function is not pickle.loads:
            self.prepared.append(note)
        return note

    def send(self, content, address):
        self.sent.append(Note((content,), address))
        return self.sent[-1]

    def ask(self, function, *arguments, address, answer, trouble):
        answer((versions(PACKAGES), ""))

    def done(self, position=0, seconds=0.001):
        """Let a task be answered with itself."""
        note = self.given.pop(position)
        note.answer((DONE, note.arguments[2], seconds))
        return note

    def tasks(self):
        return [(pickle.loads(note.arguments[2]), note.address) for note in self.given if not note.withdrawn]


class KilledWorker(Exception):
    pass


@pytest.fixture
def link():
    return FakeLink()


def crew_of(link, n_tasks, retries=1, shared=None, share_of=lambda task: "", **workers):
    crew = ClusterCrew(link, Order(b"", None, None), iter(range(n_tasks)), shared or {}, share_of, retries)
    crew.look(workers)
    crew.feed()
    return crew


def test_each_thread_has_a_task_and_quick_workers_one_more(link):
    with pytest.warns(UserWarning, match="several threads"):
        crew = crew_of(link, 20, a=1, b=2)
    assert link.tasks() == [(0, "a"), (1, "b"), (2, "b")]
    link.done()
    crew.feed()
    assert link.tasks() == [(1, "b"), (2, "b"), (3, "a"), (4, "a")]


def test_a_slow_worker_has_no_more_than_it_can_do(link):
    crew = crew_of(link, 20, a=1)
    link.done(seconds=5.0)
    crew.feed()
    assert link.tasks() == [(1, "a")]


def test_the_task_that_a_lost_worker_was_at_is_blamed_and_no_other(link):
    crew = crew_of(link, 4, retries=0, a=1)
    link.done()
    crew.feed()
    assert link.tasks() == [(1, "a"), (2, "a")]
    crew.look({"b": 1})
    assert list(crew.outcomes) == [(0, 0), (1, Failure("died", "the Dask worker at a was lost"))]
    crew.feed()
    assert link.tasks() == [(2, "b")]


def test_a_task_that_met_with_a_loss_has_a_worker_to_itself(link):
    crew = crew_of(link, 9, a=1)
    link.done()
    crew.feed()
    crew.look({"b": 1})
    crew.feed()
    assert link.tasks() == [(1, "b")]
    crew.stations["b"].quick = True
    crew.feed()
    assert link.tasks() == [(1, "b")]


def test_a_task_is_tried_so_often_and_no_more(link):
    crew = crew_of(link, 1, retries=3, w0=1)
    for number in range(1, 5):
        assert not crew.outcomes
        crew.look({f"w{number}": 1})
        crew.feed()
    assert list(crew.outcomes) == [(0, Failure("died", "the Dask worker at w3 was lost; it was tried 4 times"))]
    assert crew.is_done() is False
    crew.outcomes.clear()
    assert crew.is_done() is True


def test_an_answer_that_comes_too_late_is_not_taken(link):
    crew = crew_of(link, 1, a=1)
    late = link.given[0]
    crew.look({"b": 1})
    crew.feed()
    assert late.withdrawn
    late.answer((DONE, pickle.dumps("late"), 0.1))
    link.done(1)
    assert list(crew.outcomes) == [(0, 0)]


def test_no_answer_means_nothing_until_the_scheduler_speaks(link):
    """When the scheduler is gone, all tasks have trouble, and none of them is to blame."""
    crew = crew_of(link, 1, retries=0, a=1)
    link.given[0].trouble(ConnectionError("gone"))
    crew.feed()
    assert not crew.outcomes
    assert not crew.is_done()
    crew.look({"a": 1})
    ((task, failure),) = crew.outcomes
    assert task == 0
    assert failure.reason == "died"
    assert failure.message == "the Dask worker at a gave no answer (ConnectionError: gone)"


def test_what_dask_gave_up_is_tried_once_more_by_itself(link):
    """Dask blames all tasks that a worker has when it dies, begun or not."""
    crew = crew_of(link, 1, retries=3, a=1)
    link.given.pop().trouble(KilledWorker("x"))
    crew.look({"a": 1})
    crew.feed()
    link.given.pop().trouble(KilledWorker("x"))
    crew.look({"a": 1})
    assert [failure.reason for _, failure in crew.outcomes] == ["died"]


def test_a_task_that_waits_too_long_goes_to_another_worker(link, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(cluster_crew, "monotonic", lambda: now[0])
    crew = crew_of(link, 3, a=1)
    link.done()
    crew.feed()
    waiting = link.given[1]
    crew.inspect()
    assert not waiting.withdrawn
    now[0] = 1.5
    crew.inspect()
    crew.look({"a": 1, "b": 1})
    crew.feed()
    assert waiting.withdrawn
    assert link.tasks() == [(1, "a"), (2, "b")]


def test_shared_objects_are_sent_once_and_again_when_lost(link):
    crew = crew_of(link, 9, shared={"x": "X"}, share_of=lambda task: "x", a=1, b=1)
    assert len(link.sent) == 1
    assert {note.address for note in link.prepared} == {"a", "b"}
    for _ in range(4):
        link.done(seconds=5)
        crew.feed()
    assert (len(link.sent), len(link.prepared)) == (1, 2)
    link.sent[0].status = "lost"
    crew.look({"a": 1, "c": 1})
    crew.feed()
    assert [note.address for note in link.sent[1:]] == ["c"]
    assert len(link.prepared) == 3


def test_a_shared_object_that_cannot_be_read_any_more_costs_nothing_that_is_under_way(link):
    class Changing(dict):
        def __missing__(self, name):
            raise OSError("it has changed")

    crew = crew_of(link, 4, shared=Changing(x=1), share_of=lambda task: "xxyx"[task], a=1, b=1)
    link.done()
    crew.feed()
    link.done()
    assert list(crew.outcomes) == [(0, 0), (1, 1)]
    assert crew.is_done() is False
    crew.outcomes.clear()
    assert crew.is_done() is True
    assert repr(crew.error) == "OSError('it has changed')"


def test_a_worker_keeps_the_objects_used_last(link):
    names = "abcdefghij"
    crew = crew_of(link, 40, shared=dict.fromkeys(names, 1), share_of=lambda task: names[task % 10], w=1)
    for _ in range(9):
        link.done(seconds=5)
        crew.feed()
    assert "".join(crew.stations["w"].data) == "cdefghij"
    assert len(crew.parcels) == 8


def test_a_worker_that_leaves_while_it_is_sent_to_costs_no_task(link):
    def refuse(content, address):
        raise OSError("gone")

    link.send = refuse
    crew = crew_of(link, 1, shared={"x": 1}, share_of=lambda task: "x", a=1)
    assert not crew.stations
    assert not crew.outcomes
    del link.send
    crew.look({"a": 1})
    crew.feed()
    assert link.tasks() == [(0, "a")]


def test_a_worker_that_joins_late_and_is_not_fit_is_left_out(link):
    crew = crew_of(link, 3, a=1)
    link.ask = lambda function, *arguments, address, answer, trouble: trouble(ImportError("no covey"))
    with pytest.warns(UserWarning, match=r"worker at b cannot take part: it cannot import covey .* install that"):
        crew.look({"a": 1, "b": 1})
    crew.look({"a": 1, "b": 1})
    crew.feed()
    assert link.tasks() == [(0, "a")]


def test_a_worker_that_was_there_at_first_and_is_not_fit_is_an_error(link):
    link.ask = lambda function, *arguments, address, answer, trouble: answer((versions(PACKAGES) | {"covey": "0"}, ""))
    with pytest.raises(RuntimeError, match="worker at a cannot take part: it has covey 0, not"):
        crew_of(link, 3, a=1)
