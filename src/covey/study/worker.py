"""The script of a worker process.

It imports the standard library alone: so it starts in a few hundredths of a second, and loads NumPy or covey only when
the work that it is given needs them. `covey.study.pool` starts it and speaks with it: each message to it is one pickle,
each of its own has a head with kind and size.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import struct
import sys
from collections.abc import Callable
from typing import Any, BinaryIO, Literal

# The kinds of a worker's messages.
READY, BROKEN, DONE, FAILED, NOTE = range(5)
HEAD = "!BQ"


def end_with_parent(pipe: int, parent: int) -> None:
    """Have the kernel end this process and its children when the parent is gone, whatever they are busy with.

    The parent holds the other end of the pipe and writes nothing: when it is closed, a signal goes to this process
    group. A thread could not do it while some library holds Python's global lock. (Nor does Linux's "parent death
    signal": it tells of the thread that started a process, which may end long before the parent.)
    """
    import fcntl

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(pipe, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    if os.getppid() != parent:
        os._exit(1)


def describe_error(error: BaseException, prefix: str = "") -> tuple[Literal["raised", "memory"], str, str]:
    """Return why a task failed ("raised" or "memory"), the error in a line, and its traceback, all as text.

    Errors themselves are not sent: many cannot be pickled, or not be read where their class is unknown.
    """
    import traceback

    reason: Literal["raised", "memory"] = "memory" if isinstance(error, MemoryError) else "raised"
    try:
        text = str(error)
    except Exception:
        text = "(an error that cannot be written as text)"
    name = type(error).__name__
    message = f"{prefix}{name}: {text}" if text else f"{prefix}{name}"
    return reason, message, "".join(traceback.format_exception(error))


def attempt(work: Callable[[Any], Any], content: bytes) -> tuple[int, bytes]:
    """Carry out a pickled task, and return the kind of answer and its content."""
    prefix = "The task cannot be read in a worker: "
    try:
        task = pickle.loads(content)
        prefix = ""
        result = work(task)
        prefix = "The result cannot be pickled: "
        return DONE, pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
    except BaseException as error:
        if error.__traceback__ is not None:
            error.__traceback__ = error.__traceback__.tb_next or error.__traceback__
        return FAILED, pickle.dumps(describe_error(error, prefix))


def main(parent: int, channel: int, pipe: int) -> None:
    """Carry out tasks until the parent has no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for descriptor in (channel, pipe):
        os.set_inheritable(descriptor, False)
    end_with_parent(pipe, parent)
    with socket.socket(fileno=channel) as connection, connection.makefile("rb") as messages:
        serve(connection, messages)


def serve(connection: socket.socket, messages: BinaryIO) -> None:
    """Make ready as the first message says, and answer the others."""

    def send(kind: int, content: bytes = b"") -> None:
        connection.sendall(struct.pack(HEAD, kind, len(content)))
        connection.sendall(content)

    try:
        sys.path[:], setup = pickle.load(messages)
        work, initializer, initargs, watch = pickle.loads(setup)
        if initializer is not None:
            initializer(*initargs)
        if watch is not None:
            watch(lambda text: send(NOTE, pickle.dumps(text)))
    except BaseException as error:
        send(BROKEN, pickle.dumps(describe_error(error)))
        return
    try:
        send(READY)
        while True:
            send(*attempt(work, pickle.load(messages)))
    except (EOFError, OSError):  # the parent has closed the connection
        return


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
