"""Claims of the paper, with the figures that it prints, and how each claim is judged."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from covey._text import counted
from covey.analysis.numbers import TIE
from covey.analysis.roc import embedded_space, first_agreement, inclusion_share, roc_point
from covey.reproduce.paper import Found
from covey.reproduce.tables import listed_values, signed, three, two
from covey.reproduce.triskel import problems as roc
from covey.reproduce.triskel.experiments import CAKE, COVERING, FOLDS, METHODS, OVERSAMPLING, PAIRS
from covey.reproduce.triskel.figures import BOOSTINGS, TRISKELS
from covey.reproduce.triskel.problems import Problem
from covey.reproduce.triskel.tables import ACCURACY, SECONDS, Marked, Pair, geometric_mean, marks, means, ratios, whole
from covey.reproduce.verdicts import FEW_DATASETS, Judgement, claim, enough, needed

# Level is taken for numbers of significant wins and losses that differ by at most one, not hurting for a mean accuracy
# at most so many points lower.
LEVEL_BY, NOT_HURT = 1, 1.0
M1_WINS = ("annealing-orig", "hypothyroid", "segment")
M1_FASTER = ("audiology", "hypothyroid", "soybean")
SMO_M1, _, _W2, _W4 = PAIRS
# A large error, an error like another's, a strength about 0.1, and no gain: what they are taken for.
LARGE, ALIKE = 0.2, 0.05
ABOUT_A_TENTH, TOO_STRONG, NO_GAIN = (0.05, 0.2), 0.4, 0.01
# Equality of proposition 1.
EXACT = 1e-12
# Rounds of the vote that are gone through in full.
MOST_ROUNDS = 4


def marked(results: Found, pair: Pair, least: int = FEW_DATASETS) -> Marked:
    """Return where the second method of a pair is significantly more accurate, and less; too few are lacking."""
    return Marked.of(enough(marks(results, ACCURACY, pair), least))


def _wins_without_loss(results: Found, pair: Pair) -> Judgement:
    record = marked(results, pair)
    return bool(record.wins) and not record.losses, f"{pair[1]} against {pair[0]}: {record}"


def _is_level(results: Found, pair: Pair) -> Judgement:
    record = marked(results, pair)
    text = f"{pair[1]} against {pair[0]}: {record}; level is taken for numbers that differ by at most {LEVEL_BY}"
    return abs(len(record.wins) - len(record.losses)) <= LEVEL_BY, text


def _trains_faster(results: Found, pair: Pair) -> Judgement:
    multiples = enough(ratios(results, pair))
    faster = int((multiples < 1).sum())
    slower = [str(name) for name in multiples.index[multiples >= 1]]
    but = f", not on {', '.join(slower)}" if slower else ""
    return 2 * faster > len(multiples), (
        f"{pair[1]} trains faster than {pair[0]} on {faster} of {counted(len(multiples), 'dataset')}{but}; "
        f"geometric mean of ratios {two(geometric_mean(multiples))}"
    )


def _m1_beats_smo(results: Found) -> Judgement:
    record, tested = marked(results, SMO_M1, 0), marks(results, ACCURACY, SMO_M1)
    there = [name for name in M1_WINS if name in tested]
    needed(there, f"none of {', '.join(M1_WINS)} was carried out")
    accuracy = means(results, ACCURACY, SMO_M1)
    gain = (accuracy["triskel-m1"] - accuracy["smo"])[there]
    holds = set(there) <= set(record.wins) and not record.losses
    return holds, f"{record}; differences: {listed_values(gain, signed)} points"


def _m1_faster_than_smo(results: Found) -> Judgement:
    multiples = ratios(results, SMO_M1)
    there = [name for name in M1_FASTER if name in multiples.index]
    needed(there, f"none of {', '.join(M1_FASTER)} was carried out")
    others = multiples[(multiples < 1) & ~multiples.index.isin(there)]
    also = f"; below 1 too: {listed_values(others)}" if len(others) else ""
    text = f"training time of triskel-m1 as a multiple of smo's: {listed_values(multiples[there])}{also}"
    return bool((multiples[there] < 1).all()), text


def m1_is_least(results: Found) -> Judgement:
    """TRI-08, which table 1 and table 2 bear out in the mean only."""
    ensembles = METHODS[1:]
    accuracy, seconds = (whole(results, what, ensembles) for what in (ACCURACY, SECONDS))
    score = enough(accuracy).mean()
    time = {method: geometric_mean(seconds[method]) for method in ensembles}
    least, fastest = str(score.idxmin()), min(time, key=lambda method: time[method])
    low, fast = (int((frame.idxmin(axis=1) == "triskel-m1").sum()) for frame in (accuracy, seconds))
    return least == fastest == "triskel-m1", (
        f"least mean accuracy: {least} ({two(score[least])}, triskel-m1 {two(score['triskel-m1'])}); least geometric "
        f"mean of times: {fastest}; triskel-m1 is least accurate on {low} and fastest on {fast} of "
        f"{counted(len(accuracy), 'dataset')}"
    )


def _boosting_50_is_best(results: Found) -> Judgement:
    frame = enough(whole(results, ACCURACY, ("smo", *BOOSTINGS)))
    text = f"mean accuracy on {counted(len(frame), 'dataset')}: {listed_values(frame.mean())}"
    return frame.mean().idxmax() == "adaboost-50", text


def _best_triskel_exceeds(results: Found) -> Judgement:
    frame = enough(whole(results, ACCURACY, (*BOOSTINGS, *TRISKELS)).round(2))
    lead = (frame[list(TRISKELS)].max(axis=1) - frame[list(BOOSTINGS)].max(axis=1)).round(2)
    wins, losses, ties = (int(some.sum()) for some in (lead > 0, lead < 0, lead == 0))
    text = f"best Triskel against best AdaBoost: {wins} wins, {losses} losses, {ties} ties, means with two decimals"
    return wins > losses, text


def versus(results: Found, method: str, other: str, id: str) -> tuple[float, float, Marked]:
    """Return mean accuracies of a method of the tables and one of another experiment, and the marks of the first."""
    columns = means(results, ACCURACY, (method,)), means(results, ACCURACY, (other,), id)
    both = enough(columns[0].join(columns[1], how="inner").dropna()).mean()
    return both[method], both[other], Marked.of(marks(results, ACCURACY, (other, method), (id, FOLDS)))


def _soft_beats_separation(results: Found) -> Judgement:
    parts, holds = [], []
    for method, other in (("triskel-w2", "separate-2"), ("triskel-w4", "separate-4")):
        soft, separate, record = versus(results, method, other, COVERING)
        holds.append(soft >= separate)
        parts.append(f"{method} {two(soft)}, with separation {two(separate)}, {record}")
    return all(holds), f"mean accuracy: {'; '.join(parts)}"


def _undersampling_does_not_hurt(results: Found) -> Judgement:
    parts, holds = [], []
    for method, other in (("triskel-1", "oversample-1"), ("triskel-w4", "oversample-w4")):
        under, over, record = versus(results, method, other, OVERSAMPLING)
        times: pd.Series = (
            means(results, SECONDS, (method,))[method] / means(results, SECONDS, (other,), OVERSAMPLING)[other]
        )
        ratio = geometric_mean(times.dropna())
        holds.append(under >= over - NOT_HURT and ratio < 1)
        parts.append(
            f"{method} {two(under)}, by oversampling {two(over)}, {record}; time as a multiple of oversampling's "
            f"{two(ratio)}"
        )
    return all(holds), (
        f"mean accuracy: {'; '.join(parts)}. Drawn cases are weights here, which cost less than copies would; the two "
        "are timed one after the other, so that other work on the machine in between shows"
    )


def problems(results: Found) -> list[Problem]:
    """Return the draws of the cake, and the real problem if it is there."""
    real = roc.real_problem()
    return [*roc.cakes(results), *([] if real is None else [real])]


def _boosting_fails_on_the_cake(results: Found) -> Judgement:
    draws = roc.cakes(results)
    svm, boosted, _, trained, cuts = (1 - each for each in roc.separator_accuracies(draws).values())
    stays = svm.min() > LARGE and bool((np.abs(boosted - svm) <= ALIKE).all())
    return stays and cuts.max() == 0, (
        f"training errors on {counted(len(draws), 'draw')}, mean: SVM {three(svm.mean())}, boosted "
        f"{three(boosted.mean())}, three cuts along the layers {three(cuts.mean())} (largest {three(cuts.max())}); "
        f"Triskel, whose members are not told the layers, with the best strengths {three(trained.mean())} (least "
        f"{three(trained.min())})"
    )


def embedding_is_exact(results: Found) -> Judgement:
    """TRI-13: by thresholds, which nest predictions."""
    checked, worst = 0, 0.0
    for problem, strengths in product(problems(results), product((0.1, 0.3, 0.5, 0.7), repeat=2)):
        model = roc.triskel_of(problem, strengths, "threshold")
        plus, minus = model.round_predictions(problem.X)[0]
        if inclusion_share(plus, minus, positive=model.classes_[1]) > 0:
            continue
        hard = plus != minus
        arbiter = model.member_predictions(problem.X)[:, -1]
        inner = roc_point(problem.y[hard], arbiter[hard], positive=model.classes_[1]) if hard.any() else None
        space = embedded_space(*(roc_point(problem.y, predictions) for predictions in (plus, minus)))
        ensemble = roc_point(problem.y, model.predict(problem.X))
        foretold = space.plus if inner is None else space.outer(inner)
        worst = max(worst, *np.abs(np.subtract(foretold.xy, ensemble.xy)).tolist())
        checked += 1
    text = f"{counted(checked, 'ensemble')} with nested predictions, largest difference of a rate {worst:.1e}"
    return worst <= EXACT, text


def _midpoint_foretells(results: Found) -> Judgement:
    promised = kept = agreed = trained = helped = surprised = other = 0
    every = problems(results)
    for problem in every:
        curves, (_, plus, minus) = roc.curves_of(problem), roc.opinions(problem)
        base = curves.base.accuracy
        for row, column in product(range(len(roc.STRENGTHS)), repeat=2):
            pair = curves.pair(roc.STRENGTHS[row], roc.STRENGTHS[column])
            # With an arbiter that guesses, counted case by case.
            right = np.where(plus[row] == minus[column], plus[row] == problem.y, 0.5)
            gain = float(np.mean(right)) - base
            agreed += abs(gain - pair.midpoint_gain) <= EXACT
            if pair.midpoint_gain > TIE:
                promised, kept = promised + 1, kept + (gain > 0)
        for strength in roc.STRENGTHS:
            gained = problem.accuracy(roc.triskel_of(problem, (strength, strength))) > base + TIE
            if curves.pair(strength, strength).midpoint_gain > TIE:
                trained, helped = trained + 1, helped + gained
            else:
                other, surprised = other + 1, surprised + gained
    total = len(every) * len(roc.STRENGTHS) ** 2
    return promised > 0 and kept == promised and agreed == total, (
        f"of {total} pairs of strengths {promised} have a middle above the line, and {kept} of these gain with a "
        f"random arbiter, whose accuracy is that of the middle for {agreed}; trained, equally biased Triskels gain in "
        f"{helped} of {trained} cases where the middle is above, and in {surprised} of {other} others"
    )


def _small_bias_is_best(results: Found) -> Judgement:
    draws = roc.cakes(results)
    accuracy = np.mean([roc.accuracies(draw).diagonal() for draw in draws], axis=0)
    base = float(np.mean([draw.accuracy(roc.base_of(draw)) for draw in draws]))
    by_strength = dict(zip(roc.STRENGTHS, accuracy.tolist(), strict=True))
    best = roc.STRENGTHS[int(accuracy.argmax())]
    strong = max(value for strength, value in by_strength.items() if strength >= TOO_STRONG)
    low, high = ABOUT_A_TENTH
    at = ", ".join(f"{strength:g} {three(by_strength[strength])}" for strength in (0.1, 0.4, best, 0.9))
    return low <= best <= high and strong <= base + NO_GAIN, (
        f"mean training accuracy of {counted(len(draws), 'draw')} by the strength of oversampling: {at}; SVM "
        f"{three(base)}. Best at {best:g}, about 0.1 being taken for {low:g} to {high:g}. Strengths differ in meaning, "
        "which the paper does not define for oversampling: here 1/(1 - s) times as many cases. In this scale too "
        "a strong bias brings nothing"
    )


def _asymmetric_is_better(results: Found) -> Judgement:
    draws = roc.cakes(results)
    same, apart = (np.array([roc.best_pair(draw, symmetric=equal)[1] for draw in draws]) for equal in (True, False))
    more = int((apart > same).sum())
    return 2 * more > len(draws), (
        f"best training accuracy with different strengths {three(apart.mean())}, with equal ones {three(same.mean())}, "
        f"mean of {counted(len(draws), 'draw')}; more on {more}"
    )


def reversing_helps(results: Found) -> Judgement:
    """TRI-17: with the pair of the deepest concavity."""
    pairs = [roc.curves_of(draw).best_pair("concavity") for draw in roc.cakes(results)]
    gains, base = np.array([pair.reversal_gain for pair in pairs]), np.array([pair.base.accuracy for pair in pairs])
    at = ", ".join(three(rate) for rate in np.mean([pair.base_on_hard.xy for pair in pairs], axis=0))
    return bool((gains > 0).all()), (
        f"mean accuracy {three(base.mean())} of the SVM, {three((base + gains).mean())} with it reversed on hard "
        f"cases; more on {int((gains > 0).sum())} of {counted(len(pairs), 'draw')}. On the hard cases it lies at "
        f"({at}) in ROC space, near (1, 0)"
    )


def _first_pair_decides(results: Found) -> Judgement:
    draws = roc.cakes(results)
    votes = same = cases = right = 0
    for n_rounds in range(1, MOST_ROUNDS + 1):
        every = np.array(list(product((-1, 1), repeat=2 * n_rounds + 1)))
        weights = np.append(np.repeat(2.0 ** np.arange(n_rounds - 1, -1, -1), 2), 1.0)
        pairs = [(every[:, place], every[:, place + 1]) for place in range(0, 2 * n_rounds, 2)]
        same += int(np.sum(np.sign(every @ weights) == first_agreement(pairs, every[:, -1])))
        votes += len(every)
    for problem in draws:
        model = roc.triskel_of(problem, (0.6, 0.6), "oversample", MOST_ROUNDS)
        arbiter = model.member_predictions(problem.X)[:, -1]
        decided = first_agreement(model.round_predictions(problem.X), arbiter)
        right, cases = right + int(np.sum(decided == model.predict(problem.X))), cases + len(problem.y)
    return same == votes and right == cases, (
        f"the weighted vote is what the first agreeing pair says, else the arbiter, for {same} of all {votes} votes of "
        f"1 to {MOST_ROUNDS} rounds, and for {right} of {cases} cases of {counted(len(draws), 'draw')} of the cake"
    )


_TABLES, _CAKE = (FOLDS,), (CAKE,)

# fmt: off
CLAIMS = (
    claim("TRI-01", "On the layered cake a linear SVM, boosted or not, keeps a large training error, and three linear "
          "separators that vote have none", "figure 1", _CAKE, _boosting_fails_on_the_cake),
    claim("TRI-02", "triskel-w4 is significantly more accurate than adaboost-50 on some datasets, and significantly "
          "less on none", "3 wins, 0 losses of 15", _TABLES, _wins_without_loss, pair=_W4),
    claim("TRI-03", "triskel-w4 trains faster than adaboost-50 on most datasets", "11 of 15", _TABLES, _trains_faster,
          pair=_W4),
    claim("TRI-04", "triskel-w2 is level with adaboost-10", "2 wins, 2 losses of 15", _TABLES, _is_level, pair=_W2),
    claim("TRI-05", "triskel-w2 trains faster than adaboost-10 on most datasets", "9 of 15", _TABLES, _trains_faster,
          pair=_W2),
    claim("TRI-06", "triskel-m1 is significantly more accurate than smo on annealing-orig, hypothyroid and segment, "
          "and significantly less nowhere", "+8.39, +0.29, +0.69 points", _TABLES, _m1_beats_smo),
    claim("TRI-07", "triskel-m1 trains faster than smo on audiology, hypothyroid and soybean",
          "ratios 0.69, 0.57, 0.61", _TABLES, _m1_faster_than_smo),
    claim("TRI-08", "triskel-m1 is the least accurate and the fastest of the ensembles",
          "in the mean: TRI-I01, TRI-I02", _TABLES, m1_is_least),
    claim("TRI-09", "adaboost-50 is the most accurate of smo and the settings of AdaBoost", "mean 84.40", _TABLES,
          _boosting_50_is_best),
    claim("TRI-10", "The best Triskel is more accurate than the best AdaBoost on more datasets than the other way "
          "round", "8 of 15, 1 tie", _TABLES, _best_triskel_exceeds),
    claim("TRI-11", "Soft covering is at least as accurate as separation", "", (FOLDS, COVERING),
          _soft_beats_separation),
    claim("TRI-12", "Undersampling one class to 10 per cent is about as accurate as oversampling, and trains faster",
          "", (FOLDS, OVERSAMPLING), _undersampling_does_not_hurt),
    claim("TRI-13", "Where predictions are nested, the rates of the ensemble are those of the arbiter on hard cases, "
          "read in the embedded ROC space", "proposition 1", _CAKE, embedding_is_exact),
    claim("TRI-14", "Triskel gains with a random arbiter where the middle of the biased classifiers lies above the "
          "line of equal accuracy of the base", "section 5", _CAKE, _midpoint_foretells),
    claim("TRI-15", "On the layered cake the best bias is about 0.1, and one of 0.4 or more brings no gain",
          "0.09; none at 0.4", _CAKE, _small_bias_is_best),
    claim("TRI-16", "On the layered cake different strengths for h+ and h- do better than equal ones",
          "0.803 and 0.703", _CAKE, _asymmetric_is_better),
    claim("TRI-17", "On the layered cake reversing the base classifier on the hard cases raises accuracy", "figure 4",
          _CAKE, reversing_helps),
    claim("TRI-18", "An agreeing pair outvotes all later members: the first that agrees decides, else the arbiter",
          "algorithm 1", _CAKE, _first_pair_decides),
)
# fmt: on
