"""Claims about the layered cake, ROC spaces and the vote: section 5, figures 1, 3 and 4."""

from __future__ import annotations

from itertools import product

import numpy as np

from covey._text import counted
from covey.analysis.numbers import TIE
from covey.analysis.roc import embedded_space, first_agreement, inclusion_share, roc_point
from covey.reproduce.paper import Found, Verdict
from covey.reproduce.triskel.cake import (
    STRENGTHS,
    Problem,
    accuracies,
    base_of,
    best_pair,
    boosted_accuracy,
    cakes,
    curves_of,
    opinions,
    real_problem,
    three_cuts_accuracy,
    triskel_of,
)
from covey.reproduce.triskel.reading import Floats, shown
from covey.reproduce.verdicts import untested, verdict

NO_CAKE = "the layered cake was not carried out"
# A large error, an error like another's, a strength about 0.1, and no gain: what they are taken for.
LARGE, ALIKE = 0.2, 0.05
ABOUT_A_TENTH, TOO_STRONG, NO_GAIN = (0.05, 0.2), 0.4, 0.01
# Equality of proposition 1.
EXACT = 1e-12
# Rounds of the vote that are gone through in full.
MOST_ROUNDS = 4


def _problems(found: Found) -> list[Problem]:
    """Return the draws of the cake, and the real problem if it is there."""
    draws, real = cakes(found), real_problem()
    return [*draws, real] if draws and real is not None else draws


def boosting_fails_on_the_cake(found: Found) -> Verdict:
    """TRI-01."""
    draws = cakes(found)
    if not draws:
        return untested(NO_CAKE)
    svm, boosted, cuts = (
        1 - np.array([measure(one) for one in draws])
        for measure in (lambda one: one.accuracy(base_of(one)), boosted_accuracy, three_cuts_accuracy)
    )
    trained = 1 - np.array([best_pair(one, symmetric=False)[1] for one in draws])
    stays = svm.min() > LARGE and bool((np.abs(boosted - svm) <= ALIKE).all())
    text = (
        f"training errors on {counted(len(draws), 'draw')}, mean: SVM {shown(svm.mean())}, boosted "
        f"{shown(boosted.mean())}, three cuts along the layers {shown(cuts.mean())} (largest {shown(cuts.max())}); "
        f"Triskel, whose members are not told the layers, with the best strengths {shown(trained.mean())} (least "
        f"{shown(trained.min())})"
    )
    return verdict(stays and cuts.max() == 0, text)


def embedding_is_exact(found: Found) -> Verdict:
    """TRI-13: by thresholds, which nest predictions."""
    checked, worst = 0, 0.0
    for problem in _problems(found):
        for strengths in product((0.1, 0.3, 0.5, 0.7), repeat=2):
            model = triskel_of(problem, strengths, "threshold")
            plus, minus = model.round_predictions(problem.X)[0]
            if inclusion_share(plus, minus, positive=model.classes_[1]) > 0:
                continue
            hard = plus != minus
            arbiter = model.classes_[model.member_predictions(problem.X)[:, -1]]
            inner = roc_point(problem.y[hard], arbiter[hard], positive=model.classes_[1]) if hard.any() else None
            space = embedded_space(*(roc_point(problem.y, said) for said in (plus, minus)))
            whole = roc_point(problem.y, model.predict(problem.X))
            foretold = space.plus if inner is None else space.outer(inner)
            worst = max(worst, *np.abs(np.subtract(foretold.xy, whole.xy)).tolist())
            checked += 1
    if not checked:
        return untested(NO_CAKE)
    text = f"{counted(checked, 'ensemble')} with nested predictions, largest difference of a rate {worst:.1e}"
    return verdict(worst <= EXACT, text)


def midpoint_foretells(found: Found) -> Verdict:
    """TRI-14."""
    promised = kept = agreed = trained = helped = surprised = other = 0
    problems = _problems(found)
    for problem in problems:
        curves, (_, plus, minus) = curves_of(problem), opinions(problem)
        base = curves.base.accuracy
        for row, column in product(range(len(STRENGTHS)), repeat=2):
            pair = curves.pair(STRENGTHS[row], STRENGTHS[column])
            gain = _random_accuracy(problem, plus[row], minus[column]) - base
            agreed += abs(gain - pair.midpoint_gain) <= EXACT
            if pair.midpoint_gain > TIE:
                promised, kept = promised + 1, kept + (gain > 0)
        for strength in STRENGTHS:
            gained = problem.accuracy(triskel_of(problem, (strength, strength))) > base + TIE
            if curves.pair(strength, strength).midpoint_gain > TIE:
                trained, helped = trained + 1, helped + gained
            else:
                other, surprised = other + 1, surprised + gained
    if not problems:
        return untested(NO_CAKE)
    total = len(problems) * len(STRENGTHS) ** 2
    text = (
        f"of {total} pairs of strengths {promised} have a middle above the line, and {kept} of these gain with a "
        f"random arbiter, whose accuracy is that of the middle for {agreed}; trained, equally biased Triskels gain in "
        f"{helped} of {trained} cases where the middle is above, and in {surprised} of {other} others"
    )
    return verdict(promised > 0 and kept == promised and agreed == total, text)


def _random_accuracy(problem: Problem, plus: object, minus: object) -> float:
    """Return the expected accuracy of a pair with an arbiter that guesses, counted case by case."""
    sure = np.asarray(plus) == np.asarray(minus)
    return float(np.mean(np.where(sure, np.asarray(plus) == problem.y, 0.5)))


def _symmetric(draws: list[Problem]) -> tuple[Floats, float]:
    """Return the mean training accuracy of each strength, the same for both, and that of the base."""
    return np.mean([accuracies(one).diagonal() for one in draws], axis=0), float(
        np.mean([one.accuracy(base_of(one)) for one in draws])
    )


def small_bias_is_best(found: Found) -> Verdict:
    """TRI-15."""
    draws = cakes(found)
    if not draws:
        return untested(NO_CAKE)
    accuracy, base = _symmetric(draws)
    best = STRENGTHS[int(accuracy.argmax())]
    strong = [value for strength, value in zip(STRENGTHS, accuracy, strict=True) if strength >= TOO_STRONG]
    low, high = ABOUT_A_TENTH
    at = ", ".join(f"{strength:g} {shown(accuracy[STRENGTHS.index(strength)])}" for strength in (0.1, 0.4, best, 0.9))
    text = (
        f"mean training accuracy of {counted(len(draws), 'draw')} by the strength of oversampling: {at}; SVM "
        f"{shown(base)}. Best at {best:g}, about 0.1 being taken for {low:g} to {high:g}. Strengths differ in meaning, "
        "which the paper does not define for oversampling: here 1/(1 - s) times as many cases. In this scale too "
        "a strong bias brings nothing"
    )
    return verdict(low <= best <= high and max(strong) <= base + NO_GAIN, text)


def asymmetric_is_better(found: Found) -> Verdict:
    """TRI-16."""
    draws = cakes(found)
    if not draws:
        return untested(NO_CAKE)
    same, apart = (np.array([best_pair(one, symmetric=symmetric)[1] for one in draws]) for symmetric in (True, False))
    more = int((apart > same).sum())
    text = (
        f"best training accuracy with different strengths {shown(apart.mean())}, with equal ones {shown(same.mean())}, "
        f"mean of {counted(len(draws), 'draw')}; more on {more}"
    )
    return verdict(2 * more > len(draws), text)


def reversing_helps(found: Found) -> Verdict:
    """TRI-17: with the pair of the deepest concavity."""
    draws = cakes(found)
    if not draws:
        return untested(NO_CAKE)
    pairs = [curves_of(one).best_pair("concavity") for one in draws]
    gains, base = np.array([pair.reversal_gain for pair in pairs]), np.array([pair.base.accuracy for pair in pairs])
    on_hard = [pair.base_on_hard.xy for pair in pairs]
    at = ", ".join(shown(value) for value in np.mean(on_hard, axis=0))
    text = (
        f"mean accuracy {shown(base.mean())} of the SVM, {shown((base + gains).mean())} with it reversed on hard "
        f"cases; more on {int((gains > 0).sum())} of {counted(len(draws), 'draw')}. On the hard cases it lies at "
        f"({at}) in ROC space, near (1, 0)"
    )
    return verdict(bool((gains > 0).all()), text)


def first_pair_decides(found: Found) -> Verdict:
    """TRI-18."""
    draws = cakes(found)
    if not draws:
        return untested(NO_CAKE)
    votes = same = 0
    for n_rounds in range(1, MOST_ROUNDS + 1):
        every = np.array(list(product((-1, 1), repeat=2 * n_rounds + 1)))
        weights = np.append(np.repeat(2.0 ** np.arange(n_rounds - 1, -1, -1), 2), 1.0)
        pairs = [(every[:, place], every[:, place + 1]) for place in range(0, 2 * n_rounds, 2)]
        same += int(np.sum(np.sign(every @ weights) == first_agreement(pairs, every[:, -1])))
        votes += len(every)
    cases = right = 0
    for problem in draws:
        model = triskel_of(problem, (0.6, 0.6), "oversample", MOST_ROUNDS)
        arbiter = model.classes_[model.member_predictions(problem.X)[:, -1]]
        decided = first_agreement(model.round_predictions(problem.X), arbiter)
        right, cases = right + int(np.sum(decided == model.predict(problem.X))), cases + len(problem.y)
    text = (
        f"the weighted vote is what the first agreeing pair says, else the arbiter, for {same} of all {votes} votes of "
        f"1 to {MOST_ROUNDS} rounds, and for {right} of {cases} cases of {counted(len(draws), 'draw')} of the cake"
    )
    return verdict(same == votes and right == cases, text)
