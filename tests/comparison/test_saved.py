"""What the file of the best model keeps of the comparison."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_regression

from covey import compare, load_model
from covey.models import interval_half_width, read_about


def test_errors_are_those_of_rows_that_were_left_out_and_give_intervals_that_cover(tmp_path):
    X, y = make_regression(2500, n_features=5, noise=20.0, random_state=0)
    rows = pd.DataFrame(X, columns=list("abcde"))
    path = tmp_path / "best.covey"
    methods = ["ridge regression", "baseline"]
    found = compare((rows[:300], y[:300]), methods=methods, n_repeats=2, n_workers=1, save_best=path)
    about = read_about(path)
    said, _ = found.results.predictions(found.study.datasets[0].name, "ridge regression")
    assert about["errors"] == {"rows": 300, "sizes": np.sort(np.abs(said[0] - y[:300])).tolist()}
    far = np.abs(load_model(path).predict(rows[300:]) - y[300:])
    for percent in (50, 90):
        assert np.mean(far <= interval_half_width(about, percent)) == pytest.approx(percent / 100, abs=0.06)


def test_classes_have_no_errors_but_marks_of_rows(tmp_path):
    path = tmp_path / "best.covey"
    compare("iris", methods=["baseline", "nearest neighbours"], n_folds=2, n_repeats=1, n_workers=1, save_best=path)
    about = read_about(path)
    assert "errors" not in about
    assert about["row_marks"]["rows"] == 150
