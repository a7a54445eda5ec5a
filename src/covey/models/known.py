"""The classes that can be saved by what they declare, each under the name that a file knows it by.

A class of covey is known by its name, one of scikit-learn by ``sklearn.`` and its name. The list is closed: nothing
that a file names is imported unless it stands here.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

import covey
from covey.models.declaration import Declaration, declaration_of
from covey.models.fields import require

# Packages whose public classes can be saved if covey itself gives them too, and single classes of other packages.
_WHOLE = ("ensemble", "learners", "strategies")
_SINGLE = {"table": ("Indicators",), "analysis.filters": ("MDLDiscretizer", "SelectAttributes")}
# Where the declarations of scikit-learn's classes stand, by the module that has the class.
_SKLEARN = {
    "dummy": ("sklearn_simple", ("DummyClassifier", "DummyRegressor")),
    "ensemble": (
        "sklearn_trees",
        ("ExtraTreesClassifier", "ExtraTreesRegressor", "RandomForestClassifier", "RandomForestRegressor"),
    ),
    "ensemble._hist_gradient_boosting.gradient_boosting": (
        "sklearn_boosting",
        ("HistGradientBoostingClassifier", "HistGradientBoostingRegressor"),
    ),
    "impute": ("sklearn_simple", ("SimpleImputer",)),
    "linear_model": ("sklearn_simple", ("LogisticRegression", "Ridge", "RidgeCV")),
    "naive_bayes": (
        "sklearn_bayes",
        ("BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"),
    ),
    "neighbors": ("sklearn_simple", ("KNeighborsClassifier", "KNeighborsRegressor")),
    "pipeline": ("sklearn_simple", ("Pipeline",)),
    "preprocessing": ("sklearn_simple", ("StandardScaler",)),
    "tree": (
        "sklearn_trees",
        ("DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor"),
    ),
}


@cache
def known() -> dict[str, tuple[str, str | None]]:
    """Return for each name the module of the class, and the module of covey.models that declares it, or None."""
    public = set(dir(covey))
    whole = {package: sorted(public.intersection(import_module(f"covey.{package}").__all__)) for package in _WHOLE}
    return {
        **{name: (f"covey.{package}", None) for package, names in {**whole, **_SINGLE}.items() for name in names},
        **{
            f"sklearn.{name}": (f"sklearn.{module}", f"covey.models.{home}")
            for module, (home, names) in _SKLEARN.items()
            for name in names
        },
    }


@cache
def id_of(kind: Any) -> str | None:
    """Return the name that a file knows a class by; None if it is not one of the list, a subclass of one included."""
    for name in (kind.__name__, f"sklearn.{kind.__name__}"):
        if name in known() and kind.__module__.partition(".")[0] == known()[name][0].partition(".")[0]:
            return name if class_of(name) is kind else None
    return None


def class_of(name: Any) -> type:
    """Return the class that a file knows by a name."""
    require(isinstance(name, str) and name in known(), f"is of a class that no file can hold: {name!r:.60}")
    module = import_module(known()[name][0])
    return getattr(module, name.rpartition(".")[2])  # type: ignore[no-any-return]


@cache
def _declarations(home: str) -> dict[str, Any]:
    declared: dict[str, Any] = import_module(home).DECLARED
    return declared


def declaration_for(name: Any) -> Declaration:
    """Return how objects of a class are saved, by the name that a file knows it by."""
    kind = class_of(name)
    home = known()[name][1]
    return declaration_of(kind) if home is None else _declared_for(kind, home)


@cache
def _declared_for(kind: type, home: str) -> Declaration:
    declaration: Declaration = _declarations(home)[kind.__name__](kind)
    return declaration
