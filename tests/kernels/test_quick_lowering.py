"""Quicker translation by numba: what is left out and done once, and numba is left as it was."""

from __future__ import annotations

from llvmlite import ir
from numba.core import base, compiler, cpu, event
from numba.core.registry import cpu_target

from covey.kernels.quick_lowering import LLVM_CALL, quick_lowering


def state_of_numba():
    return (
        compiler.Flags.options["no_cfunc_wrapper"].default,
        event.start_event,
        event.end_event,
        base.BaseContext.get_abi_sizeof,
        cpu.CPUContext.load_additional_registries,
    )


def test_numba_is_left_as_it_was():
    before = state_of_numba()
    with quick_lowering():
        assert not any(now is then for now, then in zip(state_of_numba(), before, strict=True))
    assert state_of_numba() == before


def test_sizes_of_types_are_worked_out_once(monkeypatch):
    asked = []
    kinds = [ir.IntType(32), ir.LiteralStructType([ir.IntType(64), ir.DoubleType()]), ir.IntType(32)]
    size_of = base.BaseContext.get_abi_sizeof
    expected = [size_of(cpu_target.target_context, kind) for kind in kinds]
    monkeypatch.setattr(
        base.BaseContext, "get_abi_sizeof", lambda self, kind: asked.append(kind) or size_of(self, kind)
    )
    with quick_lowering():
        assert [cpu_target.target_context.get_abi_sizeof(kind) for kind in kinds] == expected
    assert len(asked) == 2


def test_calls_of_llvm_are_not_told_but_other_events_are():
    with event.install_recorder(LLVM_CALL) as calls, event.install_recorder("numba:run_pass") as passes:
        with quick_lowering():
            for kind in (LLVM_CALL, "numba:run_pass"):
                event.start_event(kind)
                event.end_event(kind)
        assert len(calls.buffer) == 0
        assert len(passes.buffer) == 2


def test_registries_are_installed_without_importing_again(monkeypatch):
    loaded, installed = [], []

    def load(self):
        loaded.append(self)
        self.install_registry("a registry")

    monkeypatch.setattr(cpu.CPUContext, "load_additional_registries", load)
    monkeypatch.setattr(cpu.CPUContext, "install_registry", lambda self, registry: installed.append(registry))
    with quick_lowering():
        for _ in range(3):
            cpu_target.target_context.load_additional_registries()
    assert (len(loaded), installed) == (1, ["a registry"] * 3)
