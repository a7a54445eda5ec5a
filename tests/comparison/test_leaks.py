"""Leaks that are planted are found, with their columns; honest data have none."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey.comparison.leaks import find_leaks, repeated_rows
from covey.datasets import from_frame, load

N = 400


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(N, 4)), columns=list("abcd"))
    return frame.assign(y=(frame["a"] + frame["b"] + 1.5 * rng.normal(size=N) > 0).astype(int))


@pytest.fixture(scope="module")
def houses():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"area": rng.integers(40, 300, N), "rooms": rng.integers(1, 8, N)})
    return frame.assign(price=np.exp(11 + frame["area"] / 100 + rng.normal(0, 0.5, N)))


def kinds(frame, target):
    return {leak.kind: leak.columns for leak in find_leaks(from_frame(frame, target), 0)}


def test_the_target_under_another_name(table):
    """Finding of the review: result_code = 10 y + 5, and no warning."""
    (leak,) = find_leaks(from_frame(table.assign(result_code=10 * table["y"] + 5), "y"))
    assert (leak.kind, leak.columns) == ("copy", ("result_code",))
    assert leak.sentence == (
        "'result_code' is 'y' under another name: each value stands for one class. If it is not known when you "
        "predict, leave it out: --drop result_code."
    )
    words = table.assign(y=table["y"].map({0: "no", 1: "yes"}), outcome=table["y"].map({0: "lost", 1: "won"}))
    assert kinds(words, "y") == {"copy": ("outcome",)}


def test_numbers_under_another_name(houses):
    copies = houses.assign(dollars=1.1 * houses["price"] + 3, logged=-np.log(houses["price"]))
    assert kinds(copies, "price") == {"copy": ("dollars", "logged")}


def test_a_column_that_predicts_the_target_alone(table, houses):
    rng = np.random.default_rng(1)
    y = table["y"]
    assert kinds(table.assign(score=y + rng.normal(0, 0.1, N)), "y") == {"predicts": ("score",)}
    # A date of cancellation is there where someone has cancelled.
    assert kinds(table.assign(cancelled=np.where(y == 1, rng.integers(0, 365, N), np.nan)), "y") == {
        "predicts": ("cancelled",)
    }
    codes = [f"{label}-{code}" for label, code in zip(y, rng.integers(0, 5, N), strict=True)]
    (leak,) = find_leaks(from_frame(table.assign(code=codes), "y"))
    assert leak.sentence.startswith("'code' alone predicts 'y': 100.0% of held-out rows, each class counted alike, far")
    assert kinds(houses.assign(tax=houses["price"] * rng.normal(1, 0.02, N)), "price") == {"predicts": ("tax",)}


def test_a_rare_class_is_found_out_too():
    rng = np.random.default_rng(0)
    y = rng.random(3000) < 0.01
    frame = pd.DataFrame(rng.normal(size=(3000, 5)) + y[:, None], columns=list("abcde")).assign(y=y.astype(int))
    assert kinds(frame, "y") == {}
    assert kinds(frame.assign(chargeback=np.where(y, rng.random(3000), np.nan)), "y") == {"predicts": ("chargeback",)}


@pytest.mark.parametrize("shuffled", [False, True])
def test_a_number_that_orders_the_classes(table, houses, shuffled):
    for frame, target in ((table, "y"), (houses, "price")):
        numbered = frame.sort_values(target).assign(id=range(1, N + 1))
        numbered = numbered.sample(frac=1, random_state=0) if shuffled else numbered
        (leak,) = find_leaks(from_frame(numbered, target))
        assert (leak.kind, leak.columns) == ("order", ("id",))
        assert "New rows have other numbers, so leave it out: --drop id." in leak.sentence
    assert kinds(table.assign(id=range(N)), "y") == {}  # in no order


@pytest.mark.parametrize("written", ["words", "numbers"])
def test_groups_of_rows_with_the_same_target(table, houses, written):
    """Rows of one patient have one outcome, which says nothing of the next patient's."""
    rng = np.random.default_rng(2)
    patient = rng.integers(0, 40, N)
    ids = patient if written == "numbers" else [f"P{one:03}" for one in patient]
    outcome = rng.integers(0, 2, 40)[patient]
    (leak,) = find_leaks(from_frame(table.assign(y=outcome, patient=ids), "y"))
    assert (leak.kind, leak.columns) == ("groups", ("patient",))
    assert leak.sentence.startswith(
        "'patient' has values that come back, and rows with the same one have nearly the same"
    )
    assert "If new rows will have other values, leave it out: --drop patient." in leak.sentence
    price = rng.lognormal(11, 1, 40)[patient] * rng.normal(1, 0.001, N)
    assert kinds(houses.assign(price=price, street=ids), "price") == {"predicts": ("street",)}
    assert kinds(table.assign(patient=ids), "y") == {}


@pytest.mark.parametrize(("n_groups", "rows_of_each"), [(50, 4), (330, 3)])
def test_groups_of_few_rows(n_groups, rows_of_each):
    rng = np.random.default_rng(4)
    patient = np.repeat(np.arange(n_groups), rows_of_each)
    frame = pd.DataFrame(rng.normal(size=(len(patient), 2)), columns=list("ab"))
    frame = frame.assign(y=rng.integers(0, 2, n_groups)[patient], patient=[f"P{one}" for one in patient])
    assert kinds(frame, "y") == {"groups": ("patient",)}
    assert kinds(frame.assign(y=rng.permutation(frame["y"])), "y") == {}


def test_a_copy_of_the_target_with_slips(table):
    rng = np.random.default_rng(3)
    slips = table.assign(noted=np.where(rng.random(N) < 0.02, 1 - table["y"], table["y"]))
    assert kinds(slips, "y") == {"predicts": ("noted",)}


def test_rows_that_occur_more_than_once(table, houses):
    for frame, target in ((table, "y"), (houses, "price")):
        copied = pd.concat([frame, frame.sample(N // 5, random_state=0)])
        dataset = from_frame(copied, target)
        (leak,) = find_leaks(dataset)
        assert leak.kind == "repeats"
        assert leak.sentence.startswith(f"{2 * N // 5} of {N + N // 5} rows (33.3%) occur more than once")
        np.testing.assert_array_equal(repeated_rows(dataset), copied.duplicated().to_numpy())
        assert kinds(frame, target) == {}


def test_repeats_are_natural_where_values_are_few(table):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {name: rng.choice(list("abcd")[:size], N) for name, size in zip("pqr", (2, 3, 4), strict=True)}
    )
    frame = frame.assign(y=table["y"])
    assert frame.duplicated().mean() > 0.8
    assert kinds(frame, "y") == {}
    spent = np.round(rng.lognormal(3, 1, N) * (rng.random(N) < 0.5), 2)  # nothing, or an amount of one's own
    mixed = frame.assign(spent=spent)
    assert mixed.duplicated().mean() > 0.1
    assert kinds(mixed, "y") == {}
    assert kinds(pd.concat([mixed, mixed[spent > 0].sample(N // 5, random_state=0)]), "y") == {"repeats": ()}


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "digits", "diabetes", "generator:ringnorm"])
def test_honest_data_have_no_leaks(name):
    assert find_leaks(load(name), 0) == ()


def test_easy_data_have_no_leaks():
    """One class of iris stands apart by either size of its petals alone, and by the other columns together."""
    data = load("iris")
    frame = data.frame.assign(y=np.where(data.target.cat.codes == 0, "setosa", "other"))
    assert kinds(frame, "y") == {}


def test_little_is_said_of_few_rows():
    rng = np.random.default_rng(0)
    y = np.arange(25) % 2
    assert kinds(pd.DataFrame({"x": y + rng.normal(0, 0.1, 25), "z": rng.normal(size=25), "y": y}), "y") == {}
    many = pd.DataFrame(rng.integers(0, 2, size=(40, 3000)).astype(float)).add_prefix("x")
    assert kinds(many.assign(y=np.arange(40) % 2), "y") == {}


def test_numbers_of_any_size_are_told_apart(table):
    """Regression: scikit-learn's trees refuse numbers beyond float32, and round large ones to each other."""
    score = table["y"] + np.random.default_rng(1).normal(0, 0.1, N)
    assert kinds(table.assign(score=score * 1e300), "y") == {"predicts": ("score",)}
    assert kinds(table.assign(score=score + 1e9), "y") == {"predicts": ("score",)}
