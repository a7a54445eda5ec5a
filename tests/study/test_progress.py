"""Progress of a study: who leads, and the time that is left."""

from __future__ import annotations

from math import nan
from types import SimpleNamespace

import numpy as np
import pytest

from covey.study import DataSpec, MethodSpec, Outcome, Study, run_study
from covey.study.progress import Tally
from covey.study.splits import FixedSplit


def labels(method, dataset="d"):
    return {"dataset": dataset, "method": method}


def done(method, score=0.5, seconds=1.0, dataset="d", metric="accuracy"):
    return Outcome("key", labels(method, dataset), "done", {metric: score}, {"fit": seconds})


def standing(*scores, metric="accuracy"):
    tally = Tally(metric, [labels(method) for method, _ in scores])
    return [tally.finish(done(method, score, metric=metric)) for method, score in scores][-1].standing


def test_means_of_methods_with_as_many_fits():
    found = standing(("a", 0.8), ("b", 0.7), ("a", 0.6), ("b", 0.9), ("c", 1.0))
    assert found.best == (("b", 0.8), ("a", 0.7))
    assert (found.dataset, found.metric, found.n_fits, found.even) == ("d", "accuracy", 2, False)


def test_one_that_is_far_ahead_is_not_compared_with_the_others():
    assert standing(("a", 0.1), ("a", 0.1), ("b", 0.5), ("c", 0.6)).best == (("c", 0.6), ("b", 0.5))


def test_errors_are_better_when_small_and_undefined_scores_do_not_count():
    assert standing(("a", 0.1), ("b", 0.2), metric="error").best[0] == ("a", 0.1)
    assert standing(("a", nan), ("b", 0.5)).best == (("b", 0.5),)
    assert standing(("a", nan)) is None


def test_the_time_left():
    """Cells of a kind take as long as those before, others as the mean cell; two run at a time here."""
    tally = Tally("accuracy", [labels("fast")] * 6 + [labels("slow")] * 3 + [labels("slow", "elsewhere")])
    tally.add(done("slow", seconds=100.0))
    cells = (SimpleNamespace(key=key, labels=labels("fast") | {"fit": 0}) for key in "ab")
    found = [next(tally.begun(cells)) for _ in range(2)][2:]
    for _ in range(4):
        found.append(tally.finish(done("fast", seconds=1.0)).seconds_left)
    assert found[:2] == [None, None]
    mean = 104.0 / 5
    assert found[3] == pytest.approx((2 * 1.0 + 2 * 100.0 + mean) / 2)


def test_the_time_left_is_the_sum_over_all_that_is_left():
    """In any order, over many methods and datasets, it is what adding everything up gives."""
    rng = np.random.default_rng(0)
    places = [(method, dataset) for method in "abcd" for dataset in "xyz"]
    sizes = dict(zip(places, rng.integers(1, 9, len(places)).tolist(), strict=True))
    order = [place for place in places for _ in range(sizes[place])]
    tally, took = Tally("accuracy", [labels(*place) for place in order]), {place: [] for place in places}
    rng.shuffle(order)
    for n_finished, place in enumerate(map(tuple, order), 1):
        took[place].append(rng.exponential())
        left = tally.finish(done(place[0], seconds=took[place][-1], dataset=place[1])).seconds_left
        mean = np.mean([seconds for one in took.values() for seconds in one])
        expected = sum((sizes[one] - len(took[one])) * (np.mean(took[one]) if took[one] else mean) for one in places)
        is_known = n_finished >= 3 and {method for method, _ in places if any(took[method, of] for of in "xyz")} == {
            *"abcd"
        }
        assert left == pytest.approx(expected, abs=1e-9) if is_known else left is None


def test_nothing_is_said_of_the_time_while_a_method_is_new():
    tally = Tally("accuracy", [labels("a")] * 9 + [labels("new")] * 9)
    assert [tally.finish(done("a")).seconds_left for _ in range(9)] == [None] * 9
    assert tally.finish(done("new", seconds=5.0)).seconds_left == 40.0


def test_nothing_left_takes_no_time():
    tally = Tally("accuracy", [labels("a")] * 3)
    assert [tally.finish(done("a")).seconds_left for _ in range(3)][-1] == 0


def test_a_study_that_goes_on_knows_what_was_found_before(tmp_path):
    def study(*methods):
        metrics = ("neg_log_loss", "accuracy")
        return Study("s", (DataSpec("iris", "iris"),), methods, FixedSplit(n_train=100), metrics, 0, "classification")

    one, other = (MethodSpec(f"b{n}", "sklearn.naive_bayes.GaussianNB", {"var_smoothing": n / 10}) for n in (1, 2))
    run_study(study(one), tmp_path / "s.store")
    seen = []
    run_study(study(one, other), tmp_path / "s.store", progress=seen.append)
    (last,) = seen
    assert (last.total, last.done, last.failed, last.latest.labels["method"]) == (2, 2, 0, "b2")
    assert {method for method, _ in last.standing.best} == {"b1", "b2"}
    # As people call it, without the minus sign of scikit-learn's scorer: the smallest is the best.
    assert last.standing.metric == "log loss"
    assert 0 < last.standing.best[0][1] <= last.standing.best[1][1]
