"""Learners that remember their cases: adding, forgetting, and what is kept of them."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from covey import (
    FeatureSubsetNeighborsClassifier,
    MixedNeighborsClassifier,
    SelectedNeighborsClassifier,
    load_model,
    save_model,
)
from covey.models.fields import RefusedError
from learners.test_neighbors import mixed_data
from models.files import reread

MODELS = {
    "nn": MixedNeighborsClassifier(),
    "knn": MixedNeighborsClassifier(3),
    "unscaled": MixedNeighborsClassifier(scale=False),
    "fss": SelectedNeighborsClassifier(),
    "mfs1": FeatureSubsetNeighborsClassifier(5, random_state=0),
    "mfs2-3": FeatureSubsetNeighborsClassifier(5, replacement=False, subset_size=2, n_neighbors=3, random_state=0),
    "mfs1-query": FeatureSubsetNeighborsClassifier(5, subset_size=2, resample="query", random_state=0),
}
FRAME = pd.DataFrame({"x": [0.0, 1.0, 2.0, 5.0, 6.0, 7.0], "c": ["a", "a", "b", "b", "c", "c"]})
LABELS = np.array(["no", "no", "no", "yes", "yes", "yes"])


@pytest.fixture(params=MODELS.values(), ids=MODELS.keys())
def model(request):
    return clone(request.param)


def refitted(model, X, y, weight=None):
    """A model with the same choices, fitted to other cases."""
    other = copy.deepcopy(model)
    other._cases = None
    plain = MixedNeighborsClassifier(scale=model.scale, categorical_features=model.categorical_features)
    codes = np.searchsorted(model.classes_, y)
    other._cases = plain.fit(X, codes, sample_weight=weight)._cases
    labels = np.unique(codes)
    other._cases.codes[:] = labels[other._cases.codes]
    return other


@given(st.integers(0, 10**6), st.sampled_from(list(MODELS)), st.booleans())
@settings(max_examples=60, deadline=None)
def test_added_and_forgotten_it_is_the_model_of_what_remains(seed, name, weighted):
    rng = np.random.default_rng(seed)
    X, y = mixed_data(seed, 40)
    X[:3, 0], X[:2, 2] = [0, 1, 2], [0, 1]  # all categories are there from the start
    weight = rng.choice([0.0, 1.0, 2.0, 2.5], 40) if weighted else np.ones(40)
    weight[:6] = 1.0
    model = clone(MODELS[name]).set_params(categorical_features=[0, 2])
    model.fit(X[:25], y[:25], sample_weight=weight[:25]).partial_fit(X[25:], y[25:], sample_weight=weight[25:])
    gone = np.union1d(rng.choice(np.arange(6, 40), 15), [38])
    before = {key: repr(value) for key, value in vars(model).items() if key.endswith("_") and key != "schema_"}
    model.forget(gone)
    assert {key: repr(value) for key, value in vars(model).items() if key in before} == before
    kept = np.setdiff1d(np.arange(40), gone)
    expected = refitted(model, X[kept], y[kept], weight[kept])
    asked, _ = mixed_data(seed + 1, 15)
    np.testing.assert_array_equal(model.predict_proba(asked), expected.predict_proba(asked))
    np.testing.assert_array_equal(model.predict(asked), expected.predict(asked))
    assert model.n_cases_ == len(kept)


class TestPartialFit:
    def test_from_nothing_it_is_a_fit(self, model):
        X, y = load_iris(return_X_y=True)
        expected = clone(model).fit(X, y).predict_proba(X)
        np.testing.assert_array_equal(model.partial_fit(X, y, classes=[2, 1, 0]).predict_proba(X), expected)
        assert model.classes_.tolist() == [0, 1, 2]

    def test_a_declared_class_may_come_later(self, model):
        X, y = load_iris(return_X_y=True)
        model.partial_fit(X[:100], y[:100], classes=[0, 1, 2])
        assert (model.predict_proba(X)[:, 2] == 0).all()
        model.partial_fit(X[100:], y[100:])
        assert model.score(X, y) > 0.9

    def test_the_first_call_needs_classes(self, model):
        with pytest.raises(ValueError, match="classes=None: the first call of partial_fit needs all classes"):
            model.partial_fit(FRAME, LABELS)
        with pytest.raises(NotFittedError):
            model.predict(FRAME)

    def test_a_class_that_was_not_declared(self, model):
        model.fit(FRAME, LABELS)
        expected = model.predict_proba(FRAME)
        with pytest.raises(
            ValueError, match=r"the labels \['maybe'\].* not among the classes \['no', 'yes'\]; declare"
        ):
            model.partial_fit(FRAME, np.where(LABELS == "no", "maybe", "yes"))
        with pytest.raises(ValueError, match=r"classes=\['maybe', 'no'\] are not the classes \['no', 'yes'\]"):
            model.partial_fit(FRAME, LABELS, classes=["no", "maybe"])
        assert model.n_cases_ == 6
        np.testing.assert_array_equal(model.predict_proba(FRAME), expected)
        assert model.partial_fit(FRAME, LABELS, classes=["yes", "no"]).n_cases_ == 12

    def test_labels_of_another_type(self):
        model = MixedNeighborsClassifier().fit([[0.0], [1.0]], [0, 1])
        with pytest.raises(ValueError, match=r"the labels \['0'\]"):
            model.partial_fit([[0.0]], ["0"])
        assert model.partial_fit([[2.0]], [1.0]).predict([[2.0]]).tolist() == [1]

    def test_a_new_category_is_one_and_only_once_it_was_added(self):
        model = MixedNeighborsClassifier().fit(FRAME, LABELS)
        new = pd.DataFrame({"x": [1.0, 1.0], "c": ["z", "y"]})
        before = model.schema_
        model.partial_fit(new, ["yes", "yes"])
        assert before.categories[1].tolist() == ["a", "b", "c"]
        assert model.schema_.categories[1].tolist() == ["a", "b", "c", "y", "z"]
        assert model.predict(pd.DataFrame({"x": [1.0, 1.0], "c": ["z", "a"]})).tolist() == ["yes", "no"]
        distances, rows = model.kneighbors(pd.DataFrame({"x": [1.0], "c": ["y"]}))
        assert (distances.item(), rows.item()) == (0.0, 7)

    def test_numbers_as_categories_and_text_among_them(self):
        model = MixedNeighborsClassifier(categorical_features=[0]).fit([[1.0, 0.0], [3.0, 1.0]], [0, 1])
        model.partial_fit([[2.0, 0.5], [np.nan, 0.5]], [0, 1])
        assert model.schema_.categories[0].tolist() == [1.0, 3.0, 2.0]
        with pytest.raises(ValueError, match="had numbers as categories in training and now holds text"):
            model.partial_fit([["two", 0.5]], [0])
        assert model.n_cases_ == 4

    def test_a_column_of_categories_that_was_empty(self):
        empty = FRAME.assign(c=pd.Series([None] * 6, dtype="string"))
        model = MixedNeighborsClassifier().fit(empty, LABELS).partial_fit(FRAME, LABELS)
        assert model.schema_.categories[1].tolist() == ["a", "b", "c"]

    @pytest.mark.parametrize(
        ("X", "y", "weight", "message"),
        [
            (FRAME[["x"]], LABELS, None, "feature names|features"),
            (FRAME, LABELS[:3], None, "inconsistent numbers of samples"),
            (FRAME.assign(x=np.inf), LABELS, None, "infinity in column 'x'"),
            (FRAME.assign(x="?"), LABELS, None, "numeric but holds text"),
            (FRAME, LABELS, np.zeros(6), "zero"),
            (FRAME[:0], LABELS[:0], None, "0 sample"),
        ],
    )
    def test_a_failing_call_leaves_the_model_as_it_was(self, model, X, y, weight, message):
        model.fit(FRAME, LABELS)
        before = vars(model).copy()
        with pytest.raises(ValueError, match=message):
            model.partial_fit(X, y, sample_weight=weight)
        assert vars(model) == before

    def test_the_range_follows_the_cases(self):
        model = MixedNeighborsClassifier().fit([[0.0, 0.0], [1.0, 10.0]], [0, 1])
        assert model.kneighbors([[0.5, 0.0]])[0].item() == pytest.approx(0.5)
        model.partial_fit([[100.0, 0.0]], [1])
        assert model.kneighbors([[0.5, 0.0]])[0].item() == pytest.approx(0.005)
        model.forget(-1)
        assert model.kneighbors([[0.5, 0.0]])[0].item() == pytest.approx(0.5)


class TestForget:
    def test_positions_negative_ones_repeated_ones_and_masks(self):
        for rows in ([0, 5], [-6, -1], [0, 0, 5, -1], np.array([True, False, False, False, False, True]), (0, 5)):
            model = MixedNeighborsClassifier().fit(FRAME, LABELS).forget(rows)
            np.testing.assert_array_equal(model._cases.matrix[:, 0], [1.0, 2.0, 5.0, 6.0])
        assert MixedNeighborsClassifier().fit(FRAME, LABELS).forget([]).n_cases_ == 6
        assert MixedNeighborsClassifier().fit(FRAME, LABELS).forget(3).n_cases_ == 5

    def test_a_class_without_cases_stays_with_probability_0(self, model):
        model.fit(FRAME, LABELS).forget(LABELS == "no")
        assert model.classes_.tolist() == ["no", "yes"]
        np.testing.assert_array_equal(model.predict_proba(FRAME), [[0.0, 1.0]] * 6)

    @pytest.mark.parametrize(
        ("rows", "error", "message"),
        [
            (np.arange(6), ValueError, "would leave none of the 6 cases"),
            (np.ones(6, bool), ValueError, "would leave none of the 6 cases"),
            ([1, 6], IndexError, "rows has the position 6, but there are 6 cases"),
            ([-7], IndexError, "position -7"),
            (np.ones(5, bool), ValueError, "mask of length 5, but there are 6 cases"),
            ([0.0, 1.0], ValueError, "rows holds float64 values"),
            ([[0, 1]], ValueError, "shape"),
            (["a"], ValueError, "rows holds"),
        ],
    )
    def test_bad_rows(self, model, rows, error, message):
        model.fit(FRAME, LABELS)
        before = vars(model).copy()
        with pytest.raises(error, match=message):
            model.forget(rows)
        assert vars(model) == before

    def test_only_rows_without_weight_remain(self):
        model = MixedNeighborsClassifier().fit(FRAME, LABELS, sample_weight=[1, 0, 0, 1, 0, 0])
        with pytest.raises(ValueError, match="would leave none"):
            model.forget([0, 3])

    def test_unfitted(self, model):
        with pytest.raises(NotFittedError):
            model.forget([0])


class TestMemory:
    def test_the_users_array_is_neither_kept_nor_changed(self, model):
        X, y = load_iris(return_X_y=True)
        given = X.copy()
        expected = model.fit(given, y).predict_proba(X)
        np.testing.assert_array_equal(given, X)
        given[:] = 0.0
        np.testing.assert_array_equal(model.predict_proba(X), expected)

    def test_what_is_laid_out_for_the_search_is_not_pickled(self, model):
        rng = np.random.default_rng(0)
        X, y = rng.random((2000, 20)), rng.integers(0, 2, 2000)
        if isinstance(model, FeatureSubsetNeighborsClassifier):
            model.set_params(subset_size=3, n_estimators=50)
        elif isinstance(model, SelectedNeighborsClassifier):
            X, y = X[:500], y[:500]
        model.fit(X, y)
        expected = model.predict_proba(X[:20])
        content = pickle.dumps(model)
        assert len(content) < X.nbytes * 1.3
        for again in (pickle.loads(content), copy.deepcopy(model)):
            assert set(vars(again._cases)) == {"matrix", "schema", "codes", "weight", "scale", "space"}
            np.testing.assert_array_equal(again.predict_proba(X[:20]), expected)

    def test_saved_and_loaded_it_can_still_learn(self, model, tmp_path):
        model.fit(FRAME, LABELS).partial_fit(FRAME.assign(c="z"), LABELS)
        loaded = load_model(save_model(model, tmp_path / "model.covey"))
        for one in (model, loaded):
            one.partial_fit(FRAME.assign(c="q"), LABELS).forget([0])
        np.testing.assert_array_equal(loaded.predict_proba(FRAME), model.predict_proba(FRAME))
        assert loaded.schema_ == model.schema_

    @pytest.mark.parametrize(
        "damage",
        [
            lambda cases: {"codes": cases.codes + 5},
            lambda cases: {"codes": cases.codes - 5},
            lambda cases: {"codes": cases.codes[:-1]},
            lambda cases: {"matrix": cases.matrix[:, :1]},
            lambda cases: {"weight": -cases.weight},
            lambda cases: {"weight": 0 * cases.weight},
            lambda cases: {"matrix": cases.matrix.astype(np.float32)},
        ],
    )
    def test_cases_that_do_not_fit_together_are_refused(self, damage):
        model = MixedNeighborsClassifier().fit(FRAME, LABELS)
        reread(model)
        vars(model._cases).update(damage(model._cases))
        with pytest.raises(RefusedError):
            reread(model)
