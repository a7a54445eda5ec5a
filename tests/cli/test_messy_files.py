"""Files as people have them: looked at, compared on and predicted, with what was guessed and how to undo it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey import compare as compare_data
from covey.cli.terminal import as_options

N = 90
WORDS = ["slow", "fast", "late", "kind", "rude", "broken", "happy", "never", "again", "box", "came", "shop"]
QUICK = ["-m", "logistic-regression", "-m", "baseline", "--folds", 2, "--repeats", 1, "-w", 1, "-q"]


@pytest.fixture
def customers():
    rng = np.random.default_rng(0)
    days = pd.Timestamp("2019-01-01") + pd.to_timedelta(rng.integers(0, 900, N), unit="D")
    return pd.DataFrame(
        {
            "customer_id": range(N),
            "signup_date": days.strftime("%d.%m.%Y"),
            "last_seen": days.strftime("%Y-%m-%dT%H:%M:%S"),
            "age": ["unknown", "N/A", *rng.integers(18, 80, N - 2).astype(str)],
            "comment": [" ".join(rng.choice(WORDS, 6)) for _ in range(N)],
            "phone": [f"+43 {number}" for number in rng.permutation(10**6)[:N]],
            "empty": "",
            "churn": np.where(days.year > 2019, "yes", "no"),
        }
    )


def test_customers_are_read_at_the_first_attempt(covey, customers, tmp_path):
    customers.to_csv(tmp_path / "customers.csv", index=False)
    ran = covey("compare", "customers.csv", "-t", "churn", *QUICK, "--save-best", "m.covey")
    assert ran.code == 0, ran.err
    notes = [line for line in ran.out.splitlines() if line.startswith("Note: ")]
    for fact, remedy in (
        ("'signup_date' holds dates", "--drop signup_date"),
        ("'last_seen' holds dates", "--categorical last_seen"),
        ("'age' has 'unknown' once, taken for missing", "--categorical age"),
        ("'comment' (free text)", "--text comment"),
        ("'phone' (like names", "--keep phone"),
        ("'customer_id' (a number for each row", "--keep customer_id"),
        ("'empty' (no value in any row)", "--keep empty"),
    ):
        assert any(fact in note and remedy in note for note in notes), fact
    new = customers.drop(columns="churn").assign(age="n/a")
    new.to_excel(tmp_path / "new.xlsx")
    new.to_csv(tmp_path / "new.csv", encoding="utf-16")
    first, second = covey("predict", "m.covey", "new.xlsx"), covey("predict", "m.covey", "new.csv")
    assert first.code == second.code == 0, first.err + second.err
    assert first.out == second.out
    assert len(first.out.splitlines()) == N + 1


def test_text_and_columns_to_keep(covey, customers, tmp_path):
    customers.to_csv(tmp_path / "customers.csv")
    shown = covey("datasets", "customers.csv", "-t", "churn", "--text", "comment", "--keep", "column 1").out
    assert "comment: n-gram 1" in shown
    assert "column 1" in shown
    customers.loc[5, "age"] = "old"
    customers["phone"] = [*range(N - 1), "none of your business"]
    customers.to_csv(tmp_path / "customers.csv")
    refused = covey("datasets", "customers.csv", "-t", "churn")
    assert refused.code == 2
    assert "2 things are wrong" in refused.err
    assert "--missing old takes that for missing, --categorical age reads it as text" in refused.err
    assert "--missing 'none of your business' takes that for missing" in refused.err
    marks = ["--missing", "old", "--missing", "none of your business"]
    assert covey("datasets", "customers.csv", "-t", "churn", *marks).code == 0


def test_a_frame_with_dates(customers):
    frame = customers.assign(signup_date=pd.to_datetime(customers["signup_date"], dayfirst=True), age=20.5)
    ran = compare_data(frame, "churn", methods=["baseline"], n_folds=2, n_repeats=1, n_workers=1, drop=["last_seen"])
    names = list(ran.study.datasets[0].held.frame.columns)
    assert names == ["signup_date: year", "signup_date: month", "signup_date: weekday", "signup_date: days"]
    assert any("keep=['age', 'empty']" in note or "keep=['age']" in note for note in ran.notes)


def test_arguments_as_options():
    assert as_options("drop=['a', 'it\\'s'] or task='regression'; x=['a']") == (
        "--drop a --drop 'it'\"'\"'s' or --task regression; x=['a']"
    )
    assert as_options(
        "pass target= with one of 'a'; n_folds=30, metrics[0]='f1', log_target=True and class_weight="
    ) == ("pass --target with one of 'a'; --folds 30, --metric f1, --log-target and class_weight=")
    for text in (r"drop=['\x']", "drop=[", "keep=['a"):
        assert as_options(text) == text
