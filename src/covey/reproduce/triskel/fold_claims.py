"""Claims about accuracies and training times: tables 1 and 2, and what the text says of covering and of biasing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey._text import counted
from covey.reproduce.paper import Found, Verdict
from covey.reproduce.triskel.judging import FEW_DATASETS, Marked, geometric_mean
from covey.reproduce.triskel.reading import (
    ACCURACY,
    BOOSTINGS,
    COVERING,
    FOLDS,
    METHODS,
    OVERSAMPLING,
    SECONDS,
    TRISKELS,
    marks,
    means,
    signed,
    two,
)
from covey.reproduce.triskel.table_views import ratios
from covey.reproduce.verdicts import too_few, untested, verdict

if TYPE_CHECKING:
    import pandas as pd

# Level is taken for numbers of significant wins and losses that differ by at most one.
LEVEL_BY = 1
# Not hurting is taken for a mean accuracy at most so many points lower.
NOT_HURT = 1.0
M1_WINS = ("annealing-orig", "hypothyroid", "segment")
M1_FASTER = ("audiology", "hypothyroid", "soybean")
SMO_M1 = ("smo", "triskel-m1")


def marked(found: Found, pair: tuple[str, str]) -> Marked:
    """Return where the second method of a pair is significantly more accurate, and less."""
    return Marked.of(marks(found, ACCURACY, pair))


def whole(found: Found, what: str, methods: tuple[str, ...] = METHODS) -> pd.DataFrame:
    """Return the means of some methods on the datasets that all of them have."""
    return means(found, what, methods).dropna()


def wins_without_loss(found: Found, *, pair: tuple[str, str]) -> Verdict:
    """TRI-02."""
    record = marked(found, pair)
    if record.total < FEW_DATASETS:
        return too_few(record.total)
    return verdict(bool(record.wins) and not record.losses, f"{pair[1]} against {pair[0]}: {record}")


def is_level(found: Found, *, pair: tuple[str, str]) -> Verdict:
    """TRI-04."""
    record = marked(found, pair)
    if record.total < FEW_DATASETS:
        return too_few(record.total)
    level = abs(len(record.wins) - len(record.losses)) <= LEVEL_BY
    text = f"{pair[1]} against {pair[0]}: {record}; level is taken for numbers that differ by at most {LEVEL_BY}"
    return verdict(level, text)


def trains_faster(found: Found, *, pair: tuple[str, str]) -> Verdict:
    """TRI-03 and TRI-05."""
    found_ratios = ratios(found, pair)
    if len(found_ratios) < FEW_DATASETS:
        return too_few(len(found_ratios))
    faster = int((found_ratios < 1).sum())
    slower = [str(name) for name in found_ratios.index[found_ratios >= 1]]
    but = f", not on {', '.join(slower)}" if slower else ""
    mean = two(geometric_mean(found_ratios.to_numpy()))
    text = (
        f"{pair[1]} trains faster than {pair[0]} on {faster} of {counted(len(found_ratios), 'dataset')}{but}; "
        f"geometric mean of ratios {mean}"
    )
    return verdict(2 * faster > len(found_ratios), text)


def m1_beats_smo(found: Found) -> Verdict:
    """TRI-06."""
    record = marked(found, SMO_M1)
    tested = marks(found, ACCURACY, SMO_M1)
    there = [name for name in M1_WINS if name in tested]
    if not there:
        return untested(f"none of {', '.join(M1_WINS)} was carried out")
    accuracy = means(found, ACCURACY, SMO_M1)
    gain = accuracy["triskel-m1"] - accuracy["smo"]
    each = ", ".join(f"{name} {signed(gain[name])}" for name in there)
    return verdict(set(there) <= set(record.wins) and not record.losses, f"{record}; differences: {each} points")


def m1_faster_than_smo(found: Found) -> Verdict:
    """TRI-07."""
    ours = ratios(found, SMO_M1)
    there = [name for name in M1_FASTER if name in ours.index]
    if not there:
        return untested(f"none of {', '.join(M1_FASTER)} was carried out")
    each = ", ".join(f"{name} {two(ours[name])}" for name in there)
    others = [f"{name} {two(ours[name])}" for name in ours.index[ours < 1] if name not in there]
    also = f"; below 1 too: {', '.join(others)}" if others else ""
    return verdict(bool((ours[there] < 1).all()), f"training time of triskel-m1 as a multiple of smo's: {each}{also}")


def m1_is_least(found: Found) -> Verdict:
    """TRI-08, which table 1 and table 2 bear out in the mean only."""
    ensembles = tuple(method for method in METHODS if method != "smo")
    accuracy, seconds = (whole(found, what, ensembles) for what in (ACCURACY, SECONDS))
    if len(accuracy) < FEW_DATASETS:
        return too_few(len(accuracy))
    score = accuracy.mean()
    time = {method: geometric_mean(seconds[method].to_numpy()) for method in ensembles}
    least, fastest = str(score.idxmin()), min(time, key=lambda method: time[method])
    fast = int((seconds.idxmin(axis=1) == "triskel-m1").sum())
    low = int((accuracy.idxmin(axis=1) == "triskel-m1").sum())
    text = (
        f"least mean accuracy: {least} ({two(score[least])}, triskel-m1 {two(score['triskel-m1'])}); least geometric "
        f"mean of times: {fastest}; triskel-m1 is least accurate on {low} and fastest on {fast} of "
        f"{counted(len(accuracy), 'dataset')}"
    )
    return verdict(least == fastest == "triskel-m1", text)


def boosting_50_is_best(found: Found) -> Verdict:
    """TRI-09."""
    frame = whole(found, ACCURACY, ("smo", *BOOSTINGS))
    if len(frame) < FEW_DATASETS:
        return too_few(len(frame))
    mean = frame.mean()
    each = ", ".join(f"{method} {two(value)}" for method, value in mean.items())
    return verdict(mean.idxmax() == "adaboost-50", f"mean accuracy on {counted(len(frame), 'dataset')}: {each}")


def best_triskel_exceeds(found: Found) -> Verdict:
    """TRI-10."""
    frame = whole(found, ACCURACY, (*BOOSTINGS, *TRISKELS)).round(2)
    if len(frame) < FEW_DATASETS:
        return too_few(len(frame))
    lead = (frame[list(TRISKELS)].max(axis=1) - frame[list(BOOSTINGS)].max(axis=1)).round(2)
    wins, losses, ties = (int(some.sum()) for some in (lead > 0, lead < 0, lead == 0))
    text = f"best Triskel against best AdaBoost: {wins} wins, {losses} losses, {ties} ties, means with two decimals"
    return verdict(wins > losses, text)


def soft_beats_separation(found: Found) -> Verdict:
    """TRI-11."""
    parts, holds = [], []
    for soft, separate in (("triskel-w2", "separate-2"), ("triskel-w4", "separate-4")):
        both = _joined(found, soft, separate, COVERING)
        if len(both) < FEW_DATASETS:
            return too_few(len(both))
        mean = both.mean()
        record = Marked.of(marks(found, ACCURACY, (separate, soft), (COVERING, FOLDS)))
        holds.append(mean[soft] >= mean[separate])
        parts.append(f"{soft} {two(mean[soft])}, with separation {two(mean[separate])}, {record}")
    return verdict(all(holds), f"mean accuracy: {'; '.join(parts)}")


def undersampling_does_not_hurt(found: Found) -> Verdict:
    """TRI-12."""
    parts, holds = [], []
    for under, over in (("triskel-1", "oversample-1"), ("triskel-w4", "oversample-w4")):
        both = _joined(found, under, over, OVERSAMPLING)
        if len(both) < FEW_DATASETS:
            return too_few(len(both))
        mean = both.mean()
        seconds = means(found, SECONDS, (under,))[under] / means(found, SECONDS, (over,), OVERSAMPLING)[over]
        ratio = geometric_mean(seconds.dropna().to_numpy())
        record = Marked.of(marks(found, ACCURACY, (over, under), (OVERSAMPLING, FOLDS)))
        holds.append(mean[under] >= mean[over] - NOT_HURT and ratio < 1)
        parts.append(
            f"{under} {two(mean[under])}, by oversampling {two(mean[over])}, {record}; time as a multiple of "
            f"oversampling's {two(ratio)}"
        )
    text = (
        f"mean accuracy: {'; '.join(parts)}. Drawn cases are weights here, which cost less than copies would; the two "
        "are timed one after the other, so that other work on the machine in between shows"
    )
    return verdict(all(holds), text)


def _joined(found: Found, ours: str, other: str, id: str) -> pd.DataFrame:
    """Return the accuracies of a method of the tables and one of another experiment, on datasets that have both."""
    return means(found, ACCURACY, (ours,)).join(means(found, ACCURACY, (other,), id), how="inner").dropna()
