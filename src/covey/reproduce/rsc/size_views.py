"""Table 6 and figure 3: accuracy by the number of members, and by the least size of spheres alpha."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.analysis.staged import StagedErrors
from covey.report.page import Block, Details, Drawing, Prose, TableBlock
from covey.reproduce.beside import Beside
from covey.reproduce.paper import Found, View
from covey.reproduce.rsc.reading import closeness, in_order, misprints_on, runs_of, votes_of

if TYPE_CHECKING:
    import pandas as pd

    from covey.study import Results

SIZES = (15, 25, 50, 100, 250, 500)
SINGLE, BORDER = "mean of 25 alpha-rsc", "alphabeta-rse"
# So many curves can be told apart in one figure.
MOST_CURVES = 5


def by_size(found: Found) -> pd.DataFrame:
    """Return the accuracy of alpha-rsse in per cent: a row for each dataset, and a column for each size there is."""
    import pandas as pd

    results = found["sizes"]
    most = results.record.methods[0].params["n_estimators"]
    sizes = [size for size in SIZES if size <= most]
    columns = {size: {data: 100 * run.mean() for data, run in _by_case(results, size).items()} for size in sizes}
    frame = pd.DataFrame(columns)
    return frame.reindex(in_order(frame.index, 6)).rename_axis("dataset")


def _by_case(results: Results, size: int) -> dict[str, np.ndarray]:
    """Return the accuracy of a size for each dataset, each case counted once whatever the size of its fold."""
    found = {}
    for dataset in runs_of(results, "alpha-rsse"):
        votes = votes_of(results, dataset, "alpha-rsse")
        cases = np.array([one.n_cases for one in votes])
        right = np.array([1 - one.errors[min(size, one.n_members) - 1] for one in votes])
        found[dataset] = np.array([cases @ right / cases.sum()])
    return found


def published_sizes() -> pd.DataFrame:
    """Return table 6."""
    from covey.reproduce.published import published_table

    frame = published_table("rsc", 6)
    wide = frame.pivot(index="dataset", columns="ensemble_size", values="mean").astype(float)
    return wide.reindex(index=list(dict.fromkeys(frame["dataset"])), columns=list(SIZES))


def size_beside(found: Found) -> Beside:
    """Return our table 6 and the published one, which has no standard deviations."""
    return Beside.of(by_size(found), published_sizes(), unit="percentage point")


def show_sizes(found: Found) -> tuple[Block, ...]:
    """Return table 6 with the curves behind it."""
    from covey.analysis.tables import ResultTable

    ours, beside = by_size(found), size_beside(found)
    if ours.empty:
        return (Prose((beside.sentence,)),)
    printed = published_sizes().reindex(index=ours.index, columns=ours.columns)
    columns = {}
    for size in ours.columns:
        columns[f"{size}"], columns[f"{size}, published"] = ours[size], printed[size]
    import pandas as pd

    caption = "Table 6: accuracy of alpha-rsse in per cent by number of members, 10-fold cross-validation"
    table = ResultTable(pd.DataFrame(columns), caption=caption, default_format=".2f")
    deviations = beside.table("Table 6: accuracy in per cent").frame.rename_axis(["dataset", "members"])
    every = ResultTable(deviations, caption="Table 6, every figure", default_format=".2f")
    notes = misprints_on(6)
    quick = (
        "The quick run stops at fewer members than the paper, whose largest ensembles have 500." if found.quick else ""
    )
    return (
        Prose(tuple(text for text in (beside.sentence, quick) if text)),
        TableBlock(table, "rsc-table-6"),
        _size_curves(found),
        Details("Every figure", (TableBlock(every, "rsc-table-6-deviations", filterable=True),)),
        *((Prose(("Known misprints:", *notes)),) if notes else ()),
    )


def _size_curves(found: Found) -> Drawing:
    from covey.plots import draw_staged_error, staged_error
    from covey.report.drawing import drawn

    results = found["sizes"]
    shown = list(by_size(found).index)[-MOST_CURVES:]
    curves = staged_error({name: pooled(votes_of(results, name, "alpha-rsse")) for name in shown})
    caption = "Error of alpha-rsse by the number of members, all folds together"
    return drawn(draw_staged_error, curves, name="rsc-table-6-curves", caption=caption)


def pooled(votes: tuple[StagedErrors, ...]) -> StagedErrors:
    """Return the errors of several fits as of one, each case counted once."""
    cases = np.array([one.n_cases for one in votes])

    def mean(parts: list[np.ndarray]) -> np.ndarray:
        return np.asarray(cases @ np.array(parts) / cases.sum())

    errors, members = mean([one.errors for one in votes]), mean([one.member_errors for one in votes])
    return StagedErrors(errors, members, int(cases.sum()), max(one.n_classes for one in votes))


@lru_cache(maxsize=16)
def by_alpha(results: Results, dataset: str) -> pd.DataFrame:
    """Return accuracies in per cent: a row for each alpha; the mean of 25 single covers, and the ensemble."""
    import pandas as pd

    rows: dict[int, dict[str, float]] = {}
    for name in (one.name for one in results.record.methods):
        method, alpha = name.rsplit(" ", 1)
        if dataset not in runs_of(results, name):
            continue
        found = pooled(votes_of(results, dataset, name))
        is_single = method == "alpha-rse"
        error = found.mean_member_error if is_single else found.final
        rows.setdefault(int(alpha), {})[SINGLE if is_single else BORDER] = 100 * (1 - error)
    frame = pd.DataFrame.from_dict(rows, orient="index").reindex(columns=[SINGLE, BORDER]).dropna()
    return frame.sort_index().rename_axis("alpha")


def show_alphas(found: Found) -> tuple[Block, ...]:
    """Return figure 3: a drawing for each dataset."""
    from covey.analysis.tables import ResultTable
    from covey.plots import draw_parameter_curves, parameter_curves
    from covey.report.drawing import drawn

    results = found["alpha"]
    blocks: list[Block] = [
        Prose(
            (
                "The paper prints this figure as pictures without numbers and does not name its four datasets, so "
                "there is nothing to set beside ours but its shape: the ensemble is above the mean of single covers, "
                "and both are best at about the same alpha.",
            )
        )
    ]
    for dataset in (one.name for one in results.record.datasets):
        frame = by_alpha(results, dataset)
        if frame.empty:
            continue
        words: Any = {"parameter": "alpha", "metric": "accuracy in per cent", "larger_is_better": True}
        curves = parameter_curves(frame.index.to_numpy(), {name: frame[name].to_numpy() for name in frame}, **words)
        name, caption = f"rsc-figure-3-{dataset}", f"{dataset}: accuracy by the least number of cases in a sphere"
        blocks.append(drawn(draw_parameter_curves, curves, name=name, caption=caption))
        table = ResultTable(frame, caption=f"{dataset}: accuracy in per cent", default_format=".2f")
        blocks.append(Details(f"Numbers of {dataset}", (TableBlock(table, name),)))
    return tuple(blocks)


VIEWS = (
    View(
        "6",
        "Accuracy of alpha-rsse by number of members",
        ("sizes",),
        show_sizes,
        lambda found: closeness(6, size_beside(found)),
    ),
)
FIGURES = (View("figure 3", "Accuracy by alpha, of single covers and of the ensemble", ("alpha",), show_alphas),)
