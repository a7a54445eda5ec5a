"""Claims of the paper, with the figures that it prints, and how each claim is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.stats import wilcoxon

from covey import SphereCoverClassifier
from covey._rounding import write_number
from covey._text import counted, p_text
from covey.analysis.bias_variance import Domingos
from covey.analysis.significance import Friedman, critical_difference, friedman
from covey.datasets import DatasetNotFoundError, load
from covey.reproduce.paper import Found, Lacking
from covey.reproduce.results import names
from covey.reproduce.rsc import figures, tables as own
from covey.reproduce.rsc.experiments import BORDER, CURVES, LOSSES, SINGLE, SUBSPACE, loss_id
from covey.reproduce.rsc.tables import ACCURACIES, FILTERS, FULL_IDS, LEVEL, SUBSPACE_IDS, published_means
from covey.reproduce.tables import listed_values, signed, two
from covey.reproduce.verdicts import DRAWS, Judgement, claim, enough, needed, power_of

# Accuracies in per cent by the number of the table, each with a row for each dataset and a column for each method.
Scores = Mapping[int, pd.DataFrame]
Parts = Mapping[str, Domingos]

# Of gene expression data, on which a test part has 20 to 84 cases; with fewer splits the verdict says so.
ENOUGH_SPLITS = 10
# What is near the best, in percentage points; and how often the ensemble must be better to be said to be.
NEAR, MOSTLY = 1.0, 0.9
OVERLAPPING = ("pima-diabetes", "heart")
NO_DATASET = "no dataset was carried out"


def on_scores(
    results: Found, *, judge: Callable[..., Judgement], tables: Sequence[int], **arguments: float
) -> Judgement:
    """Judge accuracies on the datasets that all methods of some tables have, and say how much chance hides.

    The judgement is by what was found. Beside it stands in how many runs of the same size, drawn from the published
    means and standard deviations, the claim shows: a reader can tell what a verdict is worth.
    """
    whole = {number: ACCURACIES[number].whole(results) for number in tables}
    datasets = [name for name in whole[tables[0]].index if all(name in frame.index for frame in whole.values())]
    enough(datasets)
    holds, text = judge({number: frame.loc[datasets] for number, frame in whole.items()}, **arguments)
    repeats = min(ACCURACIES[number].repeats(results) for number in tables)
    power = power_of(drawn_scores(tables, datasets, repeats), lambda scores: judge(scores, **arguments)[0])
    return holds, (
        f"{text}. Of runs of {counted(repeats, 'split')} on these {len(datasets)} datasets, drawn from the published "
        f"means and deviations, {write_number(power, '.0%')} show the claim."
    )


def drawn_scores(tables: Sequence[int], datasets: Sequence[str], repeats: int) -> Iterator[Scores]:
    """Yield runs that are drawn from the published tables.

    Accuracies of methods are drawn independently of each other. In a run they share their splits and so differ by less:
    the share is rather too low; for a claim that methods do not differ (RSC-06) it may be too high.
    """
    rng = np.random.default_rng(0)
    means = {number: published_means(number).loc[list(datasets)] for number in tables}
    errors = {number: published_means(number, values="std").loc[list(datasets)] / np.sqrt(repeats) for number in tables}
    for _ in range(DRAWS):
        yield {number: (mean + errors[number] * rng.standard_normal(mean.shape)).round(2)
               for number, mean in means.items()}  # fmt: skip


def _border_beats_plain(scores: Scores, share: float) -> Judgement:
    (frame,) = scores.values()
    gain = (frame[BORDER] - frame["alpha-rse"]).round(2)
    wins, ties, losses = (int(some.sum()) for some in (gain > 0, gain == 0, gain < 0))
    counts = counted(wins, "win"), counted(ties, "tie"), counted(losses, "loss", "losses")
    record = f"{', '.join(counts)} on {counted(len(gain), 'dataset')}"
    return wins >= share * len(gain), f"{record}; mean gain {two(gain.mean())} points"


def _border_ranks_best(scores: Scores) -> Judgement:
    both = [ranked(scores[number]) for number in (2, 3)]
    text = "; ".join(f"{size} members: {first_ranks(ranks)}" for size, ranks in zip((25, 100), both, strict=True))
    return all(best_of_ranks(ranks) == BORDER for ranks in both), text


def _full_space_is_level(scores: Scores) -> Judgement:
    both = [ranked(scores[number]) for number in (2, 3)]
    parts = [f"F = {two(ranks.f_statistic)}, {p_text(ranks.p_value)}" for ranks in both]
    return all(ranks.p_value > LEVEL for ranks in both), f"25 members: {parts[0]}; 100 members: {parts[1]}"


def _plain_is_level_with_bagging(scores: Scores) -> Judgement:
    gaps = [lead(ranked(scores[number]), "bagging", "alpha-rse") for number in (2, 3)]
    text = f"ranks of alpha-rse less those of bagging: {two(gaps[0])} with 25 members, {two(gaps[1])} with 100"
    return all(abs(gap) < 0.2 for gap in gaps), text


def _subspace_beats_three(scores: Scores) -> Judgement:
    ranks, critical = ranked(scores[4]), _critical(scores[4])
    others = ("random-subspace", "random-forest", "random-committee")
    gaps = {name: lead(ranks, SUBSPACE, name) for name in others}
    ahead = ", ".join(f"{two(gap)} of {name}" for name, gap in gaps.items())
    return all(gap > critical for gap in gaps.values()), f"ahead by {ahead}; critical difference {two(critical)}"


def _rotation_is_level_ahead(scores: Scores) -> Judgement:
    gap, critical = lead(ranked(scores[4]), "rotation-forest", SUBSPACE), _critical(scores[4])
    return 0 < gap < critical, f"rotation-forest ahead by {two(gap)}; critical difference {two(critical)}"


def _rotation_gap_shrinks(scores: Scores) -> Judgement:
    few, many = (lead(ranked(scores[number]), "rotation-forest", SUBSPACE) for number in (4, 5))
    return many < few, f"rotation-forest ahead by {two(few)} with 25 members and by {two(many)} with 100"


def ranked(scores: pd.DataFrame) -> Friedman:
    """Return the ranks of accuracies."""
    return friedman(scores, larger_is_better=True)


def best_of_ranks(ranks: Friedman) -> str:
    """Return the method with the best mean rank."""
    return ranks.methods[int(ranks.order[0])]


def first_ranks(ranks: Friedman, most: int = 5) -> str:
    """Write the best mean ranks."""
    return ", ".join(f"{ranks.methods[int(at)]} {two(ranks.mean_ranks[at])}" for at in ranks.order[:most])


def lead(ranks: Friedman, method: str, behind: str) -> float:
    """Return by how much a method ranks ahead of another."""
    return float(ranks.mean_ranks[ranks.methods.index(behind)] - ranks.mean_ranks[ranks.methods.index(method)])


def _critical(scores: pd.DataFrame) -> float:
    return critical_difference(scores.shape[1], len(scores), LEVEL)


def _subspace_is_best_on_genes(results: Found) -> Judgement:
    parts, best = [], []
    for id in ("gene-chi-squared", "gene-information-gain"):
        ranks = gene_ranks(results, id)
        best.append(best_of_ranks(ranks) == SUBSPACE)
        parts.append(f"{FILTERS[id]}: {first_ranks(ranks, 3)} on {counted(ranks.n_datasets, 'dataset')}")
    return all(best), "; ".join(parts) + few_splits(results)


def _subspace_is_third_after_relief(results: Found) -> Judgement:
    ranks = gene_ranks(results, "gene-relief")
    order = [ranks.methods[int(at)] for at in ranks.order[:3]]
    text = f"{first_ranks(ranks, 4)}, on {counted(ranks.n_datasets, 'dataset')}"
    return order == ["rotation-forest", "random-forest", SUBSPACE], text + few_splits(results)


def gene_ranks(results: Found, id: str) -> Friedman:
    """Return the ranks of the best accuracies after a filter on the datasets that all methods have."""
    return ranked(enough(own.best_of(results, (id,)).dropna().round(2) if id in results else pd.DataFrame(), 2))


def few_splits(results: Found) -> str:
    """Say how little verdicts on genes rest on where splits are few."""
    runs = [results[id] for id in FILTERS if id in results]
    counts = [len(own.accuracies_of(run, data, SUBSPACE)) for run in runs for data in names(run.record.datasets)]
    repeats = min(count for count in counts if count)
    return f", from {counted(repeats, 'split')} of 60 to 253 cases only" if repeats < ENOUGH_SPLITS else ""


def _beta_adds_nothing(results: Found) -> Judgement:
    scores = enough(100 * results["beta"].scores("accuracy").dropna())
    gain = scores["alphabeta-rsse"] - scores[SUBSPACE]
    p_value = float(wilcoxon(gain).pvalue) if gain.any() else 1.0
    return p_value > 0.05, (
        f"at alpha 2 with half of the attributes, with the resampling better on {int((gain > 0).sum())} and worse on "
        f"{int((gain < 0).sum())} of {counted(len(gain), 'dataset')}, mean gain {two(gain.mean())} points, Wilcoxon "
        f"{p_text(p_value)}"
    )


def alpha_curves(results: Found) -> dict[str, pd.DataFrame]:
    """Return accuracies by alpha on each dataset that has some."""
    run = results["alpha"]
    curves = {dataset: figures.by_alpha(run, dataset) for dataset in names(run.record.datasets)}
    return needed({dataset: frame for dataset, frame in curves.items() if len(frame)}, NO_DATASET)


def _ensemble_beats_its_members(results: Found) -> Judgement:
    gains = {name: frame[BORDER] - frame[figures.MEMBER] for name, frame in alpha_curves(results).items()}
    every = np.concatenate([gain.to_numpy() for gain in gains.values()])
    wins = int((every > 0).sum())
    each = listed_values({name: gain.mean() for name, gain in gains.items()}, signed)
    where = f"{wins} of {len(every)} values of alpha on {counted(len(gains), 'dataset')}"
    return wins >= MOSTLY * len(every), f"better at {where}; mean gain in points: {each}"


def _same_alpha_is_best(results: Found) -> Judgement:
    parts, near = [], []
    for name, frame in alpha_curves(results).items():
        single, ensemble = (int(frame.index[int(frame[column].argmax())]) for column in (figures.MEMBER, BORDER))
        loss = float(frame[BORDER].max() - frame[BORDER][single])
        near.append(loss <= NEAR)
        parts.append(
            f"{name}: {single} for one, {ensemble} for the ensemble, which loses {two(loss)} points by the first"
        )
    return all(near), f"best alphas: {'; '.join(parts)}"


def _subspace_goes_on_improving(results: Found) -> Judgement:
    scores = own.by_size(results).dropna()
    most = max(map(int, scores.columns), default=0)
    if most <= 100 or scores.empty:
        raise Lacking("no ensemble of more than 100 members was carried out")
    before, after = scores[100].mean(), scores[most].mean()
    return after >= before, (
        f"mean accuracy on {counted(len(scores), 'dataset')}: {two(before)} with 100 members, {two(after)} with "
        f"{most}; higher on {int((scores[most] > scores[100]).sum())}"
    )


def _dropping_small_spheres_helps(results: Found) -> Judgement:
    parts, gains = [], []
    for name in (name for name in OVERLAPPING if name in names(results["alpha"].record.datasets)):
        frame = figures.by_alpha(results["alpha"], name)[figures.MEMBER]
        if 1 in frame.index and len(frame) > 1:
            larger = frame.drop(1)
            gains.append(float(larger.max() - frame[1]))
            parts.append(f"{name}: {two(frame[1])} with all spheres, {two(larger.max())} at alpha {larger.idxmax()}")
    needed(parts, "no dataset with overlapping classes was carried out")
    return min(gains) > 0, f"accuracy of single covers: {'; '.join(parts)}"


def covers_are_smaller_than_data(results: Found) -> Judgement:
    """RSC-24: counted here, for a store keeps no spheres."""
    parts, falls_on = [], []
    for record in results["alpha"].record.datasets:
        try:
            data = load(record.source)
        except (DatasetNotFoundError, OSError):
            continue
        counts = [
            len(SphereCoverClassifier(alpha, random_state=0).fit(data.frame, data.target).radii_)
            for alpha in (1, 3, 10)
        ]
        falls_on.append(data.n_rows > counts[0] > counts[1] > counts[2])
        parts.append(f"{record.name}: {data.n_rows} cases, {counts[0]}, {counts[1]} and {counts[2]} spheres")
    needed(parts, "the data are no longer there, and a store keeps no spheres")
    return all(falls_on), f"one cover at alpha 1, 3 and 10; {'; '.join(parts)}"


def losses(results: Found) -> dict[str, Parts]:
    """Return the decompositions of the three methods, by the datasets that have all."""
    every = {dataset: own.decompositions(results, dataset) for dataset in LOSSES}
    whole: dict[str, Parts] = {dataset: parts for dataset, parts in every.items() if len(parts) == 3}
    return needed(whole, "no dataset was carried out with all three methods")


def counting(is_so: Callable[[Parts], bool], parts: Mapping[str, Parts]) -> tuple[int, str]:
    """Return on how many datasets something is so, and the others by name."""
    others = [name for name, part in parts.items() if not is_so(part)]
    where = f" (not on {', '.join(others)})" if others else ""
    count = len(parts) - len(others)
    return count, f"{count} of {counted(len(parts), 'dataset')}{where}"


def falls(parts: Mapping[str, Parts], method: str, term: str) -> tuple[int, str]:
    """Return on how many datasets a term is less than that of one cover, and the others by name."""
    return counting(lambda part: bool(getattr(part[method], term) < getattr(part[SINGLE], term)), parts)


def _ensembles_err_less(results: Found) -> Judgement:
    parts = losses(results)
    (border, first), (subspace, second) = (falls(parts, method, "error") for method in (BORDER, SUBSPACE))
    return border == subspace == len(parts), f"less error: {BORDER} on {first}, {SUBSPACE} on {second}"


def _border_lowers_variance(results: Found) -> Judgement:
    parts = losses(results)
    (net, first), (unbiased, second) = (falls(parts, BORDER, term) for term in ("net_variance", "unbiased_variance"))
    return net == unbiased == len(parts), f"less net variance on {first}, less unbiased variance on {second}"


def border_leaves_bias(results: Found) -> Judgement:
    """RSC-16: mixed if neither all nor none, which one dataset cannot show."""
    parts = losses(results)
    if len(parts) < 2:
        raise Lacking("the claim is about several datasets")
    lower, text = falls(parts, BORDER, "bias")
    return 0 < lower < len(parts), f"bias falls on {text}"


def _subspace_lowers(results: Found, term: str) -> Judgement:
    parts = losses(results)
    lower, text = falls(parts, SUBSPACE, term)
    return lower >= 6 / 7 * len(parts) - 1e-9, f"{term.replace('_', ' ')} falls on {text}"


def _variance_grows_with_kappa(results: Found) -> Judgement:
    shares, grows = [], []
    for dataset in CURVES:
        curve = figures.curve_of(results, dataset) if loss_id(dataset) in results else {}
        if len(curve) > 1:
            least, most = min(curve), max(curve)
            first, last = (part.net_variance / part.error for part in (curve[least], curve[most]))
            grows.append(last > first)
            change = f"{write_number(first, '.0%')} to {write_number(last, '.0%')}"
            shares.append(f"{dataset} {change} (kappa {least} to {most})")
    needed(shares, "no dataset was carried out with several kappas")
    return all(grows), f"share of net variance in the error: {', '.join(shares)}"


def _gain_is_of_bias(results: Found) -> Judgement:
    def is_of_bias(part: Parts) -> bool:
        single, subspace = part[SINGLE], part[SUBSPACE]
        return single.bias - subspace.bias > single.net_variance - subspace.net_variance

    parts = losses(results)
    more, text = counting(is_of_bias, parts)
    return more > len(parts) / 2, f"bias falls by more than net variance on {text}"


def _ringnorm_errors_fall(results: Found) -> Judgement:
    parts = own.decompositions(results, "ringnorm")
    if len(parts) < 3:
        raise Lacking("no dataset was carried out with all three methods")
    shares = {method: parts[method].error / parts[SINGLE].error for method in (BORDER, SUBSPACE)}
    holds = shares[BORDER] <= 0.5 and shares[SUBSPACE] <= 0.3
    return holds, f"errors as shares of that of one cover: {listed_values(shares)}"


_ALPHA, _LOSSES = ("alpha",), tuple(loss_id(dataset) for dataset in LOSSES)

# fmt: off
CLAIMS = (
    claim("RSC-01", "The ensemble alphabeta-rse of 25 is better than the mean of 25 single covers at the same alpha",
          "figure 3, four datasets", _ALPHA, _ensemble_beats_its_members),
    claim("RSC-02", "The alpha that is best for one cover is about the best for the ensemble", "figure 3", _ALPHA,
          _same_alpha_is_best),
    claim("RSC-03", "With 25 members alphabeta-rse beats alpha-rse on 12 of 16 datasets or more",
          "12 wins, 2 ties, 2 losses", FULL_IDS, on_scores, judge=_border_beats_plain, tables=(2,), share=12 / 16),
    claim("RSC-04", "With 100 members alphabeta-rse beats alpha-rse on 14 of 16 datasets or more", "14 wins, 2 losses",
          FULL_IDS, on_scores, judge=_border_beats_plain, tables=(3,), share=14 / 16),
    claim("RSC-05", "alphabeta-rse has the best mean rank of the five ensembles on all attributes, with 25 and 100 "
          "members", "2.50 and 2.38", FULL_IDS, on_scores, judge=_border_ranks_best, tables=(2, 3)),
    claim("RSC-06", "The five ensembles on all attributes do not differ significantly (Friedman, level 0.1)", "",
          FULL_IDS, on_scores, judge=_full_space_is_level, tables=(2, 3)),
    claim("RSC-07", "alpha-rse ranks about level with bagging (within 0.2)", "3.31 and 3.28; 3.38 and 3.44", FULL_IDS,
          on_scores, judge=_plain_is_level_with_bagging, tables=(2, 3)),
    claim("RSC-08", "With 25 members alpha-rsse ranks ahead of random-subspace, random-forest and random-committee by "
          "more than the critical difference", "2.09 against 4.00, 3.50 and 3.88; critical difference 1.375",
          SUBSPACE_IDS, on_scores, judge=_subspace_beats_three, tables=(4,)),
    claim("RSC-09", "rotation-forest ranks ahead of alpha-rsse, but by less than the critical difference",
          "1.53 and 2.09", SUBSPACE_IDS, on_scores, judge=_rotation_is_level_ahead, tables=(4,)),
    claim("RSC-10", "The lead of rotation-forest over alpha-rsse in mean rank shrinks from 25 to 100 members",
          "0.56 to 0.25 as printed; 0.13 recomputed (RSC-I01)", SUBSPACE_IDS, on_scores, judge=_rotation_gap_shrinks,
          tables=(4, 5)),
    claim("RSC-11", "alpha-rsse goes on improving beyond 100 members",
          "table 6: mean accuracy 87.31 with 100 members, 87.48 with 500", ("sizes",), _subspace_goes_on_improving),
    claim("RSC-12", "alpha-rsse has the best mean rank on gene expression data after a filter by chi-squared or "
          "information gain", "1.75 and 1.42 on six datasets", ("gene-chi-squared", "gene-information-gain"),
          _subspace_is_best_on_genes),
    claim("RSC-13", "After a filter by Relief alpha-rsse is third, behind rotation-forest and random-forest",
          "2.00, 2.25 and 2.58 on six datasets", ("gene-relief",), _subspace_is_third_after_relief),
    claim("RSC-14", "Both ensembles have less average error than one cover on every dataset", "7 of 7 and 7 of 7",
          _LOSSES, _ensembles_err_less),
    claim("RSC-15", "alphabeta-rse lowers net variance, by lower unbiased variance", "7 of 7 and 7 of 7", _LOSSES,
          _border_lowers_variance),
    claim("RSC-16", "alphabeta-rse has no consistent effect on bias", "falls on 3 of 7", _LOSSES, border_leaves_bias),
    claim("RSC-17", "alpha-rsse lowers bias on nearly all datasets (6 of 7 or more)", "6 of 7, not on twonorm",
          _LOSSES, _subspace_lowers, term="bias"),
    claim("RSC-18", "alpha-rsse lowers net variance on nearly all datasets (6 of 7 or more)", "6 of 7, not on wdbc",
          _LOSSES, _subspace_lowers, term="net_variance"),
    claim("RSC-19", "With few attributes the error of alpha-rsse follows its bias; the share of variance grows with "
          "their number", "figure 6", tuple(loss_id(dataset) for dataset in CURVES), _variance_grows_with_kappa),
    claim("RSC-20", "The gain of alpha-rsse is mainly of lower bias",
          "the paper's own table 11 says otherwise: bias falls by more than net variance on 1 of 7 (RSC-I15)", _LOSSES,
          _gain_is_of_bias),
    claim("RSC-21", "Resampling along the border makes no significant difference to an ensemble on random attributes",
          "", ("beta",), _beta_adds_nothing),
    claim("RSC-22", "On ringnorm alphabeta-rse about halves the error of one cover, and alpha-rsse cuts it by about "
          "three quarters", "shares of 0.45 and 0.24", (loss_id("ringnorm"),), _ringnorm_errors_fall),
    claim("RSC-23", "Leaving out small spheres (a larger alpha) helps where classes overlap", "", _ALPHA,
          _dropping_small_spheres_helps),
    claim("RSC-24", "A cover is a reduction of the data: fewer spheres than cases, and fewer still with a larger alpha",
          "", _ALPHA, covers_are_smaller_than_data),
)
# fmt: on
