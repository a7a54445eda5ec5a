"""Optimising of a kernel as a whole: once, with all of its parts in it.

Numba makes machine code of every function that it compiles, and optimises each again in every function that calls it,
although only kernels are ever called from Python. Here a part stays as it was translated until a kernel needs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

ENVIRONMENT, UNRESOLVED = "_ZN08NumbaEnv", ".numba.unresolved$"


@contextmanager
def as_wholes() -> Iterator[None]:
    """Have numba make machine code of those functions only that can be called from Python."""
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.registry import cpu_target

    codegen: Any = cpu_target.target_context.codegen()
    base = codegen._library_class
    with global_compiler_lock:
        codegen._library_class = _late_library(base)
        try:
            yield
        finally:
            codegen._library_class = base


class _NoMachineCode:
    """What numba is shown in place of its code generator where there is no machine code yet to set up."""

    @staticmethod
    def set_env(name: str, environment: object) -> None:
        """Do nothing: the kernel that the part goes into sets what all of its parts need."""


def _callers_first(library: Any) -> list[Any]:
    """Return a library and all that it calls, each after those that call it: LLVM adds what is called already."""
    called: dict[Any, None] = {}  # each after those that it calls

    def add(caller: Any) -> None:
        if caller not in called:
            for other in () if getattr(caller, "_made", True) else caller._linking_libraries:
                add(other)
            called[caller] = None

    add(library)
    return list(called)[::-1]


_Library: Any = object  # numba's is known once numba is


class _LateLibrary(_Library):
    """A library of code that is optimised only when the address of a function is asked for; mixed in with numba's."""

    _linked = _made = False
    _alone: Any = None

    @property
    def codegen(self) -> Any:
        return self._codegen if self._made else _NoMachineCode

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def _optimize_functions(self, module: Any) -> None:
        """Simplify the functions of a module; numba runs its passes over seven times as many that are only declared."""
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        if not self._made:
            if not any(function.name == name for function in self.get_defined_functions()):
                return 0
            self._make()
        return int(super().get_pointer_to_function(name))

    def _make(self) -> None:
        """Optimise everything that is called from here at once, and make machine code of what is left."""
        self._link()
        self._optimize_final_module()
        self._final_module.verify()
        names = [variable.name for variable in self._final_module.global_variables]
        if any(name.startswith(UNRESOLVED) for name in names):
            raise TypeError(f"Parts of {self.name} call each other, which numba resolves between modules only.")
        self._finalize_final_module()
        _set_environments(self._codegen, names)

    def _finalize_final_module(self) -> None:
        self._made = self._linked = True
        super()._finalize_final_module()

    def _link(self) -> None:
        """Add whatever is called from here, and from there in turn, each once."""
        if self._linked:
            return
        self._linked = True
        for library in _callers_first(self)[1:]:
            self._reload_init.update(library._reload_init)
            late = not getattr(library, "_linked", True)
            module = library._module_alone() if late else library._get_module_for_linking()
            self._final_module.link_in(module, preserve=True)

    def _module_alone(self) -> Any:
        """Return the code of this library without what it calls, to be added to others."""
        if self._alone is None:
            self._alone, self._shared_module = super()._get_module_for_linking(), None
        return self._alone

    def _get_module_for_linking(self) -> Any:
        self._ensure_finalized()
        self._link()
        return super()._get_module_for_linking()


def _set_environments(codegen: Any, names: list[str]) -> None:
    """Give functions in machine code what numba keeps for them in Python, by the names of variables."""
    from numba.core import environment

    lookup: Any = environment.lookup_environment  # numba has no types
    for name in names:
        known = lookup(name) if name.startswith(ENVIRONMENT) else None
        if known is not None:
            codegen.set_env(name, known)


@cache
def _late_library(base: Any) -> Any:
    """Return numba's kind of libraries of code, optimised late."""
    return type("LateLibrary", (_LateLibrary, base), {})
