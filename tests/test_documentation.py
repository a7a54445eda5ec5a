"""The README, the pages, the docstrings and the examples against what happens."""

from __future__ import annotations

import ast
import contextlib
import doctest
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer

from covey.cli.commands import app
from covey.study import read_study

ROOT = Path(__file__).parent.parent


README = "README.md"
PAGES = [README, *(path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").rglob("*.md")))]


def blocks_of(page, language):
    """Return the fenced blocks of a page; those with the directive `code-block` are there to be read only."""
    return re.findall(
        rf"^```{language}\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )


def told_values(block):
    """Yield the expressions of a block whose comment begins with a value, and the value."""
    lines = block.splitlines()
    for statement in ast.parse(block).body:
        _, mark, comment = lines[statement.lineno - 1].partition("  # ")
        if not (isinstance(statement, ast.Expr) and mark and statement.lineno == statement.end_lineno):
            continue
        with contextlib.suppress(SyntaxError, ValueError):
            yield ast.unparse(statement), ast.literal_eval(comment.split(": ")[0])


def run_page(page, capsys):
    """Run the Python of a page, block by block, in one namespace, and compare what it prints and tells."""
    shared = {}
    text = (ROOT / page).read_text(encoding="utf-8")
    for block in blocks_of(page, "python"):
        exec(block, shared)
        shown = re.match(r"```\n+```text\n(.*?)```", text[text.index(block) + len(block) :], re.DOTALL)
        printed = capsys.readouterr().out
        assert shown is None or printed == shown.group(1)
        for expression, told in told_values(block):
            value = eval(expression, shared)
            assert value == (pytest.approx(told, abs=0.005) if isinstance(told, float) else told), expression
    return shared


@pytest.mark.parametrize("page", [page for page in PAGES if blocks_of(page, "python")])
def test_the_python_of_the_pages_runs(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COVEY_DATA", raising=False)
    run_page(page, capsys)


def test_the_readme_is_short_and_has_python_in_it():
    assert len((ROOT / README).read_text(encoding="utf-8").splitlines()) <= 200
    assert blocks_of(README, "python")


def test_a_page_that_tells_a_wrong_value_fails(tmp_path, monkeypatch, capsys):
    (tmp_path / "page.md").write_text("```python\nx = 2\nx + 1  # 4: not so\n```\n", encoding="utf-8")
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    with pytest.raises(AssertionError, match=r"x \+ 1"):
        run_page("page.md", capsys)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks_of(page, "toml")])
def test_the_study_files_of_the_pages_are_in_order(page, tmp_path):
    rest = 'name = "a part"\nseed = 1\ndatasets = ["iris"]\n[protocol]\nkind = "cross-validation"\n'
    for block in blocks_of(page, "toml"):
        (tmp_path / "study.toml").write_text(block if "seed" in block else rest + block, encoding="utf-8")
        assert read_study(tmp_path / "study.toml").methods


COMMANDS = sorted(
    {
        (page, line.partition("  #")[0].partition(" > ")[0].strip())
        for page in PAGES
        for block in blocks_of(page, "sh")
        for line in block.splitlines()
        if line.startswith("covey ")
    }
)


@pytest.mark.parametrize(("page", "line"), COMMANDS)
def test_the_commands_of_the_pages_exist_with_their_options(page, line):
    command, words = typer.main.get_command(app), shlex.split(line)[1:]
    while words and hasattr(command, "commands"):
        command = command.commands[words.pop(0)]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    assert {word for word in words if word.startswith("--")} <= known


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_refers_to_is_there(page):
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#:]+)[^):]*\)", text):
        assert ((ROOT / page).parent / target).exists(), target


def test_every_picture_is_made_by_the_script_and_shown():
    script = (ROOT / "docs" / "pictures.py").read_text(encoding="utf-8")
    shown = "".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES)
    for picture in (ROOT / "docs" / "pictures").iterdir():
        assert f'"{picture.name}": ' in script
        assert re.search(rf"!\[[^]]{{20,}}\]\([./a-z]*pictures/{picture.name}\)", shown), picture.name


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
