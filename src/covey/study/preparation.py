"""What may be done to a dataset before a study divides it: rows, classes and attributes chosen, numbers transformed.

Here is what papers do before their experiments begin. What a method does to its training data belongs into a pipeline.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._arguments import check_choice, check_count
from covey._text import counted, quoted
from covey.study.recipes import refuse_unknown, shown

if TYPE_CHECKING:
    import pandas as pd

    from covey.datasets import Dataset
    from covey.study.spec import DataSpec

# The keys of a dataset in a study file that say what is done to it.
KEYS = ("rows", "complete", "against", "log_target", "ordinal", "nominal", "select", "n_samples", "seed")
SCORES = ("chi_squared", "information_gain", "relieff")

# How many datasets, and scores of their attributes, are remembered: a study may choose several numbers of attributes.
_REMEMBERED = 6


@dataclass(frozen=True)
class Selection:
    """Attributes chosen on all cases of a dataset, those for test included.

    So the choice has seen the cases that methods are tested on, and accuracies come out too high: on many attributes
    and few cases, far too high (Ambroise and McLachlan 2002). It is here because published results were found in this
    way. The honest way is a pipeline with `covey.analysis.filters.SelectAttributes`, which chooses on training cases.

    Parameters
    ----------
    by : {"chi_squared", "information_gain", "relieff"}
        The score (see `covey.analysis.filters`); the attributes with the highest are kept, of equals the earlier.
    k : int
        How many to keep.
    """

    by: str
    k: int

    def __post_init__(self) -> None:
        check_choice("by", self.by, SCORES)
        check_count("k", self.k, 1)


def read_selection(given: object) -> Selection | None:
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


def check_flag(key: str, value: object) -> None:
    """Raise unless the value is true or false."""
    if not isinstance(value, bool):
        raise TypeError(f"{key}={shown(value)} must be true or false.")


def check_generated(source: str, n_samples: object, seed: object) -> None:
    """Refuse a size or a seed where no generator is named."""
    for key, value, least in (("n_samples", n_samples, 2), ("seed", seed, 0)):
        if value is not None:
            check_count(key, value, least)
            if not source.lower().startswith("generator:"):
                raise ValueError(
                    f"{key}={value!r} is for generators, but source={source!r} is none; write source = "
                    "'generator:ringnorm', or leave it out."
                )


def draw_generated(source: str, n_samples: int | None, seed: int | None, **choice: Any) -> Dataset:
    """Return an artificial dataset of a size and a seed."""
    from covey._text import normalise
    from covey.datasets import load
    from covey.datasets.dataset import make_dataset
    from covey.datasets.generated import list_generated, load_generated

    name = source.partition(":")[2]
    if normalise(name) not in list_generated():
        return load(source, **choice)  # which says that there is none, and what comes close
    return make_dataset(load_generated(name, n_samples=n_samples, seed=seed), **choice)


def prepare(data: Dataset, wishes: DataSpec) -> Dataset:
    """Return a dataset as it is wished, with notes of what was done in its provenance.

    The order is: the first rows, of these the complete ones, one class against the others or the logarithm of the
    target, categories as numbers or numbers as categories, and the attributes that score best.
    """
    if wishes.rows is not None:
        data = _first(data, wishes.rows)
    if wishes.complete:
        data = _complete(data)
    if wishes.against is not None:
        data = _against(data, wishes.against)
    if wishes.log_target:
        data = _log_target(data)
    if wishes.ordinal:
        data = _ordinal(data)
    if wishes.nominal:
        data = _nominal(data)
    if wishes.select is not None:
        data = _select(data, wishes.select)
    return data


def remembered(key: object, read: Callable[[], Dataset]) -> Dataset:
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


def _keep(shelf: OrderedDict[object, Any], key: object, value: Any) -> None:
    shelf[key] = value
    while len(shelf) > _REMEMBERED:
        shelf.popitem(last=False)


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


def _complete(data: Dataset) -> Dataset:
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


def _log_target(data: Dataset) -> Dataset:
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


def _ordinal(data: Dataset) -> Dataset:
    categories = list(data.frame.select_dtypes("category").columns)
    if not categories:
        return data
    codes = {name: data.frame[name].cat.codes.astype("float64") for name in categories}
    gapped = {name: values.where(values >= 0) for name, values in codes.items()}
    note = f"{counted(len(categories), 'column')} of categories turned into their numbers"
    return replace(data, frame=data.frame.assign(**gapped), provenance=_noted(data, note))


def _nominal(data: Dataset) -> Dataset:
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
    from covey.study.shelf import digest

    whole = frame.to_numpy() if all(kind == np.float64 for kind in frame.dtypes) else frame
    return str(digest(whole)["sha256"])
