"""The printed tables as data."""

from __future__ import annotations

import pytest

from covey._text import normalise
from covey.reproduce.experiments import published_study
from covey.reproduce.multistrategy import PAPER
from covey.reproduce.published import (
    PUBLISHED,
    _index,
    in_order,
    known_datasets,
    misprints,
    misprints_on,
    published_table,
    published_wide,
)


def test_every_table_of_the_index_is_there_with_the_rows_it_says():
    for row in _index().to_dict(orient="records"):
        assert len(published_table(row["paper"], row["table"])) == int(row["rows"]), row["file"]


def test_no_table_is_left_out_of_the_index():
    files = {path.name for path in PUBLISHED.glob("*-table-*.csv")}
    assert files == set(_index()["file"])


def test_numbers_are_numbers_and_p_values_as_printed():
    table = published_table("multistrategy", 1)
    assert table["ratio"].dtype.kind == "f"
    assert table["wins"].dtype.kind == "i"
    assert set(table["p"]) >= {"<0.0001", ">0.9999", "0.0275"}
    assert table.equals(published_table("multistrategy", "1"))


def test_a_table_by_a_number_with_a_dot():
    assert len(published_table("erassel", "5.1")) == 4


def test_misprints_are_of_one_paper():
    found = misprints("multistrategy")
    assert found["id"].str.startswith("MS-").all()
    assert len(found) == 10
    assert len(misprints("no such paper")) == 0


def test_studies_take_the_datasets_that_stand_for_those_of_the_paper():
    table = known_datasets().set_index("id")
    for data in published_study("multistrategy", PAPER.experiments[0]).datasets:
        one, other = (source.rpartition(":")[2] for source in (data.source, table.loc[data.name, "dataset"]))
        assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("paper", "place", "ids"),
    [
        ("rsc", "table 3", ["RSC-I11", "RSC-I13"]),
        ("rsc", "table 10", ["RSC-I04", "RSC-I05", "RSC-I06", "RSC-I07", "RSC-I08"]),
        ("rsc", "table 1", []),
        ("mfs", "table 1", ["MFS-I02", "MFS-I03", "MFS-I04"]),
        ("mfs", "table 2", []),
        ("triskel", "table 1", ["TRI-I02", "TRI-I03"]),
        ("triskel", "algorithm 1", ["TRI-I09", "TRI-I10"]),
        ("triskel", "section 5", ["TRI-I08"]),
        ("erassel", "table 5.3", []),
        ("erassel", "table 5.7", ["ERA-I01", "ERA-I05", "ERA-I10"]),
    ],
)
def test_misprints_of_a_place_are_named(paper, place, ids):
    assert [line.partition(",")[0] for line in misprints_on(paper, place)] == ids


def test_wide_tables_are_in_the_printed_order_without_averages():
    wide = published_wide("mfs", 2)
    assert wide.shape == (25, 8)
    assert list(wide.index[:2]) == ["glass", "hepatitis"]
    assert wide.loc["glass", "nn"] == 34.1
    averages = published_table("mfs", 2).query("dataset == 'all'").set_index("method")["mean"]
    assert (wide.mean()[averages.index] - averages).abs().max() <= 0.051
    assert in_order({"ecoli", "abalone", "other", "heart"}, "rsc", 2) == ["abalone", "heart", "ecoli", "other"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: published_table("multistrat", 1), "did you mean 'multistrategy'"),
        (lambda: published_table("multistrategy", 7), "it has '1', '2', '3', '4', '5', '6'"),
        (lambda: published_table("rsc", 99), "is no table of 'rsc'"),
    ],
)
def test_what_is_not_there_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
