"""Claims about bias and variance: table 11 and figure 6."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from covey._rounding import write_number
from covey._text import counted
from covey.analysis.bias_variance import Domingos
from covey.reproduce.paper import Found, Verdict
from covey.reproduce.rsc.judging import two
from covey.reproduce.rsc.loss_views import BORDER, CURVES, DATASETS, SINGLE, SUBSPACE, curve_of, decompositions, id_of
from covey.reproduce.verdicts import untested, verdict

Parts = Mapping[str, Domingos]


def whole(found: Found) -> dict[str, Parts]:
    """Return the decompositions of the three methods, by the datasets that have all."""
    every = {dataset: decompositions(found, dataset) for dataset in DATASETS}
    return {dataset: parts for dataset, parts in every.items() if len(parts) == 3}


def counting(measure: Callable[[Parts], bool], parts: Mapping[str, Parts]) -> tuple[int, str]:
    """Return on how many datasets something is so, and the others by name."""
    so = [name for name, one in parts.items() if measure(one)]
    others = [name for name in parts if name not in so]
    where = f" (not on {', '.join(others)})" if others else ""
    return len(so), f"{len(so)} of {counted(len(parts), 'dataset')}{where}"


def falls(method: str, term: str) -> Callable[[Parts], bool]:
    """Return whether a term is less than that of one cover."""

    def measure(parts: Parts) -> bool:
        return float(getattr(parts[method], term)) < float(getattr(parts[SINGLE], term))

    return measure


def ensembles_err_less(found: Found) -> Verdict:
    """RSC-14."""
    parts = whole(found)
    if not parts:
        return _nothing()
    (border, first), (subspace, second) = (counting(falls(method, "error"), parts) for method in (BORDER, SUBSPACE))
    return verdict(border == subspace == len(parts), f"less error: {BORDER} on {first}, {SUBSPACE} on {second}")


def border_lowers_variance(found: Found) -> Verdict:
    """RSC-15."""
    parts = whole(found)
    if not parts:
        return _nothing()
    terms = ("net_variance", "unbiased_variance")
    (net, first), (unbiased, second) = (counting(falls(BORDER, term), parts) for term in terms)
    return verdict(net == unbiased == len(parts), f"less net variance on {first}, less unbiased variance on {second}")


def border_leaves_bias(found: Found) -> Verdict:
    """RSC-16: mixed if neither all nor none, which one dataset cannot show."""
    parts = whole(found)
    if len(parts) < 2:
        return untested("the claim is about several datasets") if parts else _nothing()
    lower, text = counting(falls(BORDER, "bias"), parts)
    return verdict(0 < lower < len(parts), f"bias falls on {text}")


def subspace_lowers(found: Found, *, term: str, share: float = 6 / 7) -> Verdict:
    """RSC-17 and RSC-18."""
    parts = whole(found)
    if not parts:
        return _nothing()
    lower, text = counting(falls(SUBSPACE, term), parts)
    return verdict(lower >= share * len(parts) - 1e-9, f"{term.replace('_', ' ')} falls on {text}")


def variance_grows_with_kappa(found: Found) -> Verdict:
    """RSC-19."""
    said, grows = [], []
    for dataset in CURVES:
        curve = curve_of(found, dataset) if id_of(dataset) in found else {}
        if len(curve) < 2:
            continue
        least, most = min(curve), max(curve)
        first, last = (part.net_variance / part.error for part in (curve[least], curve[most]))
        grows.append(last > first)
        said.append(f"{dataset} {write_number(first, '.0%')} to {write_number(last, '.0%')} (kappa {least} to {most})")
    if not said:
        return untested("no dataset was carried out with several kappas")
    return verdict(all(grows), f"share of net variance in the error: {', '.join(said)}")


def gain_is_of_bias(found: Found) -> Verdict:
    """RSC-20."""
    parts = whole(found)
    if not parts:
        return _nothing()

    def is_bias(one: Parts) -> bool:
        single, subspace = one[SINGLE], one[SUBSPACE]
        return single.bias - subspace.bias > single.net_variance - subspace.net_variance

    more, text = counting(is_bias, parts)
    return verdict(more > len(parts) / 2, f"bias falls by more than net variance on {text}")


def ringnorm_errors_fall(found: Found) -> Verdict:
    """RSC-22."""
    parts = decompositions(found, "ringnorm")
    if len(parts) < 3:
        return _nothing()
    border, subspace = (parts[method].error / parts[SINGLE].error for method in (BORDER, SUBSPACE))
    text = f"errors as shares of that of one cover: {BORDER} {two(border)}, {SUBSPACE} {two(subspace)}"
    return verdict(border <= 0.5 and subspace <= 0.3, text)


def _nothing() -> Verdict:
    return untested("no dataset was carried out with all three methods")
