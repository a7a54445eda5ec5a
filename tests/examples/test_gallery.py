"""Every example of the gallery runs without a warning and draws a figure."""

from __future__ import annotations

import ast
import runpy
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*/plot_*.py"))
# Those that take well under a second of one core each; the others are run with the slow tests.
QUICK = {
    "plot_bagging_neighbours",
    "plot_changing_data",
    "plot_critical_difference",
    "plot_gaussian_process",
    "plot_layered_cake",
    "plot_model_file",
    "plot_read_a_tree",
    "plot_sphere_cover",
    "plot_subset_size",
    "plot_will_it_help",
}


def marked(path):
    return pytest.param(path, id=path.stem, marks=[] if path.stem in QUICK else pytest.mark.slow)


@pytest.mark.parametrize("path", [marked(path) for path in EXAMPLES])
def test_an_example_runs_and_draws(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COVEY_DATA", raising=False)
    mpl.use("Agg")
    try:
        runpy.run_path(str(path))
        assert plt.get_fignums()
        for number in plt.get_fignums():
            plt.figure(number).canvas.draw()
    finally:
        plt.close("all")
    assert not list(tmp_path.iterdir())


def test_examples_are_many_and_short_and_say_first_what_they_show():
    assert len(EXAMPLES) >= 20
    assert {path.stem for path in EXAMPLES} >= QUICK
    for path in EXAMPLES:
        text = path.read_text(encoding="utf-8")
        title, underline, blank, *rest = ast.get_docstring(ast.parse(text)).splitlines()
        assert underline == "=" * len(title), path.name
        assert not blank, path.name
        assert rest, path.name
        assert "\n# %%\n# " in text, path.name
        assert 25 <= len(text.splitlines()) <= 70, path.name


def test_every_folder_of_examples_has_a_header_and_a_place():
    config = (ROOT / "docs" / "conf.py").read_text(encoding="utf-8")
    for folder in {path.parent for path in EXAMPLES}:
        title, underline, *_ = (folder / "GALLERY_HEADER.rst").read_text(encoding="utf-8").splitlines()
        assert underline == "-" * len(title), folder.name
        assert f'"{folder.name}"' in config, folder.name
