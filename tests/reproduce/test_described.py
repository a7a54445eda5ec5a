"""Tables that describe datasets."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from covey.report.page import TableBlock
from covey.reproduce.described import DescribedTable, Fact, n_classes, n_discrete, n_numeric, n_rows
from covey.reproduce.erassel.tables import DATASETS as THESIS
from covey.reproduce.mfs.tables import DATASETS as MFS
from covey.reproduce.paper import Found, Lacking
from covey.reproduce.rsc.tables import DATASETS as SPHERES
from covey.study.record import DataRecord
from reproduce.made_up import of_kind, words


def data(name, rows, features, n_categorical=0, classes=2):
    counts = {str(label): 1 for label in range(classes)}
    return DataRecord(name, f"file of {name}", "y", "classification", rows, features, n_categorical, 0, counts, "")


def found(**experiments):
    runs = {id: SimpleNamespace(record=SimpleNamespace(datasets=some)) for id, some in experiments.items()}
    return Found(runs, quick=False)


def test_ours_beside_the_published_and_what_differs():
    some = found(neighbours=[data("iris", 150, 4, classes=3), data("german", 999, 20, 13)])
    rows = MFS.rows(some)
    assert list(rows) == ["iris", "german"]
    assert rows["iris"] == {
        "source": "file of iris", "rows": 150, "published rows": 150, "classes": 3, "published classes": 3,
        "discrete": 0, "published discrete": 0, "continuous": 4, "published continuous": 4, "same": "yes",
    }  # fmt: skip
    assert rows["german"]["same"] == "no"
    assert MFS.tell(some) == "Table 1: 1 of 2 datasets have the printed rows and classes."
    blocks = MFS.show(some)
    assert of_kind(blocks, TableBlock)[0].name == "mfs-table-1"
    assert "MFS-I02" in words(blocks)


def test_parts_for_training_and_for_testing_are_counted_together():
    assert MFS.rows(found(satimage=[data("satimage", 6435, 36, classes=6)]))["satimage"]["same"] == "yes"


def test_gene_expression_data_are_known_whatever_number_of_attributes_was_chosen():
    genes = [data(f"lung-cancer-gene {k}", 181, k) for k in (5, 10)]
    row = SPHERES.rows(found(**{"gene-relief": genes}))["lung-cancer-gene"]
    assert (row["attributes"], row["published attributes"], row["same"]) == (None, 12533, "yes")
    assert SPHERES.rows(found(unscaled=[data("wdbc", 569, 30)]))["wdbc"]["attributes"] == 30


def test_the_thesis_counts_the_response():
    assert THESIS.rows(found(boston=[data("boston", 506, 13)]))["boston"]["variables"] == 14


def test_nothing_was_carried_out():
    with pytest.raises(Lacking, match="None of the datasets"):
        THESIS.show(found(boston=[]))


def test_what_is_counted():
    some = data("x", 7, 5, 2, classes=3)
    assert [count(some) for count in (n_rows, n_classes, n_discrete, n_numeric)] == [7, 3, 2, 3]


def test_one_decisive_fact():
    table = DescribedTable("mfs", "1", ("neighbours",), (Fact("rows", n_rows, ("examples",)),), ("rows",))
    assert table.tell(found(neighbours=[data("iris", 150, 4)])).endswith("have the printed rows.")
