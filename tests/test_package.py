"""What the package promises as a whole: its public names, its import cost and the direction of its dependencies."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

import pytest

import covey

SOURCE = Path(covey.__file__).parent
HEAVY = {"numba", "matplotlib", "pandas", "sklearn", "numpy", "scipy"}
# Packages that load what their names stand for when it is asked for.
LAZY = ["covey", *(f"covey.{name}" for name in ("analysis", "datasets", "models", "plots", "report", "reproduce"))]
PACKAGES = [
    *LAZY,
    *(f"covey.{name}" for name in ("ensemble", "learners", "strategies", "study", "table")),
    *(f"covey.analysis.{name}" for name in ("bias_variance", "diversity", "filters", "significance", "tables")),
]

# Root modules that anything may import.
HELPERS = {"_arguments", "_files", "_interrupts", "_progress", "_rounding", "_sklearn", "_text", "_warnings"}
HELPERS |= {"parallel", "seeds"}

# What each package or root module may import beside them: only what stands before it, so that there is no cycle.
LAYERS = {
    "models": "",
    "kernels": "",
    "table": "models",
    "datasets": "table",
    "learners": "models kernels table",
    "strategies": "kernels models table learners",
    "ensemble": "models table learners strategies",
    "registry": "table",
    "combination": "models kernels table learners strategies ensemble registry",
    "analysis": "models table",
    "plots": "table learners analysis",
    "study": "kernels table datasets registry analysis",
    "report": "registry analysis plots study",
    "comparison": "models datasets analysis study report",
    "reproduce": "datasets learners strategies ensemble registry analysis plots study report",
    "cli": "models kernels datasets learners registry analysis study report comparison reproduce",
    "__main__": "cli",
}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_exists_and_is_listed_once(package):
    package = import_module(package)
    assert len(set(package.__all__)) == len(package.__all__)
    for name in package.__all__:
        assert getattr(package, name) is not None
    assert set(package.__all__) <= set(dir(package))


@pytest.mark.parametrize("package", [*LAZY, "covey.study"])
def test_no_module_hides_a_name_of_its_package(package):
    """Importing a module makes it an attribute of its package, in the place of a function of the same name."""
    package = import_module(package)
    for name in {info.name for info in iter_modules(package.__path__)} & set(package.__all__):
        assert isinstance(getattr(package, name), ModuleType), name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="No covey attribute EnsembleTransformer"):
        _ = covey.EnsembleTransformer


@pytest.mark.parametrize(
    ("statement", "heavy"),
    [
        *((f"import {package}", HEAVY) for package in LAZY),
        ("import covey; covey.methods()", HEAVY),
        ("import covey; covey.EnsembleClassifier()", {"numba", "matplotlib"}),
    ],
)
def test_what_is_heavy_is_loaded_late(statement, heavy):
    code = f"{statement}; import sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not heavy & set(loaded)


# The package of each public name of covey.
HOMES = {
    alias.name: node.module
    for node in ast.walk(ast.parse((SOURCE / "__init__.pyi").read_text()))
    if isinstance(node, ast.ImportFrom) and node.module
    for alias in node.names
}

# Methods that may import the package of figures, which is after their own.
DRAWING = {"analysis": {"plot"}, "combination": {"plot"}, "learners": {"plot", "to_dot"}}


def imported_packages(path: Path) -> set[str]:
    """The packages of covey that a module imports, wherever in it but in methods that draw."""
    packages = set()
    tree = ast.parse(path.read_text())
    drawing = DRAWING.get(path.relative_to(SOURCE).parts[0], set())
    allowed = {
        id(node)
        for method in ast.walk(tree)
        if isinstance(method, ast.FunctionDef) and method.name in drawing
        for node in ast.walk(method)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("covey.plots")
    }
    for node in ast.walk(tree):
        if id(node) in allowed:
            continue
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        inner = {name.split(".")[1] for name in names if name.startswith("covey.")}
        packages |= {HOMES.get(name, name) for name in inner}
    return packages


def module_name(path: Path) -> str:
    """The package or root module of a file."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def test_every_package_is_held_to_its_layer():
    there = {module_name(path) for path in SOURCE.rglob("*.py")} - {"__init__"}
    assert there == HELPERS | set(LAYERS)
    for place, (package, allowed) in enumerate(LAYERS.items()):
        assert set(allowed.split()) <= set(list(LAYERS)[:place]), package


@pytest.mark.parametrize("package", [*sorted(HELPERS), *LAYERS])
def test_dependencies_point_one_way(package):
    allowed = HELPERS | {package} | set(LAYERS.get(package, "").split())
    for path in SOURCE.rglob("*.py"):
        if module_name(path) == package:
            wrong = imported_packages(path) & set(LAYERS) - allowed
            assert not wrong, f"{path.relative_to(SOURCE)} imports {wrong}"


def test_numba_lives_in_kernels():
    for path in SOURCE.rglob("*.py"):
        if module_name(path) != "kernels":
            assert not re.search(r"^\s*(import|from) numba", path.read_text(), re.MULTILINE), path.name


def test_figures_know_of_learners_only_how_trees_are_described():
    for path in (SOURCE / "plots").rglob("*.py"):
        modules = re.findall(r"covey\.learners[\w.]*", path.read_text())
        assert set(modules) <= {"covey.learners.describe", "covey.learners.tree"}, path.name


def test_files_and_functions_stay_short():
    for path in SOURCE.rglob("*.py"):
        text = path.read_text()
        assert len(text.splitlines()) <= 400, path.name
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                documented = ast.get_docstring(node) is not None and isinstance(node.body[0], ast.Expr)
                first = node.body[1] if documented and len(node.body) > 1 else node.body[0]
                assert (node.end_lineno or 0) - first.lineno < 50, f"{path.name}: {node.name}"
