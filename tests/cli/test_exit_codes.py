"""Exit codes of runs: 3 when fits failed, 0 when none has."""

from __future__ import annotations

STUDY = """
name = "a study"
seed = 0
datasets = ["iris"]
[protocol]
kind = "cross-validation"
n_folds = 2
n_repeats = 1
[[method]]
estimator = "sklearn.naive_bayes.GaussianNB"
[[method]]
name = "other"
estimator = "{estimator}"
params = {params}
"""
GOOD = {"estimator": "sklearn.dummy.DummyClassifier", "params": "{}"}
BAD = {"estimator": "sklearn.dummy.DummyClassifier", "params": '{ strategy = "constant", constant = "no class" }'}


def test_a_study_with_failed_fits_has_a_code_of_its_own(covey, tmp_path):
    (tmp_path / "good.toml").write_text(STUDY.format(**GOOD))
    (tmp_path / "bad.toml").write_text(STUDY.format(**BAD))
    good = covey("study", "run", "good.toml", "-w", 1, "-q")
    assert good.code == 0, good.err
    bad = covey("study", "run", "bad.toml", "-w", 1, "-q", "--report", "r.html")
    assert bad.code == 3, bad.out
    assert "2 fits failed:" in bad.out
    assert (tmp_path / "r.html").exists()
    assert covey("study", "run", "bad.toml", "-w", 1, "-q").code == 3


def test_a_comparison_with_failed_fits_has_a_code_of_its_own(covey, tmp_path, monkeypatch):
    def fail(*arguments):
        raise ArithmeticError("it fails")

    methods = ["-m", "baseline", "-m", "sklearn.naive_bayes.GaussianNB"]
    settings = [*methods, "--folds", 2, "--repeats", 1, "-w", 1, "-q"]
    good = covey("compare", "iris", "-o", "good", *settings)
    assert good.code == 0, good.err
    monkeypatch.setattr("sklearn.naive_bayes.GaussianNB.predict", fail, raising=False)
    bad = covey("compare", "iris", "-o", "bad", "--save-best", "m.covey", *settings)
    assert bad.code == 3, bad.out
    assert "2 of 2 fits failed" in bad.out
    assert (tmp_path / "m.covey").exists()


def test_the_codes_are_told(covey):
    for command in (["compare"], ["study", "run"]):
        told = " ".join(covey(*command, "--help").out.split())
        assert "exit code is 3 if fits have failed, and 130 if it was stopped by Ctrl-C" in told
