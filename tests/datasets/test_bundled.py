import numpy as np
import pytest
import sklearn
from sklearn import datasets

from covey.datasets import available, load


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "digits", "diabetes"])
def test_bundled_sets_are_those_of_scikit_learn(name):
    data = load(name, source="sklearn")
    bunch = getattr(datasets, f"load_{name}")(as_frame=True)
    np.testing.assert_array_equal(data.frame.to_numpy(), bunch.data.to_numpy())
    assert list(data.frame.columns) == list(bunch.feature_names)
    if data.task == "classification":
        assert data.classes == tuple(bunch.target_names)
        assert data.target.cat.codes.tolist() == bunch.target.tolist()
    else:
        assert data.target.tolist() == bunch.target.tolist()


def test_listed_facts_are_true():
    for info in available("sklearn"):
        data = load(info.name, source="sklearn")
        assert (data.n_rows, data.task) == (info.rows, info.task)


def test_provenance_names_the_version():
    data = load("sklearn:Breast-Cancer")
    assert data.provenance.location == f"scikit-learn {sklearn.__version__}, sklearn.datasets.load_breast_cancer"
    assert data.provenance.notes == ("UCI breast cancer Wisconsin (diagnostic)",)
    assert data.licence is None


def test_linnerud_has_several_targets_and_is_not_offered():
    assert "linnerud" not in {info.name for info in available("sklearn")}
