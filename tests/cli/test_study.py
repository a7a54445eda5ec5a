import json

import pandas as pd
import pytest

from covey.cli.tables import write_csv
from covey.study import Store


def test_check_and_status_write_nothing(covey, study, tmp_path):
    found = covey("study", "check", study)
    assert found.code == 0
    assert found.out.splitlines() == [
        "a [red]study[/red]: nothing is wrong.",
        "2 methods on 1 dataset, 2 x 2-fold cross-validation: 8 fits.",
    ]
    found = covey("study", "status", study)
    assert found.code == 0
    assert "0 of 8 fits done, 8 missing; there is no store study.store yet." in found.out
    assert [path.name for path in tmp_path.iterdir()] == ["study.toml"]


TYPOS = {'"iris"': '"irs"', "GaussianNB": "GausianNB"}


@pytest.mark.parametrize(
    ("command", "change", "words"),
    [
        (["check", "study.toml"], TYPOS, "has 2 errors:"),
        (["check", "study.toml"], TYPOS, "'irs'"),
        (["check", "study.toml"], {"sklearn.naive_bayes": "statsmodels"}, "name 'statsmodels' in trust"),
        (["check", "none.toml"], {}, "Error: There is no study file 'none.toml'"),
        (["results", "study.toml"], {}, "There is no store study.store; run the study first"),
        (["run", "study.toml", "--report", "r.html"], {}, "r.html is there already"),
    ],
)
def test_what_is_wrong_is_said_at_once(covey, study, tmp_path, command, change, words):
    (tmp_path / "r.html").write_text("precious")
    text = study.read_text()
    for old, new in change.items():
        text = text.replace(old, new)
    study.write_text(text)
    found = covey("study", *command)
    assert (found.code, found.out) == (2, "")
    assert words in found.err
    assert not (tmp_path / "study.store").exists()


def test_from_beginning_to_end(covey, study, tmp_path):
    ran = covey("study", "run", study, "--workers", 1, "--quiet", "--report", "r.html")
    assert ran.code == 3
    assert (tmp_path / "r.html").exists()
    assert "a [red]study[/red]: mean accuracy" in ran.out
    assert "4 fits failed:" in ran.out
    assert "- fails on iris, 4 fits: " in ran.out
    assert ran.err == ""
    assert "\x1b" not in ran.out
    status = covey("study", "status", study)
    assert "4 of 8 fits done, 4 failed." in status.out
    results = covey("study", "results", study, "--metric", "balanced_accuracy", "--csv", "a.csv", "--latex", "a.tex")
    assert results.code == 0
    assert "mean balanced accuracy" in results.out
    assert "bayes [bold]" in results.out
    assert "A dash: some fit of the method failed or is missing there." in results.out
    fits = pd.read_csv(tmp_path / "a.csv")
    assert len(fits) == 8
    assert fits["balanced_accuracy"].notna().sum() == 4
    assert r"\begin{tabular}" in (tmp_path / "a.tex").read_text()


def test_a_store_and_its_folder_stand_for_their_study(covey, study, tmp_path):
    folder = tmp_path / "found"
    folder.mkdir()
    covey("study", "run", study, "-w", 1, "-q", "--store", folder / "results.store")
    for place in (folder, folder / "results.store"):
        status = covey("study", "status", place)
        assert status.code == 0, status.err
        assert "4 of 8 fits done, 4 failed." in status.out
        assert "a [red]study[/red]: mean accuracy" in covey("study", "results", place).out
    expected = covey("study", "results", study, "--store", folder / "results.store").out
    assert covey("study", "results", folder).out == expected
    assert covey("study", "status", folder, "--study", "other").code == 2
    assert "--store goes with a study file" in covey("study", "status", folder, "--store", "x.store").err
    assert "--study chooses among the studies of a store" in covey("study", "results", study, "--study", "x").err
    assert "There is no store none.store" in covey("study", "status", "none.store").err


def test_status_of_a_folder_that_compare_made(covey):
    covey("compare", "iris", "-m", "baseline", "--folds", 2, "--repeats", 1, "-w", 1, "-q")
    assert "2 of 2 fits done." in covey("study", "status", "covey-iris").out
    assert "Comparison on iris: mean accuracy" in covey("study", "results", "covey-iris").out


def test_every_table_as_json(covey, study):
    checked = json.loads(covey("study", "check", study, "--json").out)
    assert (checked["methods"], checked["datasets"], checked["fits"]) == (["bayes [bold]", "fails"], ["iris"], 8)
    before = json.loads(covey("study", "status", study, "--json").out)
    assert [(row["method"], row["missing"]) for row in before["methods"]] == [("bayes [bold]", 4), ("fails", 4)]
    ran = covey("study", "run", study, "-w", 1, "-q", "--json", "--report", "r.html")
    assert ran.code == 3
    made = json.loads(ran.out)
    assert made.pop("report") == "r.html"
    assert made.pop("store").endswith("study.store")
    assert json.loads(covey("study", "results", study, "--json").out) == made
    assert made["fits"] == {"done": 4, "failed": 4}
    assert made["failures"][0]["method"] == "fails"
    (ranking,) = made["rankings"]
    assert [row["method"] for row in ranking["methods"]] == ["bayes [bold]"]
    assert list(ranking["not_ranked"]) == ["fails"]
    after = json.loads(covey("study", "status", study, "--json").out)
    assert (after["done"], after["failed"], after["missing"]) == (4, 4, 0)
    other = json.loads(covey("study", "results", study, "--json", "--metric", "balanced_accuracy").out)
    assert [one["metric"] for one in other["rankings"]] == ["balanced_accuracy"]


def test_a_table_of_fits_holds_nothing_that_a_spreadsheet_runs(tmp_path):
    fits = pd.DataFrame({"method": ["=cmd()"], "accuracy": [-0.5], "failure": ["two\nlines\x1b"]})
    write_csv(fits, tmp_path / "fits.csv")
    assert (tmp_path / "fits.csv").read_bytes() == b"method,accuracy,failure\n'=cmd(),-0.5,two\\nlines\\x1b\n"


def test_a_store_elsewhere_and_results_of_whole_studies(covey, study, tmp_path):
    text = study.read_text()
    for whole in (text.replace("n_neighbors = 100000", "n_neighbors = 3"), text[: text.rindex("[[method]]")]):
        study.write_text(whole)
        assert covey("study", "run", study, "--store", "s.db", "-w", 1, "-q").code == 0
        assert not (tmp_path / "study.store").exists()
        found = covey("study", "results", study, "--store", "s.db", "--latex", "a.tex", "--force")
        assert found.code == 0
        assert "dash" not in found.out
        assert "bayes" in (tmp_path / "a.tex").read_text()


def test_progress_is_on_standard_error(covey, study, monkeypatch):
    from covey.cli import live

    monkeypatch.setattr(live, "_FIRST_LINE", 0.0)
    monkeypatch.setattr(live, "_LEAST_APART", 0.0)
    found = covey("study", "run", study, "-w", 1)
    assert "8 fits" in found.err
    assert "of 8 fits" not in found.out


def test_what_is_finished_is_not_run_again_nor_while_another_process_runs(covey, study, tmp_path):
    covey("study", "run", study, "-w", 1, "-q")
    with Store.open(tmp_path / "study.store", write=False) as kept:
        before = len(kept)
    assert covey("study", "run", study, "-w", 1, "-q").code == 3
    with Store.open(tmp_path / "study.store", write=True) as kept:
        assert len(kept) == before
        assert covey("study", "status", study).code == 0
        held = covey("study", "run", study, "-w", 1, "-q")
    assert held.code == 1
    assert "is being written by process" in held.err
    found = covey("study", "results", study, "--metric", "acuracy")
    assert found.code == 2
    assert "metrics[0]='acuracy' is no metric for classification; did you mean 'accuracy'" in found.err


@pytest.mark.parametrize("width", [40, 80, 200])
def test_scores_fit_the_terminal(monkeypatch, width, capsys):
    from rich.console import Console

    from covey.cli import tables

    console = Console(width=width, markup=False)
    monkeypatch.setattr(tables, "out", lambda: console)
    methods = [f"a method of some length {place}" for place in range(12)]
    cells = [["0.1234 "] * 12, ["- "] * 12]
    console.print(tables._fitting(["one", "two"], methods, cells, "accuracy"))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width
    assert not any("…" in line for line in lines)
