import csv
import gzip
import os
from pathlib import Path

import pytest

from covey.datasets import DataFormatError, available, load
from covey.datasets.files import describe_file, directories, list_files, split_suffix

ARFF = "@relation r\n@attribute a real\n@attribute CLASS {x,y}\n@attribute b real\n@data\n1,x,5\n2,y,6\n"


def published_index():
    """The published datasets' index, for parameters; a skipped stand-in where there is none."""
    for entry in os.environ.get("COVEY_DATA", "").split(os.pathsep):
        path = Path(entry) / "INDEX.csv"
        if entry and path.is_file():
            with path.open(newline="") as file:
                return [pytest.param(row, id=row["name"]) for row in csv.DictReader(file)]
    reason = "COVEY_DATA names no directory with an INDEX.csv"
    return [pytest.param(None, marks=pytest.mark.skip(reason=reason), id="published")]


@pytest.mark.slow
@pytest.mark.parametrize("row", published_index())
def test_published_files_hold_what_their_index_says(published, row):
    data = load(row["name"])
    nominal = sum(dtype == "category" for dtype in data.frame.dtypes)
    facts = {
        "rows": str(data.n_rows),
        "attributes_numeric": str(data.n_features - nominal),
        "attributes_nominal": str(nominal),
        "missing_pct": str(round(100 * data.n_missing / (data.n_rows * data.n_features), 2)),
        "classes": str(len(data.classes)) if data.task == "classification" else "regression",
        "target": data.target.name,
    }
    assert facts == {key: row[key] for key in facts}
    assert data.provenance.source == "files"
    assert not any("without a target" in note for note in data.provenance.notes)


def test_every_published_file_is_listed_with_its_facts(published):
    listed = {info.name: info for info in available("files")}
    with (published / "INDEX.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 71
    assert set(listed) == {row["name"] for row in rows}
    assert all(listed[row["name"]].rows == int(row["rows"]) for row in rows)


def test_declared_but_unused_classes_are_kept(published):
    glass = load("glass")
    assert len(glass.classes) == 6
    assert len(glass.target.cat.categories) == 7


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COVEY_DATA", str(tmp_path))
    (tmp_path / "My-Data.arff").write_text(ARFF)
    (tmp_path / "plain.csv").write_text("a,b\n1,2\n3,4\n")
    (tmp_path / "notes.txt").write_text("no data")
    return tmp_path


def test_files_are_found_by_any_spelling(folder):
    assert sorted(list_files()) == ["my_data", "plain"]
    data = load("my.data")
    assert data.name == "My-Data"
    assert data.provenance.location == str(folder / "My-Data.arff")
    assert data.provenance.format == "arff"
    assert len(data.provenance.sha256) == 64


def test_the_attribute_called_class_is_the_target_of_an_arff_file(folder):
    assert load("my_data").target.name == "CLASS"
    assert load("my_data", target="b").task == "regression"
    (folder / "last.arff").write_text(ARFF.replace("CLASS", "kind"))
    assert load("last").target.name == "b"  # else the last one is


@pytest.mark.parametrize("name", ["class", "Target", "LABEL", "y"])
def test_csv_columns_that_are_targets_by_name(folder, name):
    (folder / "t.csv").write_text(f"a,{name},b\n1,u,2\n3,v,4\n")
    assert load("t").target.name == name
    with pytest.raises(ValueError, match="does not say which column to predict; pass target= with one of 'a', 'b'"):
        load("plain")
    assert load("plain", target="b").classes == (2, 4)


def test_the_index_gives_target_task_and_origin(folder):
    (folder / "INDEX.csv").write_text(
        "name,file,rows,classes,target,source,note\n"
        "Nice,plain.csv,2,regression,b,a lab,two rows\n"
        "gone,gone.arff,5,2,a,,\n"
    )
    assert sorted(list_files()) == ["my_data", "nice"]
    info = next(info for info in available("files") if info.name == "Nice")
    assert (info.rows, info.task, info.path) == (2, "regression", str(folder / "plain.csv"))
    data = load("nice")
    assert data.task == "regression"
    assert data.target.name == "b"
    assert data.provenance.notes == ("source: a lab", "note: two rows")
    assert load(folder / "plain.csv").target.name == "b"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("name,target\nx,y\n", "needs the columns name, file and target; 'file' lack"),
        ("name,file,target\n,plain.csv,b\n", "line 2: name and file must not be empty"),
    ],
)
def test_bad_indexes(folder, text, problem):
    (folder / "INDEX.csv").write_text(text)
    with pytest.raises(DataFormatError, match=problem):
        load("plain")


def test_several_directories_the_first_wins_and_in_one_arff(tmp_path, monkeypatch):
    for name, rows in (("one", 1), ("two", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same.csv").write_text("a,y\n" + "1,u\n" * rows)
    (tmp_path / "two" / "other.csv").write_text("a,y\n1,u\n")
    (tmp_path / "two" / "other.arff").write_text(ARFF)
    monkeypatch.setenv("COVEY_DATA", os.pathsep.join(["", str(tmp_path / "one"), str(tmp_path / "two")]))
    assert load("same").n_rows == 1
    assert load("other").provenance.format == "arff"
    assert [info.name for info in available("files")] == ["other", "same"]


def test_a_directory_that_does_not_exist(tmp_path, monkeypatch):
    monkeypatch.setenv("COVEY_DATA", str(tmp_path / "none"))
    with pytest.raises(NotADirectoryError, match=r"COVEY_DATA names '.*none', which is not a directory"):
        directories()


def test_suffixes():
    assert split_suffix("a.b.ARFF.GZ") == ("a.b", ".arff.gz")
    assert split_suffix(".csv") is None
    assert split_suffix("a.ods") is None
    assert split_suffix("a.data.gz") == ("a", ".data.gz")
    with pytest.raises(ValueError, match=r"ends in one of '.arff'"):
        describe_file(Path("a.ods"))


TEXT = "a{0}b{0}y\n1{0}2.5{0}u\n3{0}4.5{0}v\n"


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("suffix", "delimiter"),
    [(".tsv", "\t"), (".tsv", ","), (".csv", "|"), (".txt", ";"), (".txt", "   "), (".data", " "), (".data", "|")],
)
def test_other_text_files_are_read_like_csv(tmp_path, monkeypatch, suffix, delimiter, packed):
    text = TEXT.format(delimiter).encode()
    path = tmp_path / f"t{suffix}{'.gz' if packed else ''}"
    path.write_bytes(gzip.compress(text, mtime=0) if packed else text)
    data = load(path)
    assert (data.name, data.provenance.format) == ("t", "csv")
    assert data.frame.to_numpy().tolist() == [[1, 2.5], [3, 4.5]]
    monkeypatch.chdir(tmp_path)
    assert load(path.name).n_rows == 2
    monkeypatch.setenv("COVEY_DATA", str(tmp_path))
    assert sorted(list_files()) == (["t"] if suffix in (".tsv", ".csv") else [])


def test_notes_about_columns_reach_the_provenance(folder):
    (folder / "codes.csv").write_text("zip;size;y\n01067;1,5;u\n10115;2;v\n")
    assert load("codes").provenance.notes == (
        "the column 'zip' is kept as text: its whole numbers start with zeros or have more than 15 digits, so they "
        "are taken for codes; drop=['zip'] leaves it out",
        "the column 'size' was read with decimal commas; categorical=['size'] keeps it as it is",
    )
    (folder / "iris.data").write_text("5.1,3.5,setosa\n4.9,3.0,other\n")
    data = load(folder / "iris.data", target="setosa")
    assert "some column names are numbers; if the first line is a row of data" in data.provenance.notes[0]


def test_a_target_of_booleans_is_classes(folder):
    (folder / "flags.csv").write_text("flag,y\nTRUE,true\nfalse,false\n,true\n")
    data = load("flags")
    assert data.classes == ("False", "True")
    assert data.frame["flag"].tolist()[:2] == [1.0, 0.0]
    assert data.frame["flag"].isna().tolist() == [False, False, True]
    assert load("flags", target="flag").classes == ("False", "True")


def test_declared_booleans_stay_nominal(folder):
    (folder / "flags.arff").write_text("@attribute f {TRUE,FALSE}\n@attribute c {x,y}\n@data\nTRUE,x\nFALSE,y\n")
    assert list(load("flags").frame["f"].cat.categories) == ["TRUE", "FALSE"]
