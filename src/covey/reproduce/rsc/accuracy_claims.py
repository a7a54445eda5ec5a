"""Claims about accuracies and ranks: tables 2 to 5 and 7 to 9, and the resampling of subspaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey._text import counted, p_text
from covey.analysis.significance import Friedman, critical_difference, friedman
from covey.reproduce.paper import Found, Verdict
from covey.reproduce.rsc.gene_views import FILTERS, best_of
from covey.reproduce.rsc.judging import FEW_DATASETS, two
from covey.reproduce.rsc.power import Scores
from covey.reproduce.rsc.reading import LEVEL, runs_of
from covey.reproduce.verdicts import too_few, verdict

if TYPE_CHECKING:
    import pandas as pd

# Of gene expression data, on which a test part has 20 to 84 cases; with fewer splits the verdict says so.
ENOUGH_SPLITS = 10


def border_beats_plain(scores: Scores, *, number: int, share: float) -> Verdict:
    """RSC-03 and RSC-04."""
    gain = (scores[number]["alphabeta-rse"] - scores[number]["alpha-rse"]).round(2)
    wins, ties, losses = int((gain > 0).sum()), int((gain == 0).sum()), int((gain < 0).sum())
    counts = counted(wins, "win"), counted(ties, "tie"), counted(losses, "loss", "losses")
    record = f"{', '.join(counts)} on {counted(len(gain), 'dataset')}"
    return verdict(wins >= share * len(gain), f"{record}; mean gain {two(gain.mean())} points")


def border_ranks_best(scores: Scores) -> Verdict:
    """RSC-05."""
    both = [ranked(scores[number]) for number in (2, 3)]
    best = [one.methods[int(one.order[0])] for one in both]
    text = "; ".join(f"{size}: {_ranks(one)}" for size, one in zip(("25 members", "100 members"), both, strict=True))
    return verdict(all(name == "alphabeta-rse" for name in best), text)


def full_space_is_level(scores: Scores) -> Verdict:
    """RSC-06."""
    both = [ranked(scores[number]) for number in (2, 3)]
    parts = [f"F = {two(one.f_statistic)}, {p_text(one.p_value)}" for one in both]
    return verdict(all(one.p_value > LEVEL for one in both), f"25 members: {parts[0]}; 100 members: {parts[1]}")


def plain_is_level_with_bagging(scores: Scores) -> Verdict:
    """RSC-07."""
    gaps = [_rank(one, "alpha-rse") - _rank(one, "bagging") for one in (ranked(scores[n]) for n in (2, 3))]
    text = f"ranks of alpha-rse less those of bagging: {two(gaps[0])} with 25 members, {two(gaps[1])} with 100"
    return verdict(all(abs(gap) < 0.2 for gap in gaps), text)


def subspace_beats_three(scores: Scores) -> Verdict:
    """RSC-08."""
    found, needed = ranked(scores[4]), _critical(scores[4])
    others = ("random-subspace", "random-forest", "random-committee")
    gaps = {name: _rank(found, name) - _rank(found, "alpha-rsse") for name in others}
    ahead = ", ".join(f"{two(gap)} of {name}" for name, gap in gaps.items())
    return verdict(all(gap > needed for gap in gaps.values()), f"ahead by {ahead}; critical difference {two(needed)}")


def rotation_is_level_ahead(scores: Scores) -> Verdict:
    """RSC-09."""
    gap, needed = _rotation_gap(ranked(scores[4])), _critical(scores[4])
    text = f"rotation-forest ahead by {two(gap)}; critical difference {two(needed)}"
    return verdict(0 < gap < needed, text)


def rotation_gap_shrinks(scores: Scores) -> Verdict:
    """RSC-10."""
    few, many = (_rotation_gap(ranked(scores[number])) for number in (4, 5))
    return verdict(many < few, f"rotation-forest ahead by {two(few)} with 25 members and by {two(many)} with 100")


def subspace_is_best_on_genes(found: Found) -> Verdict:
    """RSC-12."""
    parts, best = [], []
    for id in ("gene-chi-squared", "gene-information-gain"):
        scores = _gene_scores(found, id)
        if len(scores) < 2:
            return too_few(len(scores))
        ranks = ranked(scores)
        best.append(ranks.methods[int(ranks.order[0])] == "alpha-rsse")
        parts.append(f"{FILTERS[id]}: {_ranks(ranks, 3)} on {counted(ranks.n_datasets, 'dataset')}")
    return _of_genes(found, all(best), "; ".join(parts))


def subspace_is_third_after_relief(found: Found) -> Verdict:
    """RSC-13."""
    scores = _gene_scores(found, "gene-relief")
    if len(scores) < 2:
        return too_few(len(scores))
    ranks = ranked(scores)
    order = [ranks.methods[int(at)] for at in ranks.order]
    wanted = ["rotation-forest", "random-forest", "alpha-rsse"]
    text = f"{_ranks(ranks, 4)}, on {counted(ranks.n_datasets, 'dataset')}"
    return _of_genes(found, order[:3] == wanted, text)


def beta_adds_nothing(found: Found) -> Verdict:
    """RSC-21."""
    from scipy.stats import wilcoxon

    scores = 100 * found["beta"].scores("accuracy").dropna()
    if len(scores) < FEW_DATASETS:
        return too_few(len(scores))
    gain = scores["alphabeta-rsse"] - scores["alpha-rsse"]
    p_value = float(wilcoxon(gain).pvalue) if gain.any() else 1.0
    wins, losses = int((gain > 0).sum()), int((gain < 0).sum())
    text = (
        f"at alpha 2 with half of the attributes, with the resampling better on {wins} and worse on {losses} of "
        f"{counted(len(gain), 'dataset')}, mean gain {two(gain.mean())} points, Wilcoxon {p_text(p_value)}"
    )
    return verdict(p_value > 0.05, text)


def ranked(scores: pd.DataFrame) -> Friedman:
    """Return the ranks of accuracies."""
    return friedman(scores, larger_is_better=True)


def _critical(scores: pd.DataFrame) -> float:
    return critical_difference(scores.shape[1], len(scores), LEVEL)


def _ranks(found: Friedman, most: int = 5) -> str:
    return ", ".join(f"{found.methods[int(at)]} {two(found.mean_ranks[at])}" for at in found.order[:most])


def _rank(found: Friedman, method: str) -> float:
    return float(found.mean_ranks[found.methods.index(method)])


def _rotation_gap(found: Friedman) -> float:
    return _rank(found, "alpha-rsse") - _rank(found, "rotation-forest")


def _of_genes(found: Found, holds: bool, text: str) -> Verdict:
    """Return a verdict, with how little it rests on where splits are few."""
    repeats = min(len(run) for id in FILTERS if id in found for run in runs_of(found[id], "alpha-rsse").values())
    few = f", from {counted(repeats, 'split')} of 60 to 253 cases only" if repeats < ENOUGH_SPLITS else ""
    return verdict(holds, f"{text}{few}")


def _gene_scores(found: Found, id: str) -> pd.DataFrame:
    """Return the best accuracies after a filter on the datasets that all methods have."""
    import pandas as pd

    return best_of(found, (id,)).dropna().round(2) if id in found else pd.DataFrame()
