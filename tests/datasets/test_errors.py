from covey.datasets.errors import DataFormatError, listing


def test_the_message_names_file_and_line():
    error = DataFormatError("a.arff", "no rows", 7)
    assert str(error) == "a.arff, line 7: no rows"
    assert (error.where, error.problem, error.line) == ("a.arff", "no rows", 7)
    assert str(DataFormatError("a.arff", "no rows")) == "a.arff: no rows"


def test_long_lists_are_cut():
    assert listing(["a", 1]) == "'a', '1'"
    assert listing(range(5), limit=2) == "'0', '1', ... (3 more)"
