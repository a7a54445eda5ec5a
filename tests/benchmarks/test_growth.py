import growth
import pytest

from faults.driving import needs_proc


@needs_proc
@pytest.mark.slow
def test_a_small_run(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["growth.py", "--cells", "80", "--parts", "store", "local", "busy", "--busy", "2"])
    growth.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "the store alone"
    assert lines[1].startswith("  80 cells: ")
    assert any("of what it had told of 0 were lost" in line for line in lines)
    assert any("80 are done" in line for line in lines)
    assert lines[-1].startswith("    2 workers are busy ")


def test_cells_are_as_many_as_asked_for():
    for n_cells in (40, 400):
        assert len(growth.lay_out(growth.tiny_cells(n_cells)).cells) == n_cells
