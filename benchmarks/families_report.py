"""The page of the study of families: ranks, diversity, bias and variance, time, and which family suits which data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from accuracy_report import Compared, read
from matplotlib import pyplot as plt
from scipy.stats import wilcoxon
from sklearn.tree import DecisionTreeRegressor

from covey._text import counted
from covey.analysis import kohavi_wolpert, measure_diversity
from covey.analysis.significance import nemenyi, win_draw_loss
from covey.analysis.tables import ResultTable
from covey.datasets import Dataset
from covey.plots import accuracy_time, draw_accuracy_time, save_figure
from covey.plots.layout import Label, Labels
from covey.plots.style import INK, begin

OURS = "covey"
FORMATS = {"rank by accuracy": ".2f", "rank by log loss": ".2f", "fit (s)": ".2g"}
# A tree over properties that readers can follow.
MOST_LEAVES, FEWEST_DATASETS = 5, 8


@dataclass(frozen=True)
class Drawing:
    """What a figure of this page says of itself."""

    title: str
    description: str


def overview(compared: Compared, families: Mapping[str, str]) -> pd.DataFrame:
    """Return a row for each method, the best mean rank by accuracy first."""
    ranks = {metric: _ranks(scores) for metric, scores in compared.scores.items()}
    frame = pd.DataFrame(
        {
            "family": pd.Series(families),
            "mean accuracy": compared.scores["accuracy"].mean(),
            "rank by accuracy": ranks["accuracy"],
            "mean log loss": -compared.scores["neg_log_loss"].mean(),
            "rank by log loss": ranks["neg_log_loss"],
            "fit (s)": compared.frame.groupby("method")["fit seconds"].median(),
        }
    )
    return frame.loc[compared.methods].sort_values("rank by accuracy").rename_axis("method")


def _ranks(scores: pd.DataFrame) -> pd.Series:
    test = nemenyi(scores, larger_is_better=True)
    return pd.Series(test.mean_ranks, list(test.methods))


def bias_and_variance(compared: Compared) -> pd.DataFrame:
    """Return the mean over datasets of Kohavi and Wolpert's bias and variance of each method."""
    rows = {}
    for name in compared.methods:
        parts = [
            kohavi_wolpert(*compared.results[name].predictions(dataset, name))
            for dataset in compared.scores["accuracy"].index
        ]
        rows[name] = {term: float(np.mean([getattr(part, term) for part in parts])) for term in ("bias", "variance")}
    return pd.DataFrame.from_dict(rows, orient="index").assign(error=lambda frame: frame["bias"] + frame["variance"])


def diversity(compared: Compared) -> pd.DataFrame:
    """Return the mean over datasets of members' kappa and error, of methods whose members vote, in their first fit."""
    rows = {}
    for name in compared.methods:
        found = []
        for dataset in compared.scores["accuracy"].index:
            fit = next(compared.results[name].fits(dataset, name))
            if "votes" in fit and fit["votes"].shape[1] > 1:
                votes = fit["classes"][fit["votes"]]
                found.append(measure_diversity(votes, fit["y"], fit["weights"], classes=fit["classes"]))
        if len(found) == len(compared.scores["accuracy"]):
            terms = ("kappa", "individual_error", "ensemble_error")
            rows[name] = {
                term.replace("_", " "): float(np.mean([getattr(one, term) for one in found])) for term in terms
            }
    return pd.DataFrame.from_dict(rows, orient="index")


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


def losses(compared: Compared, families: Mapping[str, str], without: Sequence[str]) -> pd.DataFrame:
    """Return how many points of accuracy each family is behind the best on each dataset, by its best-ranked method."""
    accuracy = compared.scores["accuracy"]
    ranks = _ranks(accuracy)
    groups = pd.Series({name: families[name] for name in accuracy if families[name] not in without})
    first = {family: ranks[names.index].idxmin() for family, names in groups.groupby(groups)}
    chosen = accuracy[list(first.values())].set_axis(list(first), axis=1)
    return 100 * (-chosen).add(chosen.max(axis=1), axis=0)


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


def combinations(compared: Compared, parents: Mapping[str, tuple[str, str]]) -> pd.DataFrame:
    """Return a row for each new combination: its accuracy beside those of the two systems that it is made of."""
    accuracy = compared.scores["accuracy"]
    records = win_draw_loss(accuracy, larger_is_better=True)
    rows = {}
    for name, pair in parents.items():
        if name not in accuracy or not set(pair) <= set(accuracy):
            continue
        row: dict[str, Any] = {"accuracy": accuracy[name].mean()}
        for place, parent in enumerate(pair, 1):
            gaps = accuracy[name] - accuracy[parent]
            row |= {
                f"parent {place}": f"{parent} {accuracy[parent].mean():.3f}",
                f"record {place}": "/".join(map(str, records.record(name, parent))),
                f"p {place}": float(wilcoxon(gaps).pvalue) if gaps.any() else 1.0,
            }
        rows[name] = row
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("combination")


def draw_points(frame: pd.DataFrame, x: str, y: str, title: str) -> Any:
    """Draw two columns of a frame against each other, with the names of its rows beside the points."""
    told = "; ".join(f"{name} {row[x]:.3f}, {row[y]:.3f}" for name, row in frame.iterrows())
    ax = begin(Drawing(title, f"{title}. {x}, {y}: {told}."), None, (7.2, 5.4), None, x=x, y=y, grid="both")
    points = frame[[x, y]].to_numpy()
    ax.scatter(*points.T, s=20, color="#0072b2", zorder=3)
    Labels(
        ax, [Label(tuple(point), str(name), INK) for name, point in zip(frame.index, points, strict=True)], points, 6
    )
    return ax


def draw_parts(frame: pd.DataFrame, title: str) -> Any:
    """Draw bias and variance of methods as bars that add up to their errors, the least error on top."""
    ordered = frame.sort_values("error", ascending=False)
    told = "; ".join(f"{name} {row['bias']:.3f} and {row['variance']:.3f}" for name, row in ordered[::-1].iterrows())
    size = (7.2, 0.6 + 0.2 * len(ordered))
    ax = begin(Drawing(title, f"{title}. Bias and variance: {told}."), None, size, None, x="error", grid="x")
    ax.barh(ordered.index, ordered["bias"], color="#0072b2", label="bias")
    ax.barh(ordered.index, ordered["variance"], left=ordered["bias"], color="#e69f00", label="variance")
    ax.legend(frameon=False, loc="lower right", labelcolor=INK)
    return ax


def figures(compared: Compared, table: pd.DataFrame, families: Mapping[str, str]) -> dict[str, Any]:
    """Return the axes of each figure by its name."""
    accuracy = compared.scores["accuracy"]
    first = table.reset_index().groupby("family")["method"].first()
    ranks = nemenyi(accuracy[[name for name in table.index if name in set(first)]], larger_is_better=True)
    drawn = {"ranks": ranks.plot(title="Mean ranks by accuracy of the best method of each family")}
    times = {"metric": "mean accuracy", "larger_is_better": True}
    drawn["time"] = draw_accuracy_time(
        accuracy_time(table["mean accuracy"], table["fit (s)"], list(table.index), **times)
    )
    members = diversity(compared)
    if len(members) > 1:
        title = "Members that err more must agree less"
        drawn["diversity"] = draw_points(members, "kappa", "individual error", title)
    drawn["bias-variance"] = draw_parts(bias_and_variance(compared), "Bias and variance of the methods")
    return drawn


def page(
    compared: Compared, datasets: Sequence[Dataset], families: Mapping[str, str], parents: Mapping[str, tuple[str, str]]
) -> tuple[str, pd.DataFrame, dict[str, Any]]:
    """Return the page in Markdown, the table of methods, and the figures that the page shows."""
    table = overview(compared, families)
    drawn = figures(compared, table, families)
    known = properties(datasets, compared)
    behind = losses(compared, families, without=("combination", "new combinations", "trees"))
    pays = advice_pays(known, behind) if len(known) >= 2 * FEWEST_DATASETS else {}
    n_repeats = int(compared.frame["fit"].max() + 1) // 2
    shown = ResultTable(table, formats=FORMATS, default_format=".3f").to_markdown().strip()
    made = ResultTable(combinations(compared, parents), default_format=".3f").to_markdown().strip()
    lines = [
        f"{len(known)} datasets of up to {known['rows'].max()} rows and {known['columns'].max()} columns, "
        f"{len(table)} methods, {counted(n_repeats, 'repeat')} of two folds. Means and ranks are over all datasets.",
        "",
        shown,
        "",
        *(f"![{ax.get_label()}](families-{name}.svg)\n" for name, ax in drawn.items()),
        "## Which family on which data",
        "",
        "Points of accuracy by which the best-ranked method of each family is behind the best of them:",
        "",
        "```text",
        *which_family(known, behind),
        "```",
        "",
    ]
    if pays:
        told = "; ".join(f"{how} {loss:.2f}" for how, loss in pays.items())
        lines += [f"Points lost on datasets left out, if the family is chosen: {told}.", ""]
    lines += ["## Combinations that no paper tried", "", made, "", *compared.notes, ""]
    return "\n".join(lines), table, drawn


def write_report(
    out: Path,
    datasets: Sequence[Dataset],
    families: Mapping[str, str],
    parents: Mapping[str, tuple[str, str]],
    docs: Path | None,
) -> None:
    """Write ``families.md``, its figures, and the scores as CSV; print the page."""
    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "covey"
    compared = read(out / "stores")
    if compared is None:
        print("Fewer than two methods have results on the same datasets.")
        return
    text, table, drawn = page(compared, datasets, families, parents)
    for folder in (out, docs):
        if folder is None:
            continue
        (folder / "families-results.md").write_text(text)
        table.to_csv(folder / "families.csv", float_format="%.6g")
        compared.scores["accuracy"].to_csv(folder / "families-accuracy.csv", float_format="%.5f")
        for name, ax in drawn.items():
            save_figure(ax, folder / f"families-{name}.svg", bbox_inches="tight")
    plt.close("all")
    print(text)
