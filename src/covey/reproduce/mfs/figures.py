"""Figure 1: how much members agree and how well they do, trained on samples, on prototypes and on features."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from covey.analysis.diversity import KappaError, kappa_error_points
from covey.plots import draw_kappa_error, kappa_error_diagram
from covey.report.drawing import drawn
from covey.report.page import Block, Prose, TableBlock
from covey.reproduce.paper import Found, Lacking, View
from covey.reproduce.tables import table_of
from covey.study import Results

DATASET = "ionosphere"
BAGGED, PROTOTYPES, FEATURES = "bagged nn", "50 prototypes", "6 features"
ENSEMBLES = (BAGGED, PROTOTYPES, FEATURES)
# Where the paper says that the cloud of bagging is: kappa and error.
CENTRE = (0.825, 0.15)


@lru_cache(maxsize=32)
def pairs_of(run: Results, dataset: str, method: str) -> KappaError | None:
    """Return kappa and mean error of each pair of members, over the cases of all folds; None if there are none.

    A member is what has its number in the ensembles of all folds.
    """
    try:
        fits = list(run.fits(dataset, method))
    except KeyError:
        return None
    if not fits:
        return None
    predictions = np.concatenate([fit["classes"][fit["votes"]] for fit in fits])
    return kappa_error_points(predictions, np.concatenate([fit["y"] for fit in fits]))


def clouds(results: Found) -> dict[str, KappaError]:
    """Return the pairs of each ensemble of figure 1 that was carried out."""
    parts = {method: pairs_of(results["members"], DATASET, method) for method in ENSEMBLES}
    return {method: pairs for method, pairs in parts.items() if pairs is not None}


def _tell_clouds(results: Found) -> str:
    parts = [
        f"{method} ({pairs.kappa.mean():.3f}, {100 * pairs.error.mean():.1f} %)"
        for method, pairs in clouds(results).items()
    ]
    if not parts:
        raise Lacking("Figure 1: nothing to compare.")
    return (
        f"Figure 1: mean kappa and error of pairs of members: {', '.join(parts)}; published for bagging roughly "
        f"({CENTRE[0]:g}, {100 * CENTRE[1]:g} %)."
    )


def _show_clouds(results: Found) -> tuple[Block, ...]:
    told, parts = _tell_clouds(results), clouds(results)
    text = (
        "The paper prints this figure as a picture; in words it has the middle of the cloud of bagging, and that few "
        "prototypes make members more diverse and worse, few features more diverse and no worse."
    )
    caption = f"Kappa and error of pairs of 100 nearest-neighbour classifiers on {DATASET}, all folds together"
    table = table_of(
        {
            method: {"kappa": pairs.kappa.mean(), "error": 100 * pairs.error.mean(), "pairs": len(pairs.kappa)}
            for method, pairs in parts.items()
        },
        "ensemble",
        caption="Means over all pairs of members; error in per cent",
        formats={"kappa": ".3f", "error": ".1f", "pairs": ",.0f"},
    )
    return (
        Prose((told, text)),
        drawn(draw_kappa_error, kappa_error_diagram(parts), name="mfs-figure-1", caption=caption, title=""),
        TableBlock(table, "mfs-figure-1-means"),
    )


VIEWS = (
    View(
        "figure 1", "Kappa-error diagram of ensembles of nearest neighbours", ("members",), _show_clouds, _tell_clouds
    ),
)
