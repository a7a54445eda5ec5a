"""What the fits of a reproduction took, and what those of a full run would take."""

from __future__ import annotations

from typing import NamedTuple

from covey.reproduce.experiments import published_study
from covey.reproduce.paper import Found, Paper


class Cost(NamedTuple):
    """Seconds of fits."""

    # Each fit counts as the median of its method on its dataset: one that was suspended would count for thousands.
    spent: float  # of those that were carried out
    full: float  # of as many as the paper has
    fits: int  # how many were carried out
    full_fits: int


def costs(paper: Paper, results: Found) -> dict[str, Cost]:
    """Return the cost of each experiment by its id; methods and datasets without any fit are left out."""
    parts = {}
    for experiment in (one for one in paper.experiments if one.id in results):
        frame = results[experiment.id].frame()
        done = frame[frame["status"] == "done"]
        if done.empty:
            parts[experiment.id] = Cost(0.0, 0.0, 0, 0)
            continue
        seconds = done["fit seconds"] + done["predict seconds"]
        groups = seconds.groupby([done["dataset"], done["method"]])
        each, often = groups.median(), published_study(paper.id, experiment).protocol.n_fits
        spent = float((each * groups.size()).sum())
        parts[experiment.id] = Cost(spent, float(each.sum() * often), len(done), len(each) * often)
    return parts


def total(parts: dict[str, Cost]) -> Cost:
    """Return the sum of costs."""
    return Cost(*(sum(column) for column in zip(*parts.values(), strict=True))) if parts else Cost(0.0, 0.0, 0, 0)
