"""What the figures of ensembles read: predictions of members, or what was measured on them before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from covey.learners.describe import clip, one_line
from covey.plots.curves import MOST_CURVES


def measure_each(
    ensembles: Any,
    kind: type,
    measure: Callable[..., Any],
    *,
    classes: Any = None,
    weighted: bool = True,
    most: int = MOST_CURVES,
) -> dict[str, Any]:
    """Return what was measured on each ensemble, by its name.

    Parameters
    ----------
    ensembles : mapping of str to kind, or to (predictions, y) or (predictions, y, weights); or one of these alone
        What was measured already, or what to measure.
    kind : type
        What measure returns.
    measure : callable
        A function of predictions, y, weights unless weighted is False, and classes.
    classes : array-like, optional
        The ensembles' classes, when predictions are codes.
    weighted : bool, default=True
        Whether the measure takes vote weights.
    most : int
        How many ensembles can be told apart in a figure.
    """
    named = ensembles if isinstance(ensembles, Mapping) else {"ensemble": ensembles}
    if not 0 < len(named) <= most:
        raise ValueError(
            f"ensembles has {len(named)} of them; give one or more, and no more than the {most} that can be told apart."
        )
    shapes = "(predictions, y) or (predictions, y, weights)" if weighted else "(predictions, y)"
    found = {}
    for name, given in named.items():
        if isinstance(given, kind):
            found[str(name)] = given
            continue
        if not isinstance(given, tuple) or len(given) not in ((2, 3) if weighted else (2,)):
            shown = clip(one_line(repr(given)), 60)
            raise TypeError(f"ensembles has {shown} for {name!r}; give {shapes} as a tuple, or {kind.__name__}.")
        try:
            found[str(name)] = measure(*given, classes=classes)
        except ValueError as error:
            raise ValueError(f"ensembles, {name!r}: {error}") from error
    return found


def shown_name(name: Any, longest: int = 32) -> str:
    """Return a name as it is drawn: in one line, and without its middle if it is long."""
    return clip(one_line(name), longest)
