"""The line to a Dask scheduler: what happens in Dask's event loop, and how the caller's thread hears of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future as Handle
from itertools import count
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any
from uuid import uuid4

# How often the scheduler is asked, and what one that is connected may take to answer, in seconds.
_LOOK = 0.5
_PATIENCE = 60.0


class ClusterLostError(RuntimeError):
    """The scheduler of a Dask cluster is gone."""


class Ticket:
    """Something that a worker was asked to do.

    Parameters
    ----------
    future : distributed.Future
    parts : sequence of distributed.Future
        What was sent for this alone.
    """

    def __init__(self, future: Any, parts: Sequence[Any]) -> None:
        self.future = future
        self.parts = parts

    def withdraw(self) -> None:
        """Want it no more; a worker that has begun goes on, but nobody hears of it."""
        for future in (self.future, *self.parts):
            future.release()


class Link:
    """A client of Dask, of which nothing waits longer than it should.

    What the scheduler has to say comes as calls in the inbox, for the caller's thread to make.

    Parameters
    ----------
    client : distributed.Client

    Attributes
    ----------
    lost : str
        Why the scheduler can no longer be reached; "" while it can.
    """

    def __init__(self, client: Any) -> None:
        self.client = client
        self.address = str(client.scheduler.address)
        self.lost = ""
        self.inbox: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.handles: set[Handle[Any]] = set()
        self.seen: dict[str, int] | None = None
        self.name = f"covey-{uuid4().hex}"
        self.numbers = count(1)

    def listen(self) -> None:
        """Wait a moment for calls, and make them."""
        end = monotonic() + _LOOK
        try:
            self.inbox.get(timeout=_LOOK)()
            while monotonic() < end:
                self.inbox.get_nowait()()
        except Empty:
            pass

    def check(self) -> None:
        """Raise an error if the scheduler is gone."""
        if self.lost:
            raise ClusterLostError(
                f"the Dask scheduler at {self.address} is lost ({self.lost}). What is finished is kept; start a "
                "cluster and run again to go on with the rest."
            )

    def _start(self, what: Coroutine[Any, Any, Any]) -> Handle[Any]:
        handle = asyncio.run_coroutine_threadsafe(what, self.client.loop.asyncio_loop)
        self.handles.add(handle)
        handle.add_done_callback(self.handles.discard)
        return handle

    def watch(self, look: Callable[[dict[str, int]], None]) -> None:
        """Begin to look again and again which workers there are, and how many threads they have."""
        self._start(self._watch(look))

    async def _watch(self, look: Callable[[dict[str, int]], None]) -> None:
        def report() -> None:
            found, self.seen = self.seen, None
            look(found or {})

        try:
            while True:
                if self.client.status != "running":
                    raise ConnectionError("the connection has ended")
                found = await asyncio.wait_for(self.client.nthreads(asynchronous=True), _PATIENCE)
                waiting, self.seen = self.seen is not None, dict(found)
                if not waiting:
                    self.inbox.put(report)
                await asyncio.sleep(_LOOK)
        except Exception as error:
            self.lost = describe(error)
            self.inbox.put(self.check)

    def submit(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        address: str,
        answer: Callable[[Any], None],
        trouble: Callable[[BaseException], None],
        parts: Sequence[Any] = (),
    ) -> Ticket:
        """Have a certain worker call a function; it begins what it was given first."""
        future = self.prepare(function, *arguments, address=address)
        self._start(self._follow(future, answer, trouble))
        return Ticket(future, parts)

    def prepare(self, function: Callable[..., Any], *arguments: Any, address: str) -> Any:
        """Have a certain worker call a function, and keep what it returns there for others."""
        number = next(self.numbers)
        return self.client.submit(
            function,
            *arguments,
            key=f"{self.name}-{number}",
            workers=[address],
            allow_other_workers=False,
            priority=-number,
            pure=False,
        )

    async def _follow(
        self, future: Any, answer: Callable[[Any], None], trouble: Callable[[BaseException], None]
    ) -> None:
        try:
            found = await self.client.gather([future], errors="skip", asynchronous=True)
            if found:
                self.inbox.put(lambda: answer(found[0]))
                return
            failed = future.status == "error"
            said = await future.exception(asynchronous=True) if failed else ConnectionError(f"it is {future.status}")
        except Exception as error:
            said = error
        self.inbox.put(lambda: trouble(said))

    def ask(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        address: str,
        answer: Callable[[Any], None],
        trouble: Callable[[BaseException], None],
    ) -> None:
        """Have a worker call a function at once, whatever its threads are busy with."""
        self._start(self._ask(function, arguments, address, answer, trouble))

    async def _ask(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        address: str,
        answer: Callable[[Any], None],
        trouble: Callable[[BaseException], None],
    ) -> None:
        try:
            found = await self.client.run(function, *arguments, workers=[address], on_error="return", asynchronous=True)
            said = found.get(address, ConnectionError("it does not answer"))
        except Exception as error:
            said = error
        self.inbox.put(lambda: trouble(said) if isinstance(said, Exception) else answer(said))

    def send(self, content: bytes, address: str) -> Any:
        """Send bytes to a worker, and return Dask's name for them; others can get them from it.

        Raises
        ------
        ClusterLostError
            The scheduler is gone.
        OSError
            It cannot be done, for instance because the worker has left.
        """
        handle = self._start(
            self.client.scatter([content], workers=[address], hash=False, broadcast=False, asynchronous=True)
        )
        while not handle.done():
            self.check()
            try:
                handle.result(_LOOK)
            except Exception:  # it is not through yet, or has failed
                continue
        try:
            (future,) = handle.result()
        except Exception as error:
            raise OSError(f"nothing can be sent to {address}: {describe(error)}") from error
        return future

    def close(self) -> None:
        """Wait for nothing any more."""
        for handle in list(self.handles):
            handle.cancel()


def describe(error: BaseException) -> str:
    """Return name and text of an error."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
