"""What judges of all papers share."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey.reproduce.paper import Found, Lacking
from covey.reproduce.results import is_whole, values_of, wide
from covey.reproduce.verdicts import Record, claim, enough
from reproduce.made_up import Made

NOTHING = Found({}, quick=True)


def verdict_of(judge, **arguments):
    made = claim("X-01", "text", "", (), judge, **arguments).judge(NOTHING)
    return made.status, made.found


def test_a_claim_holds_or_fails_and_says_what_was_found():
    assert verdict_of(lambda results, often: (np.bool_(often > 2), f"{often} wins"), often=3) == ("held", "3 wins.")
    assert verdict_of(lambda results: (False, "")) == ("failed", ".")
    assert verdict_of(lambda results: (False, "As it is.")) == ("failed", "As it is.")


def test_what_cannot_be_tested_says_why():
    def lacks(results):
        raise Lacking("no data")

    assert verdict_of(lacks) == ("not testable", "no data.")
    assert verdict_of(lambda results: (True, str(enough([1])))) == (
        "not testable",
        "1 dataset on which all methods of the claim were carried out, which is too few.",
    )


@pytest.mark.parametrize(("wins", "losses", "outcome"), [(10, 0, "better"), (0, 10, "worse"), (5, 4, "level")])
def test_an_outcome_is_by_the_sign_test(wins, losses, outcome):
    record = Record(wins, losses, 1)
    assert (record.outcome, record.total) == (outcome, wins + losses + 1)
    assert str(record).startswith(f"{wins}-{losses}-1 (p = ")


def test_records_are_of_errors_with_one_decimal():
    errors = pd.DataFrame({"a": [1.04, 2.0, 3.0, np.nan], "b": [1.0, 2.1, 2.9, 1.0]})
    assert Record.of(errors, "a", "b") == Record(1, 1, 1)


def test_a_method_with_a_fit_that_failed_has_no_figures():
    made = Made({("wine", "a"): {"error": [0.1, 0.2]}, ("iris", "a"): {"error": [0.3, 0.4]}}).failing("wine", "a", 1)
    assert not is_whole(made, "wine", "a")
    assert not is_whole(made, "wine", "other")
    assert len(values_of(made, "wine", "a", "error")) == 0
    assert values_of(made, "iris", "a", "error").tolist() == [0.3, 0.4]


def test_wide_tables_are_of_all_experiments_in_the_order_of_the_paper():
    parts = {"one": Made({("wine", "a"): {"error": [0.1]}}), "two": Made({("glass", "b"): {"error": [0.2]}})}
    frame = wide(
        Found(parts, quick=True),
        ("one", "two", "three"),
        {"A": "a", "B": "b"},
        lambda run, *names: float(values_of(run, *names, "error").sum()),
        ("mfs", 1),
    )
    assert frame.index.tolist() == ["glass", "wine"]
    assert frame.loc["glass", "B"] == 0.2
    assert frame.isna().to_numpy().tolist() == [[True, False], [False, True]]
