"""One number of members for all methods, whatever each calls it."""

from __future__ import annotations

from dataclasses import replace

from covey.study.recipes import PIPELINE
from covey.study.spec import MethodSpec

# Elsewhere "max_iter" is how long a solver may take.
_ROUNDS = {"HistGradientBoostingClassifier": "max_iter", "HistGradientBoostingRegressor": "max_iter"}
# CatBoost tells only the parameters that were set, and refuses two names of one.
_CATBOOST = "catboost."
_ITERATIONS = ("iterations", "num_boost_round", "n_estimators", "num_trees")


def with_members(method: MethodSpec, n_estimators: int) -> MethodSpec:
    """Return a method with so many members, or rounds of boosting; one that has neither is left as it is.

    Parameters
    ----------
    method : MethodSpec
        Of a pipeline, the last step counts.
    n_estimators : int
        For ``n_estimators``, for ``max_iter`` of histogram gradient boosting, and for ``iterations`` of CatBoost.
    """
    if method.path == PIPELINE:
        *first, last = method.params["steps"]
        sized = with_members(MethodSpec(method.name, last["estimator"], last["params"], method.task), n_estimators)
        return replace(method, params={"steps": [*first, {**last, "params": dict(sized.params)}]})
    if method.path.startswith(_CATBOOST):
        others = {name: value for name, value in method.params.items() if name not in _ITERATIONS}
        return replace(method, params={**others, _ITERATIONS[0]: n_estimators})
    name = _ROUNDS.get(method.path.rpartition(".")[2], "n_estimators")
    return method.adjusted({name: n_estimators})
