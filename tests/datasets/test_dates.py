"""Dates as columns of numbers."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from covey.datasets import load
from covey.datasets.choice import Choice, Part
from covey.datasets.dates import FORMATS, example_of, is_date, read_dates
from covey.datasets.errors import DataFormatError
from covey.datasets.tidy import tidy_frame

DAYS = [date(2019, 5, 31), date(2020, 2, 29), date(2021, 12, 1)]
EPOCH = date(1970, 1, 1)


def tidied(values, choice=None, delimiter=None):
    return tidy_frame(pd.DataFrame({"d": pd.Series(values)}), "t.csv", choice, delimiter=delimiter)


def expected(days):
    """Return the parts of days as Python's own calendar has them."""
    return {
        "d: year": [day.year for day in days],
        "d: month": [day.month for day in days],
        "d: weekday": [day.isoweekday() for day in days],
        "d: days": [(day - EPOCH).days for day in days],
    }


@pytest.mark.parametrize(
    "values",
    [
        DAYS,
        pd.to_datetime(DAYS),
        pd.to_datetime(DAYS).tz_localize("Asia/Tokyo"),
        pd.PeriodIndex(DAYS, freq="D"),
        pd.Categorical(pd.to_datetime(DAYS)),
        [day.isoformat() for day in DAYS],
        ["2019/5/31", "2020/02/29", "2021/12/1"],
        ["31.5.2019", "29.02.2020", "1.12.2021"],
        ["5/31/2019", "02/29/2020", "12/1/2021"],
        ["31/05/2019", "29/2/2020", "01/12/2021"],
        ["31 May 2019", "29 february 2020", "1 Dec 2021"],
        ["May 31, 2019", "Feb. 29, 2020", "December 1, 2021"],
        ["31-May-2019", "29-Feb-2020", "1-DEC-2021"],
        ["2019-05-31T00:00:00+02:00", "2020-02-29 00:00Z", "2021-12-01"],
    ],
    ids=repr,
)
def test_dates_of_any_kind_become_their_parts(values):
    frame, notes, reading, _ = tidied(values)
    assert {name: column.tolist() for name, column in frame.items()} == expected(DAYS)
    assert notes == (
        "the column 'd' holds dates, which became year, month, weekday and days since 1970-01-01; drop=['d'] leaves it "
        "out, categorical=['d'] keeps it as it is",
    )
    assert reading.parts["d: month"] == Part("d", "month", read_dates(pd.Series(values)).format)


@given(st.lists(st.dates(date(1970, 1, 1), date(2068, 12, 31)), min_size=1), st.sampled_from(FORMATS))
def test_what_is_written_is_read_again(days, written):
    days = [day.replace(day=1) for day in days] if "%d" not in written else days
    texts = [day.strftime(written) for day in days]
    assert all(map(is_date, texts))
    assert read_dates(pd.Series(texts), written).moments.dt.date.tolist() == days


def test_times_of_day():
    frame, *_ = tidied(["2020-01-01 10:30", "2020-01-01 11:15 pm", "2020-01-01"])
    assert frame["d: hour"].tolist() == [10, 23, 0]
    np.testing.assert_allclose(frame["d: days"], 18262 + np.array([10.5, 23.25, 0]) / 24)
    assert list(frame.columns) == ["d: hour", "d: days"]  # the others are the same in all rows
    zones = [datetime(2020, 1, 1, 10, tzinfo=UTC), datetime(2020, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))]
    assert tidied(zones)[0]["d: hour"].tolist() == [10, 12]  # by the clock where it was


def test_day_and_month_that_cannot_be_told_apart():
    (note,) = tidied(["01/02/2020", "03/04/2020"]).notes
    assert "read like 12/31/2020, but may be like 31/12/2020" in note
    assert tidied(["01/02/2020", "03/04/2020"]).frame["d: month"].tolist() == [1, 3]
    assert tidied(["01/02/2020", "13/04/2020"]).frame["d: month"].tolist() == [2, 4]
    # New rows are not read otherwise than those of the training.
    assert read_dates(pd.Series(["13/04/2020"]), "%m/%d/%Y").moments.isna().all()
    assert read_dates(pd.Series(["2020-04-13"]), "%m/%d/%Y").moments.notna().all()


@pytest.mark.parametrize("delimiter", [",", None])
def test_missing_dates(delimiter):
    frame, notes, *_ = tidied([None, "2020-05-01", "unknown", "2021-06-03"], delimiter=delimiter)
    assert frame["d: days"].isna().tolist() == [True, False, True, False]
    assert "has 'unknown' once, taken for missing" in notes[1]


def test_dates_in_several_ways():
    with pytest.raises(DataFormatError, match=r"like 2020-12-31, but '01\.02\.2020' in row 2 .*; write all in one way"):
        tidied(["2020-05-01", "01.02.2020", "2021-06-03"])


def test_dates_as_categories_and_as_the_target():
    frame, notes, *_ = tidied(["2020-05-01", "2021-06-03"], Choice(categorical=["d"]))
    assert list(frame["d"]) == ["2020-05-01", "2021-06-03"]
    assert notes == ()
    with pytest.raises(DataFormatError, match="the column 'd' holds dates, which cannot be predicted; turn them into"):
        tidied(DAYS, Choice("d"))


def test_a_column_that_is_called_like_a_part():
    frame = pd.DataFrame({"d": DAYS, "d: year": [1.0, 2.0, 3.0]})
    assert tidy_frame(frame, "t").frame["d: year"].tolist() == [1, 2, 3]
    assert tidy_frame(frame, "t").frame["d: year of the date"].tolist() == [2019, 2020, 2021]


@pytest.mark.parametrize("text", ["1.5", "2020", "red", "10:30", "1/2", "2020-13", "abc 2020-01-01", "2020-01-01 soon"])
def test_what_is_no_date(text):
    assert not is_date(text)
    assert example_of("%d %b %Y") == "31 Dec 2020"


def test_parts_can_be_left_out(tmp_path):
    path = tmp_path / "t.csv"
    pd.DataFrame({"d": DAYS, "x": [1, 2, 3], "y": list("uvu")}).to_csv(path, index=False)
    data = load(path, drop=["d: year", "d: days", "x"])
    assert list(data.frame.columns) == ["d: month", "d: weekday"]
    with pytest.raises(ValueError, match=r"drop=\['d: hour'\]: .* has no column 'd: hour'; its columns are 'd', 'x'"):
        load(path, drop=["d: hour"])
    with pytest.raises(ValueError, match="has no column 'e: year'; its columns are 'd', 'x', 'y'"):
        load(path, drop=["e: year"])
    with pytest.raises(ValueError, match=r"no column 'Y'; did you mean 'y'[?] Its columns are 'd', 'x', 'y'$"):
        load(path, target="Y")


def test_a_target_in_a_file_without_names_of_columns(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("1001,52.0,f,2024-03-01,no\n1002,61.0,m,2024-04-01,yes\n")
    for wished in ("outcome", None):
        with pytest.raises(ValueError, match=r"'no'\. The first line must hold the names of the columns\.$"):
            load(path, target=wished)
