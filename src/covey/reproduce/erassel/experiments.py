"""The thesis's experiments, and how they are made smaller."""

from __future__ import annotations

from covey.reproduce.erassel.reading import TABLES
from covey.reproduce.erassel.size_views import FIGURES, id_of
from covey.reproduce.paper import Experiment, Quick

_SIMULATED = ("sim-regression", "sim-logistic")
# Splits of quick runs: of the two large datasets each takes as long as ten of the others.
_FEW, _FEWER = 10, 3
# Of ten draws of simulated data those that quick runs leave out.
_LATER = range(5, 11)
# Of sizes of subspaces on many columns, every other one will do.
_FEW_SIZES = {
    "spam": tuple(str(size) for size in range(1, 58, 8)),
    "ionosphere": tuple(str(size) for size in (1, 5, 9, 11, 13, 17, 21, 25, 29, 34)),
}


def _without(id: str) -> tuple[str, ...]:
    return tuple(f"{id} {draw}" for draw in _LATER) if id in _SIMULATED else ()


def _table(id: str, number: str, title: str) -> Experiment:
    repeats = _FEWER if id in ("spam", "diamonds") else _FEW
    return Experiment(id, (number,), Quick(repeats, without=_without(id)), title=title)


def _sizes(id: str, number: str) -> Experiment:
    repeats = 1 if id in ("spam", "diamonds") else 2 if id in _SIMULATED else 4
    quick = Quick(repeats, without=_without(id), methods=_FEW_SIZES.get(id, ()))
    return Experiment(id_of(id), (f"figure {number}",), quick, title=f"sizes of subspaces on {id}")


EXPERIMENTS = (
    *(_table(table.id, table.number, table.title) for table in TABLES),
    Experiment(
        "weights",
        ("figure 5.1", "figure 5.2", "figure 5.3"),
        Quick(1),
        title="weights of columns on 40 draws of simulated data",
    ),
    Experiment(
        "weights-collinear",
        ("figure 5.4", "figure 5.5"),
        Quick(1),
        title="weights of columns on 40 draws of collinear data",
    ),
    *(_sizes(id, figure.number) for id, figure in FIGURES.items()),
)
