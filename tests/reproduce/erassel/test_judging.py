from __future__ import annotations

import numpy as np
import pytest

from covey.reproduce.erassel.judging import ascending, is_highest, is_lowest, on_means, power_of
from covey.reproduce.paper import Found
from reproduce.erassel.printed import Made, printed

MEANS = {"spam": {"a": 1.0, "b": 2.0, "c": 3.0}, "boston": {"a": 4.0, "b": 5.0, "c": 6.0}}


def test_orders_are_those_of_all_tables():
    assert ascending(MEANS, "a", "b", "c")
    assert not ascending(MEANS | {"cars93": {"a": 1.0, "b": 3.0, "c": 2.0}}, "a", "b", "c")
    assert is_lowest(MEANS, "a")
    assert not is_lowest(MEANS, "b")
    assert is_highest(MEANS, "c")
    assert not is_highest(MEANS, "a")


def test_power_is_the_share_of_normal_runs_that_show_a_claim():
    """By the published means erassel errs 0.02 less than rssl; with independent deviations of 0.1 and 50 splits the
    difference of means has a standard error of 0.02, so that it is below 0 in 84 % of runs."""
    rng = np.random.default_rng(1)
    part = rng.standard_normal((50, 2))
    part -= part.mean(axis=0)
    part = 0.1 * part @ np.linalg.inv(np.linalg.cholesky(np.cov(part, rowvar=False))).T
    methods = ("erassel", "rssl")
    power = power_of({"boston": part}, methods, lambda means: ascending(means, *methods))
    assert power == pytest.approx(0.841, abs=0.08)


def test_splits_that_methods_share_do_not_blur_their_order():
    part = np.random.default_rng(0).standard_normal((50, 1)) * np.ones(2)
    methods = ("erassel", "rssl")
    assert power_of({"boston": part}, methods, lambda means: ascending(means, *methods)) == 1


def test_one_split_has_no_spread_to_draw_from():
    made = Made({("boston", method): np.array([0.5]) for method in ("erassel", "rssl")})
    verdict = on_means(Found({"boston": made}, quick=True), ("boston",), ("erassel", "rssl"), lambda means: True)
    assert verdict.status == "held"
    assert verdict.found == "mean errors: boston erassel 0.500, rssl 0.500."


def test_the_power_of_a_claim_is_told_of_failed_claims_too():
    verdict = on_means(printed(), ("boston",), ("erassel", "rssl"), lambda means: False)
    assert verdict.status == "failed"
    assert verdict.found.endswith("Of runs of this size, drawn from the published means, 0 % show it.")
