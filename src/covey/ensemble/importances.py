"""Importances of columns: the mean of what members have to say of theirs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from covey.ensemble.inputs import form_of
from covey.ensemble.member import Member
from covey.strategies.view import Rotated
from covey.table import Schema

Vector = NDArray[np.float64]


class MeanImportances(ABC):
    """Gives an ensemble the importances of its members, if they have any."""

    schema_: Schema

    @abstractmethod
    def _weighted_members(self) -> list[tuple[Member, float]]:
        """Return the members with what their votes count."""

    @property
    def feature_importances_(self) -> Vector:
        """The share of each column in what members learnt, as the mean of theirs by their votes; they add up to 1.

        Only where members have importances, as trees do: theirs are the shares of columns in the reduction of impurity.
        A column that a member does not see is of no importance to it, and columns made of one column's categories count
        together. An axis of a rotation shares its importance out among its columns by their squared loadings.
        """
        check_is_fitted(self)
        members = [(member, vote) for member, vote in self._weighted_members() if form_of(member.model) != "nothing"]
        if not all(hasattr(member.model, "feature_importances_") for member, _ in members):
            name = next(type(m.model).__name__ for m, _ in members if not hasattr(m.model, "feature_importances_"))
            raise AttributeError(f"Importances are those of the members, and {name} has none.")
        total = np.zeros(self.schema_.n_features)
        for member, vote in members:
            total += vote * _shares(member, self.schema_)
        return _normalised(total)


def _shares(member: Member, schema: Schema) -> Vector:
    """Return the share of each column of the table in what a member learnt, 0 of those that it does not see."""
    model: Any = member.model
    own, view = _normalised(np.asarray(model.feature_importances_, dtype=np.float64)), member.view
    if isinstance(view, Rotated):
        return view.by_column(own, schema.n_features)
    columns = np.arange(schema.n_features) if view is None else view
    if form_of(model) == "indicators":
        columns = np.repeat(columns, schema.widths[columns])
    return np.asarray(np.bincount(columns, own, minlength=schema.n_features), dtype=np.float64)


def _normalised(importances: Vector) -> Vector:
    """Return importances that add up to 1; all 0 if there are none, as of a tree without a test."""
    total = importances.sum()
    return importances / total if total > 0 else np.zeros(len(importances))
