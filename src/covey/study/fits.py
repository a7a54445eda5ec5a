"""One fit: an estimator made ready for a frame, seeded, trained, and what it predicts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import column_or_1d

from covey.kernels.compiling import working_time
from covey.seeds import seed_model
from covey.study.plans import Fit, FitPlan
from covey.table import CodedClasses, Indicators

# LightGBM refuses names with characters that JSON uses, XGBoost some of those.
_FUSSY, _REFUSED = ("lightgbm.", "xgboost."), set('",:[]{}<>')


def fit_and_predict(model: Any, fit: Fit, plan: FitPlan) -> tuple[NDArray[Any], dict[str, float]]:
    """Seed and train a model, and return what it predicts and the seconds that both took."""
    seed_model(model, np.random.default_rng(fit.seed))
    began = working_time()
    model.fit(fit.X, fit.y)
    trained = working_time()
    predicted = model.predict(fit.X_test)
    seconds = {"fit": trained - began, "predict": working_time() - trained}
    return _read_predictions(predicted, plan, len(fit.test)), seconds


def _read_predictions(predicted: Any, plan: FitPlan, n_test: int) -> NDArray[Any]:
    """Return predictions as labels or float64, refusing what cannot be compared with the target."""
    values: NDArray[Any] = column_or_1d(np.asarray(predicted))
    if len(values) != n_test:
        raise ValueError(f"predict gave {len(values)} values for {n_test} cases.")
    if plan.regression:
        values = values.astype(np.float64)
    elif values.dtype.kind in "OT":
        text = all(isinstance(value, str) for value in values)
        values = np.array([str(value) for value in values] if text else values.tolist())
    if values.dtype.kind not in "biufUS" or (values.dtype.kind in "US") != (plan.y.dtype.kind in "US"):
        raise ValueError(f"predict gave values of type {values.dtype}, but y holds {plan.y.dtype}.")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise ValueError("predict gave NaN or infinity.")
    return values


def with_preprocessing(estimator: Any, X: Any, *, missing: bool = False) -> Any:
    """Return an estimator that takes a frame: one that knows neither categories nor missing values gets numbers.

    Where there are categories that it does not know, each becomes a column; where there are missing values that it has
    no use for, they get the median. Both are learnt with it, from what it is trained on. A classifier of XGBoost gets
    its classes as codes, and LightGBM and XGBoost get numbers without names if there are some that they refuse.
    What it knows it says by scikit-learn's tags, by ``categorical_features="from_dtype"``, or by being LightGBM's, or
    XGBoost's with ``enable_categorical``; a pipeline knows what its first steps know. One that begins by choosing
    columns of a frame gets the frame as it is. ``missing`` says that new rows may have missing values though these have
    none.
    """
    sizes = [len(X[name].cat.categories) for name in X.columns[X.dtypes == "category"]]
    missing = missing or bool(X.isna().to_numpy().any())
    fill = missing and not takes_missing(estimator)
    steps: list[Any] = []
    if _chooses_columns(estimator):
        sizes, fill = [], False
    named = _refuses_names(estimator, X.columns)
    if named or (sizes and (fill or not knows_categories(estimator, max(sizes)))):  # medians are of numbers only
        steps.append(Indicators())
    if fill:
        steps.append(SimpleImputer(strategy="median"))
    estimator = CodedClasses(estimator) if _wants_codes(estimator) else estimator
    return make_pipeline(*steps, estimator) if steps else estimator


def _chooses_columns(estimator: Any) -> bool:
    """Whether an estimator, or one inside it that gets the same rows, begins by taking columns of a frame apart."""
    if hasattr(estimator, "steps"):
        return any(_chooses_columns(step) for step in [step for _, step in estimator.steps if hasattr(step, "fit")][:1])
    if hasattr(estimator, "transformers"):
        return True
    if hasattr(estimator, "func"):  # of a FunctionTransformer, which may expect a frame
        return not getattr(estimator, "validate", True)
    inside = [getattr(estimator, name, None) for name in ("estimator", "classifier", "regressor")]
    named = getattr(estimator, "estimators", None)
    inside += [pair[1] for pair in named if isinstance(pair, tuple)] if isinstance(named, list) else []
    return any(_chooses_columns(part) for part in inside if hasattr(part, "fit"))


def _wants_codes(estimator: Any) -> bool:
    """Whether an estimator, or a pipeline by its last step, is a classifier of XGBoost."""
    last = type(estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator)
    return last.__module__.startswith("xgboost.") and last.__name__.endswith("Classifier")


def _refuses_names(estimator: Any, names: Any) -> bool:
    """Whether an estimator, or a pipeline by its first step, refuses brackets, colons and quotes in some names."""
    trained = _trained(estimator)
    first = type(trained.steps[0][1] if hasattr(trained, "steps") else trained)
    return first.__module__.startswith(_FUSSY) and any(set(str(name)) & _REFUSED for name in names)


def _trained(estimator: Any) -> Any:
    """Return what is trained on the rows: inside of one that transforms the target, its regressor."""
    inside = getattr(estimator, "regressor", None)
    return estimator if inside is None else inside


def knows_categories(estimator: Any, most: int = 0) -> bool:
    """Whether an estimator takes the categories of a frame as such, where a column has so many at most."""
    estimator = _trained(estimator)
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


def takes_missing(estimator: Any) -> bool:
    """Whether an estimator has a use for missing numbers; a pipeline if some step can fill them in time."""
    estimator = _trained(estimator)
    if not hasattr(estimator, "steps"):
        return bool(get_tags(estimator).input_tags.allow_nan)
    for _, step in estimator.steps:
        if step is None or step == "passthrough":
            continue
        if not takes_missing(step):
            return False
        if "Imputer" in type(step).__name__:
            return True
    return True
