from __future__ import annotations

import pandas as pd
import pytest

from covey.datasets import available, load, make_led, make_twonorm


@pytest.mark.parametrize("info", available("generator"), ids=lambda info: info.name)
def test_every_generator_loads_with_the_size_it_is_listed_with(info):
    dataset = load(f"generator:{info.name}")
    assert dataset.n_rows == info.rows
    assert dataset.task == info.task
    assert dataset.provenance.source == "generator"


def test_it_is_the_same_table_every_time_and_the_generators_own():
    X, y = make_twonorm(300, random_state=0, as_frame=True)
    for _ in range(2):
        dataset = load("twonorm", source="generator")
        pd.testing.assert_frame_equal(dataset.frame, X)
        assert dataset.target.astype(int).tolist() == y.tolist()


def test_led_is_nominal():
    assert load("led-24").schema.categorical.all()
    assert make_led(5, random_state=0)[0].shape == (5, 24)


def test_a_generator_is_asked_last(tmp_path, monkeypatch):
    (tmp_path / "twonorm.csv").write_text("a,class\n1,x\n2,y\n")
    monkeypatch.setenv("COVEY_DATA", str(tmp_path))
    assert load("twonorm").n_rows == 2
