"""The comparison of bias and variance with the published tables."""

from __future__ import annotations

import bias_variance
import numpy as np
import pytest

from covey.datasets import make_twonorm


@pytest.fixture
def small(monkeypatch):
    """A few cases for every dataset."""
    monkeypatch.setattr(bias_variance, "read_source", lambda source: make_twonorm(90, random_state=0))


def test_the_rows_of_table_11_are_those_of_the_reference():
    """They add up, but for the named misprint."""
    for name, rows in bias_variance.TABLE_11.items():
        for method, row in rows.items():
            error, bias, net, unbiased, biased = row.terms
            assert bias + net == pytest.approx(error, abs=0.00015)
            if (name, method) != ("ringnorm", bias_variance.SINGLE):
                assert unbiased - biased == pytest.approx(net, abs=0.00015)


def test_learners_have_the_published_parameters():
    row = bias_variance.TABLE_11["twonorm"][bias_variance.SUBSPACE]
    model = bias_variance.learner(bias_variance.SUBSPACE, row, scale=True)
    assert (model.min_sphere_size, model.subspace_size, model.n_estimators) == (2, 13, 25)
    row = bias_variance.TABLE_11["ringnorm"][bias_variance.SINGLE]
    assert bias_variance.learner(bias_variance.SINGLE, row, scale=False).min_sphere_size == 1


def test_a_run_prints_every_row_and_goes_on_where_it_stopped(small, tmp_path, monkeypatch):
    first = list(bias_variance.table_11(tmp_path, ["twonorm", "heart"], 2, 3, 1))
    monkeypatch.setattr("covey.study.repeats.run_fit", None)
    assert list(bias_variance.table_11(tmp_path, ["twonorm", "heart"], 2, 3, 1)) == first
    assert sum("twonorm" in line for line in first) == 3
    assert sum("(0.0515)" in line for line in first) == 1
    assert first[-1].split() == ["alpha-rsse", "net", "variance", first[-1].split()[3], "(6)"]


def test_the_nearest_neighbour_of_table_6(tmp_path):
    lines = list(bias_variance.table_6(tmp_path, 3, 1))
    assert [line.split()[0] for line in lines[1:]] == ["twonorm", "threenorm", "ringnorm"]
    error = float(lines[3].split("(")[3].split(")")[1])
    assert error == pytest.approx(39.2, abs=6)
    assert np.isfinite(error)
