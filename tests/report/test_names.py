"""Names as ids and file names."""

from __future__ import annotations

import re

import pytest
from covey.report.names import LONGEST, Names, slug
from hypothesis import given, settings, strategies as st


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Wine", "wine"),
        ("heart_statlog (2)", "heart-statlog-2"),
        ("../../etc/passwd", "etc-passwd"),
        ("C:\\nul", "c-nul"),
        ("Straße Ünal", "strasse-unal"),
        ("数据", "part"),
        ("", "part"),
        ("x" * 300, "x" * LONGEST),
    ],
)
def test_slugs(name, expected):
    assert slug(name) == expected


@given(st.lists(st.text(), max_size=8))
@settings(deadline=None, max_examples=100)
def test_names_are_safe_and_differ(texts):
    names = Names("main")
    found = [names.new(text) for text in texts]
    assert len({*found, "main"}) == len(texts) + 1
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in found)


def test_the_same_name_twice_gets_a_number_that_is_free():
    names = Names()
    assert [names.new(text) for text in ("a", "a-2", "A", "a", "a")] == ["a", "a-2", "a-3", "a-4", "a-5"]
