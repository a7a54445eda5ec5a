"""Progress of fits: nothing unless asked for, then lines of one form that name the estimator."""

from __future__ import annotations

import re

import pytest

# Learners that take seconds at most on data that suits them, or have one step only.
SILENT = {
    "C45Classifier",
    "RandomTreeClassifier",
    "LogisticClassifier",
    "LeastSquaresRegressor",
    "SVMRegressor",
    "GaussianProcessClassifier",
    "GaussianProcessRegressor",
}
LINE = r"\[{}\] (ended with )?\d+ of \d+ [a-z ]+, \d+\.\d s"


def test_verbose(entry, data, capsys):
    name = type(entry.estimator).__name__
    if "verbose" not in entry.params:
        assert name in SILENT
        return
    chosen = {key: "auto" for key in ("min_sphere_size", "n_neighbors") if key in entry.params}
    if name in ("SelectedNeighborsClassifier", "FeatureSubsetNeighborsClassifier", "FeatureSubsetNeighborsRegressor"):
        chosen = {"subset_size": "auto"} if "subset_size" in entry.params else {}
    entry.new(**chosen).fit(*data)
    assert capsys.readouterr().out == ""
    quick = entry.new(**chosen, verbose=1).fit(*data)
    lines = capsys.readouterr().out.splitlines()
    assert lines
    entry.new(**chosen, verbose=2).fit(*data)
    assert len(capsys.readouterr().out.splitlines()) >= len(lines)
    if "covey" not in entry.name:  # which tells of each member by its name
        assert all(re.fullmatch(LINE.format(name), line) for line in lines), lines
        done, total = map(int, re.findall(r"(\d+) of (\d+)", lines[-1])[0])
        assert done == total or "ended with" in lines[-1]
    with pytest.raises(ValueError, match="verbose"):
        quick.set_params(verbose=-1).fit(*data)
