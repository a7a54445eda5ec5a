"""What methods are, in a line."""

from __future__ import annotations

from covey.report.method_words import describe_method

from covey.comparison import shortlist
from covey.study.record import MethodRecord


def told(path, **params):
    return describe_method(MethodRecord("name", path, params))


def test_a_published_system_by_its_paper():
    assert told("covey:mbsasc") == ("MultiBoosting over C4.5SAS (Webb and Zheng, Multi-strategy ensemble learning)")


def test_others_by_class_and_package():
    assert told("sklearn.ensemble.ExtraTreesClassifier") == "ExtraTreesClassifier of scikit-learn"
    assert told("lightgbm.LGBMClassifier") == "LGBMClassifier of LightGBM"
    assert told("my_package.part.Learner") == "Learner of my_package"


def test_a_pipeline_by_its_steps():
    linear = next(method for method in shortlist("classification").methods if method.name == "logistic regression")
    expected = "LogisticRegression of scikit-learn after StandardScaler of scikit-learn after SimpleImputer of"
    assert describe_method(MethodRecord.of(linear)).startswith(expected)


def test_a_system_that_is_no_longer_known_is_named_by_its_path():
    assert told("covey:gone") == "covey:gone"
