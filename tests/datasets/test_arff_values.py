import pytest
from hypothesis import given, strategies as st

from covey.datasets.arff_values import (
    ValueSyntaxError,
    is_blank,
    split_list,
    split_row,
    split_row_carefully,
    split_sparse_row,
    unescape,
)

MISSING = frozenset({"?"})
LINES = st.text(alphabet=st.sampled_from("ab1.,'\"%{}\\? \t\u00a0_"), min_size=1).filter(
    lambda line: not is_blank(line)
)


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except ValueSyntaxError as error:
        return str(error)


@given(LINES)
def test_fast_and_careful_splitting_agree(line):
    assert outcome(split_row, line, MISSING) == outcome(split_row_carefully, line, MISSING)


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("1,2", ["1", "2"]),
        (" 1 , 2 ", ["1", "2"]),
        ("New York,b", ["New York", "b"]),
        ("?,'?',\"?\"", [None, "?", "?"]),
        ("'a,b', \"c'd\"", ["a,b", "c'd"]),
        (r"'it\'s',a\b", ["it's", r"a\b"]),
        ("'',x", ["", "x"]),
        ("50%,x", ["50%", "x"]),
        ("1,x % a, comment", ["1", "x"]),
        ("1,'x' % a comment", ["1", "x"]),
        ("1,'x'% a comment", ["1", "x"]),
        ("1\tx y\t'a\tb'", ["1", "x y", "a\tb"]),
        ("1,\tx", ["1", "x"]),
        ("'a'\t'b' \tc", ["a", "b", "c"]),
        ("don't,5'10", ["don't", "5'10"]),
        ("1,x\t", ["1", "x"]),
    ],
)
def test_rows(line, values):
    assert split_row(line, MISSING) == values


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("1,,2", "value 2 is empty; write \\? for a missing value"),
        ("1,2,", "value 3 is empty"),
        ("'a', ,b", "value 2 is empty"),
        ("'a,b", "never closed"),
        ("'a' b,c", "text follows the closing quote of 'a'"),
        ("'a''b',c", "text follows the closing quote"),
    ],
)
def test_bad_rows(line, problem):
    with pytest.raises(ValueSyntaxError, match=problem):
        split_row(line, MISSING)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [(r"a\nb", "a\nb"), (r"\u00e9t\u00E9", "été"), (r"\%\'\"\\", "%'\"\\"), (r"\q", "q"), ("plain", "plain")],
)
def test_escapes(text, meaning):
    assert unescape(text) == meaning


@pytest.mark.parametrize(
    ("text", "values", "rest"),
    [
        ("a,b}", ["a", "b"], ""),
        (" a , b } % c", ["a", "b"], " % c"),
        ("'a}b',\"c,d\"}", ["a}b", "c,d"], ""),
        (" }", [], ""),
        ("'',b}", ["", "b"], ""),
        ("50%,?}", ["50%", "?"], ""),
    ],
)
def test_lists(text, values, rest):
    found, end = split_list(text, 0)
    assert found == values
    assert text[end:] == rest


@pytest.mark.parametrize(
    ("text", "problem"), [("a,b", "not closed by '}'"), ("a,'b}", "never closed"), ("a,,b}", "empty value")]
)
def test_bad_lists(text, problem):
    with pytest.raises(ValueSyntaxError, match=problem):
        split_list(text, 0)


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("{}", {}),
        (" { } % nothing", {}),
        ("{1 X, 3 .5, 4 'class A'}", {1: "X", 3: ".5", 4: "class A"}),
        ("{0 ?,2 '?'} % c", {0: None, 2: "?"}),
        ("{ 0 'a}' }", {0: "a}"}),
    ],
)
def test_sparse_rows(line, values):
    assert split_sparse_row(line, MISSING) == values


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{0 1", "not closed"),
        ("{0 1,", "'index value' pairs"),
        ("{a 1}", "'index value' pairs"),
        ("{-1 1}", "'index value' pairs"),
        ("{0 1,0 2}", "attribute 0 twice"),
        ("{0 }", "no value for attribute 0"),
        ("{0 1},{5}", "nothing may follow"),
    ],
)
def test_bad_sparse_rows(line, problem):
    with pytest.raises(ValueSyntaxError, match=problem):
        split_sparse_row(line, MISSING)


@given(st.text(alphabet=st.sampled_from("a1,'\"%{}\\? \t")))
def test_any_text_gives_values_or_a_syntax_error(text):
    line = "{" + text
    assert isinstance(outcome(split_row_carefully, line, MISSING), list | str)
    assert isinstance(outcome(split_sparse_row, line, MISSING), dict | str)
