"""Leaks of a dataset: columns that give the target away, and rows that occur more than once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import lgamma, log
from shlex import quote
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from covey._text import listed

if TYPE_CHECKING:
    import pandas as pd

    from covey.datasets import Dataset

Kind = Literal["copy", "order", "groups", "predicts", "repeats"]

# Columns are tried one by one on so many rows at most, and on fewer than the least nothing can be said.
_MOST_ROWS = 4000
_FEWEST_ROWS = 30
# A class with fewer rows may be told apart by luck.
_FEWEST_OF_CLASS = 10
_FOLDS = 3
# The score of a column alone, balanced accuracy or R² of ranks, from which it is suspected, ...
_SUSPECT = {"classification": 0.97, "regression": 0.995}
# ... what one that merely numbers the rows needs, ...
_ORDERED = 0.9
# ... and what all other columns together must miss, of an area under the ROC curve or an R² of 1, lest the data are
# merely easy: so much at least, and more than the suspect by this factor.
_MISSED, _TIMES_MISSED = {"classification": 0.02, "regression": 0.05}, 2
# Splits of a tree that tells classes apart by one column: codes take one or two each.
_MOST_LEAVES = 16
# How far neighbours in the order of a column may differ, as a share of what rows at random do, to be looked at closely.
_ROUGHNESS = 0.15
# The rank correlation of a copy: what rounding leaves of 1.
_SAME_ORDER = 0.99999
# Values that are more than these, with this many rows each on average, may stand for groups of rows, such as patients.
_FEWEST_GROUPS, _ROWS_OF_GROUP = 16, 2.5
# That values correspond one to one by chance, in any of the columns, must be less likely.
_LUCK = 1e-6
# Copies matter from this share of rows, and this number.
_REPEATED, _FEWEST_REPEATED = 0.02, 10
# Columns of so many values, or of this share of the different rows, are left out in turn to see whether rows are close
# to others anyway; of large tables those with the fewest values, so that no more cells than this are looked at.
_FEW_VALUES, _COARSE, _MOST_CELLS = 20, 0.05, 20_000_000


@dataclass(frozen=True)
class Leak:
    """A way in which the target is known to methods that would not be known of new rows.

    Parameters
    ----------
    kind : {"copy", "order", "groups", "predicts", "repeats"}
        Columns that are the target under another name, that number rows sorted by it, that tell groups of rows apart
        which have the same target, or that predict it alone; or rows that occur more than once.
    columns : tuple of str
        Which columns; empty for rows.
    sentence : str
        What there is, and what to do about it.
    """

    kind: Kind
    columns: tuple[str, ...]
    sentence: str


def find_leaks(dataset: Dataset, seed: int = 0) -> tuple[Leak, ...]:
    """Return the leaks of a dataset, in a few seconds however large it is.

    Parameters
    ----------
    dataset : Dataset
    seed : int, default=0
        Of the rows that columns are tried on, and of the trees.

    Returns
    -------
    tuple of Leak
        At most one of each kind.
    """
    leaks = [*_of_columns(dataset, seed), _repeats(dataset)]
    return tuple(leak for leak in leaks if leak is not None)


def repeated_rows(dataset: Dataset) -> NDArray[np.bool_]:
    """Return for each row whether it is the copy of an earlier one, in all columns and the target."""
    return _later_copies(_hashes(_all_columns(dataset)).sum(axis=0, dtype=np.uint64))


@dataclass(frozen=True)
class _Sample:
    """Rows on which columns are tried: codes of classes or ranks of numbers, and how good predictions of them are."""

    frame: pd.DataFrame
    y: NDArray[Any]
    task: str
    seed: int

    @classmethod
    def of(cls, dataset: Dataset, seed: int) -> _Sample | None:
        """Draw as many rows of each class, or of all rows; None where there are too few."""
        rng = np.random.default_rng(seed)
        order = rng.permutation(dataset.n_rows)
        if dataset.task == "classification":
            codes = dataset.target.cat.codes.to_numpy()[order]
            sizes = np.bincount(codes)
            places = np.empty(len(codes), dtype=np.intp)  # of each row among those of its class
            places[np.argsort(codes, kind="stable")] = np.concatenate([np.arange(size) for size in sizes])
            kept = (sizes[codes] >= _FEWEST_OF_CLASS) & (places < _MOST_ROWS / np.count_nonzero(sizes))
            order = rng.permutation(order[kept])
            y = dataset.target.cat.codes.to_numpy()[order]
        else:
            from scipy.stats import rankdata

            order = order[:_MOST_ROWS]
            y = rankdata(dataset.target.to_numpy(dtype=np.float64)[order])
        if len(order) < _FEWEST_ROWS or len(np.unique(y)) < 2:
            return None
        return cls(_numbers(dataset.frame.iloc[order]), y, dataset.task, seed)

    def is_smooth(self, column: str) -> bool:
        """Whether rows that are close in a column are mostly close in the target: a quick test that leaks pass."""
        sorted_y = self.y[np.argsort(self.frame[column].to_numpy(), kind="stable")]
        if self.task == "classification":
            changes = np.mean(sorted_y[1:] != sorted_y[:-1]) - (len(np.unique(self.y)) - 1) / (len(self.y) - 1)
            return bool(changes <= _ROUGHNESS * (1 - np.sum((np.bincount(self.y) / len(self.y)) ** 2)))
        return bool(np.mean(np.diff(sorted_y) ** 2) <= _ROUGHNESS * 2 * np.var(self.y))

    def score(self, column: str) -> float:
        """Return the cross-validated balanced accuracy, or R², of a tree on one column."""
        from sklearn.metrics import balanced_accuracy_score, r2_score
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

        if self.task == "regression":
            return float(r2_score(self.y, self._predict(DecisionTreeRegressor(random_state=self.seed), [column])))
        leaves = max(_MOST_LEAVES, 4 * len(np.unique(self.y)))
        tree = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=self.seed)
        return float(balanced_accuracy_score(self.y, self._predict(tree, [column])))

    def is_grouped(self, column: str) -> bool:
        """Whether the values of a column are whole numbers, or categories, that come back."""
        values = self.frame[column].to_numpy()
        count = len(np.unique(values[~np.isnan(values)]))
        return count >= _FEWEST_GROUPS and count * _ROWS_OF_GROUP <= len(values) and bool((values % 1 != 0).sum() == 0)

    def score_of_groups(self, column: str) -> float:
        """Return the same as `score` of the commonest class, or the mean, of all other rows with the same value."""
        from sklearn.metrics import balanced_accuracy_score, r2_score

        groups, y = np.unique(self.frame[column].to_numpy(), return_inverse=True)[1], self.y
        others = np.bincount(groups)[groups] - 1
        if self.task == "regression":
            means = (np.bincount(groups, y)[groups] - y) / np.maximum(others, 1)
            return float(r2_score(y, np.where(others, means, y.mean())))
        n_classes, rows = int(y.max()) + 1, np.arange(len(y))
        by_group = np.bincount(groups * n_classes + y, minlength=(groups.max() + 1) * n_classes)
        counts = by_group.reshape(-1, n_classes)[groups]
        counts[rows, y] -= 1
        return float(balanced_accuracy_score(y, np.where(others, counts.argmax(axis=1), np.bincount(y).argmax())))

    def score_together(self, columns: Sequence[str]) -> float:
        """Return the cross-validated area under the ROC curve, or R², of a forest on some columns."""
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
        from sklearn.metrics import r2_score, roc_auc_score

        given: dict[str, Any] = {"n_estimators": 50, "max_features": "sqrt", "random_state": self.seed}
        if self.task == "regression":
            return float(r2_score(self.y, self._predict(RandomForestRegressor(**given), columns)))
        shares = self._predict(RandomForestClassifier(**given), columns, "predict_proba")
        shares = shares[:, 1] if shares.shape[1] == 2 else shares
        return float(roc_auc_score(self.y, shares, multi_class="ovr"))

    def _predict(self, model: Any, columns: Sequence[str], method: str = "predict") -> NDArray[Any]:
        """Return what a model says of rows that it was not trained on."""
        from sklearn.model_selection import cross_val_predict

        X = self.frame[list(columns)].rank().to_numpy()  # for scikit-learn's trees would round numbers to float32
        return np.asarray(cross_val_predict(model, X, self.y, cv=self._folds, method=method))

    @property
    def _folds(self) -> Any:
        from sklearn.model_selection import KFold, StratifiedKFold

        kind = StratifiedKFold if self.task == "classification" else KFold
        return kind(_FOLDS, shuffle=True, random_state=self.seed)


def _of_columns(dataset: Dataset, seed: int) -> list[Leak]:
    """Return the leaks that columns are."""
    sample = _Sample.of(dataset, seed)
    if sample is None:
        return []
    every = [str(name) for name in dataset.frame.columns]
    names = [name for name in every if sample.is_smooth(name)]
    scores = {name: sample.score(name) for name in names}
    groups = [name for name in every if scores.get(name, 0.0) < _SUSPECT[dataset.task] and sample.is_grouped(name)]
    scores |= {name: sample.score_of_groups(name) for name in groups}
    groups = [name for name in groups if scores[name] >= _SUSPECT[dataset.task]]
    names = [name for name in names if name not in groups]
    ordered = [name for name in names if scores[name] >= _ORDERED and _numbers_rows(dataset.frame[name])]
    copies = [name for name in names if name not in ordered and _is_copy(dataset, name)]
    rest = [name for name in names if name not in (*ordered, *copies) and scores[name] >= _SUSPECT[dataset.task]]
    if rest or groups:
        others = [name for name in every if name not in (*ordered, *copies, *groups, *rest)]
        missed = 1 - sample.score_together(others) if others else 0.0
        rest, groups = (
            [name for name in some if missed >= max(_TIMES_MISSED * (1 - scores[name]), _MISSED[dataset.task])]
            for some in (rest, groups)
        )
    makers: list[tuple[list[str], Callable[..., Leak]]] = [
        (copies, _copy),
        (ordered, _order),
        (groups, _groups),
        (rest, _predicts),
    ]
    target = repr(str(dataset.target.name))
    return [make(columns, target, dataset.task, scores) for columns, make in makers if columns]


def _numbers_rows(column: pd.Series[Any]) -> bool:
    """Whether a column counts the rows, or gives each a number of its own out of about as many."""
    if column.dtype == "category" or not column.is_unique or column.hasnans:
        return False
    values = column.to_numpy()
    return bool((values == np.round(values)).all() and (np.ptp(values) < 2 * len(values) or _is_monotonic(column)))


def _is_monotonic(column: pd.Series[Any]) -> bool:
    return bool(column.is_monotonic_increasing or column.is_monotonic_decreasing)


def _is_copy(dataset: Dataset, name: str) -> bool:
    """Whether each value of a column stands for one of the target, by no chance; of numbers, whether orders agree."""
    import pandas as pd

    column, target = dataset.frame[name], dataset.target
    if dataset.task == "regression":
        if column.dtype == "category" or column.notna().mean() < 0.9:
            return False
        return bool(abs(column.corr(target, method="spearman")) >= _SAME_ORDER)
    values, labels = (pd.factorize(series, use_na_sentinel=False)[0] for series in (column, target))
    sizes = np.bincount(labels)
    if values.max() != labels.max() or len(np.unique(values * len(sizes) + labels)) != len(sizes):
        return False
    ways = lgamma(len(labels) + 1) - sum(lgamma(size + 1) for size in sizes) - lgamma(len(sizes) + 1)
    return ways > log(dataset.n_features / _LUCK)


def _leave_out(columns: Sequence[str], why: str) -> str:
    options = " ".join(f"--drop {quote(name)}" for name in columns)
    return f"{why} leave {'it' if len(columns) == 1 else 'them'} out: {options}."


def _subject(columns: Sequence[str], one: str, several: str) -> str:
    return f"{listed([repr(name) for name in columns])} {one if len(columns) == 1 else several}"


def _if_unknown(columns: Sequence[str]) -> str:
    known = "it is" if len(columns) == 1 else "they are"
    return _leave_out(columns, f"If {known} not known when you predict,")


def _copy(columns: list[str], target: str, task: str, scores: dict[str, float]) -> Leak:
    same = "each value stands for one class" if task == "classification" else "both put rows into the same order"
    what = _subject(columns, "is", "are")
    name = "another name" if len(columns) == 1 else "other names"
    return Leak("copy", tuple(columns), f"{what} {target} under {name}: {same}. {_if_unknown(columns)}")


def _order(columns: list[str], target: str, task: str, scores: dict[str, float]) -> Leak:
    what = _subject(columns, "numbers", "number")
    how = _how_well(columns, task, scores)
    alone = "it predicts that alone" if len(columns) == 1 else "each predicts that alone"
    why = f"{what} the rows, and rows next to each other have nearly the same {target}, so {alone}: {how}. "
    return Leak("order", tuple(columns), why + _leave_out(columns, "New rows have other numbers, so"))


def _groups(columns: list[str], target: str, task: str, scores: dict[str, float]) -> Leak:
    what = _subject(columns, "has values that come back", "have values that come back")
    how = _how_well(columns, task, scores)
    why = f"{what}, and rows with the same one have nearly the same {target}, so that the others tell it: {how}. "
    return Leak("groups", tuple(columns), why + _leave_out(columns, "If new rows will have other values,"))


def _predicts(columns: list[str], target: str, task: str, scores: dict[str, float]) -> Leak:
    how = _how_well(columns, task, scores)
    what = _subject(columns, f"alone predicts {target}", f"each predict {target} alone")
    return Leak("predicts", tuple(columns), f"{what}: {how}, far more than all other columns. {_if_unknown(columns)}")


def _how_well(columns: Sequence[str], task: str, scores: dict[str, float]) -> str:
    score = min(scores[name] for name in columns)
    if task == "regression":
        return f"R² {score:.3f} of the order of held-out rows"
    return f"{score:.1%} of held-out rows, each class counted alike"


def _repeats(dataset: Dataset) -> Leak | None:
    """Say that rows occur more than once, unless that is natural in a table of few different values.

    It is natural where rows that differ from others in a single column are more frequent than copies.
    """
    import pandas as pd

    hashes = _hashes(_all_columns(dataset))
    rows = hashes.sum(axis=0, dtype=np.uint64)
    n_copies = _sizes_of_groups(rows)
    copied = n_copies > 1
    if not _matter(copied):
        return None
    sizes = np.array([len(pd.unique(values)) for values in hashes])
    most = max(_FEW_VALUES, np.count_nonzero(~_later_copies(rows)) * _COARSE)
    coarse = [place for place in np.argsort(sizes, kind="stable") if 1 < sizes[place] <= most]
    close = np.zeros(len(rows), dtype=bool)
    for place in coarse[: max(_MOST_CELLS // len(rows), 1)]:
        close |= _sizes_of_groups(rows - hashes[place]) > n_copies
    if close.sum() >= copied.sum() or not _matter(copied & ~close):
        return None
    return Leak(
        "repeats",
        (),
        f"{int(copied.sum())} of {dataset.n_rows} rows ({copied.mean():.1%}) occur more than once, so test rows have "
        "copies among the training rows, and scores come out too high. If new rows will not be copies of these, keep "
        "one of each: frame.drop_duplicates() in pandas.",
    )


def _matter(rows: NDArray[np.bool_]) -> bool:
    return bool(rows.mean() >= _REPEATED and rows.sum() >= _FEWEST_REPEATED)


def _all_columns(dataset: Dataset) -> list[NDArray[np.float64]]:
    frame = _numbers(dataset.frame)
    target = dataset.target.cat.codes if dataset.task == "classification" else dataset.target
    return [*(frame[name].to_numpy() for name in frame.columns), np.asarray(target, dtype=np.float64)]


def _numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with categories as their numbers; NaN where missing."""
    codes = {name: frame[name].cat.codes for name in frame.select_dtypes("category").columns}
    return frame.assign(**{str(name): code.where(code >= 0).astype(np.float64) for name, code in codes.items()})


def _hashes(columns: Sequence[NDArray[np.float64]]) -> NDArray[np.uint64]:
    """Return a hash of each cell, of shape (n_columns, n_rows); sums over columns tell rows apart."""
    from pandas.util import hash_array

    keys = np.random.default_rng(0).integers(1, 2**63, size=len(columns), dtype=np.uint64) | np.uint64(1)
    hashes = np.empty((len(columns), len(columns[0])), dtype=np.uint64)
    for place, values in enumerate(columns):
        hashes[place] = hash_array(values + 0.0) * keys[place]  # for -0.0 is 0.0
    return hashes


def _sizes_of_groups(hashes: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Return for each row how many have its hash."""
    import pandas as pd

    codes, _ = pd.factorize(hashes)
    return np.asarray(np.bincount(codes)[codes])


def _later_copies(hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
    later = np.ones(len(hashes), dtype=bool)
    later[np.unique(hashes, return_index=True)[1]] = False
    return later
