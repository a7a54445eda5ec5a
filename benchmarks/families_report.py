"""The page of the study of families: figures and tables of what `families_analysis` finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import families_analysis as found
import matplotlib as mpl
import pandas as pd
from accuracy_report import Compared, read
from families_times import N_DATASETS, read_times
from matplotlib import pyplot as plt

from covey._text import counted
from covey.analysis.significance import nemenyi
from covey.analysis.tables import ResultTable
from covey.datasets import Dataset
from covey.plots import accuracy_time, draw_accuracy_time, draw_method_intervals, method_intervals, save_figure
from covey.plots.layout import Label, Labels
from covey.plots.style import INK, begin

PAGE, RESULTS = "families-study.md", "<!-- What follows is written by benchmarks/families.py. -->"
OVERVIEW = {"rank by accuracy": ".1f", "rank by log loss": ".1f", "fit (s)": ".2g"}
GAPS = {"p": ".2g"}
NEW, COMBINATION = "new combinations", "combination"
TIMED = {
    False: "Times to train are medians of wall time.",
    True: f"Times to train are medians of processor time over {N_DATASETS} of the datasets, of all sizes, as far "
    "as they were measured.",
}
# How many methods are named in the order to try them in.
MOST_TRIED = 6
# A method that has results on less datasets is not told of.
FEWEST_SOME = 20


@dataclass(frozen=True)
class Drawing:
    """What a figure of this page says of itself."""

    title: str
    description: str


@dataclass(frozen=True)
class Findings:
    """The tables of the study."""

    table: pd.DataFrame  # of methods
    best: dict[str, str]  # the method of each family that stands for it
    gaps: pd.DataFrame  # of those, behind the first
    parts: pd.DataFrame  # bias and variance
    n_repeated: int  # datasets that these are means of
    members: pd.DataFrame  # votes of members, method by method and dataset by dataset
    known: pd.DataFrame  # properties of datasets
    behind: pd.DataFrame  # losses of families
    timed: bool  # whether seconds are of processor time

    @classmethod
    def of(
        cls,
        compared: Compared,
        datasets: Sequence[Dataset],
        families: Mapping[str, str],
        seconds: pd.Series | None = None,
    ) -> Findings:
        """Return what was found."""
        table, accuracy = found.overview(compared, families, seconds), compared.scores["accuracy"]
        best = found.best_of(table)
        single = found.best_of(table, without=(COMBINATION, NEW, "trees"))
        first, *others = best.values()
        return cls(
            table,
            best,
            found.beside(accuracy, first, others),
            *found.bias_and_variance(compared),
            found.votes(compared),
            found.properties(datasets, compared),
            found.losses(accuracy, single),
            seconds is not None,
        )


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
    size = (7.2, 0.9 + 0.19 * len(ordered))
    ax = begin(Drawing(title, f"{title}. Bias and variance: {told}."), None, size, None, x="error", grid="x")
    ax.barh(ordered.index, ordered["bias"], color="#0072b2", label="bias")
    ax.barh(ordered.index, ordered["variance"], left=ordered["bias"], color="#e69f00", label="variance")
    ax.margins(y=0.01)
    ax.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=2, labelcolor=INK)
    return ax


def draw_gaps(best: Mapping[str, str], gaps: pd.DataFrame) -> Any:
    """Draw how many points of accuracy the best method of each family is behind the first, with intervals."""
    first, *names = best.values()
    labels = {name: f"{name} ({family})" for family, name in best.items()}
    some = gaps.loc[names].rename(labels)
    none = pd.DataFrame({"points": 0.0, "low": float("nan"), "high": float("nan")}, index=[labels[first]])
    rows = pd.concat([none, some[["points", "low", "high"]]])
    metric = f"points of accuracy behind {first}"
    intervals = method_intervals(
        rows["points"], rows["low"], rows["high"], list(rows.index), metric=metric, larger_is_better=False
    )
    return draw_method_intervals(intervals, title="The best method of each family")


def figures(compared: Compared, findings: Findings) -> dict[str, Any]:
    """Return the axes of each figure by its name."""
    accuracy, table = compared.scores["accuracy"], findings.table
    test = nemenyi(accuracy[list(findings.best.values())], larger_is_better=True)
    drawn = {
        "ranks": test.plot(title="Mean ranks by accuracy of the best method of each family"),
        "gaps": draw_gaps(findings.best, findings.gaps),
    }
    times = {"metric": "mean accuracy", "larger_is_better": True}
    timed = table[table["fit (s)"].notna()]
    points = accuracy_time(timed["accuracy"], timed["fit (s)"], list(timed.index), **times)
    named = [name for place, name in enumerate(points.methods) if place in points.front] + list(findings.best.values())
    some = timed.loc[timed.index.isin(named)]
    drawn["time"] = draw_accuracy_time(accuracy_time(some["accuracy"], some["fit (s)"], list(some.index), **times))
    members = found.diversity(findings.members)
    if len(members) > 1:
        drawn["diversity"] = draw_points(
            members, "kappa", "individual error", "Agreement of members against their error"
        )
    if len(findings.parts):
        drawn["bias-variance"] = draw_parts(findings.parts, "Bias and variance")
    return drawn


def _named(gaps: pd.DataFrame) -> pd.DataFrame:
    return gaps.rename(columns={"record": "better/equal/worse", "low": "from", "high": "to"})


def _shown(frame: pd.DataFrame, formats: Mapping[str, str] | None = None, default: str = ".3f") -> list[str]:
    known = {name: text for name, text in (formats or {}).items() if name in frame}
    table = ResultTable(frame, formats=known, default_format=default)
    return [table.to_markdown().strip(), ""]


def _on_families(findings: Findings) -> list[str]:
    known, behind = findings.known, findings.behind
    stand_for = ", ".join(f"{name} for {family}" for family, name in findings.best.items() if family in behind)
    lines = [
        "### Which family on which data",
        "",
        f"Points of accuracy by which each family is behind the best of them ({stand_for}). Datasets are cut at the "
        "median of a property. A star: losses go up or down with the property, beyond chance (Spearman, Holm, 0.05). "
        "Noise is the least error that any method has.",
        "",
        *_shown(found.by_kind(known, behind)),
        f"A tree over these properties, with {counted(found.FEWEST_DATASETS, 'dataset')} or more in a leaf:",
        "",
        "```text",
        *found.which_family(known, behind),
        "```",
        "",
    ]
    if len(known) >= 2 * found.FEWEST_DATASETS:
        pays = found.advice_pays(known, behind)
        told = "; ".join(f"{how} {loss:.2f}" for how, loss in pays.items())
        lines += [f"Points lost on datasets left out, if the family is chosen: {told}.", ""]
    return lines


def _on_order(compared: Compared, table: pd.DataFrame) -> list[str]:
    """Return tables of which methods to try, with the combination among them and without."""
    lines = []
    single = table.index[~table["family"].isin([COMBINATION])]
    kinds = {"Of all methods": table.index}
    if len(single) < len(table):
        kinds["Without the combination"] = single
    for said, among in kinds.items():
        order = found.order_to_try(compared, list(among), MOST_TRIED)
        lines += [f"{said}:", "", *_shown(order, {"points gained": "+.2f"})]
    return [
        "### Which methods to try",
        "",
        "The accuracy that one gets by trying several methods and taking the best of them. The choice is made on one "
        "half of the rows and scored on the other. Each line adds the method that helps the most.",
        "",
        *lines,
    ]


def _on_some(compared: Compared, findings: Findings) -> list[str]:
    """Return a section for each method that lacks datasets, beside the best of each family where it has them."""
    lines = []
    for name, accuracy in compared.every["accuracy"].drop(columns=compared.methods).items():
        n_datasets = int(accuracy.notna().sum())
        if n_datasets < FEWEST_SOME:
            continue
        table, ranks = found.on_some(compared, str(name), list(findings.best.values()))
        rest = ranks.drop(name)
        lines += [
            f"### {name}, on {counted(n_datasets, 'dataset')}",
            "",
            f"There was no time for the others. On these its accuracy is {accuracy.mean():.3f} and its mean rank "
            f"{ranks[name]:.1f} of {len(ranks)}; the best of the others is {rest.idxmin()} with {rest.min():.1f}. "
            "The table is as the one above: by how many points the others are behind it.",
            "",
            *_shown(_named(table), {"accuracy": ".3f", **GAPS}, ".2f"),
        ]
    return lines


def _on_combinations(compared: Compared, parents: Mapping[str, tuple[str, str]]) -> list[str]:
    frame = found.combinations(compared.scores["accuracy"], parents)
    if not len(frame):
        return []
    formats = {"mean rank": ".1f", "p 1": ".2g", "p 2": ".2g"}
    return [
        "### Combinations that no paper tried",
        "",
        "Beside the two systems that each is made of: their accuracies, the datasets on which the combination is "
        "better, equal and worse, and p (Wilcoxon, Holm over the table).",
        "",
        *_shown(frame, formats),
    ]


def page(compared: Compared, findings: Findings, parents: Mapping[str, tuple[str, str]]) -> tuple[str, dict[str, Any]]:
    """Return the results in Markdown, and the figures that they show."""
    table, known = findings.table, findings.known
    drawn = figures(compared, findings)
    shown = {name: f"![{ax.get_label()}](families-{name}.svg)\n" for name, ax in drawn.items()}
    difference = nemenyi(compared.scores["accuracy"], larger_is_better=True).critical_difference
    lines = [
        "## All results",
        "",
        f"{len(known)} datasets of {known['rows'].min()} to {known['rows'].max()} rows and up to "
        f"{known['columns'].max()} columns, {len(table)} methods. Means and ranks are over all datasets; the critical "
        "difference of all mean ranks by accuracy is "
        f"{difference:.1f}. {TIMED[findings.timed]}",
        "",
        *_shown(table, OVERVIEW),
        "### The best method of each family",
        "",
        f"Points of accuracy behind {next(iter(findings.best.values()))} with a 95% interval, datasets on which that "
        "is better, equal and worse, p (Wilcoxon, Holm), and the chances that it is better by more than a point, that "
        "both are within a point, and that it is worse by more (Bayesian signed-rank test).",
        "",
        *_shown(_named(findings.gaps), GAPS, ".2f"),
        *(shown[name] for name in ("ranks", "gaps", "time")),
        *_on_some(compared, findings),
        *_on_families(findings),
        *_on_order(compared, table),
        *_on_combinations(compared, parents),
        *_on_members(findings, shown),
        *compared.notes,
        "",
    ]
    return "\n".join(lines), drawn


def _on_members(findings: Findings, shown: Mapping[str, str]) -> list[str]:
    lines = []
    members = found.diversity(findings.members)
    if "diversity" in shown:
        shares = "; ".join(f"{what} {share:.2f}" for what, share in found.explained(findings.members).items())
        lines += [
            "### Diversity against individual error",
            "",
            f"Means over datasets, of the first fit on each. Share of the variance between methods that is explained, "
            f"dataset by dataset: {shares}.",
            "",
            *_shown(members.rename_axis("method")),
            shown["diversity"],
        ]
    if "bias-variance" in shown:
        lines += [
            "### Bias and variance",
            "",
            f"Kohavi and Wolpert's, corrected for the number of repeats: means over the "
            f"{counted(findings.n_repeated, 'dataset')} of which these methods have two repeats or more.",
            "",
            *_shown(findings.parts.sort_values("error").rename_axis("method")),
            shown["bias-variance"],
        ]
    return lines


def write_report(
    out: Path,
    datasets: Sequence[Dataset],
    families: Mapping[str, str],
    parents: Mapping[str, tuple[str, str]],
    docs: Path | None,
) -> None:
    """Write the page, its figures, and the scores as CSV; print the results.

    Of a page that is there, what stands before the mark stays as it is.
    """
    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "covey"
    compared = read(out / "stores", same_repeats=False)
    if compared is None:
        print("Fewer than two methods have results on the same datasets.")
        return
    findings = Findings.of(compared, datasets, families, read_times(out))
    text, drawn = page(compared, findings, parents)
    for folder in (out, docs):
        if folder is None:
            continue
        file = folder / PAGE
        head = file.read_text().partition(RESULTS)[0] if file.exists() else ""
        file.write_text(f"{head}{RESULTS}\n\n{text}")
        compared.scores["accuracy"].to_csv(folder / "families-accuracy.csv", float_format="%.4f")
        for name, ax in drawn.items():
            save_figure(ax, folder / f"families-{name}.svg", bbox_inches="tight")
    findings.table.to_csv(out / "families.csv", float_format="%.6g")
    findings.known.to_csv(out / "families-datasets.csv", float_format="%.4g")
    plt.close("all")
    print(text)
