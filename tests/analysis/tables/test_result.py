"""Tables of results, and the table of scores against a published one."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError

import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from covey.analysis.scores import read_scores
from covey.analysis.tables import ResultTable, score_table
from covey.analysis.tables.result import grid_of
from covey.reproduce.published import PUBLISHED

FRAME = pd.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0]}, index=pd.Index(["a", "b"], name="row"))


def test_a_table_stays_as_it_was_made():
    frame, formats = FRAME.copy(), {"x": ".1f"}
    spread, bold = frame / 10, frame > 2
    table = ResultTable(frame, formats=formats, spread=spread, bold=bold, notes=["One."])
    before = str(table)
    frame.iloc[0, 0], spread.iloc[0, 0], bold.iloc[0, 0], formats["x"] = 99, 99, True, ".3f"
    given = table.to_frame()
    given.iloc[0, 0] = 99
    assert str(table) == before
    assert table.notes == ("One.",)
    with pytest.raises(FrozenInstanceError):
        table.caption = "other"


def test_a_table_can_be_pickled():
    table = ResultTable(FRAME, "All", {"x": ".1f"}, spread=FRAME, bold=FRAME > 2, notes=("One.",))
    assert str(pickle.loads(pickle.dumps(table))) == str(table)


@pytest.mark.parametrize("what", ["spread", "bold"])
@pytest.mark.parametrize("other", [FRAME.iloc[::-1], FRAME[["y", "x"]], FRAME[["x"]], FRAME.rename(columns={"x": "z"})])
def test_another_shape_is_refused(what, other):
    other = other > 2 if what == "bold" else other
    with pytest.raises(
        ValueError, match=rf"{what} is 2 x . and frame 2 x 2; they must have the same index and columns"
    ):
        ResultTable(FRAME, **{what: other})


def test_names_of_columns_must_differ():
    with pytest.raises(ValueError, match=r"frame has the column 'x' twice; names must differ"):
        ResultTable(FRAME.set_axis(["x", "x"], axis=1))
    with pytest.raises(ValueError, match=r"frame has the column '1' twice"):
        ResultTable(FRAME.set_axis([1, "1"], axis=1))


def test_columns_of_several_levels_are_refused_with_a_remedy_that_works():
    frame = FRAME.set_axis(pd.MultiIndex.from_tuples([("a", "x"), ("a", "y")]), axis=1)
    with pytest.raises(ValueError, match=r"frame has columns of 2 levels, but one is printed; join their names"):
        ResultTable(frame)
    assert "a x" in str(ResultTable(frame.set_axis(frame.columns.map(" ".join), axis=1)))


def test_formats_must_name_columns_and_be_formats():
    with pytest.raises(ValueError, match=r"formats names the column 'z', but frame has 'x', 'y'\."):
        ResultTable(FRAME, formats={"z": ".2f"})
    with pytest.raises(ValueError, match=r"formats\['x'\]='two' is no format of a number"):
        ResultTable(FRAME, formats={"x": "two"})
    with pytest.raises(TypeError, match=r"formats\['x'\]=2 must be text"):
        ResultTable(FRAME, formats={"x": 2})
    with pytest.raises(ValueError, match=r"default_format='8\.2f' is no format"):
        ResultTable(FRAME, default_format="8.2f")


SCORES = pd.DataFrame({"a": [0.9, 0.804], "b": [0.8, 0.796]}, index=["iris", "wine"])


def published(name):
    """Means, deviations and mean ranks of a published table, in its order."""
    rows = pd.read_csv(PUBLISHED / f"{name}.csv")
    scores = rows[rows["metric"] == "accuracy-pct"]
    methods, datasets = scores["method"].unique(), scores["dataset"].unique()
    mean, deviation = (
        scores.pivot(index="dataset", columns="method", values=value).loc[datasets, methods]
        for value in ("mean", "std")
    )
    ranks = pd.read_csv(PUBLISHED / f"{name}.csv", dtype=str).query("metric == 'average-rank'")
    return mean, deviation, ranks.set_index("method")["mean"].loc[methods].tolist()


def row_of(table, label):
    (row,) = (row for row in grid_of(table).rows if row[0].text == label)
    return row[1:]


def test_the_mean_ranks_of_a_published_table():
    mean, deviation, ranks = published("rsc-table-02")
    assert ranks == ["3.31", "2.50", "3.13", "3.28", "2.78"]
    table = score_table(mean, larger_is_better=True, spread=deviation, caption="Table 2")
    assert [cell.text for cell in row_of(table, "mean rank")] == ranks
    assert [cell.bold for cell in row_of(table, "mean rank")] == [False, True, False, False, False]
    assert table.frame.loc["mean rank", "adaboost"] == 3.125
    assert [cell.text for cell in row_of(table, "ringnorm")][2:4] == ["97.26 ± 0.33", "95.01 ± 0.50"]
    assert " 3.13\\phantom{ $\\pm$ 1.20} & 3.28" in table.to_latex()


def test_a_table_worked_by_hand():
    table = score_table(SCORES, larger_is_better=True, caption="Accuracy")
    assert str(table) == (
        "Accuracy\n"
        "\n"
        "dataset       a      b\n"
        "---------  -----  -----\n"
        "iris       0.90*  0.80\n"
        "wine       0.80*  0.80*\n"
        "mean       0.85*  0.80\n"
        "mean rank  1.00*  2.00\n"
        "\n"
        "The best of each row is marked; larger is better.\n"
        "Mean rank: 1 is best, and ties share the mean of their ranks."
    )
    assert table.frame.loc["wine"].tolist() == [0.804, 0.796]


def test_what_is_better_is_what_the_caller_says():
    table = score_table(SCORES, larger_is_better=False, decimals=3, mean_rank=False)
    assert table.bold.to_numpy().tolist() == [[False, True]] * 3
    assert table.frame.index.tolist() == ["iris", "wine", "mean"]
    assert table.notes == ("The best of each row is marked; smaller is better.",)
    with pytest.raises(TypeError, match=r"larger_is_better='yes' must be True"):
        score_table(SCORES, larger_is_better="yes")


def test_means_are_exact_sums():
    scores = {"a": [0.1] * 10, "b": [2.67, 2.68] * 5}
    table = score_table(scores, larger_is_better=True)
    assert table.frame.loc["mean"].tolist() == [0.1, 2.675]
    assert row_of(table, "mean")[1].text == "2.68"


def test_scores_and_spreads_of_any_kind():
    names = {"methods": ["a", "b"], "datasets": ["iris", "wine"]}
    wanted = score_table(SCORES, larger_is_better=True, spread=SCORES / 10).to_markdown()
    values, deviations = SCORES.to_numpy(), SCORES.to_numpy() / 10
    columns = {name: column.to_numpy() for name, column in SCORES.items()}
    for scores, spread in [
        (values, deviations),
        (values.tolist(), SCORES / 10),
        (columns, {name: column / 10 for name, column in columns.items()}),
        (read_scores(SCORES), deviations),
        (SCORES.set_axis(["u", "v"], axis=1), (SCORES / 10).set_axis(["u", "v"], axis=1)),
    ]:
        assert score_table(scores, larger_is_better=True, spread=spread, **names).to_markdown() == wanted


@pytest.mark.parametrize("mapping", [False, True])
def test_a_spread_is_matched_by_its_names(mapping):
    spread = SCORES / 10
    expected = str(score_table(SCORES, larger_is_better=True, spread=spread))
    other = spread[["b", "a"]].iloc[::-1]
    given = dict(other.items()) if mapping else other
    assert str(score_table(SCORES, larger_is_better=True, spread=given)) == expected
    few = score_table(SCORES.assign(c=1.0), larger_is_better=True, spread=given, methods=["b", "a"])
    assert list(few.spread.columns) == ["b", "a"]


@pytest.mark.parametrize(
    ("spread", "message"),
    [
        ([[0.1, 0.2]], r"spread has shape \(1, 2\), but scores \(2, 2\); give one for each score"),
        (SCORES[["a"]], r"spread has the methods \['a'\], but scores \['a', 'b'\]; give one for each score"),
        (SCORES.iloc[:1], r"spread has the datasets \['iris'\], but scores \['iris', 'wine'\]"),
        ({"b": [1, 2], "c": [1, 2]}, r"spread has the methods \['b', 'c'\]"),
        (SCORES.astype(str) + "x", r"spread must be numbers"),
    ],
)
def test_a_wrong_spread_is_refused(spread, message):
    with pytest.raises(ValueError, match=message):
        score_table(SCORES, larger_is_better=True, spread=spread)


def test_wrong_decimals_are_refused():
    with pytest.raises(ValueError, match="decimals=-1 is too small"):
        score_table(SCORES, larger_is_better=True, decimals=-1)


def test_one_dataset_is_enough():
    assert len(score_table(SCORES.iloc[:1], larger_is_better=True).frame) == 3


MATRICES = st.integers(2, 5).flatmap(
    lambda n: st.lists(st.lists(st.floats(-1e3, 1e3), min_size=n, max_size=n), min_size=1, max_size=5)
)


@settings(deadline=None, max_examples=50)
@given(MATRICES, st.integers(0, 3), st.booleans(), st.randoms())
def test_print_and_bold_agree_whatever_the_order(scores, decimals, larger, random):
    names = [f"m{number}" for number in range(len(scores[0]))]
    options = {"larger_is_better": larger, "decimals": decimals}
    table = score_table(scores, methods=names, **options)
    for row in grid_of(table).rows:
        best = [cell for cell in row[1:] if cell.bold]
        others = [cell for cell in row[1:] if not cell.bold]
        assert len({cell.text for cell in best}) == 1
        least = row[0].text == "mean rank" or not larger
        assert all((float(best[0].text) < float(cell.text)) == least for cell in others)
        assert best[0].text not in {cell.text for cell in others}
    order = random.sample(names, len(names))
    shuffled = score_table(pd.DataFrame(scores, columns=names)[order], **options)
    assert shuffled.frame[names].to_numpy().tolist() == table.frame.to_numpy().tolist()
    assert shuffled.bold[names].to_numpy().tolist() == table.bold.to_numpy().tolist()
