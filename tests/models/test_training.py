"""What a card keeps of the training: errors for intervals, and marks of rows."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_predict

from covey.models import count_training_rows, interval_half_width
from covey.models.training import keep_errors, mark_rows


def about_errors(errors):
    return {"errors": keep_errors(errors)}


@pytest.mark.parametrize("percent", [50, 80, 90, 95, 97.5, 99.9])
@pytest.mark.parametrize("n_rows", [1000, 999, 101])
def test_up_to_a_thousand_errors_give_the_exact_quantile(n_rows, percent):
    errors = np.random.default_rng(n_rows).normal(size=n_rows)
    rank = int(np.ceil(round((n_rows + 1) * percent / 100, 9)))
    if rank > n_rows:
        with pytest.raises(ValueError, match=r"needs the errors of more than 101 rows.*ask for 99% or less"):
            interval_half_width(about_errors(errors), percent)
    else:
        assert interval_half_width(about_errors(errors), percent) == np.sort(np.abs(errors))[rank - 1]


def test_more_errors_give_at_most_a_thousandth_more():
    errors = np.arange(1.0, 54_322.0)
    about = about_errors(errors)
    assert len(about["errors"]["sizes"]) == 1000
    for percent in (1, 50, 90, 95.5, 99, 99.9):
        exact = np.ceil(round((len(errors) + 1) * percent / 100, 9))
        assert exact <= interval_half_width(about, percent) <= exact + len(errors) / 1000 + 1


def test_intervals_cover_as_many_new_values_as_asked_for():
    covered: dict[int, list[float]] = {80: [], 95: []}
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(2150, 4))
        y = X @ [1, 2, 3, 4] + rng.standard_t(3, size=2150)
        old, new = slice(150), slice(150, None)
        model = LinearRegression()
        errors = cross_val_predict(model, X[old], y[old], cv=5) - y[old]
        far = np.abs(model.fit(X[old], y[old]).predict(X[new]) - y[new])
        for percent, shares in covered.items():
            shares.append(np.mean(far <= interval_half_width(about_errors(errors), percent)))
    for percent, shares in covered.items():
        assert np.mean(shares) == pytest.approx(percent / 100, abs=0.015)


@pytest.mark.parametrize("percent", [0, 100, -5, float("nan")])
def test_percentages_that_are_none(percent):
    with pytest.raises(ValueError, match=r"must be above 0 and below 100"):
        interval_half_width(about_errors([1.0, 2.0]), percent)


@pytest.mark.parametrize("errors", [[], [np.nan], [1.0, np.inf], [[1.0]]])
def test_errors_that_are_none(errors):
    with pytest.raises(ValueError, match="errors must be finite numbers"):
        keep_errors(errors)


def test_a_card_without_errors_names_the_remedy():
    with pytest.raises(ValueError, match=r"keeps no errors.*save.*again, with Comparison.save_best"):
        interval_half_width({})


@pytest.mark.parametrize(
    "errors",
    [
        3,
        [1.0],
        {},
        {"rows": 2},
        {"rows": "2", "sizes": [1.0, 2.0]},
        {"rows": 2, "sizes": []},
        {"rows": 1, "sizes": [1.0, 2.0]},
        {"rows": 2, "sizes": [2.0, 1.0]},
        {"rows": 2, "sizes": [-1.0, 1.0]},
        {"rows": 2, "sizes": ["1", "2"]},
        {"rows": 2, "sizes": [float("nan"), 1.0]},
        {"rows": 2, "sizes": [1.0, float("inf")]},
        {"rows": 2, "sizes": {"a": 1.0}},
    ],
)
def test_forged_errors_are_refused(errors):
    with pytest.raises(ValueError, match="about its errors is damaged or forged"):
        interval_half_width({"errors": errors}, 50)


def table(n_rows, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"size": rng.normal(size=n_rows), "town": pd.Categorical(rng.choice(["Ely", "York"], n_rows))})
    return frame.assign(gaps=frame["size"].where(frame.index % 3 > 0))


def about_rows(frame):
    return {"row_marks": mark_rows(frame)}


def test_rows_of_the_training_are_counted():
    frame, other = table(500, 0), table(400, 1)
    about = about_rows(frame)
    assert count_training_rows(about, frame) == (500, True)
    assert count_training_rows(about, frame.sample(frac=1, random_state=0)) == (500, True)
    assert count_training_rows(about, pd.concat([frame.iloc[:100], other])) == (100, True)
    assert count_training_rows(about, other) == (0, True)
    changed = frame.assign(town=frame["town"].cat.rename_categories({"Ely": "York", "York": "Ely"}))
    assert count_training_rows(about, changed) == (0, True)
    assert count_training_rows({}, frame) == (0, True)


def test_of_many_rows_the_count_is_an_estimate():
    frame, other = table(30_000, 0), table(5000, 1)
    about = about_rows(frame)
    assert len(about["row_marks"]["marks"]) == 8 * 1000
    for n_old in (5000, 10_000):
        count, exact = count_training_rows(about, pd.concat([frame.iloc[:n_old], other]))
        assert not exact
        assert count == pytest.approx(n_old, rel=0.25)
    assert count_training_rows(about, other) == (0, True)


@pytest.mark.parametrize("n_values", [3, 6, 12, 24])
def test_rows_that_are_equal_by_chance_are_no_rows_of_the_training(n_values):
    """New rows of three columns with few values are often the same as some of the training."""
    alarms = 0
    for seed in range(40):
        rows = pd.DataFrame(np.random.default_rng(seed).integers(n_values, size=(600, 3)))
        alarms += count_training_rows(about_rows(rows.iloc[:400]), rows.iloc[400:])[0] > 0
    assert alarms <= 1


@pytest.mark.parametrize(
    "change",
    [
        {"marks": 3},
        {"marks": "xyz"},
        {"marks": "abcdef"},
        {"rows": 0},
        {"rows": "many"},
        {"rows": float("inf")},
        {"rows": 10**400},
        {"once": 2},
        {"twice": -1},
        {"twice": None},
    ],
)
def test_forged_marks_are_refused(change):
    frame = table(20, 0)
    for marks in ({**mark_rows(frame), **change}, [change], 3):
        with pytest.raises(ValueError, match="about its rows is damaged or forged"):
            count_training_rows({"row_marks": marks}, frame)
