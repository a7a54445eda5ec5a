"""Names in sentences."""

import sys
from unicodedata import category

import pytest

from covey._words import CONTROLS, UNSEEN, counted, spelt_out


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
