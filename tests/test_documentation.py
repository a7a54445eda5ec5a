"""The README, the docstrings and the examples against what happens."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_the_readmes_python_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COVEY_DATA", raising=False)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert len(blocks) >= 5
    shared: dict[str, object] = {}
    for block in blocks:
        exec(block, shared)
    printed = capsys.readouterr().out.splitlines()
    tree = re.findall(r"```text\n(.*?)```", readme, re.DOTALL)[0].splitlines()
    assert printed[: len(tree)] == tree
    accuracies = [float(line) for line in printed[len(tree) :]]
    assert len(accuracies) == 4
    assert min(accuracies) > 0.9
    assert shared["threenorm_task"]().bayes_error() == pytest.approx(0.105, abs=0.001)


MODULES = sorted(
    ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
    for path in (ROOT / "src").rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_docstrings(module):
    outcome = doctest.testmod(import_module(module))
    assert outcome.attempted > 0
    assert outcome.failed == 0


@pytest.mark.slow
def test_every_figure_of_the_examples_is_drawn(tmp_path):
    small = ["--members", "3", "--folds", "2", "--repeats", "3"]
    command = [sys.executable, "-W", "error", ROOT / "examples" / "figures.py", "--out", tmp_path, *small]
    subprocess.run(command, check=True, capture_output=True)
    names = "alpha bias-curves bias-variance boxes feature-weights hierarchy kappa-error margins member-weights "
    names += "posterior ranks records reliability roc-curves roc-spaces scatter size-curve staged time weight-path"
    assert {path.stem for path in tmp_path.glob("*.svg")} == set(names.split())
    assert "| mean rank" in (tmp_path / "errors.md").read_text(encoding="utf-8")
    assert r"\toprule" in (tmp_path / "errors.tex").read_text(encoding="utf-8")


PACKAGES = ["analysis", "comparison", "plots", "report", "reproduce", "study"]


@pytest.mark.parametrize("package", ["covey", *(f"covey.{package}" for package in PACKAGES)])
def test_every_public_name_is_on_the_api_page(package):
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    names = set(import_module(package).__all__) - {*PACKAGES, "datasets", "filters"} | {"reproduce"}
    for name in names:
        assert re.search(rf"^ +{name}$", page, re.MULTILINE), name


def test_every_analysis_stands_beside_its_equation():
    from covey import analysis

    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    functions = [name for name in analysis.__all__ if name.islower()]
    for name in set(functions) - {"filters", "holm", "score_table"}:
        assert re.search(rf"^\| `{name}` \| \S", page, re.MULTILINE), name


def test_every_make_target_is_explained():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.search(r"^\.PHONY: (.*)$", text.replace("\\\n", ""), re.MULTILINE).group(1).split()
    for target in targets:
        assert re.search(rf"^{target}:.*## ", text, re.MULTILINE), target
