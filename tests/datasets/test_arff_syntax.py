import pytest
from hypothesis import given, strategies as st

from covey.datasets.arff_text import (
    ARFF,
    KEEL,
    Attribute,
    ValueSyntaxError,
    is_blank,
    read_header,
    split_list,
    split_row,
    split_row_carefully,
    split_sparse_row,
    unescape,
)
from covey.datasets.errors import DataFormatError


def header(text, dialect=ARFF):
    return read_header(text.split("\n"), dialect, "t.arff")


def test_declarations():
    found = header(
        "% a comment\n\n@RELATION 'my data' % why\n"
        "@attribute 'it\\'s a name' NUMERIC\n@Attribute\tplain\tReal % unit\n@attribute \"two words\" integer\n"
        "@attribute class{yes, 'no, not'} % both\n@attribute text string\n  @data % rows follow\n1"
    )
    assert found.relation == "my data"
    assert list(found.attributes.values()) == [
        Attribute("it's a name", "numeric"),
        Attribute("plain", "numeric"),
        Attribute("two words", "numeric"),
        Attribute("class", "nominal", ("yes", "no, not")),
        Attribute("text", "string"),
    ]
    assert found.first_row == 9


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("@attribute a {x, y", "line 2: the list in braces is not closed by '}'"),
        ("@attribute a {x,,y}", "line 2: the list in braces has an empty value"),
        ("@attribute a {x, y} z", "unexpected text 'z' after the values of 'a'"),
        ("@attribute a {x, y, x}", "the attribute 'a' declares 'x' twice"),
        ("@attribute 'a numeric", "line 2: the quote opened in .* is never closed"),
        ("@attribute a", "the attribute 'a' has no type"),
        ("@attribute", "needs a name and a type"),
        ("@attribute a number", "the unknown type 'number'"),
        ("@attribute a numeric [0, 1]", "unexpected text '\\[0, 1\\]' after the type of 'a'"),
        ("@attribute a date 'yyyy-MM-dd'", "the attribute 'a' is a date; drop=.* leaves it out"),
        ("@attribute a relational", "the attribute 'a' is relational"),
        ("@attribute b real", "the attribute 'b' is declared twice"),
        ("@inputs b", "expected @relation, @attribute, @data or a % comment, found '@inputs b'"),
        ("PK\x03\x04", "in ARFF format"),
        ("@data rows", "unexpected text 'rows' after @data"),
    ],
)
def test_bad_declarations(line, problem):
    with pytest.raises(DataFormatError, match=problem) as caught:
        header(f"@attribute b real\n{line}\n@data\n1")
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("@relation r\n@attribute a real", r"t.arff, line 2: the file ends without an @data line"),
        ("@relation r\n@data\n1", "line 2: @data comes before any @attribute"),
        ("@attribute d date\n@data\n", r"drop=\['d'\]"),
        ("@attribute d relational\n@data\n", r"drop=\['d'\]"),
        ("@attribute A real\n@outputs Z\n@data", "@outputs names 'Z', which no @attribute declares"),
    ],
)
def test_bad_headers(text, problem):
    with pytest.raises(DataFormatError, match=problem):
        header(text, KEEL if "@outputs" in text else ARFF)


def test_keel_declarations():
    found = header(
        "@relation r\n# note\n@attribute A real[0.0,1.0]\n@attribute B integer [1, 3]\n@attribute C {x,y,x}\n"
        "@inputs A, B\n@outputs C\n@data",
        KEEL,
    )
    assert [attribute.kind for attribute in found.attributes.values()] == ["numeric", "numeric", "nominal"]
    assert found.attributes["C"].categories == ("x", "y")
    assert found.outputs == ("C",)


def test_attributes_to_drop_may_have_any_type():
    text = (
        "@attribute d date 'yyyy'\n@attribute 'a bag' relational\n@attribute d date\n@attribute z real\n"
        "@end other\n@end 'a bag'\n@attribute z real\n@attribute n nonsense\n@data\n"
    )
    found = read_header(text.split("\n"), ARFF, "t.arff", ["d", "a bag", "n"])
    assert [(attribute.name, attribute.kind) for attribute in found.attributes.values()] == [
        ("d", "dropped"),
        ("a bag", "dropped"),
        ("z", "numeric"),
        ("n", "dropped"),
    ]


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


def row(line):
    return split_row(line, MISSING)


def sparse(line):
    return split_sparse_row(line, MISSING)


def in_braces(text):
    return split_list(text, 0)


@pytest.mark.parametrize(
    ("split", "text", "problem"),
    [
        (row, "1,,2", "value 2 is empty; write \\? for a missing value"),
        (row, "1,2,", "value 3 is empty"),
        (row, "'a', ,b", "value 2 is empty"),
        (row, "'a,b", "never closed"),
        (row, "'a' b,c", "text follows the closing quote of 'a'"),
        (row, "'a''b',c", "text follows the closing quote"),
        (in_braces, "a,b", "not closed by '}'"),
        (in_braces, "a,'b}", "never closed"),
        (in_braces, "a,,b}", "empty value"),
        (sparse, "{0 1", "not closed"),
        (sparse, "{0 1,", "'index value' pairs"),
        (sparse, "{a 1}", "'index value' pairs"),
        (sparse, "{-1 1}", "'index value' pairs"),
        (sparse, "{0 1,0 2}", "attribute 0 twice"),
        (sparse, "{0 }", "no value for attribute 0"),
        (sparse, "{0 1},{5}", "nothing may follow"),
    ],
)
def test_bad_values(split, text, problem):
    with pytest.raises(ValueSyntaxError, match=problem):
        split(text)


@given(st.text(alphabet=st.sampled_from("a1,'\"%{}\\? \t")))
def test_any_text_gives_values_or_a_syntax_error(text):
    line = "{" + text
    assert isinstance(outcome(split_row_carefully, line, MISSING), list | str)
    assert isinstance(outcome(split_sparse_row, line, MISSING), dict | str)
