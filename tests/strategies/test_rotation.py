"""Rotations: principal axes of random groups of attributes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.decomposition import PCA

from covey.strategies import rotation
from covey.strategies.rotation import Rotation
from covey.table import as_table


def make(n_samples=60, n_columns=7, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    mixing = rng.normal(size=(n_columns, n_columns))
    X = rng.normal(size=(n_samples, n_columns)) @ mixing
    return as_table(X), rng.permutation(np.arange(n_samples) % n_classes)


def choose(table, y, weight=None, seed=0, **params):
    weight = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=float)
    return Rotation(**params).choose(table, y, weight, np.random.default_rng(seed))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(n_columns=st.integers(1, 11), size=st.integers(1, 5), n_classes=st.integers(1, 4), seed=st.integers(0, 999))
def test_it_is_orthonormal_and_made_of_disjoint_blocks(n_columns, size, n_classes, seed):
    table, y = make(30, n_columns, n_classes, seed)
    view = choose(table, y, seed=seed, group_size=size)
    assert view.matrix.shape == (n_columns, n_columns)
    np.testing.assert_allclose(view.matrix.T @ view.matrix, np.eye(n_columns), atol=1e-12)
    blocks = {tuple(sorted(set(group))) for group in view.columns.T[: n_columns // size * size].tolist()}
    assert len(blocks) == n_columns // size
    assert all(len(block) == size for block in blocks)
    for column, group in zip(view.matrix.T, view.columns.T.tolist(), strict=True):
        assert set(np.flatnonzero(column)) <= set(group)


def test_its_blocks_are_the_principal_axes_of_the_rows_drawn(monkeypatch):
    table, y = make(200, 8)
    drawn = []
    original = Rotation._samples

    def recorded(self, *arguments):
        drawn[:] = original(self, *arguments)
        return drawn

    monkeypatch.setattr(Rotation, "_samples", recorded)
    view = choose(table, y)
    scaled = view.numbers.of(table.matrix, None).T
    assert [len(rows) > 20 for rows in drawn] == [True] * 3
    for number, rows in enumerate(drawn):
        block = slice(3 * number, min(3 * number + 3, 8))
        group = view.columns[: block.stop - block.start, block.start]
        expected = PCA().fit(scaled[np.ix_(rows, group)]).components_.T
        found = view.matrix[np.ix_(group, range(block.start, block.stop))]
        np.testing.assert_allclose(found * np.sign((found * expected).sum(axis=0)), expected, atol=1e-8)
        assert (found[np.abs(found).argmax(axis=0), range(found.shape[1])] > 0).all()


def test_rows_are_half_of_those_of_some_classes():
    _, y = make(400, 3, 4)
    samples = Rotation()._samples(y, np.ones(400), 2000, np.random.default_rng(1))
    subsets = [tuple(np.unique(y[rows]).tolist()) for rows in samples]
    assert all(len(rows) == 50 * len(subset) for rows, subset in zip(samples, subsets, strict=True))
    assert all(len(set(rows)) == len(rows) for rows in samples)
    found = pd.Series(subsets).value_counts(normalize=True)
    assert len(found) == 15  # every subset but the empty one
    single = np.array([len(subset) == 1 for subset in found.index])
    expected = np.where(single, 1 / 16 + 1 / 64, 1 / 16)  # an empty draw is replaced by one class
    assert (np.abs(found - expected) < 4 * np.sqrt(expected * (1 - expected) / 2000)).all()
    assert np.bincount(np.concatenate(samples)).min() > 0
    numbers = Rotation(sample_share=0.25)._samples(np.linspace(0, 1, 80), np.ones(80), 5, np.random.default_rng(0))
    assert [len(rows) for rows in numbers] == [20] * 5


def test_names_of_classes_make_no_difference():
    table, y = make()
    np.testing.assert_array_equal(choose(table, y).matrix, choose(table, np.array([2, 0, 1])[y]).matrix)


def test_weight_zero_is_absence():
    table, y = make()
    weight = np.random.default_rng(4).integers(0, 3, len(y)).astype(float)
    kept = np.flatnonzero(weight)
    some = as_table(table.matrix[kept])
    all_rows, fewer = choose(table, y, weight), choose(some, y[kept], weight[kept])
    np.testing.assert_array_equal(all_rows.columns, fewer.columns)
    np.testing.assert_array_equal(all_rows.matrix, fewer.matrix)


def test_weights_count_as_repeated_rows():
    table, _ = make(40, 3)
    weight = np.random.default_rng(4).integers(1, 5, 40).astype(float)
    repeated = as_table(np.repeat(table.matrix, weight.astype(int), axis=0))
    weighted = choose(table, np.zeros(40), weight, sample_share=1.0)
    copied = choose(repeated, np.zeros(len(repeated.matrix)), sample_share=1.0)
    np.testing.assert_array_equal(weighted.columns, copied.columns)
    np.testing.assert_allclose(weighted.matrix, copied.matrix, atol=1e-9)


@pytest.mark.parametrize("factor", [1e-250, 1e200])
def test_the_scale_of_weights_makes_no_difference(factor):
    table, y = make()
    weight = np.random.default_rng(4).random(len(y))
    np.testing.assert_allclose(choose(table, y, weight).matrix, choose(table, y, weight * factor).matrix, atol=1e-9)


@pytest.mark.parametrize("n_rows", [1, 2, 3])
def test_few_rows(n_rows):
    table, _ = make(n_rows, 5)
    view = choose(table, np.arange(n_rows))
    width = 1 if n_rows == 1 else 5  # of one row no column varies
    np.testing.assert_allclose(view.matrix.T @ view.matrix, np.eye(width), atol=1e-12)
    assert np.isfinite(view.see(table).matrix).all()


def test_of_a_class_with_few_rows_enough_are_taken():
    y = np.repeat([0, 1, 2], [50, 5, 1])
    samples = Rotation()._samples(y, np.ones(56), 300, np.random.default_rng(0))
    counts: dict[tuple[int, ...], set[int]] = {}
    for rows in samples:
        counts.setdefault(tuple(np.unique(y[rows]).tolist()), set()).add(len(rows))
    assert counts[(1,)] == {4}  # one more than there are attributes in a group
    assert counts[(2,)] == {1}
    assert 25 in counts[(0,)]


def test_a_group_that_is_constant_among_its_rows_stays_as_it_is():
    X = np.r_[np.zeros((10, 3)), np.random.default_rng(0).normal(size=(10, 3))]
    y = np.repeat([0, 1], 10)
    views = [choose(as_table(X), y, seed=seed).matrix for seed in range(30)]
    plain = [np.array_equal(np.abs(view).sum(axis=0), np.ones(3)) for view in views]
    assert any(plain)
    assert not all(plain)


def test_prepare_learns_once_and_leaves_the_strategy_alone():
    table, y = make()
    strategy = Rotation(2)
    prepared = strategy.prepare(table, y, np.ones(len(y)))
    assert prepared is not strategy
    assert prepared.get_params() == strategy.get_params()
    rng = np.random.default_rng(0)
    first, second = (prepared.choose(table, y, np.ones(len(y)), rng) for _ in range(2))
    assert first.numbers is second.numbers
    assert not np.array_equal(first.columns, second.columns)
    np.testing.assert_array_equal(first.matrix, choose(table, y, group_size=2).matrix)


def test_one_warning_tells_of_missing_values():
    table, y = make()
    matrix = table.matrix.copy()
    matrix[3, 2] = matrix[5, 4] = matrix[6, 4] = np.nan
    with pytest.warns(UserWarning, match="Missing values in column 'x2' and 1 more are replaced by the mean") as told:
        prepared = Rotation().prepare(as_table(matrix), y, np.ones(len(y)))
    assert len(told) == 1
    assert np.isfinite(prepared.choose(as_table(matrix), y, np.ones(len(y)), np.random.default_rng(0)).matrix).all()
    weight = np.ones(len(y))
    weight[[3, 5, 6]] = 0
    Rotation().prepare(as_table(matrix), y, weight)  # nothing is missing where there is weight


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"group_size": 0}, "group_size=0 must be a whole number"),
        ({"group_size": 2.5}, "group_size=2.5 must be a whole number"),
        ({"group_size": True}, "group_size=True must be"),
        ({"sample_share": 0}, "sample_share=0 must be more than 0"),
        ({"sample_share": 1.5}, "at most 1"),
        ({"sample_share": "half"}, "sample_share='half'"),
    ],
)
def test_prepare_refuses_parameters_that_make_no_sense(params, message):
    table, y = make()
    with pytest.raises(ValueError, match=message):
        Rotation(**params).prepare(table, y, np.ones(len(y)))


@pytest.mark.parametrize("n_columns", [6, 7])
@pytest.mark.parametrize("weight", [np.ones(60), np.arange(60) % 3 * 0.7])
def test_axes_worked_out_together_are_those_of_each_group_alone(monkeypatch, n_columns, weight):
    table, y = make(n_columns=n_columns)
    together = choose(table, y, weight)
    monkeypatch.setattr(rotation, "FEW_NUMBERS", 0)
    alone = choose(table, y, weight)
    assert together.loadings.tobytes() == alone.loadings.tobytes()
    assert together.columns.tolist() == alone.columns.tolist()


@pytest.mark.parametrize("n_classes", [1, 2, 5])
@pytest.mark.parametrize(("size", "share"), [(3, 0.5), (1, 0.01), (4, 1.0)])
@pytest.mark.parametrize("ahead", [0, 1])
def test_rows_drawn_at_once_are_those_that_numpy_draws_one_by_one(monkeypatch, n_classes, size, share, ahead):
    rng = np.random.default_rng(n_classes)
    y, weight = rng.integers(0, n_classes, 90), rng.integers(0, 3, 90) / 2
    subspace, generators = Rotation(size, share), [np.random.default_rng(7), np.random.default_rng(7)]
    for one in generators:
        one.integers(9, size=ahead, dtype=np.int32)  # which leaves half a word
    at_once = subspace._samples(y, weight, 50, generators[0])
    monkeypatch.setattr(rotation, "FLOYD", 0)
    for left, right in zip(at_once, subspace._samples(y, weight, 50, generators[1]), strict=True):
        np.testing.assert_array_equal(left, right)
    assert generators[0].bit_generator.state == generators[1].bit_generator.state


def test_bits_that_would_favour_a_class_are_left_out():
    from covey.kernels.samples import draw_samples

    # No class is drawn, and of three the half word 0 would give the first one more chances than the others.
    words = np.array([-1, -1, -1, -0x40000000 << 32, 0], dtype=np.int64)
    place, sizes = np.zeros(3, np.int64), np.arange(5)
    drawn, n_drawn = np.empty((1, 4), np.int64), np.empty(1, np.int64)
    draw_samples(words, place, np.array([0, 1, 2, 2]), 3, np.minimum(sizes, 1), drawn, n_drawn)
    assert n_drawn.tolist() == [1]
    assert drawn[0, 0] == 2  # of the last class
    assert place.tolist() == [5, 1, 0]


class Scanty:
    """A generator's bits, too few of them when they are first asked for."""

    def __init__(self, seed):
        self.bits, self.asked = np.random.PCG64(seed), 0

    def __getattr__(self, name):
        return getattr(self.bits, name)

    def random_raw(self, size):
        self.asked += 1
        return self.bits.random_raw(size if self.asked > 1 else 10)

    @property
    def state(self):
        return self.bits.state

    @state.setter
    def state(self, state):
        self.bits.state = state


def test_where_bits_are_too_few_there_are_more():
    rows, codes, scanty = np.arange(40), np.arange(40) % 3, Scanty(3)
    drawn = Rotation()._samples_at_once(rows, codes, 8, scanty)
    assert scanty.asked == 2
    expected = Rotation()._samples(codes, np.ones(40), 8, np.random.Generator(np.random.PCG64(3)))
    assert [one.tolist() for one in drawn] == [one.tolist() for one in expected]
