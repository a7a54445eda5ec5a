import numpy as np
import pandas as pd
import pytest

from covey.datasets.generators import ClassificationTask
from covey.datasets.generators.task import numbered_names, present
from covey.seeds import generator


class Coin(ClassificationTask):
    """One uniform feature that is the probability of class 1; the Bayes error is 1/4."""

    def sample(self, n_samples, random_state=None):
        rng = generator(random_state)
        X = rng.random((n_samples, 1))
        return X, (rng.random(n_samples) < X[:, 0]).astype(np.int64)

    def class_probabilities(self, X):
        return np.column_stack([1 - np.asarray(X), X])


def test_the_most_probable_class_is_predicted_and_ties_go_to_the_lowest():
    assert Coin().predict([[0.2], [0.9], [0.5]]).tolist() == [0, 1, 0]


def test_bayes_error_is_the_mean_of_what_the_best_class_leaves():
    # 1 - max(x, 1 - x) is uniform in [0, 1/2].
    tolerance = 5 * 0.5 / np.sqrt(12 * 50_000)
    assert Coin().bayes_error(50_000) == pytest.approx(0.25, abs=tolerance)
    assert Coin().bayes_error(100, random_state=1) == Coin().bayes_error(100, random_state=1)


def test_bayes_error_needs_cases():
    with pytest.raises(ValueError, match="n_samples=0 is too small"):
        Coin().bayes_error(0)


def test_arrays_are_presented_as_they_are():
    X, y = np.zeros((2, 2)), np.arange(2)
    given = present(X, y, as_frame=False)
    assert given[0] is X
    assert given[1] is y


def test_frames_have_names_and_categories():
    X, y = present(np.array([[0.5, 1.0], [1.5, 0.0]]), np.arange(2), as_frame=True, names=["a", "b"], categorical=["b"])
    assert X["a"].tolist() == [0.5, 1.5]
    assert X["b"].dtype == pd.CategoricalDtype([0, 1])
    assert X["b"].tolist() == [1, 0]
    assert y.name == "class"


def test_names_count_from_one():
    assert numbered_names(3) == ["x1", "x2", "x3"]
