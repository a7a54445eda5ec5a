"""A dataset of a study: where it comes from, and what is done to it before it is divided.

The preparation is what papers do before their experiments begin: rows, classes and attributes chosen, numbers
transformed. What a method does to its training data belongs into a pipeline.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from covey._arguments import check_choice, check_count
from covey._text import CONTROLS, counted, normalise, quoted, spelt_out
from covey.study.fingerprint import digest
from covey.study.recipes import refuse_unknown, shown

if TYPE_CHECKING:
    import pandas as pd

    from covey.datasets import Dataset

Task = Literal["classification", "regression"]
TASKS = ("classification", "regression")

# The keys of a dataset in a study file that say what is done to it.
PREPARATION = ("rows", "complete", "against", "log_target", "ordinal", "nominal", "select", "n_samples", "seed")
SCORES = ("chi_squared", "information_gain", "relieff")

# How many datasets, and scores of their attributes, are remembered: a study may choose several numbers of attributes.
_REMEMBERED = 6


@dataclass(frozen=True)
class Selection:
    """Attributes chosen on all cases of a dataset, those for test included.

    So the choice has seen the cases that methods are tested on, and accuracies come out too high: on many attributes
    and few cases, far too high (Ambroise and McLachlan 2002). It is here because published results were found in this
    way. The honest way is a pipeline with `covey.analysis.filters.SelectAttributes`, which chooses on training cases.
    """

    by: str  #: the score of `covey.analysis.filters`: "chi_squared", "information_gain" or "relieff"
    k: int  #: how many to keep: those with the highest scores, of equals the earlier

    def __post_init__(self) -> None:
        check_choice("by", self.by, SCORES)
        check_count("k", self.k, 1)


@dataclass(frozen=True)
class DataSpec:
    """A dataset by its name and where it comes from.

    Parameters
    ----------
    name : str
        What tables call it.
    source : str
        What `covey.datasets.load` is given: a name, or the path of a file.
    target : str, optional
        The column to predict, by default what the source says.
    drop : tuple of str
        Columns to leave out.
    task : {"classification", "regression"}, optional
        What the target is to be taken for, by default what its type says.
    held : Dataset, optional
        The data themselves, where they are in memory; the source then only says where they came from.
    rows : int, optional
        Only the first so many rows.
    complete : bool, default=False
        Whether to leave out rows with missing values of attributes.
    against : str, optional
        A class that is set against all others, which become one.
    log_target : bool, default=False
        Whether the numbers to predict are replaced by their natural logarithms; predictions and errors are of these.
    ordinal : bool, default=False
        Whether categories become their numbers, from 0 in declared order.
    nominal : bool, default=False
        Whether numbers become categories, one for each value.
    select : Selection or mapping, optional
        Attributes to keep, the best by a score, such as ``{"by": "chi_squared", "k": 50}``. They are chosen on all
        cases, those for test included, so accuracies come out too high (see `Selection`). The honest way is a pipeline
        that begins with `covey.analysis.filters.SelectAttributes`.
    n_samples, seed : int, optional
        Of an artificial dataset (``source="generator:ringnorm"``): its size, by default its paper's, and its seed, 0.

    Notes
    -----
    All this is done to the data before they are divided, in the order of the parameters, and makes them other data: a
    store has their cells apart.
    """

    name: str
    source: str
    target: str | None = None
    drop: tuple[str, ...] = ()
    task: Task | None = None
    held: Dataset | None = field(default=None, compare=False, repr=False)
    rows: int | None = None
    complete: bool = False
    against: str | None = None
    log_target: bool = False
    ordinal: bool = False
    nominal: bool = False
    select: Selection | None = None
    n_samples: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        check_text("name", self.name)
        check_text("source", self.source)
        if self.target is not None:
            check_text("target", self.target)
        if self.task is not None:
            check_choice("task", self.task, TASKS)
        object.__setattr__(self, "drop", _check_columns("drop", self.drop))
        if self.target in self.drop:
            raise ValueError(f"drop={list(self.drop)!r} names the target {self.target!r}; keep it, or predict another.")
        self._check_preparation()

    def _check_preparation(self) -> None:
        if self.rows is not None:
            check_count("rows", self.rows, 1)
        if self.against is not None:
            check_text("against", self.against)
        for key in ("complete", "log_target", "ordinal", "nominal"):
            if not isinstance(getattr(self, key), bool):
                raise TypeError(f"{key}={shown(getattr(self, key))} must be true or false.")
        if self.ordinal and self.nominal:
            raise ValueError("ordinal=True and nominal=True undo each other; give one of them.")
        object.__setattr__(self, "select", _read_selection(self.select))
        for key, least in (("n_samples", 2), ("seed", 0)):
            value = getattr(self, key)
            if value is not None:
                check_count(key, value, least)
                if not self.source.lower().startswith("generator:"):
                    raise ValueError(
                        f"{key}={value!r} is for generators, but source={self.source!r} is none; write source = "
                        "'generator:ringnorm', or leave it out."
                    )

    def load(self) -> Dataset:
        """Read the data, unless they are held, and prepare them.

        Raises
        ------
        ValueError
            The target is of another kind than the task needs, or the data cannot be prepared as wished.
        """
        if self.held is not None:
            data = self.held
        elif self.select is not None:
            data = _remembered((self.source, self.target, self.drop, self.task, self.n_samples, self.seed), self._read)
        else:
            data = self._read()
        try:
            return replace(_prepare(data, self), name=self.name)
        except ValueError as error:
            raise ValueError(f"dataset {self.name!r}: {error}") from error

    def _read(self) -> Dataset:
        from covey.datasets.files import UNTYPED_FORMATS

        data = self._take()
        if self.task is not None and data.task != self.task:
            # Only where types are not declared is it a guess that whole numbers are no classes.
            if data.task == "regression" and data.provenance.format not in UNTYPED_FORMATS:
                raise ValueError(self._unfit("numbers"))
            data = self._take(task=self.task)
            if data.classes and data.target.cat.categories.dtype.kind == "f":
                raise ValueError(self._unfit("numbers that are not whole"))
        return data

    def _take(self, **further: Any) -> Dataset:
        from covey.datasets import load
        from covey.datasets.choice import Choice
        from covey.datasets.dataset import make_dataset
        from covey.datasets.generated import list_generated, load_generated

        choice: dict[str, Any] = {"target": self.target, "drop": self.drop, **further}
        name = self.source.partition(":")[2]
        if (self.n_samples is None and self.seed is None) or normalise(name) not in list_generated():
            return load(self.source, **choice)
        table = load_generated(name, n_samples=self.n_samples, seed=self.seed)
        return make_dataset(table, Choice(self.target, self.drop), further.get("task"))

    def _unfit(self, holds: str) -> str:
        return f"dataset {self.name!r}: the target holds {holds}, no classes; choose another target, or a regression."


def _read_selection(given: object) -> Selection | None:
    """Return a selection, which a study file tells of by a table."""
    if given is None or isinstance(given, Selection):
        return given
    if not isinstance(given, Mapping):
        raise TypeError(f"select={shown(given)} must be a table; write select = {{ by = 'chi_squared', k = 50 }}.")
    refuse_unknown(given, ("by", "k"), "select.")
    for key in ("by", "k"):
        if key not in given:
            raise ValueError(f"select.{key} is missing; write select = {{ by = 'chi_squared', k = 50 }}.")
    try:
        return Selection(**given)
    except (TypeError, ValueError) as error:
        raise type(error)(f"select.{error}") from error


def _prepare(data: Dataset, wishes: DataSpec) -> Dataset:
    """Return a dataset as it is wished, with notes of what was done in its provenance."""
    steps: tuple[tuple[Callable[[Dataset, Any], Dataset], object], ...] = (
        (_first, wishes.rows),
        (_complete, wishes.complete),
        (_against, wishes.against),
        (_log_target, wishes.log_target),
        (_ordinal, wishes.ordinal),
        (_nominal, wishes.nominal),
        (_select, wishes.select),
    )
    for step, wish in steps:
        if wish is not None and wish is not False:
            data = step(data, wish)
    return data


def _remembered(key: object, read: Callable[[], Dataset]) -> Dataset:
    """Return what was read for a key before, unless its file has changed; or read it."""
    known = _datasets.get(key)
    if known is not None and _stamp(known[1]) == known[0]:
        _datasets.move_to_end(key)
        return known[1]
    data = read()
    _keep(_datasets, key, (_stamp(data), data))
    return data


_datasets: OrderedDict[object, tuple[object, Dataset]] = OrderedDict()
_scores: OrderedDict[object, NDArray[np.float64]] = OrderedDict()


def _keep(memory: OrderedDict[object, Any], key: object, value: Any) -> None:
    memory[key] = value
    while len(memory) > _REMEMBERED:
        memory.popitem(last=False)


def _stamp(data: Dataset) -> object:
    """Return by what to tell that the file of a dataset is still the same."""
    file = Path(data.provenance.location)
    try:
        state = file.stat()
    except OSError:
        return None
    return str(file), state.st_mtime_ns, state.st_size


def _noted(data: Dataset, note: str) -> Any:
    return replace(data.provenance, notes=(*data.provenance.notes, note))


def _take(data: Dataset, rows: NDArray[Any], note: str) -> Dataset:
    frame = data.frame.iloc[rows].reset_index(drop=True)
    target = data.target.iloc[rows].reset_index(drop=True)
    return replace(data, frame=frame, target=target, provenance=_noted(data, note))


def _first(data: Dataset, rows: int) -> Dataset:
    if rows > data.n_rows:
        raise ValueError(f"rows={rows} is more than the {data.n_rows} that there are; give at most {data.n_rows}.")
    return _take(data, np.arange(rows), f"the first {rows} of {data.n_rows} rows")


def _complete(data: Dataset, wish: Any) -> Dataset:
    whole = data.frame.notna().all(axis=1).to_numpy()
    if not whole.any():
        raise ValueError("complete=True leaves no row, for all lack some value; drop the columns with gaps instead.")
    lacking = counted(int((~whole).sum()), "row")
    return _take(data, np.flatnonzero(whole), f"{lacking} with missing values left out") if not whole.all() else data


def _against(data: Dataset, name: str) -> Dataset:
    if data.task == "regression":
        raise ValueError(f"against={name!r} needs classes, but the target holds numbers; leave it out.")
    classes = {str(label): label for label in data.classes}
    if name not in classes:
        raise ValueError(f"against={name!r} is no class of the target, which has {quoted(classes)}; name one of them.")
    if len(classes) < 2:
        raise ValueError(f"against={name!r} is the only class; there is nothing to set it against.")
    import pandas as pd

    codes = (data.target != classes[name]).to_numpy().astype(int)
    labels = pd.Categorical.from_codes(codes, categories=pd.Index([name, f"not {name}"]))
    target = pd.Series(labels, index=data.target.index, name=data.target.name)
    note = f"class {name!r} against the {len(classes) - 1} others"
    return replace(data, target=target, provenance=_noted(data, note))


def _log_target(data: Dataset, wish: Any) -> Dataset:
    if data.task != "regression":
        raise ValueError("log_target=True needs numbers, but the target holds classes; leave it out.")
    values = data.target.to_numpy(dtype=np.float64)
    wrong = np.flatnonzero(~(values > 0))
    if len(wrong):
        raise ValueError(
            f"log_target=True needs numbers above 0, but the target is {values[wrong[0]]:g} in row {wrong[0]}, counted "
            "from 0; choose another target, or leave it out."
        )
    note = f"{str(data.target.name)!r} replaced by its natural logarithm"
    target = data.target.astype(np.float64)
    target[:] = np.log(values)
    return replace(data, target=target, provenance=_noted(data, note))


def _ordinal(data: Dataset, wish: Any) -> Dataset:
    categories = list(data.frame.select_dtypes("category").columns)
    if not categories:
        return data
    codes = {name: data.frame[name].cat.codes.astype("float64") for name in categories}
    gapped = {name: values.where(values >= 0) for name, values in codes.items()}
    note = f"{counted(len(categories), 'column')} of categories turned into their numbers"
    return replace(data, frame=data.frame.assign(**gapped), provenance=_noted(data, note))


def _nominal(data: Dataset, wish: Any) -> Dataset:
    numbers = list(data.frame.select_dtypes("number").columns)
    if not numbers:
        return data
    note = f"{counted(len(numbers), 'column')} of numbers turned into categories"
    named = {name: data.frame[name].astype("category") for name in numbers}
    return replace(data, frame=data.frame.assign(**named), provenance=_noted(data, note))


def _select(data: Dataset, wanted: Selection) -> Dataset:
    given = f"select={{by={wanted.by!r}, k={wanted.k}}}"
    if data.task == "regression":
        raise ValueError(f"{given} needs classes, but the target holds numbers; leave it out.")
    if wanted.k > data.n_features:
        raise ValueError(
            f"{given} asks for more attributes than the {data.n_features} that there are; give a k of at most "
            f"{data.n_features}."
        )
    if len(data.classes) < 2:
        raise ValueError(f"{given} needs two classes, but there is one, {data.classes[0]!r}; choose other rows.")
    scores = _scores_of(data, wanted.by)
    worth = np.where(np.isnan(scores), -np.inf, scores)
    best = np.sort(np.argsort(-worth, kind="stable")[: wanted.k])
    note = f"{wanted.k} of {data.n_features} attributes, chosen by {wanted.by} on all rows"
    return replace(data, frame=data.frame.iloc[:, best], provenance=_noted(data, note))


def _scores_of(data: Dataset, by: str) -> NDArray[np.float64]:
    from covey.analysis.filters.select import SCORES as FUNCTIONS

    key = (_print(data.frame), _print(data.target.to_frame()), by)
    if key not in _scores:
        _keep(_scores, key, np.asarray(FUNCTIONS[by](data.frame, data.target), dtype=np.float64))
    return _scores[key]


def _print(frame: pd.DataFrame) -> str:
    """Return a hash of a frame; one of numbers is taken in one piece, for there may be thousands of columns."""
    whole = frame.to_numpy() if all(kind == np.float64 for kind in frame.dtypes) else frame
    return str(digest(whole)["sha256"])


def check_text(key: str, value: object) -> None:
    """Raise unless the value is text that can be printed in a table."""
    if not isinstance(value, str):
        raise TypeError(f"{key}={shown(value)} must be text; write it between quotes.")
    if not value.strip():
        raise ValueError(f"{key}={value!r} is empty; write something.")
    if spelt_out(value, kinds=CONTROLS) != value:
        raise ValueError(
            f"{key}={shown(value)} has a line break or another control character, or bytes that are no UTF-8; leave "
            "them out."
        )


def _check_columns(key: str, columns: object) -> tuple[str, ...]:
    if isinstance(columns, str) or not isinstance(columns, Sequence):
        raise TypeError(f"{key}={shown(columns)} must be an array of column names; write {key} = ['name'].")
    for place, column in enumerate(columns):
        check_text(f"{key}[{place}]", column)
    return tuple(columns)
