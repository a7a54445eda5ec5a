"""Making an estimator ready for a frame: one that knows neither categories nor gaps gets numbers instead."""

from __future__ import annotations

from typing import Any

from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

from covey.table import Indicators


def readied(estimator: Any, X: Any, *, gaps: bool = False) -> Any:
    """Return an estimator that takes a frame.

    Where there are categories that it does not know, each becomes a column; where there are gaps that it has no use
    for, they get the median. Both are learnt with it, from what it is trained on.

    Parameters
    ----------
    estimator : estimator
        What it knows it says by scikit-learn's tags, by ``categorical_features="from_dtype"``, or by being LightGBM's,
        or XGBoost's with ``enable_categorical``. A pipeline knows what its first steps know.
    X : DataFrame
        Of numbers and categories.
    gaps : bool, default=False
        Whether new rows may have gaps though these have none.
    """
    sizes = [len(X[name].cat.categories) for name in X.columns[X.dtypes == "category"]]
    gaps = gaps or bool(X.isna().to_numpy().any())
    fill = gaps and not takes_gaps(estimator)
    steps: list[Any] = []
    if sizes and (fill or not knows_categories(estimator, max(sizes))):  # medians are of numbers only
        steps.append(Indicators())
    if fill:
        steps.append(SimpleImputer(strategy="median"))
    return make_pipeline(*steps, estimator) if steps else estimator


def knows_categories(estimator: Any, most: int = 0) -> bool:
    """Whether an estimator takes the categories of a frame as such, where a column has so many at most."""
    if hasattr(estimator, "steps"):
        return knows_categories(estimator.steps[0][1], most)
    params = estimator.get_params(deep=False)
    if "categorical_features" in params:
        room = params.get("max_bins", most)  # histogram boosting has as many as bins
        return bool(params["categorical_features"] == "from_dtype") and most <= room
    if type(estimator).__module__.startswith("lightgbm."):
        return True
    if params.get("enable_categorical"):
        return True
    tags = get_tags(estimator).input_tags
    # The tag alone may mean codes of categories, as scikit-learn's CategoricalNB takes them.
    return bool(tags.categorical) and (bool(tags.string) or type(estimator).__module__.startswith("covey."))


def takes_gaps(estimator: Any) -> bool:
    """Whether an estimator has a use for missing numbers; a pipeline if some step can fill them in time."""
    if not hasattr(estimator, "steps"):
        return bool(get_tags(estimator).input_tags.allow_nan)
    for _, step in estimator.steps:
        if step is None or step == "passthrough":
            continue
        if not takes_gaps(step):
            return False
        if "Imputer" in type(step).__name__:
            return True
    return True
