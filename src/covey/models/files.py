"""Saving models to files and loading them: the public functions."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier

from covey._files import drafted
from covey.models import signing
from covey.models.archive import MAX_BYTES, Archive, add_signature, write_archive
from covey.models.card import as_plain
from covey.models.document import Reader, Writer
from covey.models.fields import RefusedError, require
from covey.models.foreign import Foreign, packages_of, write_foreign

FORMAT = 2
_KEYS = {"about", "covey", "foreign", "format", "model", "shared"}
# What loading may take beyond the file itself: room for small files, and so many times the size of a large one.
_LEAST_BUDGET, _BUDGET = 2**24, 8


class UntrustedError(ValueError):
    """A file holds parts of packages that were not trusted."""

    def __init__(self, source: Path, packages: list[str]) -> None:
        self.packages = packages
        self.problem = (
            f"{source} holds parts of {', '.join(packages)}, which covey cannot check. To load them means to run the "
            "code of these packages on whatever the file says."
        )
        super().__init__(f"{self.problem} If you know who wrote it, give trust={packages!r}.")


def save_model(model: Any, path: str | os.PathLike[str], about: Mapping[str, Any] | None = None) -> Path:
    """Write a model to a file.

    Parameters
    ----------
    model : estimator
        Any estimator of covey, or of scikit-learn those that `compare` may choose, is written as numbers and names
        only, and can be loaded by anyone without danger. Any other is written by skops, and a model of LightGBM,
        XGBoost or CatBoost in its package's own format; others than the user who wrote it have to trust such a file.
    path : path
        The file; by custom it ends in ``.covey``. It appears at once when it is complete.
    about : mapping, optional
        What the file is to say about the model, plain values only; see `covey.models.describe_training`.
        `read_about` reads it without the model.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    ValueError
        The model holds a function without a name of its own, such as a lambda, which no other process could find.
    """
    target = Path(path)
    card = as_plain(about)
    if not target.parent.is_dir():
        raise FileNotFoundError(f"There is no directory {target.parent} to save {target.name} in.")
    with drafted(target) as unfinished:
        _write(model, unfinished, card)
    return target


def load_model(path: str | os.PathLike[str], *, trust: Iterable[str] = (), max_bytes: int = MAX_BYTES) -> Any:
    """Read a model from a file written by `save_model`.

    Parameters
    ----------
    path : path
        The file.
    trust : iterable of str
        Packages whose code may run on what the file says, such as ``"lightgbm"`` or ``"sklearn"``. Models of covey
        need none; `needed_trust` and the error tell which a file needs. Give them only if you know who wrote the file:
        it can then do whatever its author likes. A file that you wrote yourself on this machine asks for none.
    max_bytes : int
        The largest file to read, by default 2 GiB.

    Returns
    -------
    estimator

    Raises
    ------
    ValueError
        The file is no model, is damaged or forged, is too large, or needs packages that are not trusted.
    """
    source = Path(path)
    trusted = {trust} if isinstance(trust, str) else set(trust)
    with _naming(source), Archive(source, max_bytes) as archive:
        document = _document(archive)
        content = archive.foreign()
        untrusted = [name for name in packages_of(document["foreign"], content) if name not in trusted]
        if untrusted and not signing.is_own(archive.signature(), archive.parts()):
            raise UntrustedError(source, untrusted)
        with _naming(source, " The file is damaged or forged."):
            return _read(document, archive.pools(), content, archive.n_bytes)


def needed_trust(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> tuple[str, ...]:
    """Return the packages that others have to give `load_model` as ``trust`` to load a file; most often none."""
    source = Path(path)
    with _naming(source), Archive(source, max_bytes) as archive:
        return packages_of(_document(archive)["foreign"], archive.foreign())


def can_save(estimator: Any) -> str | None:
    """Try whether a model can be saved, before work goes into it.

    A copy is trained on a few random numbers, with few members, and written to a temporary file.

    Parameters
    ----------
    estimator : estimator
        It need not be fitted and is left as it is.

    Returns
    -------
    str or None
        Why it cannot be saved; None if it can. The file of some models, such as LightGBM's, is loaded by others only
        with ``trust``; `needed_trust` tells.
    """
    from tempfile import TemporaryDirectory

    try:
        with TemporaryDirectory() as folder:
            save_model(_fitted_on_little(estimator), Path(folder) / "trial")
    except Exception as error:  # whatever goes wrong here would go wrong in the end
        return f"{type(estimator).__name__} cannot be written to a file without pickle: {error}"
    return None


def _write(model: Any, path: Path, card: dict[str, Any]) -> None:
    """Write a model, and see that it can be read; what cannot be by what it declares is written as a whole by skops."""
    if not hasattr(model, "get_params") or isinstance(model, type):
        raise TypeError(f"model={model!r:.60} is no estimator; give a fitted one.")
    writer = Writer()
    node = writer.model(model)
    pools = {name: np.concatenate(arrays) for name, arrays in writer.pools.items()}
    try:
        Reader(pools, writer.shared, writer.foreign.__getitem__, 2**62).model(node)
    except RefusedError:
        writer, node = Writer(), {"foreign": 0}
        writer.foreign = [model]
    listed, content = write_foreign(writer)
    from covey import __version__

    document = {
        "covey": __version__,
        "format": FORMAT,
        "about": card,
        "foreign": listed,
        "shared": writer.shared,
        "model": node,
    }
    write_archive(path, json.dumps(document, allow_nan=False, separators=(",", ":")), writer.pools, content)
    if content:
        with Archive(path, 2**62) as archive:
            signature = signing.sign(archive.parts())
        add_signature(path, signature)


def _read(document: dict[str, Any], pools: Any, content: dict[str, bytes], n_bytes: int) -> Any:
    require(isinstance(document["shared"], list), "has no list of shared objects")
    foreign, budget = Foreign(document["foreign"], content), _LEAST_BUDGET + _BUDGET * n_bytes
    reader = Reader(pools, document["shared"], lambda place: foreign.read(place, reader), budget)
    return reader.model(document["model"])


def _document(archive: Archive) -> dict[str, Any]:
    document = archive.document()
    version = document.get("format")
    require(
        version == FORMAT,
        f"has format {version!r:.20}, but this version of covey reads format {FORMAT}; save the model again with this "
        "version, or load it with the one that wrote it",
    )
    require(document.keys() == _KEYS, "has a document of another kind")
    return document


@contextmanager
def _naming(source: Path, reason: str = "") -> Iterator[None]:
    """Tell of a refusal with the name of the file, and why it may be."""
    try:
        yield
    except RefusedError as error:
        where = f": {error.path}" if error.path else ""
        raise ValueError(f"{source}{where} {error.problem}.{reason}") from error


def _fitted_on_little(estimator: Any) -> Any:
    """Return a copy fitted to a few random numbers; an unfitted one if these do not suit it."""
    X = np.random.default_rng(0).normal(size=(60, 4))
    y = X[:, 0] > 0 if is_classifier(estimator) else X[:, 0]
    model = clone(estimator)
    params = model.get_params()
    small = {name: 2 for name in params if name.rpartition("__")[2] == "n_estimators"}
    if "members" in params and params.get("cv", 0) is None:
        small["cv"] = 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return model.set_params(**small).fit(X, y)
        except (TypeError, ValueError, IndexError, KeyError):
            return clone(estimator)
