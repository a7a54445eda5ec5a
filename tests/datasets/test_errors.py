from covey._words import counted
from covey.datasets.errors import DataFormatError, listing


def test_the_message_names_file_and_line():
    error = DataFormatError("a.arff", "no rows", 7)
    assert str(error) == "a.arff, line 7: no rows"
    assert (error.where, error.problem, error.line) == ("a.arff", "no rows", 7)
    assert str(DataFormatError("a.arff", "no rows")) == "a.arff: no rows"


def test_long_lists_are_cut():
    assert listing(["a", 1]) == "'a', '1'"
    assert listing(range(5), limit=2) == "'0', '1', ... (3 more)"


def test_one_of_a_thing_is_not_many():
    assert [counted(number, "value") for number in (0, 1, 2)] == ["0 values", "1 value", "2 values"]
    assert counted(2, "class", "classes") == "2 classes"
