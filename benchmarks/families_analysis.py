"""What the study of families says, as tables: ranks, diversity, bias and variance, which family suits which data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from accuracy_report import Compared
from scipy.stats import spearmanr, wilcoxon
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor

from covey._text import counted
from covey.analysis import kohavi_wolpert, measure_diversity
from covey.analysis.significance import bayesian_signed_rank, holm, nemenyi, win_draw_loss
from covey.datasets import Dataset

# Accuracies that differ by less are equal for all practical purposes.
ROPE = 0.01
# A tree over properties that readers can follow.
MOST_LEAVES, FEWEST_DATASETS = 5, 8
TERMS = ("kappa", "individual_error", "ensemble_error")


def overview(compared: Compared, families: Mapping[str, str], seconds: pd.Series | None = None) -> pd.DataFrame:
    """Return a row for each method, the best mean rank by accuracy first.

    Seconds of training are those given, or else medians of wall time. Without probabilities there is no log loss.
    """
    repeats = compared.frame.groupby(["method", "dataset"])["repeat"].nunique()
    frame = pd.DataFrame(
        {
            "family": pd.Series(families),
            "accuracy": compared.scores["accuracy"].mean(),
            "rank by accuracy": ranks_of(compared.scores["accuracy"]),
            "log loss": -compared.scores["neg_log_loss"].mean(skipna=False),
            "rank by log loss": ranks_of(compared.scores["neg_log_loss"]),
            "fit (s)": compared.frame.groupby("method")["fit seconds"].median() if seconds is None else seconds,
            "repeats": repeats.groupby("method").agg(
                lambda counts: " to ".join(map(str, sorted({*counts})[:: max(counts.nunique() - 1, 1)]))
            ),
        }
    )
    return frame.loc[compared.methods].sort_values("rank by accuracy").rename_axis("method")


def ranks_of(scores: pd.DataFrame) -> pd.Series:
    """Return the mean rank of each method that has a score on every dataset; 1 is best."""
    test = nemenyi(scores.dropna(axis=1), larger_is_better=True)
    return pd.Series(test.mean_ranks, list(test.methods))


def best_of(table: pd.DataFrame, without: Sequence[str] = ()) -> dict[str, str]:
    """Return the method of each family that is first in the overview, families in that order."""
    kept = table[~table["family"].isin(without)].reset_index()
    return dict(kept.groupby("family", sort=False)["method"].first())


def beside(accuracy: pd.DataFrame, reference: str, names: Sequence[str]) -> pd.DataFrame:
    """Return how many points of accuracy methods are behind a reference, and how sure that is.

    The interval is of the mean over datasets (bootstrap, 95%). p is Wilcoxon's, adjusted by Holm for all rows. The
    chances are those of the Bayesian signed-rank test that on a new dataset the reference is better by more than a
    point, that both are within a point, and that the other is better by more.
    """
    generator, rows = np.random.default_rng(0), {}
    records = win_draw_loss(accuracy, larger_is_better=True)
    for name in names:
        gaps = 100 * (accuracy[reference] - accuracy[name]).to_numpy()
        drawn = gaps[generator.integers(len(gaps), size=(10_000, len(gaps)))].mean(axis=1)
        posterior = bayesian_signed_rank(
            accuracy[reference], accuracy[name], larger_is_better=True, rope=ROPE, n_samples=10_000
        )
        rows[name] = {
            "points": gaps.mean(),
            "low": np.percentile(drawn, 2.5),
            "high": np.percentile(drawn, 97.5),
            "record": "/".join(map(str, records.record(reference, name))),
            "p": float(wilcoxon(gaps).pvalue) if gaps.any() else 1.0,
            "better": posterior.first_better,
            "equal": posterior.equivalent,
            "worse": posterior.second_better,
        }
    frame = pd.DataFrame.from_dict(rows, orient="index")
    return frame.assign(p=holm(frame["p"].to_numpy()))


def on_some(compared: Compared, name: str, others: Sequence[str]) -> tuple[pd.DataFrame, pd.Series]:
    """Return a method that lacks datasets beside others on those that it has, and the mean ranks of all there."""
    accuracy = compared.every["accuracy"][[name, *compared.methods]].dropna()
    table = beside(accuracy, name, others)
    table.insert(0, "accuracy", accuracy[list(others)].mean())
    return table, ranks_of(accuracy)


def bias_and_variance(compared: Compared) -> tuple[pd.DataFrame, int]:
    """Return the mean of Kohavi and Wolpert's bias and variance, corrected for the few repeats, and of how many sets.

    Those on which every method with a second repeat anywhere has one; methods without are left out.
    """
    repeats = compared.frame.groupby(["dataset", "method"])["repeat"].nunique().unstack("method")
    repeats = repeats.loc[compared.scores["accuracy"].index, compared.methods]
    names = [name for name in compared.methods if (repeats[name] > 1).any()]
    common = repeats.index[(repeats[names] > 1).all(axis=1)]
    rows = {}
    for name in names if len(common) else []:
        said = (compared.results[name].predictions(dataset, name) for dataset in common)
        parts = [kohavi_wolpert(*one, unbiased_estimates=True) for one in said]
        rows[name] = {term: float(np.mean([getattr(part, term) for part in parts])) for term in ("bias", "variance")}
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=["bias", "variance"])
    return frame.assign(error=frame["bias"] + frame["variance"]), len(common)


def votes(compared: Compared) -> pd.DataFrame:
    """Return members' kappa and error, and the vote's, for each method whose members vote, and dataset: first fits."""
    rows = {}
    for name in compared.methods:
        found = {}
        for dataset in compared.scores["accuracy"].index:
            fit = next(compared.results[name].fits(dataset, name))
            if "votes" not in fit or fit["votes"].shape[1] < 2:
                break
            said = fit["classes"][fit["votes"]]
            measured = measure_diversity(said, fit["y"], fit["weights"], classes=fit["classes"])
            found[name, dataset] = {term.replace("_", " "): float(getattr(measured, term)) for term in TERMS}
        else:
            rows.update(found)
    columns = [term.replace("_", " ") for term in TERMS]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def diversity(members: pd.DataFrame) -> pd.DataFrame:
    """Return the means over datasets of what `votes` tells, the least error of the vote first."""
    if not len(members):
        return members
    means = members.groupby(level=0).mean()
    return means.assign(gain=means["individual error"] - means["ensemble error"]).sort_values("ensemble error")


def explained(members: pd.DataFrame) -> dict[str, float]:
    """Return the share of the variance of errors between methods, dataset by dataset, that members' properties explain.

    By a straight line in the members' error, in their kappa, and in both; of the gain, the error of members less that
    of their vote, by kappa.
    """
    within = members - members.groupby(level=1).transform("mean")
    gain = within["individual error"] - within["ensemble error"]
    asked = {
        "error by members' error": (["individual error"], within["ensemble error"]),
        "error by kappa": (["kappa"], within["ensemble error"]),
        "error by both": (["individual error", "kappa"], within["ensemble error"]),
        "gain by kappa": (["kappa"], gain),
    }
    return {
        name: float(LinearRegression().fit(within[columns], what).score(within[columns], what))
        for name, (columns, what) in asked.items()
    }


def properties(datasets: Sequence[Dataset], compared: Compared) -> pd.DataFrame:
    """Return what is known of each dataset; its noise is the least error that any method has on it."""
    rows = {
        data.name: {
            "rows": data.n_rows,
            "columns": data.n_features,
            "classes": int(data.target.nunique()),
            "categorical columns": float((data.frame.dtypes == "category").mean()),
            "missing values": float(data.frame.isna().to_numpy().mean()),
            "largest class": float(data.target.value_counts(normalize=True).iloc[0]),
            "noise": 1 - float(compared.scores["accuracy"].loc[data.name].max()),
        }
        for data in datasets
        if data.name in compared.scores["accuracy"].index
    }
    return pd.DataFrame.from_dict(rows, orient="index").loc[compared.scores["accuracy"].index]


def losses(accuracy: pd.DataFrame, chosen: Mapping[str, str]) -> pd.DataFrame:
    """Return how many points of accuracy the method of each family is behind the best of them on each dataset."""
    some = accuracy[list(chosen.values())].set_axis(list(chosen), axis=1)
    return 100 * (-some).add(some.max(axis=1), axis=0)


def by_kind(known: pd.DataFrame, behind: pd.DataFrame) -> pd.DataFrame:
    """Return the mean loss of each family in the lower and upper part of datasets by each property, cut at the median.

    A star is behind the losses of a family in the part where they are greater, if they go up or down with the property
    (Spearman, p adjusted by Holm for all families and properties below 0.05).
    """
    pairs = [(what, family) for what in known for family in behind]
    tests = [_trend(known[what], behind[family]) for what, family in pairs]
    sure = {
        (*pair, sign): bool(chance < 0.05 and (trend > 0) == (sign == ">"))
        for pair, (trend, _), chance in zip(pairs, tests, holm([chance for _, chance in tests]), strict=True)
        for sign in ("<=", ">")
    }
    rows: dict[str, dict[str, Any]] = {"all": {"datasets": len(known), **behind.mean().map("{:.1f}".format)}}
    for what in known:
        border = known[what].median()
        for sign, part in (("<=", known[what] <= border), (">", known[what] > border)):
            means = behind[part].mean()
            told = {name: f"{mean:.1f}{'*' * sure[what, name, sign]}" for name, mean in means.items()}
            rows[f"{what} {sign} {border:.3g}"] = {"datasets": int(part.sum()), **told}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("datasets with")


def _trend(first: pd.Series, second: pd.Series) -> tuple[float, float]:
    """Return Spearman's correlation and its p-value, 0 and 1 where one of both is the same everywhere."""
    if first.nunique() == 1 or second.nunique() == 1:
        return 0.0, 1.0
    test = spearmanr(first, second)
    return float(test.statistic), float(test.pvalue)


def _tree(known: pd.DataFrame, behind: pd.DataFrame) -> DecisionTreeRegressor:
    tree = DecisionTreeRegressor(max_leaf_nodes=MOST_LEAVES, min_samples_leaf=FEWEST_DATASETS, random_state=0)
    return tree.fit(known.to_numpy(), behind.to_numpy())


def which_family(known: pd.DataFrame, behind: pd.DataFrame) -> list[str]:
    """Return a tree over properties in lines of text; leaves tell how far families are behind the best, in points."""
    tree = _tree(known, behind).tree_
    lines = []

    def tell(node: int, depth: int, condition: str) -> None:
        line = "|   " * depth + condition
        if tree.children_left[node] < 0:
            means = pd.Series(tree.value[node].ravel(), behind.columns).sort_values()
            told = ", ".join(f"{name} {mean:.1f}" for name, mean in means.iloc[:4].items())
            lines.append(f"{line}: {counted(int(tree.n_node_samples[node]), 'dataset')}; {told}")
            return
        if condition:
            lines.append(line)
        name, border = known.columns[tree.feature[node]], f"{tree.threshold[node]:.3g}"
        below = depth + 1 if condition else depth
        tell(tree.children_left[node], below, f"{name} <= {border}")
        tell(tree.children_right[node], below, f"{name} > {border}")

    tell(0, 0, "")
    return lines


def advice_pays(known: pd.DataFrame, behind: pd.DataFrame) -> dict[str, float]:
    """Return the mean loss of the family that the tree names for datasets left out of it, and of always the same."""
    by_tree, always = [], []
    for name in known.index:
        others = known.index != name
        said = _tree(known[others], behind[others]).predict(known.loc[[name]].to_numpy()).ravel()
        by_tree.append(behind.loc[name].iloc[int(said.argmin())])
        always.append(behind.loc[name, behind[others].mean().idxmin()])
    return {"by the tree": float(np.mean(by_tree)), "always the same": float(np.mean(always))}


def combinations(accuracy: pd.DataFrame, parents: Mapping[str, tuple[str, str]]) -> pd.DataFrame:
    """Return a row for each new combination: its accuracy beside those of the two systems that it is made of.

    p is Wilcoxon's, adjusted by Holm for all comparisons of the table.
    """
    records = win_draw_loss(accuracy, larger_is_better=True)
    ranks, rows = ranks_of(accuracy), {}
    for name, pair in parents.items():
        if name not in accuracy or not set(pair) <= set(accuracy):
            continue
        row: dict[str, Any] = {"accuracy": accuracy[name].mean(), "mean rank": ranks[name]}
        for place, parent in enumerate(pair, 1):
            gaps = accuracy[name] - accuracy[parent]
            row |= {
                f"part {place}": f"{parent} {accuracy[parent].mean():.3f}",
                f"record {place}": "/".join(map(str, records.record(name, parent))),
                f"p {place}": float(wilcoxon(gaps).pvalue) if gaps.any() else 1.0,
            }
        rows[name] = row
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("combination")
    if len(frame):
        adjusted = holm(frame[["p 1", "p 2"]].to_numpy().ravel()).reshape(-1, 2)
        frame["p 1"], frame["p 2"] = adjusted.T
        frame = frame.sort_values("mean rank")
    return frame


def order_to_try(compared: Compared, among: Sequence[str], most: int) -> pd.DataFrame:
    """Return the methods whose best, as found on other rows, is most accurate; each row adds one to those above.

    Of the two folds of a repeat the choice between methods goes by the one and is scored on the other, then the other
    way about, so that what one gets is not the best by luck. Repeats are those that all methods have.
    """
    names, frame = list(among), compared.frame[compared.frame["dataset"].isin(compared.scores["accuracy"].index)]
    cells = frame.pivot_table("accuracy", ["dataset", "repeat", "fit"], "method")[names].dropna()
    whole = cells.groupby(level=["dataset", "repeat"]).filter(lambda fits: len(fits) == 2)
    scores = whole.to_numpy().reshape(-1, 2, len(names))
    weights = 1 / whole.groupby(level="dataset").transform("size").to_numpy()[::2]

    def got(places: list[int]) -> float:
        best = scores[:, :, places].argmax(axis=2)
        gets = np.take_along_axis(scores[:, ::-1, places], best[:, :, None], axis=2)
        return float(np.average(gets.mean(axis=(1, 2)), weights=weights))

    chosen: list[int] = []
    rows: dict[str, dict[str, float]] = {}
    while len(chosen) < min(most, len(names)):
        left = [place for place in range(len(names)) if place not in chosen]
        chosen.append(max(left, key=lambda place: got([*chosen, place])))
        rows[names[chosen[-1]]] = {"accuracy": got(chosen), "alone": got(chosen[-1:])}
    found = pd.DataFrame.from_dict(rows, orient="index", columns=["accuracy", "alone"]).rename_axis("add")
    return found.assign(**{"points gained": 100 * found["accuracy"].diff()})
