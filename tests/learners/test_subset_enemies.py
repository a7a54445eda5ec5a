"""Closest enemies along many choices of columns at once, against one search for each."""

import numpy as np
import pandas as pd
import pytest

from covey import SubspaceSphereEnsembleClassifier
from covey.learners import subset_enemies
from covey.learners.euclid import EuclideanRows
from covey.learners.space import space_of
from covey.learners.subset_enemies import known_enemies, share_enemies
from covey.table import as_table

N_ROWS = 400


@pytest.fixture(autouse=True)
def _however_few_rows(monkeypatch):
    monkeypatch.setattr(subset_enemies, "FEWEST_PAIRS", 0)


def whole(rng):
    return rng.integers(0, 4, (N_ROWS, 7)).astype(float)


def thirds(rng):
    """Columns of other ranges: what is equal in one order of adding up may not be in another."""
    return rng.integers(0, 4, (N_ROWS, 9)) * np.array([1, 1, 0.1, 3, 1, 7, 1, 1, 1]) / 3


def real(rng):
    return rng.normal(size=(N_ROWS, 12)) * 10.0 ** rng.integers(-3, 4, 12)


def mixed(rng):
    values = rng.integers(0, 5, (N_ROWS, 8)) / 3
    values[:, 3:][rng.random((N_ROWS, 5)) < 0.2] = np.nan
    frame = pd.DataFrame(values, columns=list("abcdefgh"))
    frame["c"] = pd.Categorical(rng.integers(0, 3, N_ROWS).astype(str))
    frame["i"] = pd.Categorical(np.where(rng.random(N_ROWS) < 0.1, None, rng.choice(["x", "y"], N_ROWS)))
    return frame


def alone(table, codes, columns, scale):
    return EuclideanRows(codes, space_of(table.take(columns), scale=scale)[1]).all_enemies(1)


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("make", [whole, thirds, real, mixed])
def test_they_are_those_of_one_search_for_each_choice_to_the_bit(make, n_classes, scale):
    rng = np.random.default_rng(n_classes)
    table, codes = as_table(make(rng)), rng.integers(0, n_classes, N_ROWS)
    n_columns = table.shape[1]
    subsets = [np.sort(rng.choice(n_columns, 1 + at % n_columns, replace=False)) for at in range(30)]
    share_enemies(table, codes, [*subsets, subsets[0]], scale=scale, n_jobs=1)
    for columns in subsets:
        shared, expected = known_enemies(table.take(columns), codes, scale=scale), alone(table, codes, columns, scale)
        np.testing.assert_array_equal(shared.rows, expected.rows)
        np.testing.assert_array_equal(shared.distances, expected.distances)
        assert shared.rows.dtype == expected.rows.dtype


def test_what_nobody_was_told_of_is_not_known():
    rng = np.random.default_rng(0)
    table, codes = as_table(real(rng)), rng.integers(0, 2, N_ROWS)
    subsets = [np.array([at, at + 1]) for at in range(5)]
    share_enemies(table, codes, subsets, scale=True, n_jobs=1)
    assert known_enemies(table.take(subsets[0]), codes, scale=True) is not None
    assert known_enemies(table.take(np.array([0, 2])), codes, scale=True) is None
    assert known_enemies(table.take(subsets[0]), 1 - codes, scale=True) is None
    assert known_enemies(table, codes, scale=True) is None


def test_where_it_does_not_pay_members_are_left_to_themselves(monkeypatch):
    rng = np.random.default_rng(0)
    X, codes = real(rng), rng.integers(0, 2, N_ROWS)
    subsets = [np.array([at, at + 1]) for at in range(5)]

    def knows(table, codes):
        share_enemies(table, codes, subsets, scale=True, n_jobs=1)
        return known_enemies(table.take(subsets[0]), codes, scale=True) is not None

    assert knows(as_table(X), codes)
    assert not knows(as_table(X), np.zeros(N_ROWS, dtype=np.int64))
    assert not knows(as_table(X), np.arange(N_ROWS) % 100)
    X[0, 0] = np.nan  # in a row that does not count for the kind of the column
    assert not knows(as_table(X).counting(np.arange(N_ROWS) > 0), codes)
    monkeypatch.setattr(EuclideanRows, "effort_by_leaves", lambda rows: 0.2)
    assert not knows(as_table(real(rng)), codes)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_members_of_alpha_rsse_need_not_search(n_jobs, monkeypatch):
    rng = np.random.default_rng(0)
    X, y = mixed(rng), rng.choice(["a", "b", "c"], N_ROWS)

    def fit(weight):
        model = SubspaceSphereEnsembleClassifier(
            12, subspace_size=5, min_sphere_size=2, n_jobs=n_jobs, warm_start=True, random_state=0
        )
        model.fit(X, y, weight)
        return model.set_params(n_estimators=24).fit(X, y, weight)

    weights = [None, np.arange(N_ROWS) % 3 * 1.0]
    models = [fit(weight) for weight in weights]
    with monkeypatch.context() as patch:
        patch.setattr(subset_enemies, "_pays", lambda *_: False)
        others = [fit(weight) for weight in weights]
    for model, other in zip(models, others, strict=True):
        for mine, theirs in zip(model.estimators_, other.estimators_, strict=True):
            for name in ("center_indices_", "radii_", "sphere_borders_", "sphere_sizes_"):
                np.testing.assert_array_equal(getattr(mine, name), getattr(theirs, name))
    monkeypatch.setattr(EuclideanRows, "closest_enemies", None)
    fit(None)
