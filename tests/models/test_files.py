"""Saving models and loading them."""

import json
import pickle
from functools import partial

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.datasets import load_iris
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier

from covey import (
    Bootstrap,
    C45Classifier,
    EnsembleClassifier,
    SphereCoverClassifier,
    TriskelClassifier,
    WeightedSubspace,
    load_model,
    save_model,
)
from covey.models import needed_trust, read_about
from models.files import Constant, Unwritable, X, Y, ensemble, parts_of, rewrite, write_parts
from models.specimens import answers, names, specimen


@pytest.mark.parametrize("name", names())
def test_a_model_says_the_same_from_a_file(name, path):
    model, rows = specimen(name).model, specimen(name).rows
    assert save_model(model, path) == path
    assert needed_trust(path) == ()
    loaded = load_model(str(path))
    assert type(loaded) is type(model)
    assert vars(loaded).keys() == vars(model).keys() - {"_store_cv_results"}  # of scikit-learn 1.6, for fit only
    if hasattr(model, "member_predictions"):
        np.testing.assert_array_equal(loaded.member_predictions(rows), model.member_predictions(rows))
    said = answers(loaded, rows)
    for method, expected in answers(model, rows).items():
        if isinstance(expected, pd.DataFrame):
            pd.testing.assert_frame_equal(said[method], expected)
        else:
            np.testing.assert_array_equal(said[method], expected)


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


@pytest.mark.parametrize(
    "labels",
    [
        np.array([3, 1], dtype=np.int16),
        np.array([True, False]),
        np.array([1.0, -2.0]),
        np.array(["ja", "nein, nie"]),
        np.array(["ja", "nein"], dtype=object),
    ],
    ids=lambda labels: str(labels.dtype),
)
def test_labels_keep_their_type(labels, path):
    model = C45Classifier().fit(X, labels[Y])
    loaded = load_model(save_model(model, path))
    assert needed_trust(path) == ()
    assert loaded.classes_.dtype == model.classes_.dtype
    assert loaded.predict(X).tolist() == model.predict(X).tolist()


def test_members_share_what_they_shared(path):
    loaded = load_model(save_model(ensemble(C45Classifier()).fit(X, Y), path))
    assert len({id(member.schema_) for member in loaded.estimators_}) == 1
    triskel = load_model(save_model(TriskelClassifier(random_state=0).fit(*load_iris(return_X_y=True)), path))
    assert triskel.estimators_[0] is triskel._rounds[0].pairs[0][0].member.model


def test_a_loaded_model_can_be_saved_and_grown_again(path):
    loaded = load_model(save_model(ensemble(None, warm_start=True).fit(X, Y), path))
    grown = load_model(save_model(loaded.set_params(n_estimators=5).fit(X, Y), path))
    expected = EnsembleClassifier(n_estimators=5, random_state=1).fit(X, Y)
    np.testing.assert_array_equal(grown.predict_proba(X), expected.predict_proba(X))


def test_boosting_goes_on_from_a_file(path):
    model = HistGradientBoostingClassifier(max_iter=2, warm_start=True, random_state=0, max_features=0.5)
    loaded = load_model(save_model(model.fit(X, Y), path))
    for one in (loaded, model):
        one.set_params(max_iter=4).fit(X, Y)
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize(
    "seed",
    [
        7,
        np.random.SeedSequence(1),
        np.random.SeedSequence([1, 2**40]).spawn(3)[2],
        np.random.default_rng(3),
        np.random.RandomState(3),
    ],
    ids=lambda seed: type(seed).__name__,
)
def test_seeds_go_on_where_they_were(seed, path):
    model = SphereCoverClassifier(random_state=seed).fit(X, Y)
    loaded = load_model(save_model(model, path))
    assert needed_trust(path) == ()
    np.testing.assert_array_equal(loaded.fit(X, Y).centers_, model.fit(X, Y).centers_)


def test_a_model_that_is_not_fitted_keeps_its_parameters(path):
    model = EnsembleClassifier(C45Classifier(confidence=0.1), draw=Bootstrap(0.5), n_estimators=7)
    assert repr(load_model(save_model(model, path))) == repr(model)


# What is no model


@pytest.mark.parametrize(
    "content",
    [b"", b"junk", pickle.dumps({"model": 1}), b"PK\x03\x04 nearly a zip file", None],
    ids=["empty", "junk", "pickle", "zip", "another zip"],
)
@pytest.mark.parametrize("read", [load_model, needed_trust, read_about])
def test_other_files_are_refused(content, read, path):
    write_parts(path, {"readme.txt": "hello"}) if content is None else path.write_bytes(content)
    with pytest.raises(ValueError, match=r"model\.covey is not a model written by covey\.save_model"):
        read(path)


@pytest.mark.parametrize("text", ["", "[]", "nothing", "[" * 100_000, '{"format": 1e400}', "\x00", "1" * 10_000])
def test_other_documents_are_refused(text, path):
    write_parts(path, {"model.json": text})
    with pytest.raises(ValueError, match=r"has a document that is no|has format"):
        load_model(path)


def test_a_file_of_skops_is_told_of(path):
    skops.io.dump({"format": 1, "model": LogisticRegression().fit(X, Y)}, path)
    with pytest.raises(ValueError, match="from before models had a format of their own; save the model again"):
        load_model(path)


def test_a_truncated_file_is_refused(path):
    save_model(ensemble(None).fit(X, Y), path)
    whole = path.read_bytes()
    for share in (0.01, 0.5, 0.99):
        path.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(ValueError, match=r"is not a model written by covey\.save_model"):
            load_model(path)


def test_a_missing_file_and_a_directory(path, tmp_path):
    for read in (load_model, read_about):
        with pytest.raises(FileNotFoundError, match="There is no model file"):
            read(path)
    with pytest.raises(IsADirectoryError):
        load_model(tmp_path)


@pytest.mark.parametrize("number", [0, 1, 3, None, "2"])
def test_another_format_is_refused(number, path):
    save_model(LogisticRegression().fit(X, Y), path)
    rewrite(path, lambda document: document.update(format=number))
    with pytest.raises(ValueError, match=rf"has format {number!r}, but this version of covey reads format 2"):
        load_model(path)


def test_something_that_is_no_estimator(path):
    for thing in ([C45Classifier()], C45Classifier, None):
        with pytest.raises(TypeError, match="is no estimator; give a fitted one"):
            save_model(thing, path)


# Trust


def test_what_declares_nothing_needs_trust_elsewhere(path, stranger):
    for model, package in (
        (MLPClassifier((3,), max_iter=5000, random_state=0), "sklearn"),
        (GaussianProcessClassifier(), "sklearn"),
        (ensemble(GaussianProcessClassifier()), "sklearn"),
    ):
        save_model(model.fit(X, Y), path)
        np.testing.assert_array_equal(load_model(path).predict(X), model.predict(X))
        assert needed_trust(path) == (package,)
        with stranger(), pytest.raises(ValueError, match=rf"parts of {package}, which covey cannot check") as told:
            load_model(path)
        assert f"give trust=['{package}']" in str(told.value)
        with stranger(), pytest.raises(ValueError, match="cannot check"):
            load_model(path, trust=["lightgbm"])
        with stranger():
            np.testing.assert_array_equal(load_model(path, trust=package).predict(X), model.predict(X))


def noted(model):
    model.note = "mine"
    return model


SEUCLIDEAN = SphereCoverClassifier(metric="seuclidean", metric_params={"V": np.ones(5)}, random_state=0)


@pytest.mark.parametrize(
    ("model", "package"),
    [
        (SEUCLIDEAN.fit(X, Y), "covey"),
        (noted(GaussianNB().fit(X, Y)), "sklearn"),
        (ensemble(Constant()).fit(X, Y), Constant.__module__.partition(".")[0]),
    ],
    ids=["a metric with arrays", "an attribute that is not declared", "a subclass"],
)
def test_what_else_needs_trust(model, package, path):
    save_model(model, path)
    assert package in needed_trust(path)
    loaded = load_model(path)
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert getattr(loaded, "note", None) == getattr(model, "note", None)


# Writing


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


def test_the_file_is_written_elsewhere_first_and_replaces_the_older_one(path, monkeypatch):
    def fail(self, target):
        raise OSError("disk trouble")

    similar = path.with_name(f"{path.name}.part")
    similar.write_text("the user's")
    path.write_bytes(b"an older model")
    with monkeypatch.context() as patch:
        patch.setattr(type(path), "replace", fail)
        with pytest.raises(OSError, match="disk trouble"):
            save_model(GaussianNB().fit(X, Y), path)
    assert path.read_bytes() == b"an older model"
    model = ensemble(None).fit(X, Y)
    first = save_model(model, path).read_bytes()
    assert save_model(model, path).read_bytes() == first
    assert {file.name for file in path.parent.iterdir()} == {path.name, similar.name}
    assert similar.read_text() == "the user's"
    parts = parts_of(path)
    assert {name.partition("/")[0] for name in parts} == {"model.json", "arrays"}
    assert json.loads(parts["model.json"])["model"]["class"] == "EnsembleClassifier"
    with pytest.raises(FileNotFoundError, match=r"There is no directory .*nowhere to save model.covey in"):
        save_model(model, path.parent / "nowhere" / "model.covey")


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


def test_none_among_text_is_a_missing_value_to_histograms(path):
    """Frames of pandas before 3 have None there."""
    rows = pd.DataFrame({"a": np.arange(12.0), "b": pd.Series(["v", "w", None] * 4, dtype=object)})
    model = HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=1, categorical_features=["b"])
    model.fit(rows, rows["b"].isna())
    save_model(model, path)
    assert needed_trust(path) == ()
    np.testing.assert_array_equal(load_model(path).predict_proba(rows), model.predict_proba(rows))
