import pytest
import spheres
from measure import comparison


@pytest.mark.slow
def test_a_quick_run(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["spheres.py", "--quick", "--data", "twonorm"])
    spheres.main()
    lines = capsys.readouterr().out.splitlines()
    assert sum("x" in line and "search per class" in line for line in lines) == len(spheres.SHAPES)
    assert sum("random forest" in line for line in lines) == len(spheres.ensembles(1))
    assert any(line.endswith("they agree") for line in lines)
    assert sum("1-NN" in line for line in lines) == 2  # those of a cover and of an ensemble
    assert lines[-1].startswith("  most memory ")
    assert "met" not in " ".join(lines).lower()


def test_enemies_are_those_of_the_peer():
    for shape in spheres.SHAPES:
        X, codes, _ = spheres.drawn(shape._replace(n_rows=60, n_columns=min(shape.n_columns, 20), kind="normal"))
        X = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
        points = spheres.space_of(spheres.as_table(X))[1]
        assert abs(spheres.covey_enemies(points, codes) - spheres.their_enemies(X, codes)).max() < spheres.AGREEMENT


def test_ratios_below_one_read_rightly():
    assert comparison("w", 2.0, 1.0, 1 / 3, "peer").split() == ["w", "2.000", "1.000", "0.50x", "0.33x", "met", "peer"]
    assert "NOT MET" in comparison("w", 4.0, 1.0, 1 / 3, "peer")
    assert comparison("w", 1.0, 3.0, 3, "peer").split()[3:6] == ["3.00x", "3x", "met"]
    assert comparison("w", 1.0, 12.0, None, "peer").split()[3:5] == ["12.0x", "-"]
