"""The workers of a Dask cluster: who does which task, and what becomes of tasks when workers come and go."""

from __future__ import annotations

import pickle
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from operator import call
from time import monotonic
from typing import Any, Generic, TypeVar

from covey.study.cluster_link import Link, describe
from covey.study.cluster_station import Job, Station
from covey.study.cluster_worker import PACKAGES, Answer, Order, introduce
from covey.study.crew import Failure, read_outcome
from covey.study.record import versions
from covey.study.worker import BROKEN, describe_error

Task = TypeVar("Task")
Result = TypeVar("Result")

# How long there may be no workers at all, in seconds.
_ALONE = 60.0
# Up to which time a task is quick, and after which one that waits behind another goes to someone else, in seconds.
_QUICK = 0.1
_LONG = 1.0
# How many shared objects a worker keeps, and the cluster in packed form: those used last.
_KEPT = 8
# Up to how many bytes a task is part of what Dask plans with.
_SMALL = 1 << 20


class ClusterCrew(Generic[Task, Result]):
    """The workers of one call of `run_on_cluster`.

    Each task is given to a certain worker, where Dask would otherwise choose: so it is known which task a worker was at
    when it is lost, and shared objects go to each worker once.

    Parameters
    ----------
    link : Link
    order : Order
        What tasks have in common.
    tasks : iterator
    shared, share_of, retries
        See `run_on_cluster`.
    """

    def __init__(
        self,
        link: Link,
        order: Order,
        tasks: Iterator[Task],
        shared: Mapping[str, Any],
        share_of: Callable[[Task], str],
        retries: int,
    ) -> None:
        self.link = link
        self.order = order
        self.tasks = tasks
        self.shared = shared
        self.share_of = share_of
        self.retries = retries
        self.stations: dict[str, Station[Task]] = {}
        self.unfit: set[str] = set()
        self.parcels: dict[str, Any] = {}
        self.returned: deque[Job[Task]] = deque()
        self.unclear: list[tuple[Station[Task], Job[Task], BaseException]] = []
        self.outcomes: deque[tuple[Task, Result | Failure]] = deque()
        self.n_given = 0
        self.warned: set[str] = set()
        self.alone_since = monotonic()
        self.error: Exception | None = None

    def run(self) -> Generator[tuple[Task, Result | Failure], None, None]:
        """Yield tasks and what became of them."""
        self.link.watch(self.look)
        while True:
            self.feed()
            if self.outcomes:
                yield self.outcomes.popleft()
            elif self.is_done():
                break
            else:
                self.link.listen()
                self.inspect()
        if self.error is not None:
            raise self.error

    def is_done(self) -> bool:
        """Return whether nothing is under way and nothing is left to do."""
        if self.unclear or any(station.jobs for station in self.stations.values()):
            return False
        job = self.next_job()
        if job is not None:
            self.returned.appendleft(job)
        return job is None and not self.outcomes

    # Giving tasks to workers

    def feed(self) -> None:
        """Give tasks to workers that are free, then to quick workers what they can go on with."""
        for station in list(self.stations.values()):
            while station.has_room():
                if not self.give(station):
                    return
        for station in list(self.stations.values()):
            while not self.returned and station.wants_next():
                if not self.give(station):
                    return

    def give(self, station: Station[Task]) -> bool:
        """Give a worker the next task, and return whether there was one."""
        job = self.next_job()
        if job is None:
            return False
        try:
            self.hand_over(station, job)
        except OSError:  # the worker is leaving, or comes again with the next look
            self.returned.appendleft(job)
            self.part_with(station)
        return True

    def next_job(self) -> Job[Task] | None:
        """Return the next task, if there is one."""
        while self.error is None:
            if self.returned:
                return self.returned.popleft()
            try:
                task = next(self.tasks)
                name = self.share_of(task)
            except StopIteration:
                break
            except Exception as error:
                self.error = error
                break
            try:
                return Job(task, pickle.dumps(task, pickle.HIGHEST_PROTOCOL), name)
            except Exception as error:
                self.outcomes.append((task, Failure(*describe_error(error, "The task cannot be pickled: "))))
        return None

    def hand_over(self, station: Station[Task], job: Job[Task]) -> None:
        """Send a task to a worker, after the shared object that it needs."""
        data = self.deliver(station, job.name) if job.name else None
        if self.error is not None:
            return
        parts = [] if len(job.content) <= _SMALL else [self.link.send(job.content, station.address)]
        content = parts[0] if parts else job.content
        apart = self.order.timeout is not None or self.order.memory is not None or station.n_threads > 1
        number = self.n_given = self.n_given + 1
        job.given = monotonic()
        job.ticket = self.link.submit(
            call,
            station.order,
            "carry out",
            content,
            job.name,
            data,
            apart,
            address=station.address,
            answer=lambda answer: self.take(station, number, answer),
            trouble=lambda error: self.doubt(station, number, error),
            parts=parts,
        )
        station.jobs[number] = job

    def deliver(self, station: Station[Task], name: str) -> Any:
        """Return a worker's copy of a shared object, which it has or is sent now."""
        data = station.data.pop(name, None)
        if data is None:
            parcel = self.parcels.pop(name, None)
            if parcel is None or parcel.status != "finished":  # never sent, or lost with the worker that had it
                content = self.pack(name)
                if content is None:
                    return None
                parcel = self.link.send(content, station.address)
            self.parcels[name] = parcel
            data = self.link.prepare(call, station.order, "unpack", parcel, address=station.address)
        station.data[name] = data
        for kept in (station.data, self.parcels):
            while len(kept) > _KEPT:
                del kept[next(iter(kept))]
        return data

    def pack(self, name: str) -> bytes | None:
        """Return a shared object as bytes, if it can be sent."""
        try:
            shared = self.shared[name]
        except KeyError:
            self.error = ValueError(f"share_of names {name!r}, which is not in shared; add it, or return ''.")
            return None
        except Exception as error:  # what is read only now may have changed
            self.error = error
            return None
        try:
            return pickle.dumps(shared, pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            self.error = TypeError(f"shared[{name!r}] cannot be sent to workers: {describe(error)}")
        return None

    # What becomes of tasks

    def take(self, station: Station[Task], number: int, answer: Answer) -> None:
        """Take the answer to a task."""
        job = station.jobs.pop(number, None)
        if job is None:  # taken back, or its worker was thought lost
            return
        job.withdraw()
        station.answered = monotonic()
        kind, content, seconds = answer
        station.quick = seconds < _QUICK
        if kind == BROKEN:
            wrong_argument, message = pickle.loads(content)
            self.error = self.error or (ValueError if wrong_argument else RuntimeError)(message)
        else:
            self.outcomes.append((job.task, read_outcome(kind, memoryview(content))))

    def doubt(self, station: Station[Task], number: int, error: BaseException) -> None:
        """Note that no answer will come; whether it was the scheduler will show when that next answers, or does not."""
        job = station.jobs.pop(number, None)
        if job is not None:
            self.unclear.append((station, job, error))

    def lose(self, job: Job[Task], why: str) -> None:
        """Note that a worker was lost at a task, which is tried again, but not for ever."""
        job.withdraw()
        job.losses += 1
        job.careful = True
        if job.losses <= self.retries:
            self.returned.append(job)
        else:
            times = f"; it was tried {job.losses} times" if job.losses > 1 else ""
            self.outcomes.append((job.task, Failure("died", f"{why}{times}")))

    def settle(self) -> None:
        """Decide about tasks without an answer, now that the scheduler is known to be alive."""
        for station, job, error in self.unclear:
            if job.name in station.data and station.data[job.name].status != "finished":
                del station.data[job.name]
            if station.order.status not in ("finished", "pending"):
                self.part_with(station)
            if type(error).__name__ == "KilledWorker" and job.careful:  # Dask has tried it some times by itself
                job.losses = max(job.losses, self.retries)
            self.lose(job, f"the Dask worker at {station.address} gave no answer ({describe(error)})")
        self.unclear.clear()

    # What becomes of workers

    def look(self, found: dict[str, int]) -> None:
        """See which workers have come and gone."""
        for address in [known for known in self.stations if known not in found]:
            self.part_with(self.stations[address])
        early = not self.stations and not self.unfit and not self.n_given
        for address in [new for new in found if new not in self.stations and new not in self.unfit]:
            station = self.stations[address] = Station[Task](address, found[address], early)
            self.greet(station)
        self.settle()

    def greet(self, station: Station[Task]) -> None:
        """Ask a worker what it is."""
        self.link.ask(
            introduce,
            self.order.work,
            address=station.address,
            answer=lambda answer: self.admit(station, *answer),
            trouble=lambda error: self.turn_away(station, error),
        )

    def admit(self, station: Station[Task], found: dict[str, str], trouble: str) -> None:
        """Let a worker take part if it has the same covey and can do the work."""
        ours = versions(PACKAGES)
        if found["covey"] != ours["covey"]:
            trouble = f"it has covey {found['covey']}, not {ours['covey']}; install the same version there."
        if trouble:
            self.reject(station, trouble)
            return
        for package in ours:
            theirs, mine = (".".join(one[package].split(".")[:2]) for one in (found, ours))
            if theirs != mine:
                self.warn(f"Dask workers have {package} {theirs}, not {mine}: results may differ a little.")
        if station.n_threads > 1 and self.order.timeout is None and self.order.memory is None:
            self.warn(
                "Dask workers of several threads carry out each task in a process of its own, which takes time to "
                "start; `dask worker ADDRESS --nworkers N --nthreads 1` avoids that."
            )
        content = pickle.dumps(self.order, pickle.HIGHEST_PROTOCOL)
        station.order = self.link.prepare(pickle.loads, content, address=station.address)
        station.ready = True

    def turn_away(self, station: Station[Task], error: BaseException) -> None:
        """Part with a worker that does not say what it is."""
        if isinstance(error, (ImportError, AttributeError)):
            ours = versions(())["covey"]
            self.reject(station, f"it cannot import covey {ours} ({describe(error)}); install that version there.")
        else:  # it has left; if not, it comes again with the next look
            self.part_with(station)

    def reject(self, station: Station[Task], trouble: str) -> None:
        """Do without a worker that joins late and is not fit for the work; one that was there at first is an error."""
        message = f"the Dask worker at {station.address} cannot take part: {trouble}"
        if station.early:
            raise RuntimeError(message)
        self.unfit.add(station.address)
        self.part_with(station)
        self.warn(message)

    def warn(self, message: str) -> None:
        """Warn once."""
        if message not in self.warned:
            self.warned.add(message)
            warnings.warn(message, UserWarning, stacklevel=2)

    def part_with(self, station: Station[Task]) -> None:
        """Forget a worker; what it was at is tried again, and so is, without blame, what had to wait."""
        if self.stations.get(station.address) is station:
            del self.stations[station.address]
        station.ready = False
        for place, job in enumerate(station.jobs.values()):
            if place < station.n_threads:
                self.lose(job, f"the Dask worker at {station.address} was lost")
            else:
                job.withdraw()
                job.careful = True
                self.returned.append(job)
        station.jobs.clear()

    def inspect(self) -> None:
        """Look for workers that keep a task waiting, and for none at all."""
        now = monotonic()
        for station in self.stations.values():
            numbers = list(station.jobs)
            waiting = numbers[station.n_threads :]
            if waiting and now - max(station.answered, station.jobs[numbers[0]].given) > _LONG:
                station.quick = False
                for number in waiting:
                    job = station.jobs.pop(number)
                    job.withdraw()
                    self.returned.append(job)
        if self.stations:
            self.alone_since = now
        elif now - self.alone_since > _ALONE:
            address = self.link.address
            raise RuntimeError(
                f"the Dask scheduler at {address} has had no workers fit for the work for {_ALONE:g} seconds; start "
                f"some with `dask worker {address} --nthreads 1` and run again."
            )
