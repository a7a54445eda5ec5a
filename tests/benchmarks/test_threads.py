import pytest
import threads

from covey.learners.per_table import PerTable


@pytest.mark.slow
def test_a_small_run(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["threads.py", "--rows", "600", "--repeats", "1"])
    threads.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines.count("  the models are equal") == len(threads.SYSTEMS)
    assert sum(", fit" in line for line in lines) == len(threads.SYSTEMS)


def test_measuring_leaves_no_trace():
    each = threads.growth.each
    spent = threads.measured(lambda: list(threads.growth.each(divmod, [(7, 3), (8, 3)], 2)))
    assert spent.serial <= spent.processor
    assert threads.growth.each is each
    assert PerTable.get is threads.GET
