from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score
from sklearn.tree import DecisionTreeClassifier

from covey import EnsembleRegressor, MajorityVote, RandomSubspace

X, y = load_diabetes(return_X_y=True)


def test_it_predicts_the_mean_of_its_members():
    model = EnsembleRegressor(n_estimators=6, subspace=RandomSubspace(4), random_state=0).fit(X, y)
    expected = np.mean(
        [
            member.predict(X[:, columns])
            for member, columns in zip(model.estimators_, model.estimators_features_, strict=True)
        ],
        axis=0,
    )
    np.testing.assert_allclose(model.predict(X), expected)
    np.testing.assert_allclose(model.member_predictions(X).mean(axis=1), expected)
    *_, last = model.staged_predict(X)
    np.testing.assert_allclose(last, expected)


def test_out_of_bag():
    model = EnsembleRegressor(n_estimators=60, oob_score=True, random_state=0).fit(X, y)
    left_out = np.stack([np.unpackbits(member.left_out, count=len(X)) for member in model._members], axis=1)
    expected = (model.member_predictions(X) * left_out).sum(axis=1) / left_out.sum(axis=1)
    np.testing.assert_allclose(model.oob_prediction_, expected)
    assert model.oob_score_ == pytest.approx(r2_score(y, expected))


@pytest.mark.parametrize(
    ("params", "error", "message"),
    [
        ({"estimator": DecisionTreeClassifier()}, TypeError, "is a classifier; give a regressor"),
        ({"combine": MajorityVote()}, ValueError, "counts votes for classes"),
    ],
)
def test_bad_arguments(params, error, message):
    with pytest.raises(error, match=message):
        EnsembleRegressor(**params).fit(X, y)


def test_a_base_that_predicts_a_column_vector():
    class Column(LinearRegression):
        def predict(self, X):
            return super().predict(X)[:, None]

    model = EnsembleRegressor(Column(), 4, random_state=0).fit(X, y)
    np.testing.assert_allclose(model.member_predictions(X).mean(axis=1), model.predict(X))
