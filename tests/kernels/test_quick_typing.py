"""Quicker typing by numba: options are equal and unequal as before, and numba is left as it was."""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.core import compiler, event
from numba.core.types import functions

from covey.kernels.quick_typing import quick_typing


def several_flags():
    made = [compiler.Flags() for _ in range(4)]
    made[1].nrt = True
    made[2].nrt = False  # which it is by itself
    made[3].forceinline = True
    return made


def compared(flags):
    return [[first == second for second in flags] for first in flags], [hash(each) for each in flags]


def test_options_compare_as_they_do_by_themselves():
    flags = several_flags()
    expected, values = compared(flags), [each.values() for each in flags]
    before = functions.BaseFunction.get_call_type
    with quick_typing():
        assert functions.BaseFunction.get_call_type is not before
        assert compared(flags) == expected
        assert [each.values() for each in flags] == values
    assert functions.BaseFunction.get_call_type is before
    assert not {"values", "__hash__"} & set(vars(compiler.Flags))


def test_numbas_functions_are_compiled_once_for_options_that_callers_keep():
    compiled = []

    def compile_for(**options):
        with event.install_recorder("numba:compile") as recorder, quick_typing():
            njit("int64(int64)", **options)(lambda number: len(np.empty(number, np.uint16)))
        compiled.append(sum(told.is_start for _, told in recorder.buffer))

    for options in ({}, {"nogil": True}, {"fastmath": True}):
        compile_for(**options)
    assert compiled[0] > compiled[1] == 1  # the function itself
    assert compiled[2] > 1  # numba's functions take this option over
