import pytest

from covey.datasets.names import close_matches, normalise


@pytest.mark.parametrize("name", ["breast_cancer", "Breast-Cancer", " breast cancer ", "BREAST.CANCER"])
def test_spellings_of_one_name(name):
    assert normalise(name) == "breast_cancer"


def test_close_names():
    known = ["sonar", "iris", "Heart-Statlog", "heart_c", "vote"]
    assert close_matches("sonnar", known) == ["sonar"]
    assert close_matches("heart", known)[:2] == ["heart_c", "Heart-Statlog"]
    assert close_matches("xyzzy", known) == []
