from __future__ import annotations

import sys
from pathlib import Path

import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import MinMaxScaler

import covey
from covey import Bootstrap, EnsembleClassifier
from covey.study.fingerprint import describe
from covey.study.recipes import find_class, make_estimator, read_recipe

FOREST = "sklearn.ensemble.RandomForestClassifier"
DANGEROUS = [
    "os.system",
    "builtins.eval",
    "builtins.exec",
    "subprocess.Popen",
    "pickle.loads",
    "importlib.import_module",
]


def make(table):
    return make_estimator(*read_recipe(table))


def same(first, second) -> bool:
    return describe(first) == describe(second)


def test_published_systems_are_made_by_their_ids():
    made = make({"id": "mbsasc", "params": {"n_estimators": 50, "estimator__confidence": 0.1}})
    assert same(made, covey.method("mbsasc", n_estimators=50, estimator__confidence=0.1))
    assert make({"id": "random-forest", "params": {"n_estimators": 7}}).steps[-1][1].n_estimators == 7


@pytest.mark.parametrize("id", [entry.id for entry in covey.methods()])
def test_every_published_system_can_be_made(id):
    assert same(make({"id": id}), covey.method(id))


def test_classes_are_made_by_their_paths_with_what_is_inside_them():
    assert same(make({"estimator": FOREST, "params": {"n_estimators": 9}}), RandomForestClassifier(n_estimators=9))
    made = make(
        {
            "estimator": "covey.EnsembleClassifier",
            "params": {
                "estimator": {"estimator": "sklearn.naive_bayes.GaussianNB"},
                "draw": {"estimator": "covey.strategies.Bootstrap"},
            },
        }
    )
    assert same(made, EnsembleClassifier(GaussianNB(), draw=Bootstrap()))
    assert make({"estimator": "covey.ensemble.classifier.EnsembleClassifier"}).__class__ is EnsembleClassifier


def test_a_pipeline_names_its_steps_as_scikit_learn_does():
    scaler = {"estimator": "sklearn.preprocessing.MinMaxScaler"}
    made = make({"pipeline": [scaler, scaler, {"id": "c4.5", "params": {"confidence": 0.1}}]})
    assert [name for name, _ in made.steps] == ["minmaxscaler-1", "minmaxscaler-2", "c45classifier"]
    assert made[-1].confidence == 0.1


def test_named_steps_are_pairs_as_scikit_learn_has_them():
    bayes = {"estimator": "sklearn.naive_bayes.GaussianNB"}
    params = {"estimators": [["a", bayes], ["b", {"id": "c4.5"}]], "voting": "soft"}
    made = make({"estimator": "sklearn.ensemble.VotingClassifier", "params": params})
    assert isinstance(made, VotingClassifier)
    assert isinstance(made.estimators[0], tuple)
    made.fit([[0.0], [0.1], [1.0], [1.1]], [0, 0, 1, 1])
    assert made.predict([[0.05], [1.05]]).tolist() == [0, 1]


def test_an_array_is_a_tuple_where_the_default_is_one():
    scaler = make({"estimator": "sklearn.preprocessing.MinMaxScaler", "params": {"feature_range": [0, 2]}})
    assert same(scaler, MinMaxScaler(feature_range=(0, 2)))
    network = make({"estimator": "sklearn.neural_network.MLPClassifier", "params": {"hidden_layer_sizes": [5, 5]}})
    assert same(network, MLPClassifier(hidden_layer_sizes=(5, 5)))


def test_estimators_share_nothing_with_the_recipe():
    path, params = read_recipe({"estimator": "sklearn.svm.SVC", "params": {"class_weight": {"yes": 2}}})
    first, second = make_estimator(path, params), make_estimator(path, params)
    first.class_weight["yes"] = 3
    assert second.class_weight == params["class_weight"] == {"yes": 2}
    assert same(clone(second), second)


@pytest.mark.parametrize(
    "path",
    [
        *DANGEROUS,
        "pathlib.Path",
        "sklearn.base.clone",
        "sklearn.ensemble",
        "sklearn.utils.parallel.Parallel",
        "sklearn.datasets.fetch_openml",
        "sklearn.pipeline.make_pipeline",
        "covey.method",
        "covey.load_model",
        "covey.registry.import_module",
        "covey.registry.Recipe",
        "covey.study.recipes.import_module",
        "covey.models.files.Path",
        "covey.study",
    ],
)
def test_what_is_no_estimator_is_never_called_even_where_it_is_trusted(path):
    with pytest.raises(ValueError, match=r"is a (class without get_params|\w+); give the class of an estimator"):
        find_class(path, f"estimator={path!r}")


def test_a_module_of_another_package_is_not_reached_through_a_known_one():
    """``covey.registry`` imports some, but they are none of its modules."""
    with pytest.raises(ValueError, match=r"covey.registry has no module 'escape'"):
        find_class("covey.registry.escape.Popen", "estimator='...'")


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """Packages of others: one of estimators, one that fails when it is imported, one that lacks another."""
    texts = {
        "borrowed_package": "from lending_package import Lent",
        "lending_package": (
            "from sklearn.base import BaseEstimator, ClassifierMixin\n"
            "class Lent(ClassifierMixin, BaseEstimator):\n"
            "    def __init__(self, a=1, **more): self.a = a\n"
            "    def get_params(self, deep=True): return {'a': self.a}\n"
            "class Broken(Lent):\n"
            "    def __init__(self): raise RuntimeError('no licence')\n"
        ),
        "failing_package": "raise OSError('libgomp.so.1 is not there')",
        "lacking_package": "import package_that_nobody_has",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in texts:
        sys.modules.pop(name, None)


def test_classes_of_other_packages_are_made_where_they_were_trusted(packages):
    made = make({"estimator": "lending_package.Lent", "params": {"a": 2, "anything": 3}})
    assert made.a == 2


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("borrowed_package.Lent", "is a class of the package lending_package; name it by its own path"),
        ("lending_package.Broken", "estimator='lending_package.Broken' is refused: no licence"),
        ("failing_package.Lent", "cannot be imported: OSError: libgomp.so.1 is not there"),
        ("lacking_package.Lent", "needs the package package_that_nobody_has, which is not installed"),
        ("absent_package.Lent", "needs the package absent_package, which is not installed: pip install absent_package"),
    ],
)
def test_what_is_wrong_with_a_package_is_said(packages, path, message):
    with pytest.raises(ValueError, match=message):
        make({"estimator": path})


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"estimator": "sklearn.ensemble.RandomForestClasifier"}, "sklearn.ensemble has no .*'RandomForestClassifier'"),
        (
            {"estimator": "sklearn.ensembl.SVC"},
            "sklearn has no module 'ensembl'; did you mean 'ensemble'",
        ),
        ({"estimator": "sklearn.svm.SVC.fit"}, "sklearn.svm has no module 'SVC'[.;]"),
        ({"estimator": FOREST, "params": {"n_estimatorz": 5}}, "params.n_estimatorz=5 is unknown to .*'n_estimators'"),
        (
            {"estimator": FOREST, "params": {"n_estimators": 0}},
            "params.n_estimators=0 is refused: The 'n_est",
        ),
        ({"estimator": FOREST, "params": {"self": 1}}, "params.self=1 is unknown"),
        (
            {"id": "mb", "params": {"n_estimator": 5}},
            "params.n_estimator=5 is refused: .* has no parameter",
        ),
        ({"id": "random-forest", "params": {"n_estimators": -1}}, "^params.n_estimators=-1 is refused: The"),
        (
            {"id": "mb", "params": {"estimator": {"estimator": FOREST, "params": {"x": 1}}}},
            "^params.estimator.params.x=1",
        ),
        ({"pipeline": [{"id": "c4.5"}, {"id": "c4.5"}]}, r"^pipeline\[0\].id='c4.5' has no transform"),
        ({"pipeline": [{"id": "c4.5", "params": {"x": 1}}]}, r"^pipeline\[0\].params.x=1"),
        ({"estimator": "covey.strategies.Draw"}, "estimator='covey.strategies.Draw' is refused: .*abstract"),
    ],
)
def test_what_cannot_be_made_is_said_with_its_key(table, message):
    with pytest.raises(ValueError, match=message):
        make(table)


def test_a_path_is_not_a_file(tmp_path, monkeypatch):
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'mark')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    for path in ("sklearn.evil.Class", "covey.evil.Class"):
        with pytest.raises(ValueError, match="has no module 'evil'"):
            make({"estimator": path})
    assert not Path("mark").exists()
