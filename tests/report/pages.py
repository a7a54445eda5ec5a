"""Invented pages: a study as reports show them, and one whose names would be code if they were not text."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd

from covey.analysis.tables import ResultTable
from covey.report.page import (
    Block,
    Chapter,
    Details,
    Drawing,
    Figures,
    Listing,
    Page,
    Prose,
    Section,
    TableBlock,
)

METHODS = (
    *("MultiBoost", "Random forest", "Rotation forest", "AdaBoost", "Bagging", "Wagging", "Élan"),
    *("Sphere cover", "Random subspace", "MFS", "Nearest neighbours", "C4.5"),
)
HOSTILE = (
    "<script>window.hacked = 1</script>",
    '"><img src=x onerror="window.hacked = 2">',
    "</style><script>window.hacked = 3</script>",
    "</script><script>window.hacked = 4</script>",
    "</template><svg onload='window.hacked = 5'>",
    "' onmouseover='window.hacked = 6",
    "]]><!-- --!> {{ 7 * 7 }} {% raw %} &lt;b&gt; &#x3C;",
    "javascript:window.hacked=7",
    "../../etc/passwd\\..\\nul",
    "x" * 300,
    "wörd " * 60,
    "شجرة \u202eedocne\u202c 数据集 \u200f\u2066",
    "=HYPERLINK(1)",
)


def ranking(name: str = "wine", seed: int = 0) -> TableBlock:
    """A table with all that tables can have: spreads, p-values, what is missing, bold cells, badges and notes."""
    rng = np.random.default_rng(seed)
    accuracy = np.sort(rng.uniform(0.8, 0.95, len(METHODS)))[::-1]
    frame = pd.DataFrame(
        {
            "accuracy": accuracy,
            "p": [np.nan, *np.geomspace(0.6, 1e-9, len(METHODS) - 1)],
            "share": np.linspace(1, 0.05, len(METHODS)),
            "verdict": ["best", *["not shown to differ"] * 3, *["worse"] * (len(METHODS) - 4)],
            "text": [*["0.912 ± 0.01", "<0.0001", "12 %", "–", "1,200", "-3"], *map(str, range(20, 26))],
        },
        index=pd.Index(METHODS, name="method"),
    )
    spread = pd.DataFrame(np.nan, index=frame.index, columns=frame.columns)
    spread.loc[METHODS[:-1], "accuracy"] = 0.01
    bold = pd.DataFrame(False, index=frame.index, columns=frame.columns)
    bold.iloc[0, 0] = True
    table = ResultTable(
        frame,
        caption=f"Methods on {name}",
        formats={"p": "p", "share": "%"},
        spread=spread,
        bold=bold,
        notes=("p: corrected resampled t-test.",),
    )
    badges = {"verdict": {"best": "good", "not shown to differ": "neutral", "worse": "bad"}}
    return TableBlock(table, name=f"ranking-{name}", badges=badges, filterable=True)


def picture(name: str = "boxes", text: str = "wine") -> Drawing:
    """A small figure with a clip, markers and a name."""
    from matplotlib.figure import Figure

    from covey.report.drawing import to_svg

    figure = Figure(figsize=(6.2, 3))
    axes = figure.subplots()
    axes.plot([0, 1, 2], [0, 3, 1], marker="o")
    axes.set_title(text, parse_math=False)
    return Drawing(to_svg(figure), f"Scores on {text}", f"A line on {text}.", name)


def wide_table() -> TableBlock:
    """A table wider than a phone, and than a screen."""
    values = np.random.default_rng(1).random((20, 14))
    frame = pd.DataFrame(values, columns=[f"Some method {number}" for number in range(14)])
    return TableBlock(ResultTable(frame.rename_axis("dataset number"), caption="All results"), name="all")


def study(n_datasets: int = 20, *, drawings: bool = True) -> Page:
    """A report on methods and datasets."""
    first = Section(
        "Ranking", (Figures((("Best", "MultiBoost", "mean rank 2.1"), ("Fits", "7,200", ""))), ranking("all"))
    )
    folded = Details("More", (Prose(("Folded.",)), wide_table()))
    chapters = []
    for number in range(n_datasets):
        name = f"dataset {number}"
        blocks: tuple[Block, ...] = (ranking(name, number), Listing((("Rows", "178"), ("Columns", "13"))))
        drawn = (picture(f"boxes-{number}", name),) if drawings else ()
        chapters.append(Chapter(name, (Section("Ranking", blocks), Section("Spread", drawn)), group="Datasets"))
    return Page(
        title="Twelve methods",
        subtitle="A study",
        summary=("MultiBoost is best.", "Three methods are not shown to differ."),
        sections=(first, Section("Everything", (Prose(("All of it.",)), wide_table(), folded))),
        chapters=tuple(chapters),
        method=(Section("Protocol", (Listing((("Seed", "7"),)),)),),
    )


def hostile() -> Page:
    """A page with hostile names wherever a name can be."""
    from matplotlib.figure import Figure

    from covey.report.drawing import to_svg

    frame = pd.DataFrame({name: list(HOSTILE) for name in HOSTILE[:4]}, index=pd.Index(HOSTILE, name=HOSTILE[1]))
    badges = {HOSTILE[0]: {HOSTILE[2]: "good", HOSTILE[3]: "bad"}}
    chapters = []
    for name in HOSTILE:
        figure = Figure(figsize=(4, 2))
        figure.subplots().set_title(name[:80], parse_math=False)
        blocks: tuple[Block, ...] = (
            Prose((name,)),
            Figures(((name, name, name),)),
            TableBlock(ResultTable(frame, caption=name, notes=(name,)), name=name, badges=badges, filterable=True),
            Drawing(to_svg(figure), name, name, name),
            Listing(((name, name),)),
            Details(name, (Prose((name,)),)),
        )
        chapters.append(Chapter(name, (Section(name, blocks),), group=name))
    return Page(HOSTILE[1], HOSTILE[0], HOSTILE, (), tuple(chapters), (Section(HOSTILE[2], (Prose(HOSTILE),)),))


def raw_svg(figure: object) -> str:
    """What matplotlib writes, with text as text."""
    import matplotlib as mpl

    written = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "x"}):
        figure.savefig(written, format="svg")
    return written.getvalue()
