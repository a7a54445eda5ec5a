"""Other packages' learners as the accuracy study takes them: any classes, columns of categories, missing values."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any
from weakref import finalize

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, is_classifier
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if

# The environment variable that names the interpreter of an environment with AutoGluon.
AUTOGLUON = "COVEY_AUTOGLUON"


def _of_classes(model: Any) -> bool:
    return model.classification if isinstance(model, AutoGluon) else is_classifier(model.estimator)


class Booster(BaseEstimator):
    """XGBoost or CatBoost with its own treatment of categories, for classes of any kind.

    Parameters
    ----------
    estimator : estimator
        XGBoost's wants the classes 0, 1, 2 and so on of the training part, with none left out; CatBoost's wants
        categories as text and the names of their columns.
    """

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def __sklearn_tags__(self) -> Tags:
        tags = get_tags(self.estimator)
        tags.input_tags.allow_nan = tags.input_tags.categorical = tags.input_tags.string = True
        return tags

    def fit(self, X: pd.DataFrame, y: Any) -> Booster:
        """Train on a frame."""
        if is_classifier(self.estimator):
            self.classes_, y = np.unique(y, return_inverse=True)
        named = {"cat_features": list(X.columns[X.dtypes == "category"])} if self._is_catboost() else {}
        self.estimator.fit(self._readable(X), y, **named)
        return self

    def predict(self, X: pd.DataFrame) -> Any:
        """Return labels or numbers."""
        said = np.ravel(self.estimator.predict(self._readable(X)))
        return self.classes_[said.astype(int)] if is_classifier(self.estimator) else said

    @available_if(_of_classes)
    def predict_proba(self, X: pd.DataFrame) -> Any:
        """Return probabilities."""
        return self.estimator.predict_proba(self._readable(X))

    def _is_catboost(self) -> bool:
        return type(self.estimator).__module__.startswith("catboost")

    def _readable(self, X: pd.DataFrame) -> pd.DataFrame:
        if not self._is_catboost():
            return X
        # A missing category becomes one of its own, "nan".
        return X.assign(**{name: X[name].astype(object).map(str) for name in X.columns[X.dtypes == "category"]})


class AutoGluon(BaseEstimator):
    """AutoGluon in the environment whose interpreter ``COVEY_AUTOGLUON`` names; see ``autogluon_fit.py``.

    Parameters
    ----------
    classification : bool
    presets : str, default="medium_quality"
    seconds : int, default=60
        The time limit of a fit.
    """

    def __init__(self, classification: bool, presets: str = "medium_quality", seconds: int = 60) -> None:
        self.classification = classification
        self.presets = presets
        self.seconds = seconds

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.categorical = tags.input_tags.string = True
        return tags

    def fit(self, X: pd.DataFrame, y: Any) -> AutoGluon:
        """Train on a frame in a process of the other environment."""
        self._folder = Path(mkdtemp(prefix="covey-autogluon-"))
        finalize(self, rmtree, self._folder, ignore_errors=True)
        self._columns = [f"c{place}" for place in range(X.shape[1])]
        self._nominal = [f"c{place}" for place in np.flatnonzero(X.dtypes == "category")]
        if self.classification:
            self.classes_, y = np.unique(y, return_inverse=True)
        table = X.set_axis(self._columns, axis=1).assign(target=np.asarray(y))
        self._run("fit", table, "classification" if self.classification else "regression")
        return self

    def predict(self, X: pd.DataFrame) -> Any:
        """Return labels or numbers."""
        said = self._ask(X)
        return self.classes_[said.argmax(axis=1)] if self.classification else said[:, 0]

    @available_if(_of_classes)
    def predict_proba(self, X: pd.DataFrame) -> Any:
        """Return probabilities, of a class that AutoGluon has left out for being rare 0."""
        return self._ask(X)

    def _ask(self, X: pd.DataFrame) -> Any:
        self._run("predict", X.set_axis(self._columns, axis=1), "")
        answer = pd.read_csv(self._folder / "answer.csv")
        if not self.classification:
            return answer.to_numpy()
        return answer.reindex(columns=[str(code) for code in range(len(self.classes_))], fill_value=0.0).to_numpy()

    def _run(self, step: str, table: pd.DataFrame, task: str) -> None:
        table.to_csv(self._folder / f"{step}.csv", index=False)
        script = Path(__file__).with_name("autogluon_fit.py")
        options = [task, self.presets, str(self.seconds)] if step == "fit" else []
        command = [os.environ[AUTOGLUON], str(script), step, str(self._folder), ",".join(self._nominal), *options]
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run(command, capture_output=True, text=True, env=clean, check=False)
        if done.returncode:
            raise RuntimeError(f"AutoGluon failed: {done.stderr.strip()[-500:]}")
