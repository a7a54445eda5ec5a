"""Quicker typing by numba: options are equal and unequal as before, and numba is left as it was."""

from __future__ import annotations

from numba.core import compiler
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


def test_another_numba_is_left_as_it_is(monkeypatch):
    monkeypatch.setattr(compiler.Flags, "options", {})
    before = functions.BaseFunction.get_call_type
    with quick_typing():
        assert functions.BaseFunction.get_call_type is before
