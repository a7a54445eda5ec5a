"""Explanations: what each member says of a row, the members' table in notebooks, and how unlike they are."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._text import duration

if TYPE_CHECKING:
    import pandas as pd

    from covey.combination.base import MemberScore
    from covey.combination.pooling import Pool

Floats = NDArray[np.float64]

WHOLE = "covey"  # the name of the combination beside those of its members


def explain_rows(
    X: Any, names: list[str], pool: Pool, outputs: Floats, classes: NDArray[Any] | None, width: float
) -> pd.DataFrame:
    """Return what the combination and each member, the heaviest first, say of each row.

    Of classes with the probability of the class that the combination predicts; of numbers the combination's with an
    interval of some width to either side.
    """
    import pandas as pd

    order = np.argsort(-pool.weights, kind="stable")
    labels = [WHOLE, *(names[place] for place in order)]
    weights = np.concatenate([[1.0], pool.weights[order]])
    pooled = pool(outputs)
    every = np.concatenate([pooled[None], outputs[order] if classes is None else np.exp(pool.tempered(outputs))[order]])
    n_rows = every.shape[1]
    rows = X.index if isinstance(X, pd.DataFrame) else pd.RangeIndex(n_rows)
    index = pd.MultiIndex.from_product([rows, labels], names=["row", "member"])
    frame = pd.DataFrame({"weight": np.tile(weights, n_rows)}, index=index)
    if classes is None:
        frame["prediction"] = every.T.ravel()
        whole = np.tile(np.arange(len(labels)) == 0, n_rows)
        for name, sign in (("low", -1.0), ("high", 1.0)):
            frame[name] = np.where(whole, frame["prediction"] + sign * width, np.nan)
        return frame
    frame["prediction"] = classes[every.argmax(axis=2).T.ravel()]
    frame["probability"] = every[:, np.arange(n_rows), pooled.argmax(axis=1)].T.ravel()
    return frame


def disagreements(outputs: Floats) -> Floats:
    """Return how much each member differs from the others, on the average.

    Given probabilities, (members, rows, classes), the share of rows of which another class is the most probable one;
    given errors, (members, rows), 1 less their correlation.
    """
    if len(outputs) < 2:
        return np.full(len(outputs), np.nan)
    if outputs.ndim == 3:
        codes = outputs.argmax(axis=2)
        pairs = np.array([(codes != own).mean(axis=1) for own in codes])
    else:
        centred = outputs - outputs.mean(axis=1, keepdims=True)
        sizes = np.sqrt((centred**2).sum(axis=1))
        scale = np.outer(sizes, sizes)
        pairs = 1.0 - np.divide(centred @ centred.T, scale, out=np.ones_like(scale), where=scale > 0.0)
    np.fill_diagonal(pairs, 0.0)
    return np.asarray(pairs.sum(axis=1) / (len(outputs) - 1))


def members_as_html(scores: list[MemberScore], measures: tuple[str, str]) -> str:
    """Return the members' scores as a table, the heaviest first, their weights as bars."""
    cell = "padding:2px 10px;text-align:"
    head = "".join(
        f'<th style="{cell}left">{escape(name)}</th>' for name in ("member", "weight", *measures, "time", "")
    )
    rows = []
    for score in sorted(scores, key=lambda score: -score.weight):
        bar = f'<div style="background:#4477aa;height:9px;width:{100 * score.weight:.0f}px;display:inline-block"></div>'
        share = f"{bar} {100 * score.weight:.0f}%" if score.weight else "–"
        numbers = ("–" if np.isnan(value) else f"{value:.4g}" for value in (score.score, score.loss))
        texts = (escape(score.name), share, *numbers, duration(score.seconds), escape(score.left_out))
        rows.append("".join(f'<td style="{cell}left">{text}</td>' for text in texts))
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f'<table style="border-collapse:collapse;margin:6px 0"><tr>{head}</tr>{body}</table>'
