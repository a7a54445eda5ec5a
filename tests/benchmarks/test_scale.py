"""The timing of defaults on data of growing size."""

from __future__ import annotations

import json
import math

import pytest
import scale

SMALL, LARGE = "10,000 x 20", "200,000 x 20"


def test_every_estimator_has_its_line():
    names = scale.estimators()
    assert {"C45Classifier", "SVMRegressor", "CoveyClassifier", "OneVsOneClassifier"} <= set(names)
    assert not {"RandomSubspace", "Bootstrap", "Comparison"} & set(names)
    for name in names:
        assert hasattr(scale.make(name), "fit")


@pytest.mark.parametrize("size", ["60 x 5,000", "2,000 x 20, 200 classes"])
def test_rows_are_of_the_shape_that_is_named(size):
    shape = scale.SHAPES[size]
    X, y = shape.make(numeric_target=False)
    assert X.shape == (shape.n_rows, shape.n_columns)
    assert len(set(y)) == shape.n_classes
    assert len(set(shape.make(numeric_target=True)[1])) == shape.n_rows


def test_categories_are_codes_for_the_forest():
    X, y = scale.Shape(200, 10, n_categories=50).make(numeric_target=False)
    assert X.dtypes.astype(str).tolist() == ["float64"] * 8 + ["category"] * 2
    coded, _ = scale._readable(scale.FOREST, X, y)
    assert coded["a"].tolist() == X["a"].cat.codes.tolist()
    assert scale._readable("C45Classifier", X, y)[0] is X


def test_a_run_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    asked = []

    def measured(name, size, limit):
        asked.append((name, limit))
        return {"limit": limit} if name == "SVMClassifier" else {"seconds": 2.0, "gigabytes": 0.5}

    monkeypatch.setattr(scale, "measured", measured)
    kept = tmp_path / "kept" / "scale.json"
    for limit, names in (
        (30.0, ["C45Classifier"]),
        (30.0, ["C45Classifier", "SVMClassifier"]),
        (40.0, ["SVMClassifier"]),
    ):
        lines: list[str] = []
        results = scale.run(names, [SMALL], limit, kept, lines.append)
        assert len(lines) == len(names) + 1
    assert [name for name, _ in asked] == [scale.FOREST, "C45Classifier", "SVMClassifier", "SVMClassifier"]
    assert json.loads(kept.read_text()) == results
    assert "> 40 s" in lines[-1]
    assert lines[-1].endswith("  ")  # 20 times the forest's time: nobody knows
    assert lines[0].endswith("met")


def test_a_fit_is_ended_when_it_is_known_to_take_too_long():
    forest = {"seconds": 1.0, "gigabytes": 0.2}
    assert scale._allowed("SVMClassifier", forest, 60.0) == 25.0
    assert scale._allowed("SVMClassifier", {"seconds": 0.1}, 60.0) == scale.LEAST_LIMIT
    assert scale._allowed("SVMClassifier", {"seconds": 100.0}, 60.0) == 60.0
    assert scale._allowed(scale.FOREST, {}, 60.0) == scale._allowed(scale.FOREST_OF_NUMBERS, {}, 60.0) == 600.0
    results = {scale.FOREST: forest, "SVMClassifier": {"limit": 25.0}}
    assert scale.line("SVMClassifier", SMALL, results).endswith("NOT MET")


def test_what_fewer_rows_did_not_end_is_not_tried_with_more(tmp_path, monkeypatch):
    asked = []

    def measured(name, size, limit):
        asked.append((name, size))
        return {"limit": limit} if name == "SVMClassifier" else {"seconds": 2.0, "gigabytes": 0.5}

    monkeypatch.setattr(scale, "measured", measured)
    sizes = ["60 x 5,000", "50,000 x 20", "200,000 x 20", "100,000 x 100", "50,000 x 10, 5,000 categories"]
    results = scale.run(["SVMClassifier"], sizes, 30.0, tmp_path / "scale.json", lambda said: None)
    assert all(results[size]["SVMClassifier"] == {"limit": 30.0} for size in sizes)
    assert [size for name, size in asked if name == "SVMClassifier"] == [sizes[0], sizes[1], sizes[4]]
    assert {size for name, size in asked if name == scale.FOREST} == set(sizes)


def test_the_page_says_times_ratios_memory_and_growth():
    exact = {"seconds": 3.0, "gigabytes": 0.25}
    results = {
        SMALL: {
            scale.FOREST: {"seconds": 1.5, "gigabytes": 0.2},
            "C45Classifier": exact,
            "SVMClassifier": {"limit": 60},
        },
        LARGE: {scale.FOREST: {"seconds": 30.0, "gigabytes": 0.4}, "C45Classifier": {**exact, "seconds": 1200.0}},
    }
    lines = scale.page(results, ["C45Classifier", "SVMClassifier", "SVMRegressor"]).splitlines()
    assert f"| `C45Classifier` | 3.00 (2.00) | 1200 (40) | {math.log(400, 20):.2f} |" in lines
    assert "| `SVMClassifier` | > 60 (> 40) | - | - |" in lines
    assert "| `C45Classifier` | 0.25 | 0.25 |" in lines
    assert "| `SVMRegressor` | - | - | - |" in lines


def test_regressors_are_held_against_a_forest_of_numbers():
    assert scale.forest_of("SVMRegressor") == scale.forest_of(scale.FOREST_OF_NUMBERS) == scale.FOREST_OF_NUMBERS
    assert scale.forest_of("SVMClassifier") == scale.forest_of(scale.FOREST) == scale.FOREST
    results = {
        scale.FOREST: {"seconds": 1.0, "gigabytes": 0.2},
        scale.FOREST_OF_NUMBERS: {"limit": 8.0},
        "SVMRegressor": {"seconds": 4.0, "gigabytes": 0.2},
        "CoveyRegressor": {"limit": 10.0},
    }
    assert scale._time_cell("SVMRegressor", results) == "4.00 (< 0.50)"
    assert scale.line("SVMRegressor", SMALL, results).endswith(" met")
    assert scale._time_cell("CoveyRegressor", results) == "> 10"
    assert scale._time_cell(scale.FOREST_OF_NUMBERS, results) == "> 8.00"
    assert scale.line("CoveyRegressor", SMALL, results).endswith("  ")


@pytest.mark.slow
def test_a_fit_takes_time_and_memory_and_ends_at_its_limit():
    result = scale.measured("C45Classifier", "60 x 5,000", 60.0)
    assert set(result) == {"seconds", "gigabytes"}
    assert result["seconds"] > 0
    assert scale.measured(scale.FOREST, "50,000 x 20", 1.0) == {"limit": 1.0}
