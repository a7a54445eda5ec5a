"""The paper's tables 1 to 6 and figures 2 to 6, ours beside the published."""

from __future__ import annotations

from functools import partial
from math import exp, isfinite, log
from typing import TYPE_CHECKING

from covey.reproduce.multistrategy.measures import MEASURES, OF_ALL, Comparison, Measures, measures_of
from covey.reproduce.multistrategy.printed import MEANS, follows, printed_comparisons, printed_records
from covey.reproduce.multistrategy.systems import ENSEMBLES
from covey.reproduce.paper import Found, View
from covey.reproduce.published import published_table

if TYPE_CHECKING:
    import pandas as pd

    from covey.plots import HierarchyDiagram
    from covey.report.page import Block, Drawing, TableBlock, Tone

AGREE: dict[str, Tone] = {"yes": "good", "no": "bad"}
NOTES = (
    "ratio: geometric mean of method / against over the datasets.",
    "apart: natural logarithm of our ratio over the published, 0.10 is about 10 %; the paper prints no spread.",
    "record: datasets with a smaller, the same and a larger value of method; p: two-tailed sign test without draws.",
    "agree: whether the sign test at 0.05 says the same of both: lower, higher or level.",
)


def _pairs(measure: str, measures: Measures) -> list[tuple[Comparison, Comparison, str]]:
    """Return our cell, the published one and its p-value as printed, for all cells of a table."""
    return [
        (measures.compare(measure, theirs.method, theirs.against), theirs, printed)
        for theirs, printed in printed_comparisons(measure)
    ]


def _apart(ours: Comparison, theirs: Comparison) -> float:
    """Return how far our ratio is from the published: the difference of logarithms."""
    return log(ours.ratio / theirs.ratio) if ours.ratio > 0 else float("nan")


def show_table(measure: str, found: Found) -> tuple[Block, ...]:
    """Return one of tables 1 to 5."""
    import pandas as pd

    from covey.analysis.tables import ResultTable
    from covey.report.page import Prose, TableBlock

    pairs = _pairs(measure, measures_of(found))
    index = pd.MultiIndex.from_tuples(
        [(theirs.method, theirs.against) for _, theirs, _ in pairs], names=["method", "against"]
    )
    frame = pd.DataFrame(
        {
            "ratio": [ours.ratio for ours, _, _ in pairs],
            "published ratio": [theirs.ratio for _, theirs, _ in pairs],
            "apart": [_apart(ours, theirs) for ours, theirs, _ in pairs],
            "record": [ours.record for ours, _, _ in pairs],
            "published record": [theirs.record for _, theirs, _ in pairs],
            "p": [ours.p_value for ours, _, _ in pairs],
            "published p": [printed for _, _, printed in pairs],
            "agree": ["yes" if ours.outcome == theirs.outcome else "no" for ours, theirs, _ in pairs],
        },
        index=index,
    )
    number = MEASURES.index(measure) + 1
    table = ResultTable(
        frame,
        caption=f"Comparison of {measure}: ours beside table {number} of the paper",
        formats={"ratio": ".2f", "published ratio": ".2f", "apart": "+.2f", "p": "p"},
        notes=(*NOTES, _recomputed(pairs)),
    )
    name = f"multistrategy-table-{number}"
    return Prose((tell_table(measure, found),)), TableBlock(table, name, badges={"agree": AGREE}, filterable=True)


def _recomputed(pairs: list[tuple[Comparison, Comparison, str]]) -> str:
    """Say whether the printed p-values follow from the printed records."""
    wrong = [f"{theirs.against} to {theirs.method}" for _, theirs, printed in pairs if not follows(theirs, printed)]
    if not wrong:
        return f"All {len(pairs)} printed p-values follow from the printed records."
    return f"Of {len(pairs)} printed p-values these do not follow from the printed records: {', '.join(wrong)}."


def tell_table(measure: str, found: Found) -> str:
    """Say how close a table is to the published one."""
    pairs = _pairs(measure, measures_of(found))
    number = MEASURES.index(measure) + 1
    agree = sum(ours.outcome == theirs.outcome for ours, theirs, _ in pairs)
    opposed = sum({ours.outcome, theirs.outcome} == {"lower", "higher"} for ours, theirs, _ in pairs)
    apart = sorted(abs(value) for value in (_apart(ours, theirs) for ours, theirs, _ in pairs) if isfinite(value))
    if not apart:
        return f"Table {number} ({measure}) has nothing to compare."
    middle = (apart[(len(apart) - 1) // 2] + apart[len(apart) // 2]) / 2
    ratios = f"ratios are off by a factor of {exp(middle):.2f} in the median and {exp(apart[-1]):.2f} at most"
    against = f", {opposed} say the opposite" if opposed else ", none says the opposite" if agree < len(pairs) else ""
    return f"Table {number} ({measure}): {agree} of {len(pairs)} sign tests come out as published{against}; {ratios}."


def _diagrams(measure: str, measures: Measures) -> tuple[HierarchyDiagram, HierarchyDiagram] | None:
    """Return our hierarchy and that of the published records; None if fewer than two datasets have all systems."""
    from covey.plots import MULTISTRATEGY, hierarchy_diagram

    trees = measure in OF_ALL
    parts = {name: own for name, own in MULTISTRATEGY.items() if trees or name in ENSEMBLES}
    if len(measures.of(measure, tuple(parts))) < 2:
        return None
    larger = measure == "diversity"
    ours = measures.records(measure, tuple(parts), larger_is_better=larger)
    means = {str(name): mean for name, mean in measures.of(measure, tuple(parts)).mean().items()}
    theirs = printed_records(measure, larger_is_better=larger)
    return (
        hierarchy_diagram(ours, means, parts, measure=measure),
        hierarchy_diagram(theirs, None, parts, measure=f"{measure}, published"),
    )


def show_figure(measure: str, found: Found) -> tuple[Block, ...]:
    """Return one of figures 2 to 6: the hierarchy with our means, and with the published records."""
    from covey.plots import draw_hierarchy
    from covey.report.drawing import drawn
    from covey.report.page import Prose

    measures, number = measures_of(found), MEASURES.index(measure) + 2
    diagrams = _diagrams(measure, measures)
    if diagrams is None:
        return (Prose((tell_figure(measure, found),)),)
    ours, theirs = diagrams
    drawings: list[Drawing] = [
        drawn(draw_hierarchy, data, name=f"multistrategy-figure-{number}-{whose}", caption=who)
        for data, whose, who in (
            (ours, "ours", f"Ours: mean {measure} over {ours.n_datasets} datasets, and the steps up"),
            (
                theirs,
                "published",
                f"Published: the steps up, from the records of table {number - 1}; the means are lost",
            ),
        )
    ]
    return (
        Prose((tell_figure(measure, found), *_direction(measure))),
        *drawings,
        _means_table(measure, measures, number),
    )


def _direction(measure: str) -> tuple[str, ...]:
    if measure != "diversity":
        return ()
    return ("More diversity counts as better here, for it is what the paper's strategies aim at.",)


def tell_figure(measure: str, found: Found) -> str:
    """Say how many steps up the hierarchy are as published."""
    diagrams, number = _diagrams(measure, measures_of(found)), MEASURES.index(measure) + 2
    if diagrams is None:
        return f"Figure {number} ({measure}) needs two datasets on which every system was carried out."
    ours, theirs = diagrams
    same = sum(one.sign == other.sign for one, other in zip(ours.steps, theirs.steps, strict=True))
    return f"Figure {number} ({measure}): {same} of {len(ours.steps)} steps up have the published sign."


def _means_table(measure: str, measures: Measures, number: int) -> TableBlock:
    """Return our means with those that are left of the published."""
    import pandas as pd

    from covey.analysis.tables import ResultTable
    from covey.report.page import TableBlock

    means = measures.frames[measure].dropna(axis=1, how="all").dropna().mean()
    left = MEANS.get(measure, {})
    frame = pd.DataFrame({"ours": means}).rename_axis("system")
    if left:
        frame["published"] = pd.Series(left)
        frame["ratio"] = frame["ours"] / frame["published"]
    note = "The values in the printed figure are lost"
    note += " but for those that the text repeats, which are of all 41 datasets and 100 members." if left else "."
    if "boost-small" in frame.index:
        note += " boost-small has as many members as a sub-committee of mb, in the paper 10."
    sizes = sorted({int(size) for size in measures.members[list(ENSEMBLES)].max()})
    note += f" The other ensembles have {', '.join(map(str, sizes))} members here."
    return TableBlock(
        ResultTable(frame, caption=f"Mean {measure} over datasets", notes=(note,)),
        f"multistrategy-figure-{number}-means",
    )


def show_datasets(found: Found) -> tuple[Block, ...]:
    """Return table 6: the datasets, ours beside the paper's."""
    from covey.analysis.tables import ResultTable
    from covey.report.page import TableBlock

    frame = _datasets(found)
    table = ResultTable(
        frame,
        caption="The datasets, ours beside table 6 of the paper",
        notes=(
            "discrete: attributes with categories. same: whether rows and classes are as printed. "
            "See the misprints for what the paper has wrong.",
        ),
    )
    return (TableBlock(table, "multistrategy-table-6", badges={"same": AGREE}, filterable=True),)


def _datasets(found: Found) -> pd.DataFrame:
    import pandas as pd

    printed = published_table("multistrategy", 6).set_index("dataset").to_dict(orient="index")
    records = {data.name: data for data in found["systems"].record.datasets}
    rows = {
        name: {
            "source": data.source,
            "rows": data.n_rows,
            "published rows": printed[name]["size"],
            "classes": len(data.classes),
            "published classes": printed[name]["classes"],
            "numeric": data.n_features - data.n_categorical,
            "published numeric": printed[name]["numeric"],
            "discrete": data.n_categorical,
            "published discrete": printed[name]["discrete"],
        }
        for name, data in records.items()
    }
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("dataset")
    same = (frame["rows"] == frame["published rows"]) & (frame["classes"] == frame["published classes"])
    return frame.assign(same=same.map({True: "yes", False: "no"}))


def tell_datasets(found: Found) -> str:
    """Say how many datasets are of the printed size."""
    frame = _datasets(found)
    return f"Table 6: {int((frame['same'] == 'yes').sum())} of {len(frame)} datasets have the printed rows and classes."


def tell_all(found: Found) -> str:
    """Say how close tables 1 to 5 are together."""
    measures = measures_of(found)
    pairs = [pair for measure in MEASURES for pair in _pairs(measure, measures)]
    agree = sum(ours.outcome == theirs.outcome for ours, theirs, _ in pairs)
    opposed = sum({ours.outcome, theirs.outcome} == {"lower", "higher"} for ours, theirs, _ in pairs)
    within = sum(abs(_apart(ours, theirs)) <= log(1.1) for ours, theirs, _ in pairs)
    return (
        f"Of the {len(pairs)} comparisons in tables 1 to 5, {agree} sign tests come out as published and "
        f"{opposed or 'none'} the other way round; {within} ratios are within 10 % of the published."
    )


_NEEDS = ("systems",)
VIEWS: tuple[View, ...] = (
    *(
        View(
            str(number),
            f"Comparison of {measure}",
            _NEEDS,
            partial(show_table, measure),
            partial(tell_table, measure),
        )
        for number, measure in enumerate(MEASURES, 1)
    ),
    View("6", "Datasets", _NEEDS, show_datasets, tell_datasets),
    *(
        View(
            f"figure {number}",
            f"Hierarchy of {measure}",
            _NEEDS,
            partial(show_figure, measure),
            partial(tell_figure, measure),
        )
        for number, measure in enumerate(MEASURES, 2)
    ),
)
