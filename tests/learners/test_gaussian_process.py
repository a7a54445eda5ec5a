from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import approx_fprime
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_digits, load_iris
from sklearn.gaussian_process import GaussianProcessRegressor as Peer
from sklearn.gaussian_process.kernels import ConstantKernel, DotProduct, Matern, WhiteKernel
from sklearn.metrics import log_loss, r2_score
from sklearn.preprocessing import StandardScaler

from covey import EnsembleRegressor, GaussianProcessClassifier, GaussianProcessRegressor, RandomSubspace
from covey.learners import gaussian_fit, gaussian_process
from covey.learners.gaussian_fit import Evidence, Kernel, factorise, left_out, outputs, solve, tune
from covey.table import as_table, design

GIVEN = {"length_scale": 1.7, "amplitude": 0.8, "noise": 0.05, "linear": 0.3}
X, Y = load_diabetes(return_X_y=True)
FLOWERS, KINDS = load_iris(return_X_y=True)


def peer(length, amplitude, noise, linear, n_columns) -> Peer:
    smooth = ConstantKernel(amplitude) * Matern(length, nu=1.5)
    straight = ConstantKernel(linear / n_columns) * DotProduct(1e-12)
    return Peer(smooth + straight + WhiteKernel(noise), alpha=0.0, optimizer=None)


@pytest.mark.parametrize("length", [1.7, np.linspace(0.5, 5, 10)])
def test_predictions_are_those_of_scikit_learn_with_the_same_kernel(length):
    rows, scaler = X[:200], StandardScaler().fit(X[:200])
    centre, scale = Y[:200].mean(), Y[:200].std()
    other = peer(length, 0.8, 0.05, 0.3, 10).fit(scaler.transform(rows), (Y[:200] - centre) / scale)
    model = GaussianProcessRegressor(**(GIVEN | {"length_scale": length})).fit(rows, Y[:200])
    mean, deviation = other.predict(scaler.transform(X), return_std=True)
    ours, spread = model.predict(X, return_std=True)
    np.testing.assert_allclose(ours, centre + scale * mean, rtol=1e-8)
    np.testing.assert_allclose(spread, scale * deviation, rtol=1e-8)
    np.testing.assert_array_equal(ours, model.predict(X))


def test_evidence_is_the_marginal_likelihood_of_scikit_learn():
    values, target = StandardScaler().fit_transform(X[:60]), StandardScaler().fit_transform(Y[:60, None])
    evidence = Evidence(values, target, np.ones(60), 1)
    evidence.mean[:] = np.log([1.7, 0.8, 0.05, 0.3])  # there the prior adds nothing
    one = -60 * evidence(evidence.mean)[0]
    other = -60 * evidence(evidence.mean + 1e-9)[0]
    likelihood = peer(1.7, 0.8, 0.05, 0.3, 10).fit(values, target[:, 0]).log_marginal_likelihood_value_
    np.testing.assert_allclose(one - 30 * np.log(2 * np.pi), likelihood, rtol=1e-10)
    assert one != other


@pytest.mark.parametrize("n_lengths", [1, 4])
@pytest.mark.parametrize("seed", range(3))
def test_gradient_is_that_of_finite_differences(n_lengths, seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 4, 30).astype(float)
    evidence = Evidence(rng.normal(size=(30, 4)), rng.normal(size=(30, 2)), counts, n_lengths)
    logs = rng.normal(size=n_lengths + 3) * 0.5
    slope = approx_fprime(logs, lambda some: evidence(some)[0], 1e-6)
    np.testing.assert_allclose(evidence(logs)[1], slope, rtol=1e-4, atol=1e-6)


def test_tuning_makes_the_rows_likelier_and_keeps_what_is_given():
    values, target = StandardScaler().fit_transform(X[:100]), StandardScaler().fit_transform(Y[:100, None])
    evidence = Evidence(values, target, np.ones(100), 10)
    free = evidence.tuned(np.full(13, np.nan))
    assert evidence(np.log(free))[0] < evidence(evidence.mean)[0] - 0.05
    given = np.full(13, np.nan)
    given[[2, 11]] = 3.0, 0.7
    tuned = evidence.tuned(given)
    assert tuned[[2, 11]].tolist() == [3.0, 0.7]
    assert evidence(evidence.mean)[0] > evidence(np.log(tuned))[0] > evidence(np.log(free))[0]


def test_own_length_scales_are_found_about_one_for_all():
    values, target = StandardScaler().fit_transform(X[:100]), StandardScaler().fit_transform(Y[:100, None])
    data = values, target, np.ones(100)
    one = tune(*data, np.full(4, np.nan))
    start = np.log(np.append(np.full(10, one[0]), one[1:]))
    evidence = Evidence(*data, 10, common=one[0])
    assert evidence(np.log(tune(*data, np.full(13, np.nan))))[0] < evidence(start)[0]
    # Without data the prior is all there is.
    idle = tune(np.zeros((100, 10)), target, np.ones(100), np.full(13, np.nan))
    np.testing.assert_allclose(np.log(idle[:-3]), 1 + 0.5 * np.log(10), atol=1e-6)


@pytest.mark.parametrize("whole", [True, False])
def test_left_out_outputs_are_those_of_fits_without_a_case(whole):
    rng = np.random.default_rng(0)
    values, targets = rng.normal(size=(12, 3)), rng.normal(size=(12, 2))
    counts = np.tile([1.0, 3.0], 6) if whole else rng.uniform(0.3, 1.0, 12)
    kernel = Kernel(np.array([1.0, 2.0, 0.5]), 0.8, 0.1, 0.3)
    factor = factorise(kernel, values, counts)
    without = left_out(factor, solve(factor, targets), targets, counts, kernel.noise)
    for row in range(12):
        fewer = counts.copy()
        fewer[row] -= min(1.0, counts[row])
        rest = fewer > 0
        dual = solve(factorise(kernel, values[rest], fewer[rest]), targets[rest])
        expected = outputs(kernel, values[rest], dual, values[row][None])[0]
        np.testing.assert_allclose(without[row], expected, atol=1e-10)


@pytest.mark.parametrize("kind", [GaussianProcessRegressor, GaussianProcessClassifier])
def test_weights_are_repeated_rows(kind):
    rng = np.random.default_rng(0)
    rows = np.sort(rng.permutation(150)[:80])
    weight = rng.integers(0, 4, 80)
    weight[[0, 40, 79]] = 1
    flowers, target = FLOWERS[rows], KINDS[rows]
    say = "predict_proba" if kind is GaussianProcessClassifier else "predict"
    for params, rtol in ((GIVEN, 1e-8), ({}, 1e-2)):
        weighted = kind(**params).fit(flowers, target, weight)
        repeated = kind(**params).fit(np.repeat(flowers, weight, axis=0), np.repeat(target, weight))
        one, other = getattr(weighted, say)(FLOWERS), getattr(repeated, say)(FLOWERS)
        np.testing.assert_allclose(one, other, rtol=rtol, atol=rtol / 10)
    heavy = kind(**GIVEN).fit(flowers, target, weight * 7.3)
    np.testing.assert_allclose(
        getattr(heavy, say)(FLOWERS), getattr(kind(**GIVEN).fit(flowers, target, weight), say)(FLOWERS)
    )


@pytest.mark.parametrize("kind", [GaussianProcessRegressor, GaussianProcessClassifier])
def test_nothing_is_searched_for_if_all_is_given(kind, monkeypatch):
    target = Y if kind is GaussianProcessRegressor else Y > 140
    tuned = kind(random_state=0, tuning_rows=100).fit(X, target)
    found = [name for name in tuned.get_params() if tuned.get_params()[name] == "auto"]
    assert set(found) >= {"length_scale", "amplitude", "noise", "linear"}
    monkeypatch.setattr("covey.learners.gaussian_fit.minimize", None)
    monkeypatch.setattr("covey.learners.gaussian_process.minimize_scalar", None)
    copy = clone(tuned).set_params(**{name: getattr(tuned, f"{name}_") for name in found}).fit(X, target)
    np.testing.assert_array_equal(copy.predict(X), tuned.predict(X))
    np.testing.assert_array_equal(copy.length_scale_, tuned.length_scale_)


def test_columns_are_those_of_numbers_and_categories():
    frame = pd.DataFrame(
        {
            "age": [1.0, 2.0, np.nan, 6.0, 7.0, 8.0],
            "town": ["a", "b", "c", "a", None, "a"],
            "open": ["no", "no", "yes", "no", "yes", "yes"],
        }
    )
    y = np.array([1.0, 2.0, 2.5, 4.0, 5.0, 7.0])
    encoded = np.array(
        [[1, 1, 0, 0, 0], [2, 0, 1, 0, 0], [4.8, 0, 0, 1, 1], [6, 1, 0, 0, 0], [7, 1, 0, 0, 1], [8, 1, 0, 0, 1]]
    )
    model, plain = GaussianProcessRegressor(**GIVEN).fit(frame, y), GaussianProcessRegressor(**GIVEN).fit(encoded, y)
    assert model.length_scale_names_.tolist() == ["age", "town=a", "town=b", "town=c", "open=yes"]
    np.testing.assert_allclose(model.predict(frame), plain.predict(encoded))
    new = pd.DataFrame({"age": [np.nan, 5.0], "town": ["b", "d"], "open": ["yes", None]})
    np.testing.assert_allclose(model.predict(new), plain.predict([[4.8, 0, 1, 0, 1], [5, 1, 0, 0, 0]]))
    assert GaussianProcessRegressor().fit(frame, y).length_scale_.shape == (5,)


def test_smooth_functions_are_learnt_and_idle_columns_left_alone():
    rng = np.random.default_rng(0)
    rows = rng.uniform(-3, 3, size=(500, 4))
    truth = np.sin(rows[:, 0]) + 0.3 * rows[:, 1]
    y = truth + rng.normal(scale=0.1, size=500)
    model = GaussianProcessRegressor(random_state=0, tuning_rows=200).fit(rows[:300], y[:300])
    mean, deviation = model.predict(rows[300:], return_std=True)
    assert r2_score(truth[300:], mean) > 0.995
    assert model.noise_ * model.y_scale_**2 == pytest.approx(0.01, rel=0.3)
    assert model.length_scale_[2:].min() > 5 * model.length_scale_[0]
    inside = np.abs(y[300:] - mean) < 1.96 * deviation
    assert 0.9 <= inside.mean() <= 0.99


@pytest.mark.parametrize("data", [load_digits(return_X_y=True), (X, Y > 140)], ids=["digits", "diabetes"])
def test_probabilities_are_calibrated(data):
    rows, classes = data
    order = np.random.default_rng(0).permutation(len(rows))[:1000]
    train, test = order[: len(order) // 2], order[len(order) // 2 :]
    model = GaussianProcessClassifier(random_state=0).fit(rows[train], classes[train])
    shares = model.predict_proba(rows[test])
    assert abs(shares.max(axis=1).mean() - model.score(rows[test], classes[test])) < 0.05
    loss = log_loss(classes[test], shares, labels=model.classes_)
    for factor in (0.4, 2.5):
        other = clone(model).set_params(temperature=model.temperature_ * factor).fit(rows[train], classes[train])
        assert log_loss(classes[test], other.predict_proba(rows[test]), labels=model.classes_) > loss


def test_logits_and_probabilities_agree():
    model = GaussianProcessClassifier(random_state=0).fit(FLOWERS, KINDS)
    shares = np.exp(model.decision_function(FLOWERS))
    np.testing.assert_allclose(model.predict_proba(FLOWERS), shares / shares.sum(axis=1, keepdims=True))
    two = GaussianProcessClassifier(random_state=0).fit(FLOWERS, KINDS == 1)
    odds = np.exp(two.decision_function(FLOWERS))
    np.testing.assert_allclose(two.predict_proba(FLOWERS)[:, 1], odds / (1 + odds))
    far = GaussianProcessClassifier(linear=0).fit(FLOWERS[:80], KINDS[:80])
    np.testing.assert_allclose(far.predict_proba([[1e6] * 4]), [[50 / 80, 30 / 80]])


@pytest.mark.parametrize("scale", [1e-300, 1e-20, 1e20, 1e300])
def test_units_make_no_difference(scale):
    rows, y = X[:50] * 100, Y[:50] / 100
    model = GaussianProcessRegressor(**GIVEN).fit(rows, y)
    np.testing.assert_allclose(
        GaussianProcessRegressor(**GIVEN).fit(rows * scale, y).predict(rows * scale), model.predict(rows)
    )
    np.testing.assert_allclose(
        GaussianProcessRegressor(**GIVEN).fit(rows, y * scale).predict(rows), model.predict(rows) * scale
    )


def test_odd_data_has_finite_answers():
    twice, y = np.vstack([FLOWERS, FLOWERS]), np.concatenate([KINDS, KINDS])
    interpolating = GaussianProcessRegressor(length_scale=100.0, noise=1e-300, amplitude=1.0, linear=0).fit(twice, y)
    assert np.isfinite(interpolating.predict(FLOWERS)).all()
    model = GaussianProcessRegressor().fit(FLOWERS, KINDS)
    huge = np.array([[1e308, -1e308, 0.0, 1e-308]])
    assert np.isfinite(model.predict(huge, return_std=True)).all()
    constant = GaussianProcessRegressor().fit(FLOWERS, np.full(150, 0.1))
    assert set(constant.predict(huge)) == {0.1}
    assert constant.predict(FLOWERS, return_std=True)[1].tolist() == [0.0] * 150
    assert GaussianProcessRegressor().fit([["a"], ["a"]], [1.0, 2.0]).predict([["a"]]) == [1.5]


def test_many_columns_share_a_length_scale():
    wide = np.random.default_rng(0).normal(size=(30, 400))
    model = GaussianProcessRegressor().fit(wide, wide[:, 0])
    assert model.length_scale_.shape == (1,)
    values = StandardScaler().fit_transform(wide)
    other = peer(model.length_scale_[0], model.amplitude_, model.noise_, model.linear_, 400)
    other.fit(values, (wide[:, 0] - model.y_mean_) / model.y_scale_)
    np.testing.assert_allclose(
        model.predict(wide), model.y_mean_ + model.y_scale_ * other.predict(values), rtol=1e-6, atol=1e-8
    )


def test_more_rows_than_wanted_are_drawn_by_the_seed():
    model = GaussianProcessRegressor(max_rows=60, tuning_rows=40, random_state=0).fit(X, Y)
    again = clone(model).fit(X, Y)
    assert model.X_fit_.shape == (60, 10)
    np.testing.assert_array_equal(model.predict(X), again.predict(X))
    assert not np.array_equal(model.predict(X), clone(model).set_params(random_state=1).fit(X, Y).predict(X))
    rare = np.array(["usual"] * 441 + ["rare"])
    few = GaussianProcessClassifier(max_rows=20, random_state=0).fit(X, rare)
    assert few.classes_.tolist() == ["usual"]
    assert set(few.predict(X)) == {"usual"}


def test_categories_are_columns_of_those_rows_only_that_are_learnt_from(monkeypatch):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"place": rng.permutation(np.arange(500) % 250).astype(str), "size": rng.normal(size=500)})
    y = X["size"] > 0
    monkeypatch.setattr(design, "MOST_BYTES", 100 * 251 * 8)  # what the columns of 100 rows take
    model = GaussianProcessClassifier(max_rows=100, random_state=0).fit(X, y)
    together = model.predict_proba(X)
    monkeypatch.setattr(gaussian_process, "ROWS_AT_ONCE", gaussian_fit.BLOCK)
    np.testing.assert_array_equal(model.predict_proba(X), together)
    assert (model.predict(X) == y).mean() > 0.9


def test_members_of_an_ensemble():
    member = GaussianProcessClassifier(**GIVEN)._fit_member(as_table(FLOWERS), KINDS, (KINDS != 1).astype(float))
    alone = GaussianProcessClassifier(**GIVEN).fit(FLOWERS[KINDS != 1], KINDS[KINDS != 1])
    assert member.classes_.tolist() == [0, 2]
    np.testing.assert_array_equal(member.predict_proba(FLOWERS), alone.predict_proba(FLOWERS))
    ensemble = EnsembleRegressor(GaussianProcessRegressor(), 4, subspace=RandomSubspace(5), random_state=0)
    assert r2_score(Y, ensemble.fit(X, Y).predict(X)) > 0.4


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (
            {"length_scale": [1.0, 2.0]},
            r"length_scale has shape \(2,\); give one number, or one for each column \(10\)",
        ),
        ({"length_scale": np.zeros(10)}, "length_scale=.* must hold positive numbers"),
        ({"length_scale": -1.0}, "length_scale"),
        ({"noise": 0.0}, "noise"),
        ({"linear": "some"}, "linear"),
        ({"max_rows": 1}, "max_rows"),
        ({"linear": 1e308}, "linear"),
    ],
)
def test_parameters_that_make_no_sense(params, message):
    with pytest.raises(ValueError, match=message):
        GaussianProcessRegressor(**params).fit(X, Y)
