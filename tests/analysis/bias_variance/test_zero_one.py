"""Bias and variance of labels: definitions, identities, hand-worked and published figures."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from covey.analysis.bias_variance import domingos, kohavi_wolpert, kong_dietterich
from covey.datasets import ringnorm_task, threenorm_task, twonorm_task

ALL = [domingos, kong_dietterich, kohavi_wolpert]


def runs(n_classes=4):
    """Predictions, true and optimal labels: numbers that no one could take for codes."""
    label = st.integers(10, 9 + n_classes)
    shape = st.tuples(st.integers(2, 7), st.integers(1, 6))
    return shape.flatmap(
        lambda size: st.tuples(
            arrays(np.int64, size, elements=label),
            arrays(np.int64, size[1], elements=label),
            arrays(np.int64, size[1], elements=label),
        )
    )


def brute_force(predictions, y, optimal):
    """Domingos' definitions, a case and a repeat at a time; main predictions that tie are averaged over."""
    sums = Counter()
    for case, (true, best) in enumerate(zip(y, optimal, strict=True)):
        said = predictions[:, case].tolist()
        counts = Counter(said)
        modes = [label for label, count in counts.items() if count == max(counts.values())]
        for main in modes:
            share = 1 / len(modes) / len(y)
            variance = np.mean([label != main for label in said])
            sums["error"] += share * np.mean([label != true for label in said])
            sums["noise"] += share * (true != best)
            sums["bias"] += share * (main != best)
            sums["variance"] += share * variance
            if main == best:
                sums["unbiased_variance"] += share * variance
            else:
                others = [label for label in said if label != main]
                hits = np.mean([label == best for label in others]) if others else 0.0
                sums["biased_variance"] += share * variance * hits
    return sums


@given(runs())
@settings(deadline=None, max_examples=150)
def test_domingos_is_what_a_loop_over_cases_finds(given_runs):
    predictions, y, optimal = given_runs
    found, expected = domingos(predictions, y, optimal=optimal), brute_force(predictions, y, optimal)
    for term in ("error", "noise", "bias", "variance", "unbiased_variance", "biased_variance"):
        assert getattr(found, term) == pytest.approx(expected[term], abs=1e-12), term
    assert found.error == pytest.approx(found.net_noise + found.bias + found.net_variance)
    assert found.net_variance == pytest.approx(found.unbiased_variance - found.biased_variance)


@given(runs(n_classes=2))
@settings(deadline=None, max_examples=60)
def test_of_two_classes_net_variance_is_the_papers(given_runs):
    predictions, y, _ = given_runs
    cases = domingos(predictions, y).cases
    net = (1 - 2 * cases["bias"]) * cases["variance"]
    np.testing.assert_allclose(cases["net_variance"], net, atol=1e-12)


@given(runs(n_classes=2))
@settings(deadline=None, max_examples=60)
def test_of_two_classes_noise_takes_back_what_it_gives_where_predictions_are_wrong(given_runs):
    """Domingos' factor of noise: 2 P(prediction = optimal) - 1."""
    predictions, y, optimal = given_runs
    cases = domingos(predictions, y, optimal=optimal).cases
    factor = 2 * (predictions == optimal).mean(axis=0) - 1
    np.testing.assert_allclose(cases["net_noise"], factor * cases["noise"], atol=1e-12)


@given(runs())
@settings(deadline=None, max_examples=60)
def test_kong_dietterich_is_the_error_of_the_vote_and_the_rest(given_runs):
    predictions, y, _ = given_runs
    found = kong_dietterich(predictions, y)
    assert found.error == pytest.approx((predictions != y).mean())
    assert found.bias == pytest.approx(domingos(predictions, y).bias)
    assert found.variance == pytest.approx(domingos(predictions, y).net_variance)


def test_kohavi_wolpert_by_hand():
    """Three repeats: shares (2/3, 1/3) and (0, 0, 1); the true classes are a and b."""
    found = kohavi_wolpert([["a", "c"], ["a", "c"], ["b", "c"]], ["a", "b"])
    assert found.error == pytest.approx((1 / 3 + 1) / 2)
    assert found.bias == pytest.approx((((1 / 3) ** 2 + (1 / 3) ** 2) / 2 + (1 + 1) / 2) / 2)
    assert found.variance == pytest.approx(((1 - 4 / 9 - 1 / 9) / 2 + 0) / 2)
    assert found.noise == 0


def test_kohavi_wolpert_with_probabilities_by_hand():
    found = kohavi_wolpert([[0], [1]], class_probabilities=[[0.8, 0.2]])
    assert found.noise == pytest.approx((1 - 0.64 - 0.04) / 2)
    assert found.bias == pytest.approx((0.3**2 + 0.3**2) / 2)
    assert found.variance == pytest.approx(0.25)
    assert found.error == pytest.approx(0.5)


def test_unbiased_estimates_do_not_depend_on_the_number_of_repeats():
    """Over all possible pairs of repeats the corrected terms average to those of infinitely many repeats."""
    chances = np.array([0.5, 0.3, 0.2])
    expected = kohavi_wolpert(np.repeat([0, 1, 2], [5000, 3000, 2000])[:, None], [0])
    terms = {"bias": 0.0, "variance": 0.0}
    for pair in product(range(3), repeat=2):
        found = kohavi_wolpert(np.array(pair)[:, None], [0], unbiased_estimates=True)
        for term in terms:
            terms[term] += chances[list(pair)].prod() * getattr(found, term)
    assert terms["bias"] == pytest.approx(expected.bias)
    assert terms["variance"] == pytest.approx(expected.variance)


@pytest.mark.parametrize("decompose", ALL, ids=lambda f: f.__name__)
@given(runs(), st.permutations(range(4)), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_names_of_labels_and_orders_do_not_matter(decompose, given_runs, names, random):
    predictions, y, _ = given_runs
    expected = decompose(predictions, y).values()
    predictions, y = predictions - 10, y - 10
    words = np.array(["ash", "birch", "cedar", "dogwood"])[names]
    repeats, cases = list(range(len(predictions))), list(range(len(y)))
    random.shuffle(repeats)
    random.shuffle(cases)
    found = decompose(words[predictions][repeats][:, cases], words[y][cases])
    assert found.values() == pytest.approx(expected, abs=1e-12)
    codes = decompose(predictions, np.sort(words)[y], classes=np.sort(words))
    assert codes.values() == pytest.approx(expected, abs=1e-12)


def test_probabilities_are_what_labels_are_on_average():
    rng = np.random.default_rng(2)
    chances = rng.dirichlet([2, 1, 1], size=50)
    predictions = rng.integers(0, 3, (20, 50))
    y = np.array([rng.choice(3, 4000, p=p) for p in chances])
    exact = domingos(predictions, class_probabilities=chances, classes=[0, 1, 2])
    many = [domingos(predictions, y[:, draw], optimal=chances.argmax(axis=1), classes=[0, 1, 2]) for draw in range(200)]
    for term in ("error", "noise", "net_noise"):
        assert np.mean([getattr(one, term) for one in many]) == pytest.approx(getattr(exact, term), abs=0.01)
    for term in ("bias", "unbiased_variance", "biased_variance"):
        assert getattr(many[0], term) == pytest.approx(getattr(exact, term))


def test_classes_that_are_optimal_alike_share_it():
    """The names of the classes decide nothing, as they do not for predictions that tie."""
    one = domingos([[0], [0], [1]], class_probabilities=[[0.5, 0.5]], classes=["a", "b"])
    other = domingos([[1], [1], [0]], class_probabilities=[[0.5, 0.5]], classes=["a", "b"])
    assert one.values() == pytest.approx(other.values())
    assert one.bias == pytest.approx(0.5)


def test_results_cannot_be_changed():
    found = domingos([["a", "b"], ["b", "b"]], ["a", "b"])
    with pytest.raises(ValueError, match="read-only"):
        found.cases["bias"][0] = 1
    with pytest.raises(TypeError, match="item assignment"):
        found.cases["bias"] = 1


def test_an_optimal_label_that_nobody_predicts_is_a_bias_of_one():
    found = domingos([["a", "a"], ["a", "b"]], ["a", "b"], optimal=["z", "b"])
    assert found.cases["bias"].tolist() == [1.0, 0.5]
    assert found.cases["noise"].tolist() == [1.0, 0.0]
    assert found.error == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("task", "bias"), [(twonorm_task(), 2.3), (threenorm_task(), 10.5), (ringnorm_task(), 1.3)], ids=["2", "3", "ring"]
)
def test_the_bayes_rule_has_the_known_bias_and_no_variance(task, bias):
    """MFS paper, table 6, column Optimal: estimates from 3000 cases, whose standard deviations are 0.2 to 0.6."""
    X, y = task.sample(100_000, random_state=0)
    predictions = np.tile(task.predict(X), (3, 1))
    found = kong_dietterich(predictions, class_probabilities=task.class_probabilities(X), classes=[0, 1])
    assert 100 * found.bias == pytest.approx(bias, abs=0.1)
    assert abs(found.variance) < 1e-12
    observed = domingos(predictions, y, optimal=task.predict(X))
    assert observed.bias == observed.variance == 0
    assert 100 * observed.noise == pytest.approx(bias, abs=0.25)
    assert observed.error == pytest.approx(observed.noise)


@pytest.mark.parametrize("decompose", ALL, ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    ("predictions", "options", "message"),
    [
        ([[0, 1]], {"y": [0, 1]}, "single repeat.*two or more"),
        ([[0, 1], [1, 1]], {}, "either y.*or class_probabilities"),
        ([[0, 1], [1, 1]], {"y": [0, 1], "class_probabilities": np.eye(2)}, "either y.*or class_probabilities"),
        ([[0, 1], [1, 1]], {"y": ["a", "b"]}, "labels are text"),
        ([[0, 1], [1, 1]], {"y": [0]}, "y has 1 labels"),
        ([[0, 1], [1, 1]], {"class_probabilities": np.ones((2, 3)) / 3}, r"shape \(2, 3\).*2 classes"),
        ([[0, 1], [1, 1]], {"class_probabilities": np.ones((2, 2))}, "must sum to 1"),
        ([[0, 1], [1, 1]], {"class_probabilities": [[2.0, -1.0], [1, 0]]}, "must not be negative"),
    ],
)
def test_bad_input(decompose, predictions, options, message):
    with pytest.raises(ValueError, match=message):
        decompose(predictions, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y": [0, 1], "optimal": [0]}, "optimal has 1 labels"),
        ({"y": [0, 1], "optimal": ["a", "b"]}, "optimal holds text"),
        ({"y": [0, 1], "optimal": [0.5, 1]}, "optimal holds 0.5, which is no class label"),
        ({"class_probabilities": np.eye(2), "optimal": [0, 1]}, "optimal follows from class_probabilities"),
    ],
)
def test_bad_optimal_labels(options, message):
    with pytest.raises(ValueError, match=message):
        domingos([[0, 1], [1, 1]], **options)


def test_text_and_table_say_the_same():
    found = domingos([["a", "b"], ["b", "b"]], ["a", "b"], optimal=["a", "a"])
    assert str(found) == (
        "Domingos' decomposition of 2 repeats on 2 cases: error 0.2500 = net noise -0.5000 + bias 0.7500 + "
        "unbiased variance 0.1250 - biased variance 0.1250"
    )
    frame = found.table().to_frame()
    assert frame.loc["error", "value"] == 0.25
    assert frame.loc["biased variance", "part"] == "-"
    signs = frame.part.map({"+": 1, "-": -1, "": 0, "=": 0})
    assert (signs * frame.value).sum() == pytest.approx(found.error)
