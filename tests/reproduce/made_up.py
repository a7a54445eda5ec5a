"""Results that are made up, such as the papers' own figures, and the parts of pages."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd

from covey.report.page import Details, Prose
from covey.reproduce.paper import Found


class Made:
    """What `covey.study.Results` has, of made-up figures.

    Parameters
    ----------
    figures : mapping of (dataset, method) to dict of lists
        For each column of the frame the figure of each fit.
    fits : mapping of (dataset, method) to list of dicts, or callable
        What was kept of each fit.
    chosen : mapping of (dataset, method) to dict
    """

    def __init__(self, figures=(), fits=None, chosen=None, params=None):
        self.figures, self.chosen_values = dict(figures), chosen or {}
        self.kept = fits if fits is not None else {}
        keys = [*self.figures] or [*self.kept]
        names = [list(dict.fromkeys(key[place] for key in keys)) for place in (0, 1)]
        self.record = SimpleNamespace(
            datasets=tuple(SimpleNamespace(name=name, source=name) for name in names[0]),
            methods=tuple(SimpleNamespace(name=name, params=params or {}) for name in names[1]),
            protocol={"n_repeats": 1},
            protocol_text="made up",
        )
        self.status = {}

    def frame(self):
        rows = []
        for key in self.figures or self.kept:
            columns = self.figures.get(key, {"error": [None]})
            for fit in range(len(next(iter(columns.values())))):
                state = {"fit": fit, "repeat": fit, "status": self.status.get((*key, fit), "done")}
                rows.append(dict(zip(("dataset", "method"), key, strict=True)) | state)
                rows[-1] |= {name: values[fit] for name, values in columns.items()}
        return pd.DataFrame(rows, columns=list(rows[0]) if rows else ["dataset", "method", "fit", "status", "error"])

    def fits(self, dataset, method):
        if callable(self.kept):
            yield from self.kept(dataset, method)
        elif (dataset, method) in self.kept:
            yield from self.kept[dataset, method]

    def chosen(self, dataset, method):
        return self.chosen_values.get((dataset, method), {})

    def failing(self, dataset, method, fit=0):
        """Return the same with one fit that failed."""
        self.status[dataset, method, fit] = "failed"
        return self

    def swapped(self, first, second):
        """Return the same with two methods in each other's place."""
        other = {first: second, second: first}
        parts = [
            {(data, other.get(name, name)): value for (data, name), value in part.items()}
            for part in (self.figures, self.chosen_values)
        ]
        kept = self.kept
        turned = (lambda data, name: kept(data, other.get(name, name))) if callable(kept) else kept
        return Made(parts[0], turned, parts[1])


def swapped(found, *pair):
    """Return results of experiments with two methods in each other's place."""
    return Found({id: made.swapped(*pair) for id, made in found.items()}, quick=False)


def of_kind(blocks, kind):
    """Return the blocks of a kind, those that can be unfolded last."""
    inner = [one for block in blocks if isinstance(block, Details) for one in block.blocks]
    return [block for block in (*blocks, *inner) if isinstance(block, kind)]


def words(blocks):
    """Return all prose of blocks."""
    return " ".join(text for block in of_kind(blocks, Prose) for text in block.paragraphs)
