"""What a table holds and what it refuses."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest

from covey.analysis.tables import ResultTable

FRAME = pd.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0]}, index=pd.Index(["a", "b"], name="row"))


def test_the_frame_is_given_back_as_it_was():
    table = ResultTable(FRAME, spread=FRAME, bold=FRAME > 2)
    pd.testing.assert_frame_equal(table.to_frame(), FRAME)
    pd.testing.assert_frame_equal(table.frame, FRAME)


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


def test_all_formats_say_the_same():
    table = ResultTable(FRAME / 3, "Thirds", spread=FRAME / 30)
    for text in (str(table), table.to_markdown(), table.to_html(), table.to_latex().replace("$\\pm$", "±")):
        for shown in ("Thirds", "0.333 ± 0.033", "0.667 ± 0.067", "1.000 ± 0.100", "1.333 ± 0.133"):
            assert shown in text


@pytest.mark.parametrize("what", ["frame", "spread", "bold"])
def test_what_is_no_frame_is_refused(what):
    with pytest.raises(TypeError, match=f"{what} must be a pandas DataFrame, not list"):
        ResultTable(**{"frame": FRAME, what: [[1.0]]})


@pytest.mark.parametrize("what", ["spread", "bold"])
@pytest.mark.parametrize("other", [FRAME.iloc[::-1], FRAME[["y", "x"]], FRAME[["x"]], FRAME.rename(columns={"x": "z"})])
def test_another_shape_is_refused(what, other):
    other = other > 2 if what == "bold" else other
    with pytest.raises(
        ValueError, match=rf"{what} is 2 x . and frame 2 x 2; they must have the same index and columns"
    ):
        ResultTable(FRAME, **{what: other})


def test_a_spread_must_be_numbers_and_not_negative():
    with pytest.raises(ValueError, match=r"spread has -3\.0 in column 'y'; a spread is not negative"):
        ResultTable(FRAME, spread=FRAME.assign(y=[-3.0, np.nan]))
    with pytest.raises(TypeError, match=r"spread has .* in column 'x', but must be numbers, NaN where there is none"):
        ResultTable(FRAME, spread=FRAME.assign(x=["1", "2"]))


@pytest.mark.parametrize("values", [[1.0, 0.0], ["yes", "no"], pd.array([True, None], dtype="boolean")])
def test_bold_must_be_true_or_false(values):
    with pytest.raises(TypeError, match=r"bold has .* in column 'y', but must be True or False"):
        ResultTable(FRAME, bold=(FRAME > 2).assign(y=values))


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
    with pytest.raises(TypeError, match=r"formats='\.2f' must map columns to formats"):
        ResultTable(FRAME, formats=".2f")
    with pytest.raises(ValueError, match=r"default_format='8\.2f' is no format"):
        ResultTable(FRAME, default_format="8.2f")


def test_caption_and_notes_must_be_text():
    with pytest.raises(TypeError, match=r"caption=None must be text"):
        ResultTable(FRAME, caption=None)
    with pytest.raises(TypeError, match=r"notes='One line\.' must be a tuple of texts"):
        ResultTable(FRAME, notes="One line.")
    with pytest.raises(TypeError, match=r"notes=\(1,\) must be a tuple of texts"):
        ResultTable(FRAME, notes=(1,))
