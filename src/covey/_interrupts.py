"""Interrupts that compiled code has turned into another error."""

from __future__ import annotations


def raise_interrupt(error: BaseException) -> None:
    """Raise KeyboardInterrupt if that is what lies behind a SystemError.

    It does where Ctrl-C came while numba was turning arguments or results of a kernel into Python objects.
    """
    behind = error.__cause__ or error.__context__
    if isinstance(error, SystemError) and isinstance(behind, KeyboardInterrupt):
        raise KeyboardInterrupt from error
