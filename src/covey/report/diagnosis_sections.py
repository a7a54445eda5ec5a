"""The sections of a page on the best method: what it looks at, where it errs, and where others say something else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from covey._text import clip, counted
from covey.analysis.diagnostics import (
    Predicted,
    class_table,
    class_to_find,
    disagreement_table,
    hardest_rows,
    pool_fits,
    precision_recall_curves,
    roc_curves,
    size_table,
)
from covey.analysis.ranking.metrics import number_spec
from covey.report.drawing import drawn
from covey.report.page import Block, Drawing, Gallery, Prose, Section, TableBlock

if TYPE_CHECKING:
    from covey.analysis.ranking.methods import Ranking
    from covey.analysis.tables import ResultTable
    from covey.report.explanation import Explanation, Importance, Learning
    from covey.study.results import Results

# Of more classes than this there is no confusion matrix, and no curve of each.
MOST_MAPPED, MOST_CURVES = 15, 6
# Methods whose disagreement is shown, and columns of the hardest rows.
MOST_COMPARED, MOST_VALUES = 5, 6
MANY_CLASSES = 15
# Protocols whose rows are counted among all, not among a test part.
OF_ALL_ROWS = ("cross-validation", "resamples")

_IMPORTANCE = (
    "The values of one column are shuffled among rows that the model has not seen, and the loss of {metric} is "
    "measured. Columns that say the same can stand in for each other: shuffling one of them then costs little."
)
_DEPENDENCE = (
    "And how predictions change along the strongest columns: the mean prediction if all rows had that value, all else "
    "as it is."
)
_HARD = {
    False: "Rows that were wrong most often, the surest mistakes first. Look for wrong labels and missing columns.",
    True: "Rows with the largest errors. Look for outliers, typing errors and missing columns.",
}
_DISAGREE = "Methods that are right where others are wrong may be better together than alone."


def diagnosis_sections(results: Results, ranking: Ranking, explanation: Explanation, name: str) -> list[Section]:
    """Return what a page says of the best method that learns; downloads end with the name."""
    method = explanation.method
    sections = looked_at(ranking, explanation, name)
    predicted = pool_fits(results.fits(ranking.dataset, method))
    if predicted is not None:
        of = "" if results.record.protocol["kind"] in OF_ALL_ROWS else " of the test part"
        if predicted.regression:
            errors = _numbers(predicted, name)
        else:
            errors = _classes(predicted, ranking.metric, method, name)
        sections.append(Section(f"Errors of {method}", errors))
        sections.append(Section("The hardest rows", _hardest(predicted, explanation, of, name)))
    if explanation.learning is not None:
        sections.append(Section("Would more rows help?", _learning(ranking, explanation.learning, name)))
    sections += _disagreement(results, ranking, name)
    return sections


def looked_at(ranking: Ranking, explanation: Explanation, name: str) -> list[Section]:
    """Return what a method looks at, as far as it is known."""
    title = f"Columns that matter to {explanation.method}"
    importance = explanation.importance
    if importance is None:
        why = explanation.failed.get("importance")
        return [Section(title, (Prose((f"This could not be found out: {clip(why, 200)}.",)),))] if why else []
    blocks: list[Block] = [
        _importances(ranking, importance, name),
        Prose((_IMPORTANCE.format(metric=ranking.words.name),)),
    ]
    if explanation.dependence:
        from covey.plots import dependence, draw_dependence

        what = "mean probability" if any(explanation.dependence[0].outputs) else "mean prediction"
        drawings: list[Drawing] = []
        every = np.concatenate([effect.means.ravel() for effect in explanation.dependence])
        room = 0.05 * float(np.ptp(every)) or 0.5
        limits = (float(every.min()) - room, float(every.max()) + room)
        even = len(explanation.dependence) // 2 * 2 or 1  # of three the last would stand alone
        for number, effect in enumerate(explanation.dependence[:even], start=1):
            options: Any = {"outputs": effect.outputs, "what": what, "limits": limits}
            data = dependence(effect.column, effect.values, effect.means, **options)
            drawings.append(drawn(draw_dependence, data, name=f"dependence-{number}-{name}", size="small"))
        blocks += [Prose((_DEPENDENCE,)), Gallery(tuple(drawings))]
    return [Section(title, tuple(blocks))]


def _importances(ranking: Ranking, importance: Importance, name: str) -> Drawing:
    from covey.plots import column_importances, draw_importances

    scale, unit = (100.0, f"{ranking.words.name} in percentage points") if ranking.words.percent else (1.0, "")
    data = column_importances(
        importance.columns.tolist(),
        scale * importance.losses,
        scale * importance.spreads,
        metric=unit or ranking.words.name,
    )
    caption = f"{data.title}, on {counted(importance.n_rows, 'row')} of the first fold"
    return drawn(draw_importances, data, name=f"importances-{name}", caption=caption, size="full")


def _classes(predicted: Predicted, metric: str, method: str, name: str) -> tuple[Block, ...]:
    from covey.plots import class_curves, confusion_map, draw_class_curves, draw_confusion

    assert predicted.classes is not None
    drawings, n_classes = [], len(predicted.classes)
    if n_classes <= MOST_MAPPED:
        data = confusion_map(predicted.counts, predicted.classes.tolist())
        caption = f"{data.title}: a row for each true class, the share of its rows in each cell"
        drawings.append(drawn(draw_confusion, data, name=f"confusion-{name}", caption=caption, size="small"))
    drawings += _reliability(predicted, method, name)
    if predicted.probabilities is not None and n_classes <= MOST_CURVES:
        totals = predicted.counts.sum(axis=1).tolist()
        places = [class_to_find(predicted.classes.tolist(), totals, metric)] if n_classes == 2 else range(n_classes)
        glosses = {
            "roc": "the further up and left, the better; the area is 1 if the class is told from others perfectly",
            "precision-recall": "how many of those taken for the class are of it, against how many of it are found",
        }
        made = {"roc": roc_curves(predicted, places), "precision-recall": precision_recall_curves(predicted, places)}
        for kind, curves in made.items():
            if curves:
                shown = class_curves(curves, kind)  # type: ignore[arg-type]
                caption = f"{shown.title}: {glosses[kind]}"
                drawings.append(drawn(draw_class_curves, shown, name=f"{kind}-{name}", caption=caption, size="small"))
    table = TableBlock(class_table(predicted), f"classes-{name}", filterable=n_classes > MANY_CLASSES)
    return (Gallery(tuple(drawings)), table) if drawings else (table,)


def _reliability(predicted: Predicted, method: str, name: str) -> list[Drawing]:
    from covey.plots import draw_reliability, reliability

    if predicted.probabilities is None:
        return []
    try:
        data = reliability(predicted.y, {method: predicted.probabilities}, classes=predicted.classes)
    except ValueError:  # what a method gives for probabilities need not add up to 1
        return []
    (bins,) = data.methods.values()
    caption = (
        f"Calibration: how often it is right by how sure it is. Below the dashed line it is too sure of itself; "
        f"its probabilities are off by {100 * bins.error:.1f} percentage points on average"
    )
    return [drawn(draw_reliability, data, name=f"calibration-{name}", caption=caption, size="small")]


def _numbers(predicted: Predicted, name: str) -> tuple[Block, ...]:
    from covey.plots import draw_residual_bars, draw_residuals, residual_bars, residuals

    scatter, bars = residuals(predicted.y, predicted.predictions), residual_bars(predicted.y, predicted.predictions)
    low, middle, high = (format(value, number_spec(bars.quantiles)) for value in bars.quantiles)
    captions = (
        "Residuals, truth less prediction: above the line predictions are too small. A bend or a funnel says that "
        "something is not learnt",
        f"Distribution of residuals: nine of ten are between {low} and {high}, the median is {middle}",
    )
    drawings = (
        drawn(draw_residuals, scatter, name=f"residuals-{name}", caption=captions[0], size="small"),
        drawn(draw_residual_bars, bars, name=f"residual-bars-{name}", caption=captions[1], size="small"),
    )
    return Gallery(drawings), TableBlock(size_table(predicted), f"sizes-{name}")


def _hardest(predicted: Predicted, explanation: Explanation, of: str, name: str) -> tuple[Block, ...]:
    import pandas as pd

    from covey.analysis.tables import ResultTable

    hard = hardest_rows(predicted)
    if not len(hard):
        return (Prose(("All rows were predicted right in every repeat.",)),)
    hard = hard.drop(columns="wrong") if "wrong" in hard and (hard["wrong"] == 1).all() else hard
    formats = {"wrong": ".0%", "probability of the truth": ".3f"}
    if predicted.regression:
        formats = {column: number_spec(hard[column]) for column in hard.columns}
    values = _values_of(explanation)
    values.columns = [f"{column} (column)" if column in hard else str(column) for column in values.columns]
    largest = values.select_dtypes("f").abs().max()
    formats |= {str(column): ".0f" if size >= 1e4 else ".4g" for column, size in largest.items()}
    frame = hard.join(values)
    numbers = (
        {} if explanation.rows is None else dict(zip(explanation.rows.cases, explanation.rows.numbers, strict=True))
    )
    is_known = all(case in numbers for case in hard.index)
    frame.index = pd.Index([(numbers[case] if is_known else case) + 1 for case in hard.index], name="row")
    shares = " wrong: in so many of the repeats." if "wrong" in frame else ""
    caption = f"The {'largest errors' if predicted.regression else 'mistakes'} of {explanation.method}"
    note = f"row: of the {'data' if is_known else f'rows{of} that were used'}, counted from 1.{shares}"
    known = {column: text for column, text in formats.items() if column in frame}
    table = ResultTable(frame, caption=caption, formats=known, notes=(note,))
    return Prose((_HARD[predicted.regression],)), TableBlock(table, f"hardest-{name}")


def _values_of(explanation: Explanation) -> Any:
    """Return the values of the hardest rows in the strongest columns, by their positions in the data."""
    import pandas as pd

    rows = explanation.rows
    if rows is None:
        return pd.DataFrame()
    strongest = [] if explanation.importance is None else explanation.importance.strongest
    frame = pd.DataFrame(rows.values, index=rows.cases, columns=rows.columns)
    frame = frame.loc[:, ~frame.columns.duplicated()]
    first = [column for column in strongest if column in frame.columns]
    chosen = frame[[*first, *(column for column in frame.columns if column not in first)][:MOST_VALUES]]
    return chosen.apply(_as_numbers)


def _as_numbers(texts: Any) -> Any:
    """Return numbers where all texts but empty ones are numbers, and the texts otherwise."""
    import pandas as pd

    numbers = pd.to_numeric(texts.replace("", None), errors="coerce").astype(float)
    return numbers if ((texts == "") == numbers.isna()).all() else texts


def _learning(ranking: Ranking, learning: Learning, name: str) -> tuple[Block, ...]:
    from covey.plots import draw_parameter_curves, parameter_curves

    words = ranking.words
    natural = learning.scores if ranking.larger_is_better else -learning.scores
    scale, metric = (100.0, f"{words.name} in %") if words.percent else (1.0, words.name)
    n_fits = natural.shape[1]
    data = parameter_curves(
        learning.sizes.tolist(),
        scale * natural.mean(axis=1),
        parameter="training rows",
        metric=metric,
        larger_is_better=ranking.larger_is_better,
        spread=scale * natural.std(axis=1, ddof=1) if n_fits > 1 else None,
    )
    band = "; the band is the standard deviation over folds" if n_fits > 1 else ""
    caption = f"{data.title}, mean over {counted(n_fits, 'fold')}{band}"
    figure = drawn(draw_parameter_curves, data, name=f"learning-{name}", caption=caption, size="full")
    gains = learning.scores[-1] - learning.scores[-2]
    gain, error = float(gains.mean()), float(gains.std(ddof=1) / np.sqrt(n_fits)) if n_fits > 1 else 0.0
    rows = f"From {learning.sizes[-2]:,} to {learning.sizes[-1]:,} training rows, the mean {words.name} gets"
    if gain <= 0:
        text = f"{rows} no better: more rows of the same kind would hardly help."
    else:
        sure = "more rows may well help" if gain > 2 * error else "which may be chance; more rows may help"
        text = f"{rows} better by {words.gap(gain, ranking.decimals)}: {sure}."
    return Prose((text,)), figure


def _disagreement(results: Results, ranking: Ranking, name: str) -> list[Section]:
    leading = [row.method for row in ranking.rows if row.method not in ranking.baselines][:MOST_COMPARED]
    pooled: Mapping[str, Predicted | None] = {
        method: pool_fits(results.fits(ranking.dataset, method)) for method in leading
    }
    table: ResultTable | None = disagreement_table(
        {method: predicted for method, predicted in pooled.items() if predicted is not None}
    )
    if table is None:
        return []
    return [Section("Where methods disagree", (Prose((_DISAGREE,)), TableBlock(table, f"disagreement-{name}")))]
