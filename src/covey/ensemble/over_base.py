"""Estimators over a base estimator, which has a default."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

from sklearn.base import MetaEstimatorMixin

from covey.ensemble.checks import innermost
from covey.table import TableReader


class OverBase(MetaEstimatorMixin, TableReader):
    """An estimator over a base estimator; its ``estimator=None`` stands for a default one."""

    estimator: Any

    @abstractmethod
    def _base(self) -> Any:
        """Return the base estimator, or the default in its place."""

    def _innermost(self) -> Any:
        return innermost(self._base())

    def set_params(self, **params: Any) -> Self:
        """Set parameters, such as ``estimator__confidence`` of the base estimator.

        Where ``estimator`` is None, a parameter of the base estimator puts the default one in its place.
        """
        nested = any(name.startswith("estimator__") for name in params)
        if nested and params.get("estimator", self.estimator) is None:
            self.estimator = None
            params["estimator"] = self._base()
        super().set_params(**params)
        return self
