"""Declarations of the classes that can be saved, and the names that files know these by.

A class of covey is known by its name, one of scikit-learn by ``sklearn.`` and its name. The list is closed: nothing
that a file names is imported unless it stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from typing import Any

import covey
from covey.models.fields import Field, Maybe, Names, Record, Sizes, Whole, require

# Packages whose public classes can be saved if covey itself gives them too, and single classes of other packages.
_WHOLE = ("combination", "ensemble", "learners", "strategies")
_SINGLE = {
    "table": ("CodedClasses", "Indicators", "LogTarget"),
    "analysis.filters": ("MDLDiscretizer", "SelectAttributes"),
}
# Classes of scikit-learn by the module that has them and by what declares them, a class of a module of covey.models.
_SKLEARN = {
    ("dummy", "sklearn_simple.DummyDeclaration"): "DummyClassifier DummyRegressor",
    ("ensemble", "sklearn_trees.ForestDeclaration"): (
        "ExtraTreesClassifier ExtraTreesRegressor RandomForestClassifier RandomForestRegressor"
    ),
    ("ensemble._hist_gradient_boosting.gradient_boosting", "sklearn_trees.BoostingDeclaration"): (
        "HistGradientBoostingClassifier HistGradientBoostingRegressor"
    ),
    ("impute", "sklearn_simple.ImputerDeclaration"): "SimpleImputer",
    ("linear_model", "sklearn_simple.LinearDeclaration"): "LogisticRegression Ridge RidgeCV",
    (
        "naive_bayes",
        "sklearn_simple.BayesDeclaration",
    ): "BernoulliNB CategoricalNB ComplementNB GaussianNB MultinomialNB",
    ("neighbors", "sklearn_simple.NeighborsDeclaration"): "KNeighborsClassifier KNeighborsRegressor",
    ("pipeline", "sklearn_simple.PipelineDeclaration"): "Pipeline",
    ("preprocessing", "sklearn_simple.ScalerDeclaration"): "StandardScaler",
    ("tree", "sklearn_trees.TreeDeclaration"): (
        "DecisionTreeClassifier DecisionTreeRegressor ExtraTreeClassifier ExtraTreeRegressor"
    ),
}


class Declaration:
    """The state that a class declares in ``_state``, together with what its bases declare.

    Attributes in ``_derived`` follow from the others, or matter to nobody but ``fit``: they are not written. A method
    ``_check_state`` looks at how the parts of a loaded object relate, and may set what is derived.
    """

    fields: Mapping[str, Field]
    derived: frozenset[str] = frozenset()

    def __init__(self, kind: type) -> None:
        self.kind = kind
        bases = [vars(base) for base in reversed(kind.__mro__)]
        self.fields = {name: field for base in bases for name, field in base.get("_state", {}).items()}
        self.derived = frozenset(name for base in bases for name in base.get("_derived", ()))

    def values(self, thing: Any, params: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the attributes that make up a thing's state; None of an estimator that is not fitted.

        Refused are an attribute that is not declared, and the lack of one that is.
        """
        if is_dataclass(self.kind) and not hasattr(self.kind, "get_params"):
            values = {name: getattr(thing, name) for name in self.fields}
            return {name: value for name, value in values.items() if not (self.fields[name].optional and value is None)}
        held = {name: value for name, value in vars(thing).items() if name not in params and name not in self.derived}
        state = {name: value for name, value in held.items() if name in self.fields}
        if len(state) < len(held):
            strange = held.keys() - state.keys() - vars(self.kind(**params)).keys()
            require(not strange, f"has attributes that are not declared: {', '.join(sorted(strange))}")
        if not state:
            return None
        state |= self.hidden(thing)
        absent = [name for name, field in self.fields.items() if name not in state and not field.optional]
        require(not absent, f"has no {', '.join(absent)}")
        return state

    def hidden(self, thing: Any) -> dict[str, Any]:
        """Return values of fields that are no attributes of a fitted estimator but can be had from them."""
        return {}

    def check_params(self, model: Any) -> None:
        """Refuse parameters that the class allows but a file may not hold."""
        return

    def make(self, state: dict[str, Any]) -> Any:
        """Return an object that is no estimator, if its parts fit together."""
        return self._checked(self.kind(**state))

    def restore(self, model: Any, state: dict[str, Any], sizes: Sizes) -> Any:
        """Give a new estimator its fitted state, if its parts fit together."""
        for name, value in state.items():
            setattr(model, name, value)
        return self._checked(model)

    def _checked(self, thing: Any) -> Any:
        if hasattr(thing, "_check_state"):
            thing._check_state()
        return thing

    @property
    def state(self) -> Record:
        """The fields together."""
        return Record(self.fields)


class SklearnDeclaration(Declaration):
    """The state of a class of scikit-learn, which is declared for it."""

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.classifies = kind.__name__.endswith("Classifier")
        columns = {"n_features_in_": Whole(1, size="features"), "feature_names_in_": Maybe(Names("features"))}
        self.fields = {**columns, **self._declared(kind.__name__)}

    def _declared(self, name: str) -> Mapping[str, Field]:
        """Return the fields of the class of that name beside its columns."""
        raise NotImplementedError


@cache
def known() -> dict[str, tuple[str, str | None]]:
    """Return for each name the module of the class, and what declares it if it does not do so itself."""
    public = set(dir(covey))
    whole = {package: sorted(public.intersection(import_module(f"covey.{package}").__all__)) for package in _WHOLE}
    names: dict[str, tuple[str, str | None]] = {}
    for package, classes in {**whole, **_SINGLE}.items():
        names |= dict.fromkeys(classes, (f"covey.{package}", None))
    for (module, home), listed in _SKLEARN.items():
        names |= dict.fromkeys((f"sklearn.{name}" for name in listed.split()), (f"sklearn.{module}", home))
    return names


@cache
def id_of(kind: Any) -> str | None:
    """Return the name that a file knows a class by; None if it is not one of the list, a subclass of one included."""
    for name in (kind.__name__, f"sklearn.{kind.__name__}"):
        if name in known() and kind.__module__.partition(".")[0] == known()[name][0].partition(".")[0]:
            return name if _class_of(name) is kind else None
    return None


def _class_of(name: Any) -> type:
    require(isinstance(name, str) and name in known(), f"is of a class that no file can hold: {name!r:.60}")
    module = import_module(known()[name][0])
    return getattr(module, name.rpartition(".")[2])  # type: ignore[no-any-return]


def declaration_for(name: Any) -> Declaration:
    """Return how objects of a class are saved, by the name that a file knows it by."""
    kind = _class_of(name)
    return declaration_of(kind, known()[name][1])


@cache
def declaration_of(kind: type, home: str | None = None) -> Declaration:
    """Return how objects of a class are saved: what it declares itself, or what is declared for it."""
    if home is None:
        return Declaration(kind)
    module, _, name = home.partition(".")
    declaration: Declaration = getattr(import_module(f"covey.models.{module}"), name)(kind)
    return declaration
