"""Classes as codes."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from covey.models.fields import RefusedError
from covey.table import CodedClasses

X, CODES = load_iris(return_X_y=True, as_frame=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[CODES]


class Fussy(DecisionTreeClassifier):
    """Takes the classes 0, 1, 2 and so on only, as XGBoost does."""

    def fit(self, X, y, **more):
        if set(y) != set(range(len(set(y)))):
            raise ValueError("Invalid classes")
        return super().fit(X, y, **more)


@pytest.mark.parametrize("labels", [NAMES, CODES + 3, CODES * 2])
def test_labels_are_those_that_were_given_and_predictions_those_of_codes(labels):
    plain = Fussy(random_state=0).fit(X, CODES)
    with pytest.raises(ValueError, match="Invalid classes"):
        Fussy().fit(X, labels)
    model = CodedClasses(Fussy(random_state=0)).fit(X, labels)
    np.testing.assert_array_equal(model.predict(X), model.classes_[plain.predict(X)])
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))
    assert model.score(X, labels) == 1
    assert model.n_features_in_ == 4
    assert list(model.feature_names_in_) == list(X.columns)
    assert isinstance(model, ClassifierMixin)


def test_a_state_that_does_not_fit_together_is_refused():
    model = CodedClasses(DecisionTreeClassifier()).fit(X, NAMES)
    model.classes_ = model.classes_[:2]
    with pytest.raises(RefusedError, match="other codes than its classes"):
        model._check_state()
