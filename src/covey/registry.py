"""Published systems, and covey's own combination, by their ids: a configured estimator for each.

An entry is data; the estimator it tells of is imported when one is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from html import escape
from importlib import import_module
from typing import Any

from covey._text import did_you_mean, normalise, quoted

PAPERS = {
    "covey": "all families combined, by this project",
    "multistrategy": "Webb and Zheng, Multi-strategy ensemble learning",
    "rsc": "Younsi and Bagnall, Ensembles of random sphere cover classifiers",
    "mfs": "Bay, Nearest neighbor classification from multiple feature subsets",
    "erassel": "Lobato Ramos, Evolutionary weights for random subspace learning",
    "triskel": "Khoussainov, Heß and Kushmerick, Ensembles of biased classifiers",
}

# What paths of published systems begin with in studies.
PUBLISHED = "covey:"


@dataclass(frozen=True)
class Recipe:
    """A class or function by its full name, with the parameters to call it with; some may be recipes themselves."""

    path: str
    params: Mapping[str, Any]

    def make(self) -> Any:
        """Import what is named and call it."""
        module, _, name = self.path.rpartition(".")
        made = {key: value.make() if isinstance(value, Recipe) else value for key, value in self.params.items()}
        return getattr(import_module(module), name)(**made)


@dataclass(frozen=True)
class Method:
    """A published system.

    Parameters
    ----------
    id : str
        What `method` knows it by.
    name : str
        Its name as printed in the paper.
    paper : str
        The paper's short name, a key of ``covey.registry.PAPERS``.
    family : str
        How its members come to differ; of a single model what it is.
    description : str
        What it is, in a line.
    recipe : Recipe
        How its estimator is made.
    regressor : Recipe or None
        How its estimator for numbers is made, if it has one.
    """

    id: str
    name: str
    paper: str
    family: str
    description: str
    recipe: Recipe = field(repr=False, compare=False)
    regressor: Recipe | None = field(default=None, repr=False, compare=False)

    @property
    def title(self) -> str:
        """What people call it."""
        return _TITLES[self.id]

    @property
    def tasks(self) -> tuple[str, ...]:
        """What it can predict: classes, or classes and numbers."""
        return ("classification",) if self.regressor is None else ("classification", "regression")

    def make(self, task: str = "classification") -> Any:
        """Return a new estimator for a task."""
        if task not in self.tasks:
            raise ValueError(
                f"task={task!r} is nothing that {self.id!r} does; it is for {' and '.join(self.tasks)}. Choose another "
                "method."
            )
        recipe = self.regressor if task == "regression" and self.regressor is not None else self.recipe
        return recipe.make()


class Methods(tuple[Method, ...]):
    """Methods that print as a table."""

    _columns = ("id", "name", "paper", "family", "tasks", "description")

    def _cells(self) -> list[list[str]]:
        values = ([getattr(method, column) for column in self._columns] for method in self)
        return [[", ".join(value) if isinstance(value, tuple) else value for value in row] for row in values]

    def __repr__(self) -> str:
        rows = [list(self._columns), *self._cells()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{column}</th>" for column in self._columns)
        rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in self._cells())
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def method(id: str, /, *, task: str = "classification", **params: Any) -> Any:
    """Return a new estimator, configured as the published system of that id.

    Parameters
    ----------
    id : str
        One of those that `methods` lists.
    task : {"classification", "regression"}, default="classification"
        What to predict; most systems are for classes only.
    **params : dict
        Parameters to set otherwise than published, such as ``n_estimators=10``, ``random_state=0`` or
        ``estimator__confidence=0.1``; those of a pipeline's last step go by their plain names.

    Returns
    -------
    estimator

    Raises
    ------
    ValueError
        There is no such id, it is not for the task, or the estimator has no such parameter.

    Examples
    --------
    >>> from covey import method
    >>> method("mb", n_estimators=20, random_state=0)
    MultiBoostClassifier(estimator=C45Classifier(), n_estimators=20, random_state=0)
    """
    known = {entry.id: entry for entry in _METHODS}
    if id not in known:
        raise ValueError(
            f"There is no method {id!r}{did_you_mean(str(id), known)} Methods are {quoted(known, len(known))}."
        )
    estimator = known[id].make(task)
    places = parameter_places(estimator)
    unknown = [name for name in params if name not in places]
    if unknown:
        raise ValueError(
            f"method({id!r}) has no parameter {unknown[0]!r}{did_you_mean(unknown[0], places)} Its parameters are "
            f"{quoted(sorted(places), len(places))}."
        )
    return estimator.set_params(**{places[name]: value for name, value in params.items()})


def methods(*, family: str | None = None, paper: str | None = None) -> Methods:
    """List the published systems that `method` makes.

    Parameters
    ----------
    family : str, optional
        List only those of this family.
    paper : str, optional
        List only those of this paper, by its short name.

    Returns
    -------
    tuple of Method
        In the order of the papers; it prints as a table.

    Examples
    --------
    >>> from covey import methods
    >>> [entry.id for entry in methods(paper="multistrategy", family="boosting")]
    ['boost']
    """
    for argument, value in (("family", family), ("paper", paper)):
        known = dict.fromkeys(getattr(entry, argument) for entry in _METHODS)
        if value is not None and value not in known:
            raise ValueError(f"{argument}={value!r} has no methods; give one of {quoted(known)}.")
    return Methods(entry for entry in _METHODS if family in (None, entry.family) and paper in (None, entry.paper))


def title_of(name: str, path: str) -> str:
    """Return what people call a method of a study, with its name: "multiboosted C4.5 with random attributes (mbsasc)".

    The path says what the method is: "covey:" and the id of a published system, or a class, for which the name stands.
    """
    id = path.removeprefix(PUBLISHED)
    if id == path or id not in _TITLES:
        return name
    title, word = _TITLES[id], normalise(id)
    says_it = name == id and normalise(title).startswith(word) and not title[len(word) :][:1].isalnum()
    return title if says_it else f"{title} ({name})"


def random_forest() -> Any:
    """Return scikit-learn's random forest, in a pipeline that lets it take frames with categories."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import Pipeline

    from covey.table import Indicators

    return Pipeline([("indicators", Indicators()), ("forest", RandomForestClassifier(n_estimators=100))])


def parameter_places(estimator: Any) -> dict[str, str]:
    """Return the parameters that can be set, with their full names; those of a pipeline's last step are shortened."""
    last = f"{estimator.steps[-1][0]}__" if hasattr(estimator, "steps") else ""
    full = list(estimator.get_params(deep=True))
    return {name.removeprefix(last): name for name in sorted(full, key=lambda name: not name.startswith(last))}


def _recipe(path: str, **params: Any) -> Recipe:
    return Recipe(path, params)


def _entry(paper: str, id: str, name: str, family: str, description: str, path: str, **params: Any) -> Method:
    return Method(id, name, paper, family, description, Recipe(path, params))


_multistrategy = partial(_entry, "multistrategy")
_rsc = partial(_entry, "rsc")
_mfs = partial(_entry, "mfs")
_triskel = partial(_entry, "triskel")


def _erassel(id: str, name: str, description: str, **params: Any) -> Method:
    paths = (f"covey.RandomSubspace{kind}" for kind in ("Classifier", "Regressor"))
    return Method(id, name, "erassel", "subspace", description, *(Recipe(path, params) for path in paths))


_TREE, _ENSEMBLE = "covey.C45Classifier", "covey.EnsembleClassifier"
_WAG, _BOOST, _MULTIBOOST = "covey.WaggingClassifier", "covey.BoostingClassifier", "covey.MultiBoostClassifier"
_SASC, _COMMITTEE = "covey.StochasticCommitteeClassifier", "covey.RandomCommitteeClassifier"
_ROTATION = "covey.RotationForestClassifier"

_COVER, _RSE = "covey.SphereCoverClassifier", "covey.SphereEnsembleClassifier"
_BORDER, _RSSE = "covey.BorderSphereEnsembleClassifier", "covey.SubspaceSphereEnsembleClassifier"

_NEIGHBORS, _SELECTED = "covey.MixedNeighborsClassifier", "covey.SelectedNeighborsClassifier"
_MFS = "covey.FeatureSubsetNeighborsClassifier"

_SVM, _TRISKEL = "covey.LinearSVMClassifier", "covey.TriskelClassifier"
_MACHINE = _recipe(_SVM)
_PAIRS = {"estimator": _MACHINE, "n_rounds": 1, "covering": "separate"}


def _boosted(n_estimators: int) -> Method:
    boosting = _recipe(_BOOST, estimator=_MACHINE, n_estimators=n_estimators, restart=False)
    described = f"AdaBoost over a linear SVM, {n_estimators} rounds per pair of classes"
    name, id = f"Ada-{n_estimators}", f"adaboost-{n_estimators}"
    return _triskel(id, name, "boosting", described, "covey.OneVsOneClassifier", estimator=boosting)


_C45, _C45SAS = _recipe(_TREE), _recipe(_TREE, attribute_probability=0.33)
_RANDOM = _recipe("covey.RandomTreeClassifier")
_MEAN = _recipe("covey.MeanProbability")
_AS_IN_WEKA = {"estimator": _C45, "restart": False}
_BAGS = {"estimator": _C45, "draw": _recipe("covey.Bootstrap"), "combine": _MEAN}
_SUBSPACES = {"estimator": _C45, "subspace": _recipe("covey.RandomSubspace", size=0.5), "combine": _MEAN}

_TITLES = {
    "covey": "combination of unlike families",
    "c4.5": "C4.5 tree",
    "c4.5sas": "C4.5 tree with random attributes",
    "wag": "wagged C4.5",
    "boost": "boosted C4.5",
    "sasc": "committee of C4.5 with random attributes",
    "mb": "multiboosted C4.5",
    "boostsasc": "boosted C4.5 with random attributes",
    "wagsasc": "wagged C4.5 with random attributes",
    "mbsasc": "multiboosted C4.5 with random attributes",
    "bagging": "bagging of C4.5",
    "adaboost": "AdaBoost over C4.5",
    "multiboost": "multiboosted C4.5 in three chains",
    "random-subspace": "C4.5 on random attributes",
    "random-committee": "committee of random trees",
    "random-forest": "random forest",
    "rotation-forest": "rotation forest",
    "alpha-rsc": "random sphere cover",
    "alpha-rse": "random sphere covers",
    "alphabeta-rse": "random sphere covers along the border",
    "alpha-rsse": "random sphere cover subspaces",
    "nn": "nearest neighbour",
    "knn": "nearest neighbours",
    "fss": "nearest neighbour over forward-selected features",
    "bss": "nearest neighbour over backward-selected features",
    "mfs1": "nearest neighbours over feature subsets",
    "mfs2": "nearest neighbours over distinct feature subsets",
    "rssl": "linear models of random attributes",
    "adaptive-rssl": "linear models of random attributes and rows",
    "rassel": "linear models of relevant attributes",
    "erassel": "linear models of evolving attributes",
    "smo": "linear support vector machine",
    "adaboost-3": "boosted linear machines, 3 rounds",
    "adaboost-10": "boosted linear machines, 10 rounds",
    "adaboost-50": "boosted linear machines, 50 rounds",
    "triskel-1": "one biased pair",
    "triskel-w2": "two biased pairs",
    "triskel-w4": "biased pairs",
    "triskel-m1": "biased machines of each class",
}

# All ensembles have 100 members unless told otherwise, those of linear models 200, as published.
_METHODS = (
    Method(
        "covey",
        "Covey",
        "covey",
        "combination",
        "unlike families weighted by what they predict of unseen rows",
        _recipe("covey.CoveyClassifier"),
        _recipe("covey.CoveyRegressor"),
    ),
    _multistrategy("c4.5", "C4.5", "tree", "one C4.5 tree", _TREE),
    _multistrategy("c4.5sas", "C4.5SAS", "tree", "one tree of random attributes", _TREE, attribute_probability=0.33),
    _multistrategy("wag", "WAG", "bagging", "wagging over C4.5", _WAG, estimator=_C45),
    _multistrategy("boost", "BOOST", "boosting", "AdaBoost over C4.5", _BOOST, estimator=_C45),
    _multistrategy("sasc", "SASC", "random trees", "a committee of C4.5SAS", _SASC, estimator=_C45),
    _multistrategy("mb", "MB", "multi-strategy", "MultiBoosting over C4.5", _MULTIBOOST, estimator=_C45),
    _multistrategy("boostsasc", "BOOSTSASC", "multi-strategy", "AdaBoost over C4.5SAS", _BOOST, estimator=_C45SAS),
    _multistrategy("wagsasc", "WAGSASC", "multi-strategy", "wagging over C4.5SAS", _WAG, estimator=_C45SAS),
    _multistrategy("mbsasc", "MBSASC", "multi-strategy", "MultiBoosting over C4.5SAS", _MULTIBOOST, estimator=_C45SAS),
    _rsc("bagging", "Bagging", "bagging", "bagging of C4.5", _ENSEMBLE, **_BAGS),
    _rsc("adaboost", "Adaboost", "boosting", "AdaBoost.M1 over C4.5", _BOOST, **_AS_IN_WEKA),
    _rsc(
        "multiboost", "MultiBoost", "multi-strategy", "MultiBoosting, 3 chains", _MULTIBOOST, **_AS_IN_WEKA, n_chains=3
    ),
    _rsc("random-subspace", "RandS", "subspace", "C4.5 on half of the attributes", _ENSEMBLE, **_SUBSPACES),
    _rsc("random-committee", "RandC", "random trees", "a committee of random trees", _COMMITTEE, estimator=_RANDOM),
    _rsc("random-forest", "RandF", "random trees", "scikit-learn's random forest", "covey.registry.random_forest"),
    _rsc("rotation-forest", "RotF", "rotation", "C4.5 on rotated attributes", _ROTATION, estimator=_C45),
    _rsc("alpha-rsc", "αRSC", "sphere cover", "one random sphere cover", _COVER, min_sphere_size="auto"),
    _rsc("alpha-rse", "αRSE", "sphere cover", "random sphere covers that vote", _RSE),
    _rsc("alphabeta-rse", "αβRSE", "sphere cover", "sphere covers resampled along the border", _BORDER),
    _rsc("alpha-rsse", "αRSSE", "subspace", "sphere covers of random attributes", _RSSE),
    _mfs("nn", "NN", "nearest neighbours", "the nearest neighbour", _NEIGHBORS),
    _mfs("knn", "kNN", "nearest neighbours", "nearest neighbours, as many as suit", _NEIGHBORS, n_neighbors="auto"),
    _mfs("fss", "FSS", "nearest neighbours", "forward-selected attributes", _SELECTED, direction="forward"),
    _mfs("bss", "BSS", "nearest neighbours", "backward-selected attributes", _SELECTED, direction="backward"),
    _mfs("mfs1", "MFS1", "subspace", "nearest neighbours of attributes drawn with replacement", _MFS),
    _mfs("mfs2", "MFS2", "subspace", "nearest neighbours of random attributes", _MFS, replacement=False),
    _erassel("rssl", "RSSL", "linear models of random attributes"),
    _erassel("adaptive-rssl", "Adap-RSSL", "linear models of random attributes and rows", bootstrap=0.7),
    _erassel("rassel", "RASSEL", "linear models of attributes drawn by relevance", weighting="relevance"),
    _erassel("erassel", "ERASSEL", "linear models of attributes whose weights learn", weighting="evolving"),
    _triskel("smo", "SMO", "linear machine", "a linear SVM per pair of classes", _SVM),
    _boosted(3),
    _boosted(10),
    _boosted(50),
    _triskel("triskel-1", "Triskel-1", "biased pairs", "a pair of biased SVMs and an arbiter", _TRISKEL, **_PAIRS),
    _triskel(
        "triskel-w2", "Triskel-W2", "biased pairs", "two pairs, by weights", _TRISKEL, estimator=_MACHINE, n_rounds=2
    ),
    _triskel("triskel-w4", "Triskel-W4", "biased pairs", "four pairs, by weights", _TRISKEL, estimator=_MACHINE),
    _triskel(
        "triskel-m1",
        "Triskel-M1",
        "biased pairs",
        "a biased SVM per class and an arbiter",
        _TRISKEL,
        **_PAIRS,
        multiclass="triskel-m",
    ),
)
