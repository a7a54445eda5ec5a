"""Sphere covers against a twin that is written to be read, and against all distances."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.metrics import pairwise_distances

from covey import SphereCoverClassifier, seeds
from covey.learners.cover import draw_order
from covey.strategies import BorderResampling
from covey.strategies.reweight import Lesson
from learners import sphere_twin as twin

CATEGORIES = ["a", "b", "c"]
UNKNOWN = "z"

# Columns of numbers on a grid: their lowest value and their range, a power of two, so that scaling is exact.
GRIDS = {"integers": (0, 8), "halves": (-3.5, 4), "far": (1024, 16), "two values": (0, 1), "constant": (3, 0)}
STEPS = 8


def cells(kind, missing):
    """What a column may hold in training, and what a new case may hold as well."""
    gap = [None] if missing else []
    if kind == "category":
        return st.sampled_from(CATEGORIES + gap), st.sampled_from([*CATEGORIES, UNKNOWN, None])
    low, span = GRIDS[kind]
    steps = STEPS if span > 1 else 1
    grid = [low + span * step / steps for step in range(steps + 1)] if span else [low]
    return st.sampled_from([*grid, *gap]), st.sampled_from([*grid, None, low - 1, low + 3 * span])


WEIGHTS = {
    "ones": st.just(1.0),
    "whole": st.sampled_from([1.0, 2.0, 3.0]),
    "zeros": st.sampled_from([0.0, 1.0, 2.0]),
    "real": st.sampled_from([0.0, 0.3141, 0.7183, 1.0, 1.4142, 2.7321]),
}


@st.composite
def problems(draw):
    kinds = draw(st.lists(st.sampled_from([*GRIDS, "category"]), min_size=1, max_size=5))
    columns = [cells(kind, draw(st.booleans())) for kind in kinds]
    n_rows, n_classes = draw(st.integers(1, 24)), draw(st.integers(1, 4))
    cases = draw(st.lists(st.tuples(*(seen for seen, _ in columns)), min_size=n_rows, max_size=n_rows))
    new = draw(st.lists(st.tuples(*(cell for _, cell in columns)), min_size=1, max_size=6))
    labels = draw(st.lists(st.integers(0, n_classes - 1), min_size=n_rows, max_size=n_rows))
    amount = WEIGHTS[draw(st.sampled_from(list(WEIGHTS)))]
    weight = draw(st.lists(amount, min_size=n_rows, max_size=n_rows))
    first = {label: labels.index(label) for label in labels}
    for row in first.values():  # a class without weight is refused
        weight[row] = weight[row] or 1.0
    for j, kind in enumerate(kinds):
        stretch(cases, weight, j, kind)
    return kinds, cases, labels, weight, new


def stretch(cases, weight, j, kind):
    """Make the range of a column what its grid says, or the scaled numbers are not exact; absent cases are far out."""
    if kind == "category" or not GRIDS[kind][1]:
        return
    low, span = GRIDS[kind]
    there = [i for i, case in enumerate(cases) if case[j] is not None and weight[i] > 0]
    fixed = dict.fromkeys((i for i, w in enumerate(weight) if w == 0), low - 3 * span)
    if len(there) > 1:
        fixed |= {there[0]: low, there[-1]: low + span}
    for row, value in fixed.items():
        cases[row] = (*cases[row][:j], float(value), *cases[row][j + 1 :])


def frame(kinds, cases):
    known = pd.CategoricalDtype([*CATEGORIES])
    every = pd.CategoricalDtype([*CATEGORIES, UNKNOWN])
    columns = {}
    for j, kind in enumerate(kinds):
        values = [case[j] for case in cases]
        if kind == "category":
            columns[f"c{j}"] = pd.Series(values, dtype=every if UNKNOWN in values else known)
        else:
            columns[f"c{j}"] = pd.Series(values, dtype=float)
    return pd.DataFrame(columns)


def known_only(kinds, case):
    return [None if cell == UNKNOWN else cell for cell in case]


def fitted(X, y, weight, **params):
    model = SphereCoverClassifier(random_state=0, **params)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y, sample_weight=weight)
    assert all("the largest of each class is kept" in str(warning.message) for warning in caught)
    return model, not caught


def twin_cover(kinds, cases, labels, weight, alpha, rule, beta, scale=True):
    amount = twin.counts(weight)
    distance = twin.Distance.of(cases, amount, [kind == "category" for kind in kinds], scale)
    data = twin.Cases(cases, labels, amount, distance, beta)
    if rule == "greedy":
        return data, twin.greedy_cover(data, alpha)
    return data, twin.random_cover(data, alpha, draw_order(np.array(amount), seeds.generator(0)).tolist())


def assert_same_cover(model, data, cover, close):
    """Compare all that a fitted cover tells; ``close`` compares distances and sizes."""
    same = np.testing.assert_array_equal
    kept, pruned = cover.kept, cover.pruned
    same(model.center_indices_, [sphere.center for sphere in kept])
    same(model.sphere_borders_, [sphere.border for sphere in kept])
    same(model.sphere_classes_, [data.labels[sphere.center] for sphere in kept])
    same(model.border_indices_, cover.border)
    same(model.uncovered_indices_, cover.uncovered)
    same(model.pruned_indices_, [sphere.center for sphere in pruned])
    close(model.radii_, [sphere.radius for sphere in kept])
    close(model.pruned_radii_, [sphere.radius for sphere in pruned])
    close(model.sphere_sizes_, [sphere.size for sphere in kept])
    assert model.compression_ == len(kept) / len(data.present)


def assert_same_verdicts(model, X, cases, data, cover, close):
    verdicts = [twin.decide(data, cover, case) for case in cases]
    told = model.explain(X)
    same = np.testing.assert_array_equal
    same(told["sphere"], [verdict.sphere for verdict in verdicts])
    same(told["rule"], [verdict.rule for verdict in verdicts])
    deciding = [cover.kept[verdict.sphere] for verdict in verdicts]
    same(told["prediction"], [data.labels[sphere.center] for sphere in deciding])
    same(model.predict(X), told["prediction"])
    same(model.predict_proba(X).argmax(axis=1), np.searchsorted(model.classes_, told["prediction"]))
    np.testing.assert_allclose(told["distance"], [verdict.distance for verdict in verdicts], rtol=1e-12, atol=1e-12)
    close(told["radius"], [sphere.radius for sphere in deciding])
    close(told["size"], [sphere.size for sphere in deciding])
    np.testing.assert_allclose(told["edge_distance"], told["distance"] - told["radius"])
    assert [list(held) for held in told["cases"]] == [sphere.cases for sphere in deciding]


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    problem=problems(),
    alpha=st.sampled_from([0, 1, 1.5, 2, 3, 4, 8]),
    rule=st.sampled_from(["random", "greedy"]),
    beta=st.sampled_from([0, 0, 1, 2, 5]),
    scale=st.booleans(),
)
def test_covers_of_small_tables(problem, alpha, rule, beta, scale):
    kinds, cases, labels, weight, new = problem
    X = frame(kinds, cases)
    model, regular = fitted(X, labels, weight, min_sphere_size=alpha, cover=rule, max_enemies=beta, scale=scale)
    data, cover = twin_cover(kinds, cases, labels, weight, alpha, rule, beta, scale)
    assert regular == cover.regular
    same = np.testing.assert_array_equal
    assert_same_cover(model, data, cover, same)
    codes = {name: code for code, name in enumerate(CATEGORIES)}
    same(
        model.centers_,
        [[np.nan if cell is None else codes.get(cell, cell) for cell in cases[sphere.center]] for sphere in cover.kept],
    )
    asked = [*cases, *(known_only(kinds, case) for case in new)]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Column 'c.': none of its", UserWarning)
        assert_same_verdicts(model, frame(kinds, [*cases, *new]), asked, data, cover, same)


def continuous(seed, n_rows, *, gaps=False):
    """Numbers and a category, with repeated rows, some of them of different classes, and weights."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(n_rows, 4)) * [1.0, 100.0, 1e-6, 1e5] + [0.0, 5e3, 0.0, 0.0]
    y = (numbers[:, 0] + 0.01 * (numbers[:, 1] - 5e3) + 0.5 * rng.normal(size=n_rows) > 0).astype(int)
    y += rng.random(n_rows) < 0.1
    cases = [[*row, CATEGORIES[k]] for row, k in zip(numbers.tolist(), rng.integers(0, 3, n_rows), strict=True)]
    for i, j in zip(*np.nonzero(rng.random((n_rows, 5)) < 0.1 * gaps), strict=True):
        cases[i][j] = None
    for copy in range(n_rows - n_rows // 8, n_rows):
        cases[copy] = cases[rng.integers(0, n_rows // 2)]
    weight = np.where(rng.random(n_rows) < 0.1, 0.0, rng.exponential(size=n_rows))
    weight[:6] = 1.0
    y[:6] = [0, 1, 2, 0, 1, 2]
    return ["number"] * 4 + ["category"], cases, y.tolist(), weight.tolist()


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("alpha", "rule", "beta"), [(1, "random", 0), (3, "random", 2), (4, "greedy", 0), (2, "greedy", 3)]
)
def test_covers_of_continuous_numbers(gaps, weighted, alpha, rule, beta):
    kinds, cases, labels, weight = continuous(7, 220, gaps=gaps)
    weight = weight if weighted else [1.0] * len(weight)
    _, new, _, _ = continuous(8, 60, gaps=True)

    def close(found, expected):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=0)

    model, _ = fitted(frame(kinds, cases), labels, weight, min_sphere_size=alpha, cover=rule, max_enemies=beta)
    data, cover = twin_cover(kinds, cases, labels, weight, alpha, rule, beta)
    assert_same_cover(model, data, cover, close)
    assert_same_verdicts(model, frame(kinds, new), new, data, cover, close)
    assert_same_verdicts(model, frame(kinds, cases), cases, data, cover, close)


class Rigged:
    """Stands in for a generator: notes what it is asked, and draws what it is told."""

    def __init__(self, drawn):
        self.drawn = drawn

    def choice(self, n, *, size, p):
        self.size, self.p = size, p
        return np.resize(self.drawn, size)


@settings(max_examples=40, deadline=None)
@given(problem=problems(), alpha=st.sampled_from([1, 2, 3]), drawn=st.lists(st.integers(0, 23), min_size=1, max_size=5))
def test_a_step_of_border_resampling(problem, alpha, drawn):
    kinds, cases, labels, weight, _ = problem
    model, _ = fitted(frame(kinds, cases), labels, weight, min_sphere_size=alpha)
    amount, rng = np.array(twin.counts(weight)), Rigged(np.array(drawn) % len(cases))
    given_weight = np.where(np.arange(len(cases)) % 3 == 2, 2.0, 1.0)
    wrong = np.arange(len(cases)) % 2 == 0
    step = BorderResampling().step(amount, wrong, Lesson(model, given_weight, rng))
    assert step is not None
    assert step.vote == 1.0
    data, cover = twin_cover(kinds, cases, labels, weight, alpha, "random", 0)
    if not cover.border:  # one class: start afresh
        np.testing.assert_array_equal(step.weight, given_weight)
        return
    expected = twin.chances(given_weight, cover.border, cover.uncovered, np.flatnonzero(wrong))
    number, _ = twin.draws(data.weight, cover.border)
    assert rng.size == number
    np.testing.assert_allclose(rng.p, expected, rtol=1e-12)
    after = twin.resampled(data.weight, cover.border, np.resize(rng.drawn, number).tolist())
    np.testing.assert_allclose(step.weight, after, rtol=1e-12)
    assert step.weight.sum() == pytest.approx(amount.sum())


def euclid(a, b):
    return float(np.sqrt(((a - b) ** 2).sum()))


METRICS = {
    "manhattan": {},
    "chebyshev": {},
    "cosine": {},
    "nan_euclidean": {},
    "l2": {},
    "minkowski": {"p": 3},
    "mahalanobis": {"VI": np.diag([1.0, 2.0, 3.0])},
    euclid: {},
}


@pytest.mark.parametrize("metric", METRICS)
def test_any_metric(metric):
    rng = np.random.default_rng(2)
    X = rng.random((60, 3))
    y = (X[:, 0] + 0.3 * rng.normal(size=60) > 0.5).astype(int)
    X[50:], y[50:] = X[:10], 1 - y[:10]  # identical cases of different classes
    model = SphereCoverClassifier(metric=metric, metric_params=METRICS[metric], scale=False, random_state=0).fit(X, y)
    every = pairwise_distances(X, metric=metric, **METRICS[metric])
    for center, radius, label in zip(model.center_indices_, model.radii_, model.sphere_classes_, strict=True):
        assert radius == pytest.approx(every[center, y != label].min(), abs=1e-7)
    assert model.uncovered_indices_.size == 0
    assert (model.sphere_sizes_ >= 1).all()  # the centre
    rows = model.explain(X)
    for case, sphere in enumerate(rows["sphere"]):  # no sphere holds the case that halts it
        assert rows["rule"][case] == "edge" or model.sphere_borders_[sphere] != case
    np.testing.assert_array_equal(model.predict(X), [model.predict(X[[row]])[0] for row in range(60)])


@pytest.mark.parametrize("kind", ["eighth digit", "offset", "circle", "sixteenth digit"])
def test_near_ties_are_decided_in_double_precision(kind):
    rng = np.random.default_rng(5)
    grid = rng.integers(0, 3, (400, 6)) / 2
    X = {
        "eighth digit": grid + 1e-8 * rng.random((400, 6)),
        "sixteenth digit": grid + 2.0**-52 * rng.integers(0, 3, (400, 6)),
        "offset": 1e9 + rng.random((400, 6)),
        "circle": grid / np.maximum(np.linalg.norm(grid, axis=1, keepdims=True), 0.1),
    }[kind]
    y = rng.integers(0, 3, 400)
    model = SphereCoverClassifier(scale=False, random_state=0).fit(X, y)
    every = pairwise_distances(X.astype(np.longdouble), metric=lambda a, b: np.sqrt(((a - b) ** 2).sum()))
    for sphere, (center, radius) in enumerate(zip(model.center_indices_, model.radii_, strict=True)):
        away, own = every[center], y == y[center]
        # As close as can be, but for the last digit.
        assert radius == pytest.approx(away[~own].min(), rel=1e-14)
        assert away[model.sphere_borders_[sphere]] == pytest.approx(radius, rel=1e-14)
        surely, possibly = (np.count_nonzero(own & (away < radius * (1 + error))) for error in (-1e-14, 1e-14))
        assert surely <= model.sphere_sizes_[sphere] <= max(possibly, 1)


def test_many_columns():
    rng = np.random.default_rng(9)
    X, y = np.round(rng.random((60, 200)), 1) + 1e-8 * rng.random((60, 200)), np.arange(60) % 2
    every = pairwise_distances(X, metric=euclid)
    models = [SphereCoverClassifier(scale=False, random_state=0).fit(X * 2.0**power, y) for power in (0, 70)]
    far = np.vstack([X, np.full((1, 200), 1e25)])  # a row that counts for nothing
    models.append(SphereCoverClassifier(scale=False, random_state=0).fit(far, [*y, 0], sample_weight=[1] * 60 + [0]))
    for model, unit in zip(models, (1.0, 2.0**70, 1.0), strict=True):
        for center, radius in zip(model.center_indices_, model.radii_, strict=True):
            assert radius / unit == pytest.approx(every[center, y != y[center]].min(), rel=1e-14)
