"""Kernels that are optimised as wholes: what becomes machine code, and that numba's own way still works beside it."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit
from numba.core.registry import cpu_target

from covey.kernels import compile
from covey.kernels.compile import Floats, OutFloats, inlined_exactly, kernel, loop, part
from covey.kernels.whole import as_wholes

MESSAGE = "no value"


def parts_and_kernel():
    """A kernel over parts that share a part, make arrays and raise; nothing of it is compiled before this is called."""

    @inlined_exactly
    def twice(value):
        return 2.0 * value

    @loop
    def add(first, second):
        return twice(first) + twice(second)

    @part
    def sums_of(values):
        sums = np.zeros(len(values))
        for at in range(len(values)):
            sums[at] = add(values[at], twice(at))
        return sums

    def fill(values: Floats, filled: OutFloats) -> int:
        if len(values) == 0:
            raise ValueError(MESSAGE)
        filled[:] = np.sort(sums_of(values))[::-1]
        return len(values)

    return (twice, add, sums_of), fill


def expected_of(values):
    return np.sort(2.0 * values + 4.0 * np.arange(len(values)))[::-1]


def libraries_of(dispatcher):
    return [result.library for result in dispatcher.overloads.values()]


def are_machine_code(*dispatchers):
    libraries = [library for dispatcher in dispatchers for library in libraries_of(dispatcher)]
    return {library._codegen is library.codegen for library in libraries}


def assert_fills(filling):
    values = np.random.default_rng(0).normal(size=20)
    filled = np.empty(20)
    assert filling(values, filled) == 20
    assert filled.tolist() == expected_of(values).tolist()
    with pytest.raises(ValueError, match=MESSAGE):
        filling(np.empty(0), filled)


@pytest.fixture
def uncached(monkeypatch):
    """No cache: what is compiled in an earlier run would not be compiled. Quicker ways are used with any numba."""
    monkeypatch.setattr(compile, "TRIED", ((0, 0), (9, 0)))
    monkeypatch.setattr(compile, "njit", lambda *given, **options: njit(*given, **{**options, "cache": False}))


def test_only_kernels_become_machine_code(uncached):
    parts, fill = parts_and_kernel()
    compiled = kernel(fill)
    assert are_machine_code(*parts) == {False}
    assert are_machine_code(compiled) == {True}
    assert_fills(compiled)


def test_two_kernels_share_parts(uncached):
    _, fill = parts_and_kernel()
    first, second = kernel(fill), kernel(fill)
    assert_fills(first)
    assert_fills(second)


def test_parts_of_kernels_can_be_called_from_functions_compiled_in_the_ordinary_way(uncached):
    _, fill = parts_and_kernel()
    assert_fills(kernel(fill))
    assert_fills(njit(fill))


def test_a_part_that_has_a_wrapper_is_made_when_it_is_asked_for():
    with as_wholes():
        add = njit("float64(float64, float64)")(lambda first, second: first + second)
    assert add(1.0, 2.0) == 3.0


def test_numba_is_left_as_it_was():
    codegen = cpu_target.target_context.codegen()
    before = codegen._library_class
    with as_wholes():
        assert codegen._library_class is not before
    assert codegen._library_class is before


@pytest.mark.parametrize("tried", [((0, 0), (0, 1)), ((9, 0), (9, 1))])
def test_another_numba_compiles_in_its_own_way(monkeypatch, uncached, tried):
    monkeypatch.setattr(compile, "TRIED", tried)
    parts, fill = parts_and_kernel()
    compiled = kernel(fill)
    assert type(libraries_of(compiled)[0]) is cpu_target.target_context.codegen()._library_class
    assert are_machine_code(*parts) == {True}
    assert_fills(compiled)


def test_parts_that_call_each_other_are_refused(uncached):
    @part
    def is_even(number):
        return True if number == 0 else is_odd(number - 1)

    @part
    def is_odd(number):
        return False if number == 0 else is_even(number - 1)

    def parity(number: int) -> int:
        return 0 if is_even(number) else 1

    with pytest.raises(TypeError, match="call each other"):
        kernel(parity)
