"""The timing of the analysis."""

from __future__ import annotations

import measures
import pytest


@pytest.mark.slow
def test_a_quick_run_times_every_part(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["measures.py", "--quick"])
    monkeypatch.setattr(measures, "DIVERSITY", measures.DIVERSITY[:1])
    measures.main()
    lines = capsys.readouterr().out.splitlines()
    assert any("1,000 x 50, 2 classes, codes" in line and " GB" in line for line in lines)
    for name in ("domingos", "kong_dietterich", "kohavi_wolpert", "squared_loss", "nemenyi", "win_draw_loss"):
        assert any(line.strip().startswith(f"{name},") for line in lines), name
    assert "MET" not in " ".join(lines)
