"""Where a method errs: predictions of unseen rows by class, by size, by row, and against those of other methods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._text import short_number
from covey.analysis.numbers import Floats
from covey.analysis.ranking.metrics import split_metric
from covey.analysis.tables.result import ResultTable, table_of

if TYPE_CHECKING:
    import pandas as pd

_NEEDED = ("y", "cases", "predictions")
# Rows that are shown as the hardest.
MOST_HARD = 10
# Bins of the true value, each with about as many rows.
N_BINS = 5
# A curve of a score has no more points: smaller steps could not be seen.
MOST_POINTS = 150


@dataclass(frozen=True, eq=False)
class Predicted:
    """What a method said of rows that it had not seen, those of all fits one after the other."""

    y: NDArray[Any]  #: the truth, (n_predictions,)
    cases: NDArray[np.int64]  #: positions of the rows in the data; each occurs once for every repeat
    predictions: NDArray[Any]
    classes: NDArray[Any] | None  #: the labels, sorted; None if numbers were predicted
    probabilities: Floats | None  #: (n_predictions, n_classes), where the method gives some

    @property
    def regression(self) -> bool:
        """Whether numbers were predicted."""
        return self.classes is None

    @property
    def errors(self) -> Floats:
        """1 for each wrong class and 0 for a right one, or prediction less truth."""
        if self.regression:
            return np.asarray(self.predictions - self.y, dtype=np.float64)
        return np.asarray(self.predictions != self.y, dtype=np.float64)

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How often each class, a row each, was taken for each class."""
        from sklearn.metrics import confusion_matrix

        return np.asarray(confusion_matrix(self.y, self.predictions, labels=self.classes))


def class_to_find(classes: Sequence[Any], counts: Sequence[int], metric: str) -> int:
    """Return the position of the one of two classes that is to be found: that of the metric, or else the rarer."""
    label = split_metric(metric)[1]
    if label is not None and label in map(str, classes):
        return [str(one) for one in classes].index(label)
    return max(range(len(counts)), key=lambda place: (-counts[place], place))


def pool_fits(fits: Iterable[Mapping[str, NDArray[Any]]]) -> Predicted | None:
    """Put the predictions of fits together, as `Results.fits` yields them; None if some fit kept none."""
    parts = list(fits)
    if not parts or any(name not in part for part in parts for name in _NEEDED):
        return None
    y, cases, predictions = (np.concatenate([part[name] for part in parts]) for name in _NEEDED)
    if not len(y) == len(cases) == len(predictions):
        return None
    if any("classes" not in part for part in parts):
        return Predicted(y, cases, predictions, None, None)
    classes = reduce(np.union1d, (part["classes"] for part in parts), np.union1d(y, predictions))
    shares = None
    if all("probabilities" in part for part in parts):
        shares = np.zeros((len(y), len(classes)))
        start = 0
        for part in parts:
            stop = start + len(part["y"])
            shares[start:stop, np.searchsorted(classes, part["classes"])] = part["probabilities"]
            start = stop
    return Predicted(y, cases, predictions, classes, shares)


def class_table(predicted: Predicted) -> ResultTable:
    """Return rows, recall and precision of each class, and what it is most often taken for."""
    assert predicted.classes is not None
    counts, labels = predicted.counts, [str(label) for label in predicted.classes]
    right, truly, said = counts.diagonal(), counts.sum(axis=1), counts.sum(axis=0)
    wrong = counts - np.diag(right)
    n_rows = [len(np.unique(predicted.cases[predicted.y == label])) for label in predicted.classes]
    with np.errstate(invalid="ignore"):
        columns = {
            "rows": n_rows,
            "recall": right / truly,
            "precision": right / said,
            "most often taken for": [labels[row.argmax()] if row.any() else "–" for row in wrong],
        }
    notes = (
        "recall: of the rows of a class, the share that was recognised. precision: of the rows that were taken for a "
        "class, the share that is of it.",
    )
    formats = dict.fromkeys(("recall", "precision"), "%")
    return table_of(columns, labels, "class", caption="How well each class is recognised", formats=formats, notes=notes)


@dataclass(frozen=True)
class ScoreCurve:
    """A curve of how well the probability of a class tells its rows from others."""

    label: str  #: the class
    x: Floats
    y: Floats
    area: float  #: the area under the curve, or the average precision
    share: float  #: of rows that are of the class


def roc_curves(predicted: Predicted, places: Iterable[int]) -> tuple[ScoreCurve, ...]:
    """Return for some classes the share of its rows that is found against the share of others that is taken for it."""
    from sklearn.metrics import auc, roc_curve

    curves = []
    for label, truth, shares in _against_rest(predicted, places):
        false, true, _ = roc_curve(truth, shares)
        curves.append(ScoreCurve(label, _thin(false), _thin(true), float(auc(false, true)), float(truth.mean())))
    return tuple(curves)


def precision_recall_curves(predicted: Predicted, places: Iterable[int]) -> tuple[ScoreCurve, ...]:
    """Return for some classes precision against recall."""
    from sklearn.metrics import average_precision_score, precision_recall_curve

    curves = []
    for label, truth, shares in _against_rest(predicted, places):
        precision, recall, _ = precision_recall_curve(truth, shares)
        area = float(average_precision_score(truth, shares))
        curves.append(ScoreCurve(label, _thin(recall[::-1]), _thin(precision[::-1]), area, float(truth.mean())))
    return tuple(curves)


def _against_rest(predicted: Predicted, places: Iterable[int]) -> Iterable[tuple[str, NDArray[np.bool_], Floats]]:
    assert predicted.classes is not None
    assert predicted.probabilities is not None
    for place in places:
        truth = predicted.y == predicted.classes[place]
        if truth.any() and not truth.all():
            yield str(predicted.classes[place]), truth, predicted.probabilities[:, place]


def _thin(values: Floats) -> Floats:
    """Return evenly spaced points of a curve, the ends among them."""
    if len(values) <= MOST_POINTS:
        return np.asarray(values)
    return np.asarray(values[np.round(np.linspace(0, len(values) - 1, MOST_POINTS)).astype(np.intp)])


def hardest_rows(predicted: Predicted, most: int = MOST_HARD) -> pd.DataFrame:
    """Return the rows that are most often wrong, the surest mistakes first, or those with the largest mean errors.

    The index holds their positions in the data. Columns are "truth", "predicted", what was said most often or the mean,
    and "wrong", the share of repeats, with "probability of the truth" where there are some; or "error", the mean size.
    """
    import pandas as pd

    frame = pd.DataFrame({"row": predicted.cases, "truth": predicted.y, "predicted": predicted.predictions})
    if predicted.regression:
        frame["error"] = np.abs(predicted.errors)
        means = frame.groupby("row").mean().sort_values("error", ascending=False, kind="stable")
        return means[means["error"] > 0].head(most)
    frame["wrong"] = predicted.errors
    measures = ["wrong"]
    if predicted.probabilities is not None:
        assert predicted.classes is not None
        truth = np.searchsorted(predicted.classes, predicted.y)
        frame["probability of the truth"] = predicted.probabilities[np.arange(len(truth)), truth]
        measures.append("probability of the truth")
    means = frame.groupby("row")[measures].mean()
    hard = means[means["wrong"] > 0].sort_values(measures, ascending=[False, True][: len(measures)], kind="stable")
    hard = hard.head(most)
    wrong = frame[(frame["wrong"] > 0) & frame["row"].isin(hard.index)]
    groups = wrong.groupby("row")
    said = pd.DataFrame({"truth": groups["truth"].first(), "predicted": groups["predicted"].agg(_most_frequent)})
    return said.reindex(hard.index).join(hard)


def _most_frequent(values: pd.Series[Any]) -> Any:
    return values.mode().iloc[0]


def disagreement_table(methods: Mapping[str, Predicted]) -> ResultTable | None:
    """Return how often pairs of methods differ and which of them is then right, or nearer; None without two methods.

    All must have predicted the same rows in the same order.
    """
    import pandas as pd

    first = next(iter(methods.values()), None)
    if first is None or len(methods) < 2:
        return None
    if any(not np.array_equal(other.cases, first.cases) for other in methods.values()):
        return None
    rows, pairs = [], list(combinations(methods, 2))
    for one, other in pairs:
        a, b = methods[one], methods[other]
        if first.regression:
            nearer = np.abs(a.errors) - np.abs(b.errors)
            apart = float(np.abs(a.predictions - b.predictions).mean())
            rows.append({"differ by": apart, "first nearer": np.mean(nearer < 0), "second nearer": np.mean(nearer > 0)})
            continue
        apart = a.predictions != b.predictions
        right = [(part.errors[apart] == 0).mean() if apart.any() else np.nan for part in (a, b)]
        rows.append({"disagree on": apart.mean(), "first right": right[0], "second right": right[1]})
        rows[-1]["neither"] = 1 - sum(right)
    frame = pd.DataFrame(rows, index=pd.MultiIndex.from_tuples(pairs, names=["first", "second"]))
    if first.regression:
        notes = ("differ by: the mean distance of their predictions. nearer: on so many rows, nearer to the truth.",)
        formats = {"differ by": ".4g", "first nearer": "%", "second nearer": "%"}
    else:
        notes = ("right, neither: shares of the rows on which the two disagree.",)
        formats = dict.fromkeys(frame.columns, "%")
    return ResultTable(frame, caption="Pairs of the leading methods", formats=formats, notes=notes)


def size_table(predicted: Predicted) -> ResultTable:
    """Return the errors of predicted numbers in bins of the true value, each with about as many rows."""
    import pandas as pd

    edges = np.unique(np.quantile(predicted.y, np.linspace(0, 1, N_BINS + 1)))
    place = np.clip(np.searchsorted(edges, predicted.y, side="right") - 1, 0, max(len(edges) - 2, 0))
    errors = predicted.errors
    frame = pd.DataFrame({"bin": place, "row": predicted.cases, "size": np.abs(errors), "error": errors})
    groups = frame.groupby("bin")
    means = groups[["size", "error"]].mean()
    columns = {
        "rows": groups["row"].nunique().to_numpy(),
        "mean size of the error": means["size"].to_numpy(),
        "mean residual": -means["error"].to_numpy(),
    }
    ends = [short_number(float(edge), 2) for edge in edges]
    names = [f"{ends[number]} to {ends[min(number + 1, len(ends) - 1)]}" for number in means.index]
    notes = (
        "residual: truth less prediction; above 0, predictions are too small. All that is not certain is predicted "
        "nearer to the middle than it is, so some of that is to be expected at both ends.",
    )
    caption = "Errors by the size of the true value"
    return table_of(columns, names, "true value", caption=caption, default_format=".4g", notes=notes)
