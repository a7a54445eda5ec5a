import warnings
from urllib.error import HTTPError, URLError

import pandas as pd
import pytest
import sklearn.datasets
from sklearn.utils import Bunch

from covey.datasets import DatasetDownloadError, DatasetNotFoundError, load


@pytest.fixture
def fetch(monkeypatch):
    """Replace the download by a table of our own and record what was asked for."""
    asked = []
    answer = Bunch(
        frame=pd.DataFrame(
            {
                "size": [1, 2, 3],
                "flag": [True, False, True],
                "label": pd.Categorical(["b", "a", "b"], categories=["b", "a", "c"]),
            }
        ),
        target_names=["label"],
        details={"id": "61", "name": "toy", "version": "2", "licence": "CC0", "md5_checksum": "abc"},
    )

    def fake(**options):
        asked.append(options)
        if isinstance(answer.get("error"), Exception):
            raise answer.error
        return answer

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fake)
    answer.asked = asked
    return answer


def test_by_number(fetch):
    data = load("openml:61")
    assert fetch.asked == [{"data_id": 61, "as_frame": True, "parser": "auto", "cache": True}]
    assert data.name == "toy"
    assert data.classes == ("b", "a")
    assert list(data.target.cat.categories) == ["b", "a", "c"]
    assert data.frame.dtypes.astype(str).tolist() == ["float64", "float64"]
    assert data.licence == "CC0"
    assert data.provenance.location == "https://www.openml.org/d/61"
    assert data.provenance.notes == ("version: 2", "md5_checksum: abc")


@pytest.mark.parametrize("targets", [[], None, ["label", "size"]])
def test_no_single_default_target(fetch, targets):
    fetch.target_names = targets
    with pytest.raises(ValueError, match="pass target= with one of 'size', 'flag', 'label'"):
        load("openml:61")


@pytest.mark.parametrize(
    "error",
    [URLError("no route"), TimeoutError("slow"), ConnectionResetError("gone"), HTTPError("", 503, "busy", None, None)],
)
def test_no_network(fetch, error):
    fetch.error = error
    with pytest.raises(DatasetDownloadError, match=r"openml:toy could not be downloaded .* check the network"):
        load("openml:toy")


def test_no_such_dataset_and_openml_is_never_asked_without_being_named(fetch):
    fetch.error = ValueError("Dataset with data_id 99 not found.")
    with pytest.raises(DatasetNotFoundError, match="openml:99 could not be loaded: Dataset with data_id 99 not found"):
        load("openml:99")
    with pytest.raises(DatasetNotFoundError):
        load("a name nobody has")
    assert len(fetch.asked) == 1


def test_by_name_of_which_several_versions_are_no_warning(fetch, monkeypatch):
    def fake(**options):
        warnings.warn("Multiple active versions of the dataset matching the name toy exist.", stacklevel=1)
        assert options["name"] == "toy"
        assert "data_id" not in options
        return fetch

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fake)
    assert load("openml:toy").name == load("toy", source="openml").name == "toy"


def test_columns_to_drop_and_to_be_categories_and_targets(fetch):
    assert load("openml:61", target="size").task == "regression"
    fetch.frame["when"] = pd.to_datetime(["2020-01-01"] * 3)
    data = load("openml:61", drop=["when"], categorical=["size"])
    assert list(data.frame["size"].cat.categories) == [1, 2, 3]
    assert load("openml:61", drop=["when"], target="flag").classes == ("False", "True")
    assert "'when' holds dates, which became days" in load("openml:61").provenance.notes[-1]
