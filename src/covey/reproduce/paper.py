"""A paper as something to be tried: experiments, views that put figures side by side, and claims to be judged."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from covey._text import did_you_mean, quoted
from covey.registry import PAPERS

if TYPE_CHECKING:
    from covey.report.page import Block
    from covey.reproduce.tables import Beside
    from covey.study import Results

Status = Literal["held", "failed", "not testable"]
# Of the repeats of a paper: one for all, or some by tables and experiments, with that of the others as "".
Shares: TypeAlias = float | Mapping[str, float]

_PAPERS = ("multistrategy", "rsc", "mfs", "erassel", "triskel")


class Lacking(Exception):
    """Results that a view or a claim needs and that are not there; the message takes the place of what it would say."""


@dataclass(frozen=True)
class Quick:
    """How an experiment is made smaller.

    Parameters
    ----------
    n_repeats : int
        Instead of the protocol's.
    params : mapping
        Parameters to set on all methods that have them, such as ``{"n_estimators": 25}``.
    without : tuple of str
        Datasets that take too long.
    methods : tuple of str
        Those to keep; all if empty.
    of : mapping of str to mapping
        Parameters of single methods, by their names.
    n_folds : int, optional
        Of cross-validation, instead of the protocol's.
    """

    n_repeats: int
    params: Mapping[str, Any] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    of: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    n_folds: int | None = None


@dataclass(frozen=True)
class Experiment:
    """A study of a paper.

    Parameters
    ----------
    id : str
        Of the experiment within the paper, and the name of its file in the paper's folder ``studies``, without .toml.
    serves : tuple of str
        The tables and figures that it is for: "2", "figure 3".
    quick : Quick
        What to do when there is little time.
    file : str
        The name of its file, where another experiment gave it its name; "" for its own.
    methods : tuple of str
        Of the methods in the file those that it is about; all if empty.
    title : str
        What readers call it; "" for its id.
    """

    id: str
    serves: tuple[str, ...]
    quick: Quick
    file: str = ""
    methods: tuple[str, ...] = ()
    title: str = ""


def by_table(repeats: Shares) -> Mapping[str, float]:
    """Return shares by tables and experiments, that of all others as ""."""
    return {"": 1.0, **repeats} if isinstance(repeats, Mapping) else {"": repeats}


@dataclass(frozen=True, eq=False)
class Found(Mapping[str, "Results"]):
    """The results of a paper's experiments that were carried out, by their ids.

    Parameters
    ----------
    results : mapping of str to Results
    quick : bool
        Whether they are of the smaller kind.
    missing : mapping of str to str
        Datasets that are not there, with the file that each is sought in, and its name on OpenML.
    repeats : float or mapping of str to float
        The share of the published repeats that they have, if they are not of the smaller kind: one for all, or some by
        tables and experiments, with that of the others as "".
    """

    results: Mapping[str, Results]
    quick: bool
    missing: Mapping[str, str] = field(default_factory=dict)
    repeats: Shares = 1.0

    @property
    def kind(self) -> str:
        """What readers call the run: "quick run", "full run", "run with a share of the repeats"."""
        if self.quick:
            return "quick run"
        return "full run" if self.is_full else "run with a share of the repeats"

    @property
    def is_full(self) -> bool:
        """Whether nothing is less than in the paper."""
        return not self.quick and min(by_table(self.repeats).values()) >= 1

    def __getitem__(self, id: str) -> Results:
        return self.results[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)


@dataclass(frozen=True)
class View:
    """A table or a figure of a paper, ours beside the published.

    Parameters
    ----------
    id : str
        "2", "figure 3".
    title : str
        What it shows.
    needs : tuple of str
        The experiments that it is made from.
    show : callable
        From what was found to blocks of a page.
    tell : callable, optional
        From what was found to a sentence that says how close ours is to the published.
    beside : callable, optional
        From what was found to our figures and the published ones, for those that can be held against a bound.
    """

    id: str
    title: str
    needs: tuple[str, ...]
    show: Callable[[Found], tuple[Block, ...]]
    tell: Callable[[Found], str] | None = None
    beside: Callable[[Found], Beside] | None = None

    @property
    def name(self) -> str:
        """What a reader calls it: "Table 2", "Figure 3"."""
        return f"{self.id[:1].upper()}{self.id[1:]}" if self.id.startswith("figure") else f"Table {self.id}"


@dataclass(frozen=True)
class Verdict:
    """What became of a claim.

    Parameters
    ----------
    status : {"held", "failed", "not testable"}
    found : str
        Our figures, or why it cannot be tested.
    """

    status: Status
    found: str


@dataclass(frozen=True)
class Claim:
    """Something a paper says that an experiment can show to be so or not.

    Parameters
    ----------
    id : str
        "MS-03".
    text : str
        What is claimed, in our words.
    published : str
        The figures that the paper has for it; "" if none.
    needs : tuple of str
        The experiments that bear on it; none if no experiment does, and `judge` then says why.
    judge : callable
        A function from what was found to a verdict.
    """

    id: str
    text: str
    published: str
    needs: tuple[str, ...]
    judge: Callable[[Found], Verdict]


@dataclass(frozen=True)
class Paper:
    """A paper.

    Parameters
    ----------
    id : str
        Its short name, a key of ``covey.registry.PAPERS``; the name of its folder too.
    title : str
    experiments : tuple of Experiment
    views : tuple of View
    claims : tuple of Claim
    method : tuple of (str, str)
        How numbers were obtained, as terms and what they stand for: how "bias" was measured.
    tell : callable, optional
        From what was found to a sentence or two on how close all tables are to the published; by default what each
        view tells.
    note : str
        How to read the figures of its verdicts.
    """

    id: str
    title: str
    experiments: tuple[Experiment, ...]
    views: tuple[View, ...]
    claims: tuple[Claim, ...]
    method: tuple[tuple[str, str], ...] = ()
    tell: Callable[[Found], str] | None = None
    note: str = ""


def paper_of(
    id: str,
    experiments: tuple[Experiment, ...],
    views: tuple[View, ...],
    claims: tuple[Claim, ...],
    tell: Callable[[Found], str] | None = None,
) -> Paper:
    """Return a paper, with how its numbers are obtained as the file method.toml of its folder says."""
    notes = tomllib.loads((files(f"covey.reproduce.{id}") / "method.toml").read_text(encoding="utf-8"))
    method = tuple((term, " ".join(text.split())) for term, text in notes["method"].items())
    return Paper(id, PAPERS[id], experiments, views, claims, method, tell, " ".join(notes.get("note", "").split()))


def papers() -> tuple[str, ...]:
    """Return the short names of the papers that `reproduce` knows."""
    return _PAPERS


def find_paper(id: str) -> Paper:
    """Return a paper by its short name.

    Raises
    ------
    ValueError
        There is none of that name.
    """
    if id not in _PAPERS:
        raise ValueError(f"paper={id!r} is unknown{did_you_mean(str(id), _PAPERS)} Known are {quoted(_PAPERS)}.")
    paper: Paper = import_module(f"covey.reproduce.{id}").PAPER
    return paper
