import io
import pickle
import zipfile
from functools import partial

import numpy as np
import pytest
import skops.io
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from covey import (
    AdaBoost,
    Bootstrap,
    EnsembleClassifier,
    EnsembleRegressor,
    MeanProbability,
    RandomSubspace,
    Wagging,
    WeightedSubspace,
    load_model,
    save_model,
)
from persistence.files import (
    STRANGER,
    Constant,
    Trap,
    Unwritable,
    X,
    Y,
    ensemble,
    rewrite,
)


@pytest.mark.parametrize(
    "model",
    [
        ensemble(None),
        ensemble(DecisionTreeClassifier(max_depth=2), draw=Wagging(), reweight=AdaBoost(), chain_length=2),
        ensemble(LogisticRegression(), subspace=RandomSubspace()),
        ensemble(GaussianNB(), combine=MeanProbability()),
        ensemble(HistGradientBoostingClassifier(max_iter=2)),
        ensemble(RandomForestClassifier(3)),
        ensemble(make_pipeline(StandardScaler(), LogisticRegression())),
        ensemble(ensemble(DecisionTreeClassifier(max_depth=1), reweight=AdaBoost())),
        ensemble(None, draw=Bootstrap(), subspace=WeightedSubspace([1, 2, 3, 4, 5]), oob_score=False),
        EnsembleClassifier(n_estimators=3, random_state=np.random.default_rng(1)),
        RandomForestClassifier(3, random_state=0),
        MLPClassifier((3,), max_iter=5000, random_state=0),
        GaussianProcessClassifier(),
    ],
    ids=lambda model: f"{type(model).__name__}-{type(getattr(model, 'estimator', None)).__name__}",
)
def test_a_classifier_predicts_the_same_from_a_file(model, path):
    model.fit(X, Y)
    assert save_model(model, path) == path
    loaded = load_model(path)
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert type(loaded) is type(model)


@pytest.mark.parametrize(
    "estimator", [None, DecisionTreeRegressor(max_depth=2), Ridge(), HistGradientBoostingRegressor(max_iter=2)]
)
def test_a_regressor_predicts_the_same_from_a_file(estimator, path):
    model = EnsembleRegressor(estimator, n_estimators=3, random_state=1).fit(X, X[:, 0])
    loaded = load_model(str(save_model(model, str(path))))
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(loaded.member_predictions(X), model.member_predictions(X))


@pytest.mark.parametrize(
    "estimator", [None, HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=2)], ids=["tree", "boosting"]
)
def test_categories_are_kept(estimator, mixed, path):
    frame, y = mixed
    model = ensemble(estimator).fit(frame, y)
    loaded = load_model(save_model(model, path))
    assert loaded.schema_ == model.schema_
    assert [known if known is None else known.tolist() for known in loaded.schema_.categories] == [
        None,
        ["unused", "blue", "red"],
        [7, 3],
        ["b", "ä"],
    ]
    np.testing.assert_array_equal(loaded.predict_proba(frame), model.predict_proba(frame))
    strange = frame.assign(text="new")
    with pytest.warns(UserWarning, match="Column 'text': none of its 40 values"):
        assert loaded.predict(strange).tolist() == model.predict(strange).tolist()


def test_a_loaded_model_can_be_saved_and_grown_again(path):
    loaded = load_model(save_model(ensemble(None, warm_start=True).fit(X, Y), path))
    grown = load_model(save_model(loaded.set_params(n_estimators=5).fit(X, Y), path))
    expected = EnsembleClassifier(n_estimators=5, random_state=1).fit(X, Y)
    np.testing.assert_array_equal(grown.predict_proba(X), expected.predict_proba(X))


@pytest.mark.parametrize(
    "content",
    [b"", b"junk", pickle.dumps({"model": 1}), b"PK\x03\x04 nearly a zip file"],
    ids=["empty", "junk", "pickle", "zip"],
)
def test_other_files_are_refused(content, path):
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"model\.covey is not a model written by covey\.save_model"):
        load_model(path)


@pytest.mark.parametrize(
    "schema", [None, "[]", "{}", "nothing", '{"protocol": 2}', '{"__loader__": "Strange"}', "[" * 100_000]
)
def test_other_zip_files_are_refused(schema, path):
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("readme.txt", "hello")
        if schema is not None:
            file.writestr("schema.json", schema)
    with pytest.raises(ValueError, match=r"is not a model written by covey\.save_model"):
        load_model(path)


def test_other_files_of_skops_are_refused(path):
    for content in (LogisticRegression().fit(X, Y), {"format": 1}, [1]):
        skops.io.dump(content, path)
        with pytest.raises(ValueError, match=r"is not a model written by covey\.save_model"):
            load_model(path)


def test_a_truncated_file_is_refused(path):
    save_model(ensemble(None).fit(X, Y), path)
    whole = path.read_bytes()
    for share in (0.01, 0.5, 0.99):
        path.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(ValueError, match=r"is not a model written by covey\.save_model"):
            load_model(path)


def test_a_damaged_array_is_refused(path):
    save_model(ensemble(GaussianNB()).fit(X, Y), path)
    rewrite(path, arrays=lambda name, content: content[:40])
    with pytest.raises(ValueError, match=r"model\.covey"):
        load_model(path)


def test_a_pickled_array_is_never_unpickled(path):
    save_model(LogisticRegression().fit(X, Y), path)
    harm = io.BytesIO()
    np.save(harm, np.array([Trap()], dtype=object), allow_pickle=True)
    built = Trap.built
    rewrite(path, arrays=lambda name, content: harm.getvalue())
    with pytest.raises(ValueError, match=r"model\.covey"):
        load_model(path)
    assert Trap.built == built


def test_a_missing_file_and_a_directory(path, tmp_path):
    with pytest.raises(FileNotFoundError):
        load_model(path)
    with pytest.raises(IsADirectoryError):
        load_model(tmp_path)


@pytest.mark.parametrize("number", [0, 2, None, "1"])
def test_another_format_is_refused(number, path):
    skops.io.dump({"format": number, "model": LogisticRegression().fit(X, Y)}, path)
    with pytest.raises(ValueError, match=rf"has format {number!r}, but this version of covey reads format 1"):
        load_model(path)


def test_a_strange_type_needs_trust(path):
    model = ensemble(Constant()).fit(X, Y)
    save_model(model, path)
    with pytest.raises(ValueError, match=rf"holds types that are not trusted: {STRANGER}\. If you know"):
        load_model(path)
    with pytest.raises(ValueError, match="not trusted"):
        load_model(path, trusted=["other.Type"])


def test_a_strange_type_that_is_trusted_is_loaded(path, monkeypatch):
    monkeypatch.setitem(
        __import__("sys").modules, Constant.__module__, __import__("types").SimpleNamespace(Constant=Constant)
    )
    model = ensemble(Constant()).fit(X, Y)
    loaded = load_model(save_model(model, path), trusted=[STRANGER])
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))


@pytest.mark.parametrize("before", [None, b"an older model"])
def test_a_failed_save_leaves_the_file_as_it_was(before, path):
    if before is not None:
        path.write_bytes(before)
    model = ensemble(None).fit(X, Y)
    model.estimators_[1].extra = Unwritable()
    with pytest.raises(TypeError, match="no way"):
        save_model(model, path)
    assert [file.name for file in path.parent.iterdir()] == ([] if before is None else [path.name])
    if before is not None:
        assert path.read_bytes() == before


def test_the_file_is_written_elsewhere_first(path, monkeypatch):
    def fail(self, target):
        raise OSError("disk trouble")

    path.write_bytes(b"an older model")
    monkeypatch.setattr(type(path), "replace", fail)
    with pytest.raises(OSError, match="disk trouble"):
        save_model(GaussianNB().fit(X, Y), path)
    assert path.read_bytes() == b"an older model"
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_save_replaces_the_file_and_leaves_no_other(path):
    save_model(LogisticRegression().fit(X, Y), path)
    save_model(GaussianNB().fit(X, Y), path)
    assert isinstance(load_model(path), GaussianNB)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_function_without_a_name_is_refused_when_saving(path):
    class Local(GaussianNB):
        pass

    def nameless(X, y):
        return np.ones(X.shape[1])

    for model in (
        ensemble(GaussianNB(), subspace=WeightedSubspace(lambda X, y: nameless(X, y))),
        ensemble(GaussianNB(), subspace=WeightedSubspace(partial(nameless))),
        ensemble(Local()),
    ):
        with pytest.raises(ValueError, match=r"<locals>.*, which cannot be found again from a file"):
            save_model(model, path)
    assert not path.exists()


def test_a_file_of_the_users_with_a_similar_name_is_left_alone(path):
    other = path.with_name(f"{path.name}.part")
    other.write_text("mine")
    save_model(GaussianNB(), path)
    assert other.read_text() == "mine"


def test_a_missing_directory_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"There is no directory .*nowhere to save model.covey in"):
        save_model(GaussianNB(), tmp_path / "nowhere" / "model.covey")
