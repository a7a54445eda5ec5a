"""Ctrl-C while a model is trained or predicts is a KeyboardInterrupt, wherever it comes."""

from __future__ import annotations

import signal
import time

import pytest

from faults.interrupted import ROWS


def interrupt(room, *arguments, after):
    with room.start("faults.interrupted", *arguments) as running:
        try:
            assert running.stdout.readline() == "begun\n", running.stderr.read()
            time.sleep(after)
            running.send_signal(signal.SIGINT)
            output, errors = running.communicate(timeout=300)
        finally:
            running.kill()
    return running.returncode, output, errors


@pytest.mark.parametrize("stage", ["fit", "predict"])
@pytest.mark.parametrize("name", sorted(ROWS))
def test_an_interrupt_arrives_as_such(room, name, stage):
    assert interrupt(room, name, stage, after=0.3) == (0, "KeyboardInterrupt\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("after", [0.05, 0.1, 0.2, 0.4, 0.55, 0.7, 0.85])
@pytest.mark.parametrize("name", sorted(ROWS))
def test_an_interrupt_arrives_as_such_at_any_time(room, name, after):
    assert interrupt(room, name, "fit", after=after) == (0, "KeyboardInterrupt\n", "")


@pytest.mark.parametrize("name", ["random-subspace", "mfs1"])
def test_an_interrupt_arrives_as_such_with_threads(room, name):
    assert interrupt(room, name, "fit", "2", after=0.3) == (0, "KeyboardInterrupt\n", "")
