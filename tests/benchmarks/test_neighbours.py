import neighbours
import pytest


@pytest.mark.slow
def test_a_quick_run(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["neighbours.py", "--quick"])
    neighbours.main()
    lines = capsys.readouterr().out.splitlines()
    compared = [line for line in lines if "scikit-learn's bagging" in line]
    assert len(compared) == len(neighbours.TASKS) + len(neighbours.SHAPES) + 2  # many rows, and many predictions
    assert sum("columns chosen" in line for line in lines) == 2
    assert lines[-1].startswith("  most memory beyond the data")
    assert "met" not in " ".join(lines).lower()


def test_there_are_letters_without_their_file(monkeypatch):
    def missing(name):
        raise neighbours.DatasetNotFoundError(name)

    monkeypatch.setattr(neighbours, "load", missing)
    X, y = neighbours.letters()
    assert X.shape == (20_000, 16)
    assert set(X.ravel()) <= set(range(16))
    assert len(set(y)) == 2
