"""Figures 1, 3 and 4: separators of the layered cake, embedded ROC spaces and bias curves, all of real fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey._text import counted
from covey.analysis.roc import (
    EmbeddedSpace,
    RocPoint,
    nested_spaces,
    predict_gain,
    roc_point,
    round_points,
)
from covey.report.page import Block, Drawing, Prose, TableBlock
from covey.reproduce.paper import Found, View
from covey.reproduce.triskel.cake import (
    Problem,
    base_of,
    best_pair,
    boosted_accuracy,
    cakes,
    curves_of,
    real_problem,
    three_cuts_accuracy,
    triskel_of,
)
from covey.reproduce.triskel.reading import ACCURACY, CAKE, misprints_on, runs, shown

if TYPE_CHECKING:
    from covey.analysis.tables import ResultTable

NOTHING = "the layered cake was not carried out."
# Rounds of figure 3c.
ROUNDS = 3
# The strength of Triskel as published.
PUBLISHED = (0.9, 0.9)


def cake_table(found: Found) -> ResultTable:
    """Return accuracies on the cake: on the training cases, and on new ones by cross-validation."""
    import pandas as pd

    from covey.analysis.tables import ResultTable

    draws, results = cakes(found), found[CAKE]
    training = {
        "smo": [one.accuracy(base_of(one)) for one in draws],
        "adaboost-50": [boosted_accuracy(one) for one in draws],
        "triskel-1": [one.accuracy(triskel_of(one, PUBLISHED, "undersample")) for one in draws],
        "triskel-1, best strengths": [best_pair(one, symmetric=False)[1] for one in draws],
        "three cuts along the layers": [three_cuts_accuracy(one) for one in draws],
    }
    rows = {name: {"training": np.mean(values)} for name, values in training.items()}
    for method in (one.name for one in results.record.methods):
        folds = [runs(results, one.name, method, ACCURACY) for one in draws]
        if all(len(some) for some in folds):
            rows.setdefault(method, {})["new cases"] = np.mean([some.mean() for some in folds]) / 100
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=["training", "new cases"])
    return ResultTable(
        frame.rename_axis("method"),
        caption=f"Accuracy on the layered cake, mean of {counted(len(draws), 'draw')}",
        default_format=".3f",
        notes=("new cases: by ten-fold cross-validation. best strengths: of oversampling, by training accuracy.",),
    )


def tell_cake(found: Found) -> str:
    """Say what separators do on the cake."""
    draws = cakes(found)
    if not draws:
        return f"Figure 1: {NOTHING}"
    svm, boosted, cuts = (
        float(np.mean([measure(one) for one in draws]))
        for measure in (lambda one: one.accuracy(base_of(one)), boosted_accuracy, three_cuts_accuracy)
    )
    best = float(np.mean([best_pair(one, symmetric=False)[1] for one in draws]))
    return (
        f"Figure 1: training accuracy on {counted(len(draws), 'draw')} of the layered cake, in the mean: a linear SVM "
        f"{shown(svm)}, boosted {shown(boosted)}, Triskel with the best strengths {shown(best)}, three cuts along the "
        f"layers {shown(cuts)}."
    )


def show_cake(found: Found) -> tuple[Block, ...]:
    """Return figure 1."""
    from covey.plots import draw_separators, separator_map
    from covey.report.drawing import drawn

    draws = cakes(found)
    if not draws:
        return (Prose((tell_cake(found),)),)
    first = draws[0]
    strengths, _ = best_pair(first, symmetric=False)
    models = {
        "a": (base_of(first), "a linear SVM"),
        "b": (
            triskel_of(first, strengths),
            f"Triskel by oversampling, h+ biased by {strengths[0]:g}, h- by {strengths[1]:g}",
        ),
    }
    drawings = [
        drawn(
            draw_separators,
            separator_map(model, first.X, first.y),
            name=f"triskel-figure-1{part}",
            caption=f"Figure 1({part}): {what}, on {first.name}; tinted by the decision",
        )
        for part, (model, what) in models.items()
    ]
    known = misprints_on("algorithm 1")
    return (
        Prose((tell_cake(found), "The paper prints no numbers with this figure, and no parameters of the data.")),
        *drawings,
        TableBlock(cake_table(found), "triskel-figure-1-accuracies"),
        Prose(("Of algorithm 1 the paper says two things otherwise than it does:", *known)),
    )


def problems(found: Found) -> list[tuple[Problem, tuple[float, float]]]:
    """Return the problems of figures 3 and 4, with the strengths that are drawn.

    Those of the cake are the best by accuracy, those of the real problem the pair whose middle is best.
    """
    made: list[tuple[Problem, tuple[float, float]]] = []
    if draws := cakes(found):
        made.append((draws[0], best_pair(draws[0], symmetric=False)[0]))
        if (real := real_problem()) is not None:
            pair = predict_gain(curves_of(real)).pair
            made.append((real, (pair.strength_plus, pair.strength_minus)))
    return made


def told_prediction(found: Found) -> list[str]:
    """Say of each problem whether its curves promise a gain, and what happened."""
    lines = []
    for problem, strengths in problems(found):
        prediction = predict_gain(curves_of(problem))
        happened = prediction.check(problem.accuracy(triskel_of(problem, strengths)))
        lines.append(f"{problem.name}. {prediction}. With strengths {strengths[0]:g} and {strengths[1]:g}: {happened}.")
    return lines


def tell_spaces(found: Found) -> str:
    """Say what the ROC analysis foretells."""
    told = told_prediction(found)
    return f"Figure 3: {' '.join(told)}" if told else f"Figure 3: {NOTHING}"


def show_spaces(found: Found) -> tuple[Block, ...]:
    """Return figures 3b and 3c."""
    if not problems(found):
        return (Prose((tell_spaces(found),)),)
    blocks: list[Block] = [
        Prose(
            (tell_spaces(found), "The paper draws this figure as a sketch; ours is of classifiers on training cases.")
        )
    ]
    for number, (problem, strengths) in enumerate(problems(found), start=1):
        for part, rounds in (("b", 1), ("c", ROUNDS)):
            blocks.append(_space(problem, strengths, rounds, f"triskel-figure-3{part}-{number}", part))
    known = misprints_on("section 5")
    return (*blocks, Prose(("Two meanings of biased in the paper, of which the figures have the second:", *known)))


def _space(problem: Problem, strengths: tuple[float, float], n_rounds: int, name: str, part: str) -> Drawing | Prose:
    """Draw the embedded spaces of rounds; a sentence where a pair leaves no space between its classifiers."""
    from covey.plots import draw_roc_spaces, roc_space_diagram
    from covey.report.drawing import drawn

    model = triskel_of(problem, strengths, "oversample", n_rounds)
    pairs = round_points(problem.y, model.round_predictions(problem.X))
    try:
        spaces = _spaces(pairs)
    except ValueError as error:
        return Prose((f"Figure 3({part}) cannot be drawn of {problem.name}: {error}",))
    points = {"h": _point(problem, base_of(problem)), "Triskel": _point(problem, model)}
    caption = f"Figure 3({part}): ROC space of the hard cases of {counted(len(spaces), 'round')}, {problem.name}"
    return drawn(draw_roc_spaces, roc_space_diagram(spaces, points=points), name=name, caption=caption)


def _spaces(pairs: list[tuple[RocPoint, RocPoint]]) -> list[EmbeddedSpace]:
    """Return the spaces of as many rounds as there is space between h+ and h-, of the first at least."""
    try:
        return nested_spaces(pairs, strict=False)
    except ValueError:
        if len(pairs) == 1:
            raise
        return _spaces(pairs[:-1])


def _point(problem: Problem, model: object) -> RocPoint:
    return roc_point(problem.y, model.predict(problem.X))  # type: ignore[attr-defined]


def tell_curves(found: Found) -> str:
    """Say where the bias curves lead."""
    told = [f"{problem.name}: {curves_of(problem)}" for problem, _ in problems(found)]
    return f"Figure 4: {'. '.join(told)}." if told else f"Figure 4: {NOTHING}"


def show_curves(found: Found) -> tuple[Block, ...]:
    """Return figure 4."""
    from covey.plots import bias_curve_diagram, draw_bias_curves
    from covey.report.drawing import drawn

    if not problems(found):
        return (Prose((tell_curves(found),)),)
    said = (
        "Of its layered cake the paper says that the best strengths are 0.11 for h+ and 0.085 for h-, and that 0.4 is "
        "too much. It does not say what a strength of oversampling is. Here a strength of s draws cases until there "
        "are 1/(1 - s) times as many, so that classes are in the same proportion as after undersampling by s."
    )
    blocks: list[Block] = [Prose((tell_curves(found), said))]
    for number, (problem, _) in enumerate(problems(found), start=1):
        caption = f"Figure 4: bias curves by oversampling, {problem.name}"
        diagram = bias_curve_diagram(curves_of(problem))
        blocks.append(drawn(draw_bias_curves, diagram, name=f"triskel-figure-4-{number}", caption=caption))
        blocks.append(TableBlock(curves_of(problem).table(), f"triskel-figure-4-{number}-points"))
    return tuple(blocks)


VIEWS = (
    View("figure 1", "The layered cake and its separators", (CAKE,), show_cake, tell_cake),
    View("figure 3", "Embedded ROC spaces", (CAKE,), show_spaces, tell_spaces),
    View("figure 4", "Bias curves", (CAKE,), show_curves, tell_curves),
)
