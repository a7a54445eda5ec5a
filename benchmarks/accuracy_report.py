"""Tables and figures of the accuracy study, from its stores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd

from covey._text import counted
from covey.analysis.significance import RankComparison, nemenyi, win_draw_loss
from covey.analysis.tables import ResultTable
from covey.plots import save_figure
from covey.study import Results

OURS, FOREST = "covey", "random forest"
# A method that lacks more of the datasets has a table of its own; else the datasets that some lack are left out.
MOST_LACKING = 0.05
BINS = 10
NAMES = {"accuracy": "accuracy", "neg_log_loss": "log loss", "error": "relative RMSE"}


@dataclass(frozen=True)
class Compared:
    """The methods of a task on the datasets that all of them have results on."""

    results: dict[str, Results]  # by method, those left out too
    frame: pd.DataFrame  # a row for each fit
    scores: dict[str, pd.DataFrame]  # by metric, larger is better: a row for each dataset, a column for each method
    lacking: pd.Series  # on how many datasets a method has no result
    notes: list[str]
    every: dict[str, pd.DataFrame]  # scores on all datasets, those left out too; NaN where there is none

    @property
    def methods(self) -> list[str]:
        """Those that are compared."""
        return list(next(iter(self.scores.values())).columns)

    def ranks(self, metric: str) -> RankComparison:
        """Return mean ranks and Nemenyi's test."""
        return nemenyi(self.scores[metric], larger_is_better=True)


def read(folder: Path, *, same_repeats: bool = True) -> Compared | None:
    """Return what there is of a task, None if that is less than two methods.

    Means are over the splits that all methods have, or over each method's own repeats as far as they are whole.
    """
    stores = [Results.in_store(store) for store in sorted(folder.glob("*.sqlite"))]
    results = {one.record.methods[0].name: one for one in stores}
    if len(results) < 2:
        return None
    frame = pd.concat([one.frame() for one in results.values()], ignore_index=True)
    if same_repeats:
        frame = frame[frame["fit"] <= frame.groupby("method")["fit"].max().min()]
    else:
        missing = frame["status"].eq("missing").groupby([frame["method"], frame["dataset"], frame["repeat"]])
        frame = frame[~missing.transform("any")]
    if "r2" in frame:
        frame["error"] = -np.sqrt(1 - frame["r2"])
    metrics = [metric for metric in NAMES if metric in frame]
    every = {metric: _means(frame, metric) for metric in metrics}
    lacking = every[metrics[0]].isna().sum()
    most = MOST_LACKING * len(every[metrics[0]])
    kept = lacking.index[lacking <= most]
    notes = [
        f"{name} has no result on {counted(int(lacking[name]), 'dataset')}, and is compared on the others alone:\n\n"
        f"{_on_its_own(every, str(name)).to_markdown().strip()}\n"
        for name in lacking.index[lacking > most]
        if OURS in lacking and name != OURS
    ]
    whole = every[metrics[0]][kept].notna().all(axis=1)
    for dataset in whole.index[~whole]:
        without = ", ".join(kept[every[metrics[0]].loc[dataset, kept].isna()])
        notes.append(f"{dataset} is left out: no result of {without}.")
    scores = {metric: means.loc[whole, kept] for metric, means in every.items()}
    return Compared(results, frame, scores, lacking, notes, every) if len(kept) > 1 and whole.any() else None


def _on_its_own(every: dict[str, pd.DataFrame], name: str) -> ResultTable:
    """Return a method beside covey on the datasets that both have results on."""
    columns: dict[str, object] = {}
    for metric, means in every.items():
        both = means[[OURS, name]].dropna()
        columns[f"mean {NAMES[metric]}"] = (1 if metric == "accuracy" else -1) * both.mean()
        leads = np.sign(both[OURS] - both[name])
        records = [int((leads == sign).sum()) for sign in (1, 0, -1)]
        columns[f"{OURS} by {NAMES[metric]}"] = pd.Series({OURS: "", name: "/".join(map(str, records))})
        columns["datasets"] = pd.Series({OURS: len(both), name: len(both)})
    return ResultTable(pd.DataFrame(columns), formats={"datasets": ".0f"}, default_format=".3f")


def _means(frame: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the mean over splits; NaN where one is missing."""
    groups = frame.groupby(["dataset", "method"])[metric]
    return groups.agg(lambda scores: scores.mean(skipna=False)).unstack("method")


def summary(compared: Compared) -> ResultTable:
    """Return a row for each method, the best mean rank first."""
    columns: dict[str, object] = {}
    for metric, scores in compared.scores.items():
        name, sign = NAMES[metric], 1 if metric == "accuracy" else -1
        columns[f"mean {name}"] = sign * scores.mean()
        if metric == "error":
            columns[f"median {name}"] = sign * scores.median()
        columns[f"rank by {name}"] = pd.Series(dict(zip(*_ranks(compared, metric), strict=True)))
        if OURS in scores:
            records = win_draw_loss(scores, larger_is_better=True)
            told = {other: "/".join(map(str, records.record(OURS, other))) for other in scores if other != OURS}
            columns[f"{OURS} by {name}"] = pd.Series({OURS: "", **told})
    if "accuracy" in compared.scores:
        columns["calibration error"] = pd.Series({name: calibration_error(compared, name) for name in compared.methods})
    columns["fit (s)"] = compared.frame.groupby("method")["fit seconds"].median()
    columns["datasets lacking"] = compared.lacking
    frame = pd.DataFrame(columns).loc[compared.methods]
    frame = frame.sort_values(next(name for name in frame if name.startswith("rank")))
    frame.index.name = "method"
    formats = {name: ".2f" for name in frame if name.startswith("rank")} | {"fit (s)": ".2g", "datasets lacking": ".0f"}
    return ResultTable(frame, formats=formats, default_format=".3f")


def _ranks(compared: Compared, metric: str) -> tuple[tuple[str, ...], list[float]]:
    test = compared.ranks(metric)
    return tuple(test.methods), list(test.mean_ranks)


def calibration_error(compared: Compared, method: str) -> float:
    """Return the mean over datasets of the gap between confidence and accuracy, in ten bins of equal width."""
    errors = []
    for dataset in compared.scores["accuracy"].index:
        fits = list(compared.results[method].fits(dataset, method))
        if not all("probabilities" in fit for fit in fits):
            return float("nan")
        sure = np.concatenate([fit["probabilities"].max(axis=1) for fit in fits])
        right = np.concatenate([fit["classes"][fit["probabilities"].argmax(axis=1)] == fit["y"] for fit in fits])
        bins = np.minimum((sure * BINS).astype(int), BINS - 1)
        gaps = np.abs(np.bincount(bins, right - sure, BINS))
        errors.append(gaps.sum() / len(sure))
    return float(np.mean(errors))


def behind(compared: Compared) -> pd.DataFrame:
    """Return the datasets on which covey is more than 2 points behind the forest, with standard errors.

    The error is of paired differences between rows, those of one row in several splits taken together.
    """
    scores, rows = compared.scores["accuracy"], {}
    for dataset in scores.index[scores[FOREST] - scores[OURS] > 0.02]:
        pairs = zip(*(compared.results[name].fits(dataset, name) for name in (FOREST, OURS)), strict=False)
        parts = [
            pd.Series(
                (forest["predictions"] == forest["y"]) * 1.0 - (ours["predictions"] == ours["y"]), forest["cases"]
            )
            for forest, ours in pairs
        ]
        gaps = pd.concat(parts)
        deviations = (gaps - gaps.mean()).groupby(level=0).sum()
        rows[dataset] = (gaps.mean(), float(np.sqrt((deviations**2).sum())) / len(gaps))
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["behind", "standard error"])
    table["beyond noise"] = table["behind"] > 3 * table["standard error"]
    return table.rename_axis("dataset").sort_values("behind", ascending=False)


def describe(compared: Compared, task: str) -> list[str]:
    """Return the lines of a task in Markdown, but for figures."""
    n_fits = compared.frame["fit"].max() + 1
    n_datasets = len(next(iter(compared.scores.values())))
    lines = [f"## {task.capitalize()}", "", f"{n_datasets} datasets, {counted(n_fits, 'split')} of each.", ""]
    lines += [summary(compared).to_markdown().strip(), ""]
    for metric in compared.scores:
        test = compared.ranks(metric)
        lines.append(f"Critical difference of mean ranks by {NAMES[metric]}: {test.critical_difference:.2f}.")
    if task == "classification" and {OURS, FOREST} <= set(compared.methods):
        table = behind(compared)
        beyond = table[table["beyond noise"]]
        told = [
            f"{name} ({row['behind']:.1%}, standard error {row['standard error']:.1%})"
            for name, row in beyond.iterrows()
        ]
        lines.append(
            f"More than 2 points of accuracy behind the random forest, and by more than three standard errors: "
            f"{'; '.join(told) or 'none'}. Within them: {', '.join(table.index[~table['beyond noise']]) or 'none'}."
        )
    return [*lines, *compared.notes, ""]


HEAD = """# Accuracy

Random divisions into two thirds for training and a third for the test, stratified by class; every learner at its
defaults, one thread per fit (`make bench-accuracy`). Datasets have up to 6,000 rows, those of regression up to 12,000,
of which at most 3,000 are for training. Ranks and means are over the datasets on which all methods of the table have
results; a fit may take ten minutes. Log loss is cut off at the smallest number next to 0, as scikit-learn's is, so that
one row that was held to be impossible costs 36. "covey by" tells on how many datasets covey is better, equal and worse.
The calibration error is the mean over datasets of the expected calibration error in ten bins. The relative RMSE is the
root of the mean squared error over the standard deviation of the test part's target. Times to train are medians of wall
time.
"""


def write_report(out: Path, docs: Path | None) -> None:
    """Write ``accuracy.md``, tables as CSV and critical-difference diagrams, and print the page."""
    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "covey"
    lines = [HEAD]
    folders = [out] if docs is None else [out, docs]
    for task in ("classification", "regression"):
        compared = read(out / task)
        if compared is None:
            continue
        lines += describe(compared, task)
        summary(compared).to_frame().to_csv(out / f"accuracy-{task}.csv")
        for metric, scores in compared.scores.items():
            (scores if metric == "accuracy" else -scores).to_csv(out / f"scores-{task}-{normal(metric)}.csv")
            figure = f"accuracy-{task}{'-log-loss' if metric == 'neg_log_loss' else ''}.svg"
            for folder in folders:
                axes = compared.ranks(metric).plot(title=f"{task.capitalize()}: mean ranks by {NAMES[metric]}")
                save_figure(axes, folder / figure, bbox_inches="tight")
            lines += [f"![Mean ranks by {NAMES[metric]}]({figure})", ""]
    page = "\n".join(lines)
    for folder in folders:
        (folder / "accuracy.md").write_text(page)
    print(page)


def normal(metric: str) -> str:
    """Return a metric's name in file names."""
    return metric.removeprefix("neg_").replace("_", "-")
