"""Binary problems of the ROC analysis: the layered cake, and one of a real dataset, with what is trained on them.

Everything is trained when it is asked for, in a second or two, and measured on the rows that it was trained on, as in
the paper.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey import LinearSVMClassifier, TriskelClassifier, method
from covey.analysis.roc import BiasCurves, bias_curves
from covey.datasets import available, load
from covey.reproduce.experiments import is_there, published_study
from covey.reproduce.paper import Experiment, Found, Quick
from covey.reproduce.results import Floats, names
from covey.reproduce.triskel.experiments import CAKE
from covey.strategies.bias import Biasing

# The strengths that are tried: those of the paper's remarks closely, and up to where nothing is left.
STRENGTHS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9)
# The strength of Triskel as published.
PUBLISHED = (0.9, 0.9)
# The two classes of vehicle that are hardest to tell apart.
SOURCE, CLASSES = "vehicle", ("opel", "saab")
# Lower edges of the layers of the cake but the lowest.
EDGES = (-0.5, 0.0, 0.5)


@dataclass(frozen=True, eq=False)
class Problem:
    """Cases of two classes."""

    name: str
    X: Any
    y: NDArray[Any]

    def accuracy(self, model: Any) -> float:
        """Return which share of the cases a model gets right."""
        return float(np.mean(model.predict(self.X) == self.y))


@lru_cache(maxsize=32)
def cake(name: str) -> Problem:
    """Return a draw of the layered cake by its name in the study, such as "cake 1"."""
    study = published_study("triskel", Experiment(CAKE, (), Quick(1)))
    data = next(spec for spec in study.datasets if spec.name == name).load()
    return Problem(name, data.frame.to_numpy(), np.asarray(data.target))


def cakes(results: Found) -> list[Problem]:
    """Return the draws of the layered cake that were carried out."""
    return [cake(name) for name in names(results[CAKE].record.datasets)]


@lru_cache(maxsize=1)
def _real() -> Problem:
    X, y = load(SOURCE).to_xy()
    kept = np.isin(np.asarray(y), CLASSES)
    return Problem(f"{SOURCE}, {' and '.join(CLASSES)}", X[kept].reset_index(drop=True), np.asarray(y)[kept])


def real_problem() -> Problem | None:
    """Return the problem of a real dataset; None if the dataset is not there."""
    return _real() if is_there(SOURCE, available()) else None


@lru_cache(maxsize=64)
def base_of(problem: Problem) -> LinearSVMClassifier:
    """Return the linear machine without bias."""
    return LinearSVMClassifier().fit(problem.X, problem.y)


@lru_cache(maxsize=256)
def triskel_of(
    problem: Problem, bias: tuple[float, float], biasing: Biasing = "oversample", n_rounds: int = 1
) -> TriskelClassifier:
    """Return a Triskel that leaves easy cases out, with h+ and h- biased so strongly."""
    made = TriskelClassifier(n_rounds=n_rounds, covering="separate", bias=bias, biasing=biasing, random_state=0)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "In .* members bias=")
        return made.fit(problem.X, problem.y)


@lru_cache(maxsize=64)
def opinions(problem: Problem, biasing: Biasing = "oversample") -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return what the unbiased machine says of each case, and what h+ and h- of each strength say, a row each."""
    pairs = [
        triskel_of(problem, (strength, strength), biasing).round_predictions(problem.X)[0] for strength in STRENGTHS
    ]
    plus, minus = (np.stack([pair[side] for pair in pairs]) for side in (0, 1))
    return base_of(problem).predict(problem.X), plus, minus


@lru_cache(maxsize=64)
def curves_of(problem: Problem, biasing: Biasing = "oversample") -> BiasCurves:
    """Return the bias curves of a problem."""
    base, plus, minus = opinions(problem, biasing)
    by_strength = (dict(zip(STRENGTHS, rows, strict=True)) for rows in (plus, minus))
    return bias_curves(problem.y, base, *by_strength)


@lru_cache(maxsize=32)
def accuracies(problem: Problem) -> Floats:
    """Return the training accuracy of Triskel for all strengths of h+ (rows) and h- (columns), by oversampling."""
    flat = [problem.accuracy(triskel_of(problem, pair)) for pair in product(STRENGTHS, repeat=2)]
    return np.array(flat).reshape(len(STRENGTHS), len(STRENGTHS))


def best_pair(problem: Problem, *, symmetric: bool) -> tuple[tuple[float, float], float]:
    """Return the strengths with which Triskel is most accurate, the least of equal ones, and its accuracy."""
    table = accuracies(problem)
    allowed = np.eye(len(table), dtype=bool) if symmetric else np.ones(table.shape, dtype=bool)
    top = float(table[allowed].max())
    total = np.add.outer(STRENGTHS, STRENGTHS)
    row, column = np.unravel_index(np.where(allowed & (table >= top), total, np.inf).argmin(), table.shape)
    return (STRENGTHS[row], STRENGTHS[column]), top


@lru_cache(maxsize=32)
def boosted_accuracy(problem: Problem) -> float:
    """Return the training accuracy of AdaBoost with up to 50 members."""
    return problem.accuracy(method("adaboost-50").set_params(random_state=0).fit(problem.X, problem.y))


@lru_cache(maxsize=32)
def three_cuts_accuracy(problem: Problem) -> float:
    """Return the accuracy of a majority vote of three linear machines on the cake, each trained to make one cut.

    One tells the highest layer from the rest, one the lowest, and one the two in the middle from each other.
    """
    layer = np.searchsorted(EDGES, problem.X[:, 1], side="right")
    inner = (layer == 1) | (layer == 2)
    votes = np.zeros(len(layer))
    for truth, rows in ((layer == 3, slice(None)), (layer > 0, slice(None)), (layer == 1, inner)):
        # A large C: the cut is there to be found, however narrow the gap between the layers.
        machine = LinearSVMClassifier(C=1e4).fit(problem.X[rows], truth[rows].astype(int))
        votes += 2.0 * machine.predict(problem.X) - 1.0
    return float(np.mean((votes > 0) == (problem.y == 1)))


def separator_accuracies(draws: list[Problem]) -> dict[str, Floats]:
    """Return training accuracies on draws of the cake: of SVM, boosting, Triskel, and three cuts along the layers."""
    measures: dict[str, Callable[[Problem], float]] = {
        "smo": lambda draw: draw.accuracy(base_of(draw)),
        "adaboost-50": boosted_accuracy,
        "triskel-1": lambda draw: draw.accuracy(triskel_of(draw, PUBLISHED, "undersample")),
        "triskel-1, best strengths": lambda draw: best_pair(draw, symmetric=False)[1],
        "three cuts along the layers": three_cuts_accuracy,
    }
    return {name: np.array([measure(draw) for draw in draws]) for name, measure in measures.items()}
