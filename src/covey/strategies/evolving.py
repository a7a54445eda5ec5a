"""Columns drawn by weights that learn from the members' out-of-bag errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from covey._arguments import check_choice
from covey.models.fields import Field, Flag, Maybe, Number
from covey.strategies.draw import Size, Weights
from covey.strategies.ledger import FadingLedger, HeldLedger, Ledger, MeanLedger, PrintedLedger, Round, SpreadLedger
from covey.strategies.subspace import Subspace, count_columns, draw_by_weight
from covey.strategies.view import Columns
from covey.table import Table

Update = Literal["mean", "running", "printed"]
Credit = Literal["error", "accuracy", "conditional"]
UPDATES: tuple[Update, ...] = get_args(Update)
CREDITS: tuple[Credit, ...] = get_args(Credit)


class EvolvingSubspace(Subspace):
    """Columns drawn by weights that each member changes for the next (ERASSEL, the thesis's algorithm 4).

    All columns start alike. After each member its loss on the rows that it has not seen is noted for each of its
    columns, and what they have on their accounts makes the weights of the next draw. Members of such a chain draw
    their rows anew, so the draw must leave some out.

    Parameters
    ----------
    size : int, float or str, default=0.5
        How many columns: a number, a share, "sqrt", "log2" or "third".
    update : {"mean", "running", "printed"}, default="mean"
        What a column has on its account: the mean over the members that drew it; the running mean of the thesis's
        appendix A; or what is printed in section 3.2, which does not find the columns that matter.
    credit : {"error", "accuracy", "conditional"}, default="error"
        What a member leaves on the accounts, and how they become weights. "error": its loss, the weights being
        exp(-account) (equation 3.3). "accuracy": the share of rows it got right, the weights being proportional to
        the accounts (equation 3.5); for classes only. "conditional": for each column how much greater the loss is of
        a member trained on the same rows and the other columns alone, so that of several columns which tell the same
        none gains by what another tells; the weights are exp(mean / spread) of these gains. Least
        squares and logistic regression of up to five classes tell them at once; other members are trained once more for
        each column. It goes with the update "mean" alone.
    scale_errors : bool, default=True
        Whether "error" divides losses by that of the best constant, so that weights do not depend on the units of a
        response; the published form does not.
    """

    learns: ClassVar[bool] = True
    _scale: float = 1.0
    _has_classes: bool = False
    _state: ClassVar[dict[str, Field]] = {"_has_classes": Flag(), "_scale": Maybe(Number(low=1e-150))}

    def __init__(
        self, size: Size = 0.5, update: Update = "mean", credit: Credit = "error", scale_errors: bool = True
    ) -> None:
        self.size = size
        self.update = update
        self.credit = credit
        self.scale_errors = scale_errors

    @property
    def asks_gains(self) -> bool:
        """Whether it wants to know what each column of a member changes."""
        return self.credit == "conditional"

    def prepare(self, table: Table, y: NDArray[Any], weight: Weights) -> Subspace:
        """Find the loss of the best constant, once for all members."""
        check_choice("update", self.update, UPDATES)
        check_choice("credit", self.credit, CREDITS)
        count_columns(self.size, table.shape[1], name="EvolvingSubspace size")
        prepared: EvolvingSubspace = clone(self)
        prepared._has_classes = y.dtype.kind in "iu"
        if self.credit == "accuracy" and not prepared._has_classes:
            raise ValueError("credit='accuracy' is for classes, and y holds numbers; use credit='error'.")
        if self.asks_gains and self.update != "mean":
            raise ValueError(f"update={self.update!r} does not go with credit='conditional'; use update='mean'.")
        if self.credit == "error" and self.scale_errors:
            prepared._scale = _constant_loss(y, weight, prepared._has_classes) or 1.0
        return prepared

    def choose(self, table: Table, y: NDArray[Any], weight: Weights, rng: np.random.Generator) -> Columns:
        """Draw the columns of a member without anyone before it."""
        return self.draw(self.open(table.shape[1]), rng)

    def open(self, n_columns: int) -> Ledger:
        """Return the empty ledger of a new chain."""
        if self.asks_gains:
            return SpreadLedger(n_columns, -1.0)
        running = FadingLedger if self._has_classes else HeldLedger
        kinds: dict[str, type[Ledger]] = {"mean": MeanLedger, "running": running, "printed": PrintedLedger}
        return kinds[self.update](n_columns, 1.0 if self.credit == "accuracy" else 0.0)

    def draw(self, ledger: Ledger, rng: np.random.Generator) -> Columns:
        """Draw the columns of a chain's next member."""
        standing = ledger.standing
        count = count_columns(self.size, len(standing), name="EvolvingSubspace size")
        return draw_by_weight(self._logarithms(standing), count, rng)

    def note(self, ledger: Ledger, one: Round) -> None:
        """Enter a member into its chain's ledger; one that had seen every row has nothing to tell."""
        if not np.isfinite(one.loss):
            return
        if (one.gains is not None) != self.asks_gains:
            raise ValueError(
                f"credit={self.credit!r} is not that of the members there are; a warm start needs the same."
            )
        ledger.learn(one.columns, self._value(one))

    def path(self, rounds: Sequence[Round], n_chains: int, n_columns: int) -> NDArray[np.float64]:
        """Return the weights after each round, of all chains together, of shape (n_rounds, n_columns)."""
        ledgers = [self.open(n_columns) for _ in range(n_chains)]
        by_chain = [[past for past in rounds if past.chain == chain] for chain in range(n_chains)]
        path = []
        for number in range(max(map(len, by_chain), default=0)):
            for ledger, chain in zip(ledgers, by_chain, strict=True):
                if number < len(chain):
                    self.note(ledger, chain[number])
            path.append(self._weigh(ledgers[0].pooled(ledgers[1:])))
        return np.array(path).reshape(-1, n_columns)

    def _value(self, one: Round) -> float | Weights:
        if one.gains is not None:
            return one.gains
        return 1.0 - one.loss if self.credit == "accuracy" else one.loss / self._scale

    def _logarithms(self, standing: Weights) -> Weights:
        if self.credit != "accuracy":
            return -standing
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(standing))

    def _weigh(self, standing: Weights) -> Weights:
        logarithms = self._logarithms(standing)
        if np.isneginf(logarithms).all():
            return np.full(len(standing), 1.0 / len(standing))
        weights = np.exp(logarithms - logarithms.max())
        return np.asarray(weights / weights.sum())


def _constant_loss(y: NDArray[Any], weight: Weights, has_classes: bool) -> float:
    """Return the loss of the best constant: the variance of numbers, the share of all but the most frequent class."""
    share = weight / weight.sum()
    if has_classes:
        return float(1.0 - np.bincount(y, share).max())
    return float(share @ (y - share @ y) ** 2)
