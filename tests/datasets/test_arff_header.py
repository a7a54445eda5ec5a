import pytest

from covey.datasets.arff_header import ARFF, KEEL, Attribute, read_header
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
        ("@attribute a date 'yyyy-MM-dd'", "the attribute 'a' is a date, which covey does not take"),
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
    ],
)
def test_bad_headers(text, problem):
    with pytest.raises(DataFormatError, match=problem):
        header(text)


def test_keel_declarations():
    found = header(
        "@relation r\n# note\n@attribute A real[0.0,1.0]\n@attribute B integer [1, 3]\n@attribute C {x,y,x}\n"
        "@inputs A, B\n@outputs C\n@data",
        KEEL,
    )
    assert [attribute.kind for attribute in found.attributes.values()] == ["numeric", "numeric", "nominal"]
    assert found.attributes["C"].categories == ("x", "y")
    assert found.outputs == ("C",)


def test_keel_outputs_must_be_declared():
    with pytest.raises(DataFormatError, match="@outputs names 'Z', which no @attribute declares"):
        header("@attribute A real\n@outputs Z\n@data", KEEL)


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
