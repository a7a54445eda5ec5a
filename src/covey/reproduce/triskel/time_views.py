"""Figure 2: accuracy against training time on six datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey._text import counted
from covey.report.page import Block, Details, Drawing, Prose
from covey.reproduce.paper import Found, View
from covey.reproduce.triskel.reading import (
    ACCURACY,
    BOOSTINGS,
    FOLDS,
    METHODS,
    SECONDS,
    TRISKELS,
    means,
    published_wide,
)

if TYPE_CHECKING:
    import pandas as pd

    from covey.plots import AccuracyTime

DATASETS = ("automobile", "balance-scale", "glass", "hypothyroid", "segment", "vehicle")
SAID = (
    "The paper draws a line through the settings of Triskel and one through those of AdaBoost, and finds the first "
    "above the second in most cases: as accurate in less time, and more accurate in the end."
)


def points_of(accuracy: pd.DataFrame, seconds: pd.DataFrame, dataset: str) -> AccuracyTime:
    """Return accuracy and training time of all methods on a dataset."""
    from covey.plots import accuracy_time

    score, time = (frame.loc[dataset, list(METHODS)].to_numpy(dtype=float) for frame in (accuracy, seconds))
    return accuracy_time(score, time, METHODS, metric="accuracy in per cent", larger_is_better=True)


def beaten(accuracy: pd.DataFrame, seconds: pd.DataFrame, dataset: str) -> list[str]:
    """Return the settings of AdaBoost that some Triskel is at least as accurate as in less time."""
    score, time = accuracy.loc[dataset], seconds.loc[dataset]
    return [
        other for other in BOOSTINGS if any(score[one] >= score[other] and time[one] < time[other] for one in TRISKELS)
    ]


def there(found: Found) -> list[str]:
    """Return the datasets of the figure on which all methods are whole."""
    whole = means(found, ACCURACY).dropna().index
    return [name for name in DATASETS if name in whole]


def tell_trade_off(found: Found) -> str:
    """Say how often Triskel beats AdaBoost in both."""
    names = there(found)
    if not names:
        return "Figure 2: nothing to compare."
    ours = sum(len(beaten(means(found, ACCURACY), means(found, SECONDS), name)) for name in names)
    theirs = sum(len(beaten(published_wide(1), published_wide(2), name)) for name in names)
    best = means(found, ACCURACY).loc[names]
    above = int((best[list(TRISKELS)].max(axis=1) > best[list(BOOSTINGS)].max(axis=1)).sum())
    return (
        f"Figure 2: {ours} of {counted(len(BOOSTINGS) * len(names), 'setting')} of AdaBoost are beaten by a Triskel "
        f"that is at least as accurate in less time ({theirs} as published); the best Triskel is more accurate than "
        f"the best AdaBoost on {above} of {counted(len(names), 'dataset')}."
    )


def show_trade_off(found: Found) -> tuple[Block, ...]:
    """Return figure 2, ours and the published figures drawn likewise."""
    names = there(found)
    if not names:
        return (Prose((tell_trade_off(found),)),)
    return (
        Prose((tell_trade_off(found), SAID)),
        *_drawings(means(found, ACCURACY), means(found, SECONDS), names, "ours"),
        Details("As published", _drawings(published_wide(1), published_wide(2), names, "published")),
    )


def _drawings(accuracy: pd.DataFrame, seconds: pd.DataFrame, names: list[str], whose: str) -> tuple[Drawing, ...]:
    from covey.plots import draw_accuracy_time
    from covey.report.drawing import drawn

    return tuple(
        drawn(
            draw_accuracy_time,
            points_of(accuracy, seconds, name),
            name=f"triskel-figure-2-{name}-{whose}",
            caption=f"Accuracy against training time on {name}, {whose}",
        )
        for name in names
    )


VIEWS = (View("figure 2", "Accuracy against training time", (FOLDS,), show_trade_off, tell_trade_off),)
