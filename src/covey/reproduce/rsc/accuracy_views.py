"""Tables 2 to 5 and figures 4 and 5: accuracies of ensembles, and what ranks say of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from covey._rounding import write_number
from covey._text import counted
from covey.analysis.significance import nemenyi
from covey.report.page import Block, Details, Drawing, Prose, TableBlock
from covey.reproduce.beside import Beside
from covey.reproduce.paper import Found, View
from covey.reproduce.rsc.reading import (
    FEW,
    FULL_SPACE,
    LEVEL,
    MANY,
    SUBSPACE,
    Accuracies,
    accuracies,
    closeness,
    misprints_on,
    published_means,
)

if TYPE_CHECKING:
    import pandas as pd

    from covey.analysis.significance import RankComparison
    from covey.analysis.tables import ResultTable

FULL_IDS, SUBSPACE_IDS = ("full-space", "unscaled"), ("subspace", "unscaled")
WAVEFORM = (
    "waveform-40 is one class of the 21-column set against the others: the published accuracies are above what three "
    "classes allow, about 86, and spheres come near them on 21 columns only."
)
WDBC = "wdbc is not scaled for spheres: the published accuracies fit the attributes as they are."


@dataclass(frozen=True)
class AccuracyTable:
    """One of the tables 2 to 5.

    Parameters
    ----------
    number : int
        Of the table.
    size : int
        Members of the ensembles.
    methods : tuple of str
        Its columns.
    ids : tuple of str
        The experiments it is made from.
    """

    number: int
    size: int
    methods: tuple[str, ...]
    ids: tuple[str, ...]

    def ours(self, found: Found) -> Accuracies:
        """Return what was found."""
        return accuracies(found, self.size, self.methods, self.ids)

    def beside(self, found: Found) -> Beside:
        """Return ours and the published."""
        return Beside.of(self.ours(found).mean, published_means(self.number), published_means(self.number, spread=True))

    @property
    def title(self) -> str:
        """What it shows."""
        where = "all attributes" if self.methods == FULL_SPACE else "some attributes"
        return f"Accuracy of ensembles of {self.size} on {where}"

    def tell(self, found: Found) -> str:
        """Say how close ours are."""
        return closeness(self.number, self.beside(found))

    def show(self, found: Found) -> tuple[Block, ...]:
        """Return the table, its ranks, and every deviation."""
        ours, beside = self.ours(found), self.beside(found)
        number = self.number
        deviations = beside.table(f"Table {number}: accuracy in per cent, ours and the published")
        notes = misprints_on(number)
        return (
            Prose((beside.sentence, WAVEFORM, WDBC)),
            TableBlock(side_by_side(ours, number, self.methods), f"rsc-table-{number}"),
            *rank_blocks(ours.whole, published_means(number), f"rsc-table-{number}-ranks"),
            Details("Every figure", (TableBlock(deviations, f"rsc-table-{number}-deviations", filterable=True),)),
            *((Prose(("Known misprints:", *notes)),) if notes else ()),
        )

    @property
    def view(self) -> View:
        """The view of it."""
        return View(str(self.number), self.title, self.ids, self.show, self.tell)


TABLES = (
    AccuracyTable(2, FEW, FULL_SPACE, FULL_IDS),
    AccuracyTable(3, MANY, FULL_SPACE, FULL_IDS),
    AccuracyTable(4, FEW, SUBSPACE, SUBSPACE_IDS),
    AccuracyTable(5, MANY, SUBSPACE, SUBSPACE_IDS),
)


def side_by_side(ours: Accuracies, number: int, methods: Sequence[str]) -> ResultTable:
    """Return a row for each dataset with our accuracy and the published one of each method, the best of both bold."""
    import pandas as pd

    from covey.analysis.tables import ResultTable

    printed = published_means(number).reindex(index=ours.mean.index, columns=list(methods))
    spread = published_means(number, spread=True).reindex(index=ours.mean.index, columns=list(methods))
    columns, spreads, bold = {}, {}, {}
    for name in methods:
        for label, means, widths in ((name, ours.mean, ours.spread), (f"{name}, published", printed, spread)):
            columns[label], spreads[label] = means[name], widths[name]
            best = means.round(2).max(axis=1)
            bold[label] = means[name].round(2).eq(best)
    return ResultTable(
        pd.DataFrame(columns),
        caption=f"Table {number}: accuracy in per cent, mean ± standard deviation over splits",
        default_format=".2f",
        spread=pd.DataFrame(spreads),
        bold=pd.DataFrame(bold),
        notes=("Bold: the best of ours in a row, and the best of the published.",),
    )


def rank_blocks(ours: pd.DataFrame, printed: pd.DataFrame, name: str, alpha: float = LEVEL) -> tuple[Block, ...]:
    """Return mean ranks beside those of the published accuracies on the same datasets, with Friedman's test of each."""
    if len(ours) < 2:
        return (Prose(("Ranks need two datasets or more on which every method was carried out.",)),)
    same = printed.reindex(index=ours.index, columns=ours.columns)
    mine = nemenyi(ours, larger_is_better=True, alpha=alpha)
    theirs = nemenyi(same, larger_is_better=True, alpha=alpha)
    table = TableBlock(rank_table(mine, theirs), name)
    return Prose((rank_sentence(mine, "Ours"), rank_sentence(theirs, "Published"))), table


def rank_table(mine: RankComparison, theirs: RankComparison) -> ResultTable:
    """Return mean ranks, ours and those of the published figures."""
    import pandas as pd

    from covey.analysis.tables import ResultTable

    frame = pd.DataFrame(
        {"mean rank": mine.mean_ranks, "published": theirs.mean_ranks}, index=pd.Index(mine.methods, name="method")
    )
    same = counted(mine.n_datasets, "dataset")
    note = f"The ranks of the published are recomputed on the same {same}, ties sharing the mean of their ranks."
    return ResultTable(
        frame.sort_values("mean rank"), caption=f"Mean ranks on {same}", default_format=".2f", notes=(note,)
    )


def rank_sentence(found: RankComparison, whose: str) -> str:
    """Say what Friedman's test and the critical difference are."""
    critical = write_number(found.critical_difference or 0.0, ".3f")
    return f"{whose}: {found.friedman} Critical difference at {found.alpha:g}: {critical}."


def ten_ensembles(found: Found) -> pd.DataFrame:
    """Return the accuracies of all ensembles of 25 on the datasets that all have."""
    ids = dict.fromkeys((*FULL_IDS, *SUBSPACE_IDS))
    return accuracies(found, FEW, (*FULL_SPACE, *SUBSPACE), ids).whole


def show_diagrams(found: Found, *, number: int) -> tuple[Block, ...]:
    """Return our critical-difference diagram, and that of the published accuracies on the same datasets."""
    import pandas as pd

    if number == 4:
        ours, printed = TABLES[2].ours(found).whole, published_means(4)
    else:
        ours, printed = ten_ensembles(found), pd.concat([published_means(2), published_means(4)], axis=1)
    if len(ours) < 2:
        return (Prose(("A diagram needs two datasets or more on which every method was carried out.",)),)
    same = printed.reindex(index=ours.index, columns=ours.columns)
    mine, theirs = (nemenyi(scores, larger_is_better=True, alpha=LEVEL) for scores in (ours, same))
    return (
        Prose((rank_sentence(mine, "Ours"), rank_sentence(theirs, "Published"))),
        diagram(mine, f"rsc-figure-{number}", f"Mean ranks of {len(mine.methods)} ensembles of 25, ours"),
        diagram(theirs, f"rsc-figure-{number}-published", "The same from the published accuracies"),
    )


def diagram(found: RankComparison, name: str, caption: str) -> Drawing:
    """Return a critical-difference diagram."""
    from covey.plots.critical_difference import critical_difference_diagram, draw_critical_difference
    from covey.report.drawing import drawn

    return drawn(draw_critical_difference, critical_difference_diagram(found), name=name, caption=caption)


FIGURES = (
    View(
        "figure 4",
        "Critical difference of five ensembles on some attributes",
        SUBSPACE_IDS,
        partial(show_diagrams, number=4),
    ),
    View(
        "figure 5",
        "Critical difference of all ten ensembles",
        tuple(dict.fromkeys((*FULL_IDS, *SUBSPACE_IDS))),
        partial(show_diagrams, number=5),
    ),
)
