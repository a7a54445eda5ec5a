"""How objects of a class are saved: the fields of their state, and how an object is made of them again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Any

from covey.models.fields import Field, Record, Sizes, require


class Declaration:
    """The state that a class declares in ``_state``, together with what its bases declare.

    Attributes in ``_derived`` follow from the others, or matter to nobody but ``fit``: they are not written. A method
    ``_check_state`` looks at how the parts of a loaded object relate, and may set what is derived.

    Parameters
    ----------
    kind : type
    """

    fields: Mapping[str, Field]
    derived: frozenset[str]

    def __init__(self, kind: type) -> None:
        self.kind = kind
        bases = [vars(base) for base in reversed(kind.__mro__)]
        self.fields = {name: field for base in bases for name, field in base.get("_state", {}).items()}
        self.derived = frozenset(name for base in bases for name in base.get("_derived", ()))

    def values(self, thing: Any, params: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the attributes that make up a thing's state; None of an estimator that is not fitted.

        Raises
        ------
        RefusedError
            There is an attribute that is not declared, or one that is declared is not there.
        """
        if is_dataclass(self.kind) and not hasattr(self.kind, "get_params"):
            return {name: getattr(thing, name) for name in self.fields}
        held = {name: value for name, value in vars(thing).items() if name not in params and name not in self.derived}
        state = {name: value for name, value in held.items() if name in self.fields}
        if len(state) < len(held):
            strange = held.keys() - state.keys() - vars(self.kind(**params)).keys()
            require(not strange, f"has attributes that are not declared: {', '.join(sorted(strange))}")
        if not state:
            return None
        state |= self.hidden(thing)
        absent = [name for name, field in self.fields.items() if name not in state and not field.optional]
        require(not absent, f"has no {', '.join(absent)}")
        return state

    def hidden(self, thing: Any) -> dict[str, Any]:
        """Return values of fields that are no attributes of a fitted estimator but can be had from them."""
        return {}

    def check_params(self, model: Any) -> None:
        """Refuse parameters that the class allows but a file may not hold."""
        return

    def make(self, state: dict[str, Any], sizes: Sizes) -> Any:
        """Return an object that is no estimator."""
        thing = self.kind(**state)
        self.check(thing)
        return thing

    def restore(self, model: Any, state: dict[str, Any], sizes: Sizes) -> Any:
        """Give a new estimator its fitted state."""
        for name, value in state.items():
            setattr(model, name, value)
        self.check(model)
        return model

    def check(self, thing: Any) -> None:
        """Refuse an object whose parts do not fit together."""
        if hasattr(thing, "_check_state"):
            thing._check_state()

    @property
    def state(self) -> Record:
        """The fields together."""
        return Record(self.fields)


@cache
def declaration_of(kind: type) -> Declaration:
    """Return what a class of covey declares."""
    return Declaration(kind)
