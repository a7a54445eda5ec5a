"""How large the training and test parts of a study's splits are, which decides how sure a mean score is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Splits:
    """What tests need to know of a protocol.

    Parameters
    ----------
    n_train, n_test : float
        How many cases a fit is trained on and predicts, on average.
    why_not : str
        Why no interval can be given and no test made; "" if they can.
    """

    n_train: float
    n_test: float
    why_not: str = ""

    @property
    def ratio(self) -> float:
        """Cases for testing per case for training."""
        return self.n_test / self.n_train


def splits_of(protocol: Mapping[str, Any], n_rows: int) -> Splits:
    """Return the sizes of the splits of a dataset.

    Parameters
    ----------
    protocol : mapping
        As a study's record has it.
    n_rows : int
        How many cases the dataset has.
    """
    kind = protocol["kind"]
    if kind == "cross-validation":
        n_test = n_rows / protocol["n_folds"]
        return Splits(n_rows - n_test, n_test)
    if kind == "resamples":
        n_train = _part(protocol["train_size"], n_rows)
        only_one = "there was one split only" if protocol["n_repeats"] < 2 else ""
        return Splits(n_train, n_rows - n_train, only_one)
    if kind == "fixed-split":
        n_train = protocol["n_train"] if "n_train" in protocol else n_rows - len(protocol["test"])
        return Splits(n_train, n_rows - n_train, "there was one split only")
    if kind == "bootstrap":
        same = "all fits predict the same test cases, so how they differ does not show what other cases would change"
        return Splits(protocol["sample_size"], _part(protocol["test_size"], n_rows), same)
    return Splits(n_rows, n_rows, f"for the protocol {kind} it is not known how far training and test cases overlap")


def _part(size: float, n_rows: int) -> float:
    """Return a number of cases, which may be given as a share."""
    return float(size) if isinstance(size, int) else float(round(size * n_rows))
