"""Names in sentences."""

import sys
from unicodedata import category

import pytest

from covey._text import (
    CONTROLS,
    UNSEEN,
    close_matches,
    counted,
    did_you_mean,
    listed,
    normalise,
    p_text,
    quoted,
    spelt_out,
)


def test_numbers_with_their_nouns():
    assert [counted(1, "fit"), counted(2, "fit"), counted(0, "class", "classes")] == ["1 fit", "2 fits", "0 classes"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("plain ü 猫 \u00a0 é", "plain ü 猫 \u00a0 é"),
        ("two\nlines\r\t", r"two\nlines\r\t"),
        ("\x1b[31m\x07\x7f\x9b", r"\x1b[31m\x07\x7f\x9b"),
        ("a\u202eb\u2066c\u200f\u061c\ufeff\u2028", r"a\u202eb\u2066c\u200f\u061c\ufeff\u2028"),
        ("\ud800\ufffe\uffff\U000e0041", r"\ud800\ufffe\uffff\U000e0041"),
        ("می\u200cخواهم", "می\u200cخواهم"),  # which is written with a joiner
        (r"C:\new", r"C:\new"),
    ],
)
def test_what_cannot_be_seen_is_written_as_escapes(text, written):
    assert spelt_out(text) == written
    assert spelt_out(written) == written


def test_all_characters_of_the_kinds_are_escaped():
    for kinds in (CONTROLS, UNSEEN):
        left = {chr(code) for code in range(sys.maxunicode + 1) if spelt_out(chr(code), kinds=kinds) == chr(code)}
        assert {letter for letter in left if category(letter) in kinds} <= set("\u200c\u200d")


def test_line_breaks_that_are_meant_are_kept():
    assert spelt_out("a\n\x1bb", keep="\n") == "a\n\\x1bb"
    assert spelt_out("a\u200f\n", kinds=CONTROLS) == "a\u200f\\n"


def test_long_lists_are_cut():
    assert quoted(["a", 1]) == "'a', '1'"
    assert quoted(range(5), most=2) == "'0', '1', ... (3 more)"
    names = ["a", "b", "c", "d"]
    assert [listed(names[:count]) for count in range(4)] == ["none", "a", "a and b", "a, b and c"]
    assert listed(names, most=2) == "a, b and 2 more"


@pytest.mark.parametrize("name", ["breast_cancer", "Breast-Cancer", " breast cancer ", "BREAST.CANCER"])
def test_spellings_of_one_name(name):
    assert normalise(name) == "breast_cancer"


def test_close_names():
    known = ["sonar", "iris", "Heart-Statlog", "heart_c", "vote"]
    assert close_matches("sonnar", known) == ["sonar"]
    assert close_matches("heart", known)[:2] == ["heart_c", "Heart-Statlog"]
    assert close_matches("xyzzy", known) == []
    assert did_you_mean("heart", known) == "; did you mean 'heart_c' or 'Heart-Statlog'?"
    assert did_you_mean("xyzzy", known) == "."


def test_p_values():
    assert [p_text(0.00002), p_text(0.0275), p_text(0.0275, ".1g")] == ["p < 0.0001", "p = 0.0275", "p = 0.03"]
