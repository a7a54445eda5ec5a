"""Claims about bias and variance: table 6."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from covey.reproduce.mfs.loss_views import DATASETS, METHODS, SINGLE, losses
from covey.reproduce.mfs.reading import one
from covey.reproduce.paper import Found, Verdict
from covey.reproduce.verdicts import untested, verdict

Terms = Mapping[str, float]
Parts = Mapping[str, Terms]

# What is about the same, and what is below the few points that the paper names, in percentage points.
SAME = 1.0
FEW = 5.0
# The bias of nn on ringnorm is about 47.
HIGH_BIAS = 40.0


def parts_of(found: Found, *datasets: str) -> dict[str, Parts]:
    """Return the terms of all methods, by the datasets that have all."""
    rows = losses(found)
    return {
        dataset: {method: rows[dataset, method] for method in METHODS}
        for dataset in datasets
        if all((dataset, method) in rows for method in METHODS)
    }


def subset_cuts_bias(found: Found) -> Verdict:
    """MFS-14."""

    def judge(parts: Parts) -> bool:
        return parts["nn"]["bias"] > HIGH_BIAS and parts[SINGLE]["bias"] < FEW

    return _on(found, ("ringnorm",), judge, "bias", ("nn", SINGLE))


def voting_cuts_variance(found: Found) -> Verdict:
    """MFS-15."""

    def judge(parts: Parts) -> bool:
        nn, single, voted = (parts[method]["variance"] for method in ("nn", SINGLE, "mfs1"))
        return nn < 0 < single and voted < FEW and voted < single

    return _on(found, ("ringnorm",), judge, "variance", ("nn", SINGLE, "mfs1"))


def variance_goes_up_and_down(found: Found) -> Verdict:
    """MFS-16."""

    def judge(parts: Parts) -> bool:
        return parts["mfs1"]["variance"] < parts["nn"]["variance"] < parts[SINGLE]["variance"]

    return _on(found, DATASETS[:2], judge, "variance", ("nn", SINGLE, "mfs1"))


def knn_lowers_variance_only(found: Found) -> Verdict:
    """MFS-17."""
    parts = parts_of(found, *DATASETS)
    if len(parts) < len(DATASETS):
        return _nothing()
    gaps = {name: {term: some["knn"][term] - some["nn"][term] for term in some["nn"]} for name, some in parts.items()}
    keeps_bias = all(abs(gap["bias"]) <= SAME for gap in gaps.values())
    lowers = all(gaps[name]["variance"] < 0 for name in DATASETS[:2])
    text = ", ".join(f"{name} bias {gap['bias']:+.1f}, variance {gap['variance']:+.1f}" for name, gap in gaps.items())
    equal = abs(gaps["ringnorm"]["error"]) <= SAME
    return verdict(keeps_bias and lowers and equal, f"knn less nn: {text}; the same is taken for within {SAME:g} point")


def knn_lowers_variance_most(found: Found) -> Verdict:
    """MFS-18."""
    return _on(
        found,
        DATASETS[:2],
        lambda parts: parts["knn"]["variance"] < parts["mfs1"]["variance"],
        "variance",
        ("knn", "mfs1"),
    )


def _on(
    found: Found, datasets: tuple[str, ...], judge: Callable[[Parts], bool], term: str, methods: tuple[str, ...]
) -> Verdict:
    """Return whether something is so on all of some datasets, with a term of some methods."""
    parts = parts_of(found, *datasets)
    if len(parts) < len(datasets):
        return _nothing()
    text = "; ".join(
        f"{name}: {', '.join(f'{method} {one(some[method][term])}' for method in methods)}"
        for name, some in parts.items()
    )
    return verdict(all(judge(some) for some in parts.values()), f"{term} on {text}")


def _nothing() -> Verdict:
    return untested("two training sets or more of all methods are needed on each of the claim's datasets")
