from covey.datasets.errors import DataFormatError


def test_the_message_names_file_and_line():
    error = DataFormatError("a.arff", "no rows", 7)
    assert str(error) == "a.arff, line 7: no rows"
    assert (error.where, error.problem, error.line) == ("a.arff", "no rows", 7)
    assert str(DataFormatError("a.arff", "no rows")) == "a.arff: no rows"
