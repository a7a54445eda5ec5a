from __future__ import annotations

import numpy as np
import pytest

from covey import LeastSquaresRegressor
from covey.learners.base import TableRegressor


def test_a_failed_fit_leaves_the_model_as_it_was(monkeypatch):
    X, y = np.arange(8.0).reshape(4, 2) ** 2, np.array([1.0, 2.0, 4.0, 3.0])
    model = LeastSquaresRegressor().fit(X, y)
    before = model.__dict__.copy()
    monkeypatch.setattr(TableRegressor, "_remember_columns", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        model.fit(X[:, ::-1], y + 1)
    assert model.__dict__ == before


@pytest.mark.parametrize(
    ("y", "message"), [(["a", "b", "c", "d"], "must be numbers"), ([1.0, 2.0, np.inf, 3.0], "infinity"), (None, "y")]
)
def test_a_response_that_is_no_number_is_refused(y, message):
    with pytest.raises(ValueError, match=message):
        LeastSquaresRegressor().fit(np.arange(8.0).reshape(4, 2), y)
