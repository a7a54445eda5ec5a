"""Triskels of many small classes, grown at once, beside members that are trained one by one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import covey
from covey import LinearSVMClassifier, TriskelClassifier, seeds
from covey.ensemble import pair_machines, triskel
from covey.ensemble.fit import TrainingData
from covey.ensemble.inputs import Inputs
from covey.ensemble.pair_machines import PairMachines, can_grow_at_once, grow_at_once
from covey.ensemble.triskel_rounds import Settings
from covey.table import as_table

SPARED = "ignore:In .* would have left no case"


def example(n_classes: int = 6, n_rows: int = 60, seed: int = 0):
    """Return a frame with a column of categories, classes of several sizes that overlap, and weights."""
    rng = np.random.default_rng(seed)
    y = np.sort(rng.integers(0, n_classes, n_rows))
    y[:n_classes] = np.arange(n_classes)
    X = rng.normal(size=(n_classes, 3))[y] + rng.normal(size=(n_rows, 3))
    frame = pd.DataFrame(X * [1, 100, 0.01], columns=list("abc"))
    frame["town"] = pd.Categorical(rng.choice(["x", "y", "z"], n_rows))
    return frame, y, rng.integers(0, 4, n_rows) + (np.arange(n_rows) < n_classes)


def data_of(n_classes: int = 6, **more) -> TrainingData:
    frame, y, weight = example(n_classes, **more)
    return TrainingData(Inputs(as_table(frame)), y, weight.astype(np.float64), n_classes)


def settings_of(bias=(0.6, 0.8), covering=(0.5, 2.0), n_rounds=3, normalize=False) -> Settings:
    return Settings(n_rounds, *covering, bias, "undersample", normalize)


def pair_by_pair(data: TrainingData, settings: Settings, seed: np.random.SeedSequence, base: LinearSVMClassifier):
    """Give the coefficients and intercepts of each pair's machines, each trained by itself on what draws leave."""
    table = data.inputs.table
    for first in range(data.n_classes - 1):
        rng = np.random.default_rng(seeds.child(seed, 3, first))
        for second in range(first + 1, data.n_classes):
            sides = [np.flatnonzero((data.y == code) & (data.weight > 0)) for code in (first, second)]
            rows, truth = np.concatenate(sides), np.repeat([0, 1], list(map(len, sides)))
            draws = rng.random((settings.n_rounds, len(rows)))
            weight, models = data.weight[rows], []
            for number in range(settings.n_rounds):
                if len(np.unique(truth[weight > 0])) < 2:
                    break
                said = []
                for against, bias in zip((1, 0), settings.biases, strict=True):
                    present = np.flatnonzero((truth == against) & (weight > 0))
                    few = max(1, round((1 - bias) * len(present)))
                    kept = present[np.argsort(draws[number, present])[:few]]
                    some = np.where(truth == against, 0.0, weight)
                    some[kept] = weight[kept]
                    models.append(machine(base, data, rows, truth, some))
                    said.append(models[-1].predict(type(table)(table.matrix[rows], table.schema)))
                easy = (said[0] == truth) & (said[1] == truth)
                if easy[weight > 0].all():
                    break
                weight = settings.reweighted(weight, easy)
            yield [*models, machine(base, data, rows, truth, weight)]


def machine(base, data, rows, truth, weight):
    whole, codes = np.zeros(len(data.y)), np.zeros(len(data.y), dtype=np.intp)
    whole[rows], codes[rows] = weight, truth
    codes[np.setdiff1d(np.arange(len(codes)), rows)[:1]] = 1  # no class is without rows, even if they do not count
    return LinearSVMClassifier(**base.get_params())._fit_member(data.inputs.table, codes, whole)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"bias": (0.9, 0.9), "covering": (0.0, 1.0)},
        {"bias": (0.0, 0.0), "covering": (0.5, 2.0)},
        {"bias": (0.3, 0.7), "covering": (0.25, 3.0), "normalize": True},
    ],
)
@pytest.mark.parametrize("base", [{}, {"C": 4.0, "tol": 1e-5}, {"scale": False}])
def test_machines_are_those_trained_one_by_one_on_the_same_rows(options, base):
    data, settings, seed = data_of(), settings_of(**options), np.random.SeedSequence(7)
    base = LinearSVMClassifier(**base)
    if not base.scale:
        data.inputs.table.matrix.base[:, :3] /= [1, 100, 0.01]
    # Sums in another order may bring weights off by rounding, and with them the way to the optimum.
    close = {"rtol": 0.02, "atol": 0.02} if settings.normalize else {"rtol": 1e-8, "atol": 1e-11}
    told = []
    machines = grow_at_once(base, data, settings, seed, None, told.append)
    expected = list(pair_by_pair(data, settings, seed, base))
    assert told == [5, 4, 3, 2, 1]
    assert machines.n_members.tolist() == [len(models) for models in expected]
    for rounds, models in zip(machines, expected, strict=True):
        for member, other in zip(rounds.members, models, strict=True):
            np.testing.assert_array_equal(member.model.classes_, other.classes_)
            span = np.ptp(data.inputs.table.matrix[:, :3], axis=0, keepdims=True)
            np.testing.assert_allclose(member.model.coef_[:, :3] * span, other.coef_[:, :3] * span, **close)
            np.testing.assert_allclose(member.model.coef_[:, 3:], other.coef_[:, 3:], **close)
            np.testing.assert_allclose(member.model.intercept_, other.intercept_, **close)
            assert settings.normalize or member.model.n_iter_.tolist() == other.n_iter_.tolist()
            np.testing.assert_allclose(member.model.class_count_, other.class_count_)
            np.testing.assert_allclose(member.model.fill_, other.fill_)


@pytest.mark.parametrize("covering", ["soft", "separate"])
def test_without_a_bias_nothing_is_drawn_and_the_ensemble_is_that_of_pairs_one_by_one(covering, monkeypatch):
    frame, y, weight = example()
    model = TriskelClassifier(bias=0.0, covering=covering, random_state=0).fit(frame, y, weight)
    assert isinstance(model._rounds, PairMachines)
    new = example(seed=1)[0]
    said = model.predict(new), model.predict_proba(new), model.member_predictions(new)
    monkeypatch.setattr(triskel, "can_grow_at_once", lambda *_: False)
    other = TriskelClassifier(bias=0.0, covering=covering, random_state=0).fit(frame, y, weight)
    assert isinstance(other._rounds, list)
    np.testing.assert_array_equal(model.n_members_, other.n_members_)
    np.testing.assert_array_equal(model.bias_, other.bias_)
    np.testing.assert_array_equal(said[0], other.predict(new))
    np.testing.assert_allclose(said[1], other.predict_proba(new))
    np.testing.assert_array_equal(said[2], other.member_predictions(new))
    for one, two in zip(model.estimators_, other.estimators_, strict=True):
        np.testing.assert_allclose(one.coef_, two.coef_, rtol=1e-9, atol=1e-12)


@pytest.mark.filterwarnings(SPARED)
def test_pairs_decide_as_their_members_do(monkeypatch):
    monkeypatch.setattr(pair_machines, "MOST_VALUES", 500)
    frame, y, _ = example()
    model = TriskelClassifier(random_state=0).fit(frame, y)
    frame.iloc[3, 0], frame.iloc[5, 3] = np.nan, np.nan
    inputs = model._new_inputs(frame)
    decided, log_odds = model._rounds.decisions(inputs)
    by_pair = [rounds.decisions(inputs) for rounds in model._rounds]
    np.testing.assert_array_equal(decided, np.column_stack([codes for codes, _ in by_pair]))
    np.testing.assert_allclose(log_odds, np.column_stack([odds for _, odds in by_pair]))
    assert len(model._rounds[2:5]) == 3
    assert len(model.round_predictions(frame, problem=4)) == len(model._rounds[4].pairs)


@pytest.mark.filterwarnings(SPARED)
def test_any_number_of_jobs_grows_the_same_and_a_file_keeps_it(tmp_path):
    frame, y, _ = example()
    models = [TriskelClassifier(random_state=3, n_jobs=jobs).fit(frame, y) for jobs in (1, 2)]
    np.testing.assert_array_equal(models[0]._rounds.coefficients, models[1]._rounds.coefficients)
    covey.save_model(models[0], tmp_path / "model.covey")
    again = covey.load_model(tmp_path / "model.covey")
    assert again.n_members_.tolist() == models[0].n_members_.tolist()
    np.testing.assert_array_equal(again.predict(frame), models[0].predict(frame))
    np.testing.assert_allclose(again.predict_proba(frame), models[0].predict_proba(frame))


def test_other_machines_and_larger_classes_are_trained_one_by_one():
    data, settings = data_of(), settings_of()
    assert can_grow_at_once(LinearSVMClassifier(), data, settings)
    assert not can_grow_at_once(LinearSVMClassifier(class_weight="balanced"), data, settings)
    assert not can_grow_at_once(covey.C45Classifier(), data, settings)
    assert not can_grow_at_once(LinearSVMClassifier(), data_of(2), settings)
    assert not can_grow_at_once(LinearSVMClassifier(), data_of(3, n_rows=400), settings)
    assert not can_grow_at_once(LinearSVMClassifier(), data, Settings(3, 0.5, 2.0, None, "undersample", False))
    assert not can_grow_at_once(LinearSVMClassifier(), data, Settings(3, 0.5, 2.0, (0.5, 0.5), "weight", False))
    frame, y, weight = example()
    frame.iloc[0, 0] = np.nan
    gaps = TrainingData(Inputs(as_table(frame)), y, weight.astype(float), 6)
    assert not can_grow_at_once(LinearSVMClassifier(), gaps, settings)
