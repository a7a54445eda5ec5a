"""A Dask worker and the tasks that it has been given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from covey.study.cluster_link import Ticket

Task = TypeVar("Task")


@dataclass(eq=False)
class Job(Generic[Task]):
    """A task, and how it fares.

    Parameters
    ----------
    task : Task
    content : bytes
        The same, pickled.
    name : str
        What it needs of the shared objects.
    losses : int
        How many workers were lost at it.
    careful : bool
        Whether no other task may wait behind it, so that the right one is blamed when its worker is lost.
    given : float
        When it was given to a worker.
    """

    task: Task
    content: bytes
    name: str
    losses: int = 0
    careful: bool = False
    given: float = 0.0
    ticket: Ticket | None = None

    def withdraw(self) -> None:
        """Want nothing more of the worker that has it."""
        if self.ticket is not None:
            self.ticket.withdraw()
        self.ticket = None


@dataclass(eq=False)
class Station(Generic[Task]):
    """A Dask worker.

    Parameters
    ----------
    address : str
    n_threads : int
    early : bool
        Whether it was there from the start.
    ready : bool
        Whether it is known to be fit for the work.
    quick : bool
        Whether its last task took next to no time.
    answered : float
        When it last answered.
    jobs : dict of int to Job
        What it has been given and not answered, oldest first.
    order : distributed.Future
        Its order.
    data : dict of str to distributed.Future
        The shared objects that it has.
    """

    address: str
    n_threads: int
    early: bool
    ready: bool = False
    quick: bool = False
    answered: float = 0.0
    jobs: dict[int, Job[Task]] = field(default_factory=dict)
    order: Any = None
    data: dict[str, Any] = field(default_factory=dict)

    def has_room(self) -> bool:
        """Return whether it can begin another task at once."""
        return self.ready and len(self.jobs) < self.n_threads

    def wants_next(self) -> bool:
        """Return whether it should have a task to go on with when it is through with the present one."""
        if not (self.ready and self.quick and len(self.jobs) < 2 * self.n_threads):
            return False
        return not any(job.careful for job in self.jobs.values())
