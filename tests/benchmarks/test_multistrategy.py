import multistrategy


def test_a_short_run_and_its_report(tmp_path, monkeypatch, capsys):
    out = tmp_path / "cells.csv"
    command = ["multistrategy.py", "--repeats", "1", "--members", "2", "--datasets", "wine", "--out", str(out)]
    monkeypatch.setattr("sys.argv", command)
    multistrategy.main()
    lines = out.read_text().splitlines()
    assert lines[0] == "dataset,system,members,repeat,error"
    assert [line.split(",")[:4] for line in lines[1:]] == [["wine", name, "2", "0"] for name in multistrategy.SYSTEMS]
    first = capsys.readouterr().out
    multistrategy.main()
    assert capsys.readouterr().out == first
    assert out.read_text().splitlines() == lines
    assert "1 datasets, 1 x three-fold, 2 members" in first
    assert all(f"\n{name} " in first for name in multistrategy.SYSTEMS)
