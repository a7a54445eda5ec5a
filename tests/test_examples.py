"""The examples run and leave what they promise."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.mark.slow
def test_every_figure_is_drawn(tmp_path):
    small = ["--members", "3", "--folds", "2", "--repeats", "3"]
    command = [sys.executable, "-W", "error", EXAMPLES / "figures.py", "--out", tmp_path, *small]
    subprocess.run(command, check=True, capture_output=True)
    drawn = {path.stem for path in tmp_path.glob("*.svg")}
    assert drawn == {
        "alpha",
        "bias-curves",
        "bias-variance",
        "boxes",
        "feature-weights",
        "hierarchy",
        "kappa-error",
        "margins",
        "ranks",
        "records",
        "roc-spaces",
        "scatter",
        "size-curve",
        "staged",
        "time",
        "weight-path",
    }
    assert "| mean rank" in (tmp_path / "errors.md").read_text(encoding="utf-8")
    assert r"\toprule" in (tmp_path / "errors.tex").read_text(encoding="utf-8")
