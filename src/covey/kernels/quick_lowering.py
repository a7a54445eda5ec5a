"""Quicker translation by numba, with the same outcome: what it does again for every function is done once, or left out.

Numba makes each of its own functions callable from C, reports every call of LLVM to timers, has LLVM work out the sizes
of the same types and imports all of its modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from copy import copy
from typing import Any

LLVM_CALL = "numba:llvm_lock"


@contextmanager
def quick_lowering() -> Iterator[None]:
    """Have numba leave out what it need not do again."""
    from numba.core.compiler_lock import global_compiler_lock

    with ExitStack() as stack:
        stack.enter_context(global_compiler_lock)
        for owner, name, before, replacement in _replacements():
            stack.callback(setattr, owner, name, before)
            setattr(owner, name, replacement)
        yield


def _replacements() -> list[tuple[Any, str, Any, Any]]:
    """Return what is replaced: where, by what name, what it was, and by what."""
    from numba.core import base, compiler, cpu, event

    flags, events, context, cpu_context = _untyped(compiler.Flags, event, base.BaseContext, cpu.CPUContext)
    changes: list[tuple[Any, str, Callable[[Any], Any]]] = [
        (flags.options["no_cfunc_wrapper"], "_default", lambda _: True),
        (events, "start_event", _without_llvm_calls),
        (events, "end_event", _without_llvm_calls),
        (context, "get_abi_sizeof", _once_for_each_type),
        (cpu_context, "load_additional_registries", _without_imports),
    ]
    return [(owner, name, getattr(owner, name), change(getattr(owner, name))) for owner, name, change in changes]


def _untyped(*parts: Any) -> tuple[Any, ...]:
    """Return parts of numba as they are: numba has no types."""
    return parts


def _without_llvm_calls(tell: Callable[..., None]) -> Callable[..., None]:
    """Return a function that tells of all events but calls of LLVM."""

    def tell_others(kind: str, *data: Any, **named: Any) -> None:
        if kind != LLVM_CALL:
            tell(kind, *data, **named)

    return tell_others


def _once_for_each_type(size_of: Callable[[Any, Any], int]) -> Callable[[Any, Any], int]:
    """Return a method that has LLVM work out the size of a type once."""
    known: dict[str, int] = {}

    def get_abi_sizeof(self: Any, kind: Any) -> int:
        name = str(kind)
        if name not in known:
            known[name] = size_of(self, kind)
        return known[name]

    return get_abi_sizeof


def _without_imports(load: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return a method that imports numba's modules once, and then looks only for what they have added since."""
    registries: list[Any] = []

    def load_additional_registries(self: Any) -> None:
        if not registries:
            listing = copy(self)
            listing.install_registry = registries.append
            load(listing)
        for registry in registries:
            self.install_registry(registry)

    return load_additional_registries
