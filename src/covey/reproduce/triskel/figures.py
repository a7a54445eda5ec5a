"""Figures 1 to 4: separators of the layered cake, accuracy against time, embedded ROC spaces and bias curves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from covey._text import counted
from covey.analysis.roc import EmbeddedSpace, RocPoint, nested_spaces, predict_gain, roc_point, round_points
from covey.analysis.tables import ResultTable
from covey.plots import (
    accuracy_time,
    bias_curve_diagram,
    draw_accuracy_time,
    draw_bias_curves,
    draw_roc_spaces,
    roc_space_diagram,
)
from covey.report.drawing import drawn
from covey.report.page import Block, Details, Drawing, Prose, TableBlock
from covey.reproduce.paper import Found, Lacking, View
from covey.reproduce.published import published_wide
from covey.reproduce.results import names
from covey.reproduce.tables import misprint_blocks, three
from covey.reproduce.triskel import problems as roc
from covey.reproduce.triskel.experiments import CAKE, FOLDS, METHODS, PAIRS
from covey.reproduce.triskel.problems import Problem
from covey.reproduce.triskel.tables import ACCURACY, SECONDS, figures_of, means

# Accuracies, and seconds of training.
Outcomes = tuple[pd.DataFrame, pd.DataFrame]

TRISKELS, BOOSTINGS = tuple(second for _, second in PAIRS), ("adaboost-3", "adaboost-10", "adaboost-50")
TIMED = ("automobile", "balance-scale", "glass", "hypothyroid", "segment", "vehicle")
# Rounds of figure 3c.
ROUNDS = 3
TRADE_OFF_TEXT = (
    "The paper draws a line through the settings of Triskel and one through those of AdaBoost, and finds the first "
    "above the second in most cases: as accurate in less time, and more accurate in the end."
)
STRENGTHS_TEXT = (
    "Of its layered cake the paper says that the best strengths are 0.11 for h+ and 0.085 for h-, and that 0.4 is "
    "too much. It does not say what a strength of oversampling is. Here a strength of s draws cases until there "
    "are 1/(1 - s) times as many, so that classes are in the same proportion as after undersampling by s."
)


def cake_table(results: Found) -> ResultTable:
    """Return accuracies on the cake: on the training cases, and on new ones by cross-validation."""
    draws, run = roc.cakes(results), results[CAKE]
    rows = {name: {"training": float(each.mean())} for name, each in roc.separator_accuracies(draws).items()}
    for method in names(run.record.methods):
        folds = [figures_of(run, draw.name, method, ACCURACY) for draw in draws]
        if all(len(some) for some in folds):
            rows.setdefault(method, {})["new cases"] = float(np.mean([some.mean() for some in folds])) / 100
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=["training", "new cases"])
    return ResultTable(
        frame.rename_axis("method"),
        caption=f"Accuracy on the layered cake, mean of {counted(len(draws), 'draw')}",
        default_format=".3f",
        notes=("new cases: by ten-fold cross-validation. best strengths: of oversampling, by training accuracy.",),
    )


def tell_cake(results: Found) -> str:
    """Say what separators do on the cake."""
    draws = roc.cakes(results)
    svm, boosted, _, best, cuts = (three(each.mean()) for each in roc.separator_accuracies(draws).values())
    return (
        f"Figure 1: training accuracy on {counted(len(draws), 'draw')} of the layered cake, in the mean: a linear SVM "
        f"{svm}, boosted {boosted}, Triskel with the best strengths {best}, three cuts along the layers {cuts}."
    )


def _show_cake(results: Found) -> tuple[Block, ...]:
    # It needs matplotlib, without which papers can still be listed.
    from covey.plots import draw_separators, separator_map

    first = roc.cakes(results)[0]
    plus, minus = roc.best_pair(first, symmetric=False)[0]
    models: dict[str, tuple[Any, str]] = {
        "a": (roc.base_of(first), "a linear SVM"),
        "b": (
            roc.triskel_of(first, (plus, minus)),
            f"Triskel by oversampling, h+ biased by {plus:g}, h- by {minus:g}",
        ),
    }
    return (
        Prose((tell_cake(results), "The paper prints no numbers with this figure, and no parameters of the data.")),
        *(
            drawn(
                draw_separators,
                separator_map(model, first.X, first.y),
                name=f"triskel-figure-1{part}",
                caption=f"Figure 1({part}): {what}, on {first.name}; tinted by the decision",
            )
            for part, (model, what) in models.items()
        ),
        TableBlock(cake_table(results), "triskel-figure-1-accuracies"),
        *misprint_blocks("triskel", "algorithm 1", "Of algorithm 1 the paper says two things otherwise than it does:"),
    )


def outcomes_of(results: Found) -> tuple[Outcomes, Outcomes, list[str]]:
    """Return ours, the published, and the datasets of figure 2 on which all methods are whole."""
    ours = means(results, ACCURACY), means(results, SECONDS)
    datasets = [name for name in TIMED if name in ours[0].dropna().index]
    if not datasets:
        raise Lacking("Figure 2: nothing to compare.")
    return ours, (published_wide("triskel", 1), published_wide("triskel", 2)), datasets


def beaten(outcomes: Outcomes, dataset: str) -> list[str]:
    """Return the settings of AdaBoost that some Triskel is at least as accurate as in less time."""
    score, time = (frame.loc[dataset] for frame in outcomes)
    return [
        other
        for other in BOOSTINGS
        if any(score[method] >= score[other] and time[method] < time[other] for method in TRISKELS)
    ]


def _tell_trade_off(results: Found) -> str:
    *both, datasets = outcomes_of(results)
    ours, theirs = (sum(len(beaten(outcomes, name)) for name in datasets) for outcomes in both)
    best = both[0][0].loc[datasets]
    above = int((best[list(TRISKELS)].max(axis=1) > best[list(BOOSTINGS)].max(axis=1)).sum())
    return (
        f"Figure 2: {ours} of {counted(len(BOOSTINGS) * len(datasets), 'setting')} of AdaBoost are beaten by a Triskel "
        f"that is at least as accurate in less time ({theirs} as published); the best Triskel is more accurate than "
        f"the best AdaBoost on {above} of {counted(len(datasets), 'dataset')}."
    )


def _show_trade_off(results: Found) -> tuple[Block, ...]:
    ours, theirs, datasets = outcomes_of(results)
    return (
        Prose((_tell_trade_off(results), TRADE_OFF_TEXT)),
        *_trade_offs(ours, datasets, "ours"),
        Details("As published", _trade_offs(theirs, datasets, "published")),
    )


def _trade_offs(outcomes: Outcomes, datasets: list[str], whose: str) -> tuple[Drawing, ...]:
    drawings = []
    for name in datasets:
        score, time = (frame.loc[name, list(METHODS)].to_numpy(dtype=float) for frame in outcomes)
        points = accuracy_time(score, time, METHODS, metric="accuracy in per cent", larger_is_better=True)
        caption = f"Accuracy against training time on {name}, {whose}"
        drawings.append(drawn(draw_accuracy_time, points, name=f"triskel-figure-2-{name}-{whose}", caption=caption))
    return tuple(drawings)


def problems(results: Found) -> list[tuple[Problem, tuple[float, float]]]:
    """Return the problems of figures 3 and 4, with the strengths that are drawn.

    Those of the cake are the best by accuracy, those of the real problem the pair whose middle is best.
    """
    first = roc.cakes(results)[0]
    made = [(first, roc.best_pair(first, symmetric=False)[0])]
    if (real := roc.real_problem()) is not None:
        pair = predict_gain(roc.curves_of(real)).pair
        made.append((real, (pair.strength_plus, pair.strength_minus)))
    return made


def _tell_spaces(results: Found) -> str:
    lines = []
    for problem, strengths in problems(results):
        prediction = predict_gain(roc.curves_of(problem))
        happened = prediction.check(problem.accuracy(roc.triskel_of(problem, strengths)))
        lines.append(f"{problem.name}. {prediction}. With strengths {strengths[0]:g} and {strengths[1]:g}: {happened}.")
    return f"Figure 3: {' '.join(lines)}"


def _show_spaces(results: Found) -> tuple[Block, ...]:
    heading = "Two meanings of biased in the paper, of which the figures have the second:"
    sketch = "The paper draws this figure as a sketch; ours is of classifiers on training cases."
    return (
        Prose((_tell_spaces(results), sketch)),
        *(
            _space(problem, strengths, rounds, f"triskel-figure-3{part}-{number}", part)
            for number, (problem, strengths) in enumerate(problems(results), start=1)
            for part, rounds in (("b", 1), ("c", ROUNDS))
        ),
        *misprint_blocks("triskel", "section 5", heading),
    )


def _space(problem: Problem, strengths: tuple[float, float], n_rounds: int, name: str, part: str) -> Drawing | Prose:
    """Draw the embedded spaces of rounds; a sentence where a pair leaves no space between its classifiers."""
    model = roc.triskel_of(problem, strengths, "oversample", n_rounds)
    try:
        spaces = spaces_of(round_points(problem.y, model.round_predictions(problem.X)))
    except ValueError as error:
        return Prose((f"Figure 3({part}) cannot be drawn of {problem.name}: {error}",))
    models: dict[str, Any] = {"h": roc.base_of(problem), "Triskel": model}
    points = {label: roc_point(problem.y, each.predict(problem.X)) for label, each in models.items()}
    caption = f"Figure 3({part}): ROC space of the hard cases of {counted(len(spaces), 'round')}, {problem.name}"
    return drawn(draw_roc_spaces, roc_space_diagram(spaces, points=points), name=name, caption=caption)


def spaces_of(pairs: list[tuple[RocPoint, RocPoint]]) -> list[EmbeddedSpace]:
    """Return the spaces of as many rounds as there is space between h+ and h-, of the first at least."""
    try:
        return nested_spaces(pairs, strict=False)
    except ValueError:
        if len(pairs) == 1:
            raise
        return spaces_of(pairs[:-1])


def _tell_curves(results: Found) -> str:
    return f"Figure 4: {'. '.join(f'{problem.name}: {roc.curves_of(problem)}' for problem, _ in problems(results))}."


def _show_curves(results: Found) -> tuple[Block, ...]:
    blocks: list[Block] = [Prose((_tell_curves(results), STRENGTHS_TEXT))]
    for number, (problem, _) in enumerate(problems(results), start=1):
        name, caption = f"triskel-figure-4-{number}", f"Figure 4: bias curves by oversampling, {problem.name}"
        blocks.append(drawn(draw_bias_curves, bias_curve_diagram(roc.curves_of(problem)), name=name, caption=caption))
        blocks.append(TableBlock(roc.curves_of(problem).table(), f"{name}-points"))
    return tuple(blocks)


VIEWS = (
    View("figure 1", "The layered cake and its separators", (CAKE,), _show_cake, tell_cake),
    View("figure 2", "Accuracy against training time", (FOLDS,), _show_trade_off, _tell_trade_off),
    View("figure 3", "Embedded ROC spaces", (CAKE,), _show_spaces, _tell_spaces),
    View("figure 4", "Bias curves", (CAKE,), _show_curves, _tell_curves),
)
