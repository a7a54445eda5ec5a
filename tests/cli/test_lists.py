"""What there is: methods, datasets, and names for the shell to complete."""

import json

import pytest

from covey import methods
from covey.cli import completing
from covey.datasets import available


def test_methods(covey):
    found = covey("methods")
    assert found.code == 0
    for entry in methods():
        assert f"{entry.id} " in found.out
    assert "multistrategy: Webb and Zheng" in found.out


def test_methods_of_a_paper_a_family_and_a_task(covey):
    found = covey("methods", "--paper", "multistrategy", "--family", "boosting")
    assert "boost " in found.out
    assert "mbsasc" not in found.out
    assert covey("methods", "--task", "classification").code == 0
    assert "Compared by default" not in found.out


@pytest.mark.parametrize("option", ["--paper", "--family"])
def test_unknown_choices(covey, option):
    found = covey("methods", option, "[bold]x")
    assert found.code == 2
    assert f"{option[2:]}='[bold]x' has no methods" in found.err


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (["--source", "sklearn"], ["breast_cancer  sklearn  classification   569", "5 datasets."]),
        (["wine"], ["rows:           178", "classes:        class_0 59, class_1 71, class_2 48", "alcohol"]),
        (["diabetes"], ["target values:  25 to 346"]),
        (["x.csv", "-t", "y"], ["[red]b", "c, ä", "columns:        2, 1 of them with categories"]),
    ],
)
def test_the_facts_of_datasets(covey, tmp_path, arguments, lines):
    (tmp_path / "x.csv").write_text("a,[red]b,y\n1,ä,no\n,c,yes\n" + "2,c,no\n" * 3)
    found = covey("datasets", *arguments)
    assert found.code == 0
    for line in lines:
        assert line in found.out
    assert covey("datasets", "--source", "nowhere").code == 2


def test_lists_as_json(covey, tmp_path):
    made = json.loads(covey("methods", "--json").out)
    assert [entry["id"] for entry in made["methods"]] == [entry.id for entry in methods()]
    assert {"method": "baseline", "task": "regression", "most_rows": None, "why_not": None} in made[
        "compared_by_default"
    ]
    assert json.loads(covey("methods", "--paper", "rsc", "--json").out)["compared_by_default"] == []
    listed = json.loads(covey("datasets", "--source", "sklearn", "--json").out)
    assert [entry["name"] for entry in listed] == [info.name for info in available("sklearn")]
    (tmp_path / "x.csv").write_text("a,[red]b,e,y\n1,ä,,no\n,c,,yes\n" + "2,c,,no\n" * 3)
    one = json.loads(covey("datasets", "x.csv", "-t", "y", "--json").out)
    assert (one["rows"], one["target"], one["classes"]) == (5, "y", {"no": 4, "yes": 1})
    assert one["columns"] == [
        {"name": "a", "kind": "number", "missing": 1, "least": 1.0, "most": 2.0},
        {"name": "[red]b", "kind": "category", "missing": 0, "categories": ["c", "ä"]},
    ]
    assert json.loads(covey("datasets", "diabetes", "--json").out)["classes"] == {}


def test_names_of_datasets_files_and_folders_are_completed(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text("a,y\n1,2\n")
    (tmp_path / "xnotes.md").write_text("")
    (tmp_path / "xfolder").mkdir()
    (tmp_path / "xfolder" / "data.csv").write_text("")
    monkeypatch.setenv("COVEY_DATA", str(tmp_path))
    known = {info.name for info in available()}
    assert set(completing.complete_datasets("")) <= known
    assert {info.name for info in available("sklearn")} == set(completing._BUNDLED)
    assert completing.complete_datasets("min") == ["mine"]
    assert completing.complete_data("xf") == ["xfolder/"]
    assert completing.complete_data("xfolder/") == ["xfolder/data.csv"]


def test_methods_and_papers_are_completed():
    assert completing.complete_methods("mbs") == [("mbsasc", "MultiBoosting over C4.5SAS")]
    papers = ["multistrategy", "rsc", "mfs", "erassel", "triskel"]
    assert [name for name, _ in completing.complete_papers("")] == ["covey", *papers]
    assert [name for name, _ in completing.complete_reproduced("")] == papers
    assert completing.complete_families("boost") == ["boosting"]
    assert completing.complete_sources("s") == ["sklearn"]


def test_methods_that_are_compared_by_default(covey, monkeypatch):
    found = covey("methods", "--task", "regression").out
    assert "erassel" in found
    assert "mbsasc" not in found
    assert "ridge regression" in found
    assert "logistic regression" not in found
    assert "up to 200000 rows" in found
    monkeypatch.setattr("covey.study.shortlist.find_spec", lambda name: None)
    assert "catboost is not installed" in covey("methods").out


def test_a_column_can_be_left_out_of_the_facts(covey, tmp_path):
    (tmp_path / "x.csv").write_text("day,a,y\n" + "2024-01-02,1,no\n2024-01-03,2,yes\n" * 3)
    assert "--drop day leaves it out, --categorical day keeps it" in covey("datasets", "x.csv", "-t", "y").out
    assert "the column 'day' holds dates, which cannot be predicted" in covey("datasets", "x.csv", "-t", "day").err
    found = covey("datasets", "x.csv", "-t", "y", "--drop", "day")
    assert found.code == 0
    assert "day" not in found.out
