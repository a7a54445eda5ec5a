import numpy as np
import pytest

from covey.datasets import load


@pytest.fixture
def assert_share():
    """Check an observed share against its probability, by the binomial standard error."""

    def check(wrong, probability, n_errors=4.5):
        tolerance = n_errors * np.sqrt(probability * (1 - probability) / np.size(wrong))
        assert np.mean(wrong) == pytest.approx(probability, abs=tolerance)

    return check


@pytest.fixture
def assert_moments():
    """Check the column means and covariance of a sample against the true ones, by their standard errors."""

    def check(X, mean, covariance, n_errors=5.0):
        variance = np.diag(covariance)
        np.testing.assert_array_less(np.abs(X.mean(axis=0) - mean), n_errors * np.sqrt(variance / len(X)) + 1e-12)
        deviations = X - mean
        products = deviations[:, :, None] * deviations[:, None, :]
        standard_error = products.std(axis=0) / np.sqrt(len(X))
        np.testing.assert_array_less(np.abs(products.mean(axis=0) - covariance), n_errors * standard_error + 1e-12)

    return check


@pytest.fixture
def stored_cases(published):
    """Return a reader of the stored data sets; the test is skipped where they are not at hand."""

    def read(name):
        dataset = load(name, source="files")
        return dataset.frame.to_numpy(), dataset.target.cat.codes.to_numpy()

    return read
