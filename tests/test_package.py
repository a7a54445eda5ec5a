"""What the package promises as a whole: its public names, its import cost and the direction of its dependencies."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

import pytest

import covey
import covey.analysis
import covey.analysis.bias_variance
import covey.analysis.diversity
import covey.analysis.filters
import covey.analysis.significance
import covey.analysis.tables
import covey.datasets
import covey.ensemble
import covey.models
import covey.plots
import covey.report
import covey.reproduce
import covey.strategies
import covey.study
import covey.table

SOURCE = Path(covey.__file__).parent

# A package may import those before it in its row, never those after it.
ROWS = [
    ["models", "kernels", "table", "learners", "strategies", "ensemble", "study", "report", "comparison", "cli"],
    ["models", "kernels", "analysis", "study", "report", "reproduce", "cli"],
    ["kernels", "analysis", "plots", "report"],
]


@pytest.mark.parametrize(
    "package",
    [
        covey,
        covey.analysis,
        covey.analysis.bias_variance,
        covey.analysis.diversity,
        covey.analysis.filters,
        covey.analysis.significance,
        covey.analysis.tables,
        covey.datasets,
        covey.ensemble,
        covey.learners,
        covey.models,
        covey.plots,
        covey.report,
        covey.reproduce,
        covey.strategies,
        covey.study,
        covey.table,
    ],
)
def test_every_public_name_exists_and_is_listed_once(package):
    assert len(set(package.__all__)) == len(package.__all__)
    for name in package.__all__:
        assert getattr(package, name) is not None
    assert set(package.__all__) <= set(dir(package))


@pytest.mark.parametrize(
    "package",
    [
        covey,
        covey.analysis,
        covey.datasets,
        covey.models,
        covey.plots,
        covey.report,
        covey.reproduce,
        covey.study,
    ],
)
def test_no_module_hides_a_name_of_its_package(package):
    """Importing a module makes it an attribute of its package, in the place of a function of the same name."""
    modules = {info.name for info in iter_modules(package.__path__)}
    assert not {
        name for name in package.__all__ if name in modules and not isinstance(getattr(package, name), ModuleType)
    }
    assert modules & set(package.__all__) <= {
        "analysis",
        "datasets",
        "filters",
        "plots",
        "report",
        "reproduce",
        "study",
    }


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="No covey attribute EnsembleTransformer"):
        _ = covey.EnsembleTransformer


@pytest.mark.parametrize(
    "module",
    [
        "covey",
        "covey.analysis",
        "covey.datasets",
        "covey.models",
        "covey.plots",
        "covey.report",
        "covey.reproduce",
    ],
)
def test_importing_loads_nothing_heavy(module):
    code = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numba", "matplotlib", "pandas", "sklearn", "numpy", "scipy"} & set(loaded)


def test_the_ensembles_load_neither_numba_nor_matplotlib():
    code = "import sys; from covey import EnsembleClassifier; EnsembleClassifier(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numba", "matplotlib"} & set(loaded)


def imported_packages(path: Path) -> set[str]:
    """The packages of covey that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("covey.")}
    return found


@pytest.mark.parametrize("row", ROWS, ids=" <- ".join)
def test_dependencies_point_one_way(row):
    for position, package in enumerate(row):
        for path in (SOURCE / package).rglob("*.py"):
            wrong = imported_packages(path) & set(row[position + 1 :])
            assert not wrong, f"{path.relative_to(SOURCE)} imports {wrong}"


def test_analysis_never_imports_ensembles_and_numba_lives_in_kernels():
    for path in SOURCE.rglob("*.py"):
        package = path.relative_to(SOURCE).parts[0]
        if package in ("analysis", "plots"):
            assert "ensemble" not in imported_packages(path)
        if package != "kernels":
            assert not re.search(r"^\s*(import|from) numba", path.read_text(), re.MULTILINE), path.name


def test_files_and_functions_stay_short():
    for path in SOURCE.rglob("*.py"):
        text = path.read_text()
        assert len(text.splitlines()) <= 400, path.name
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                documented = ast.get_docstring(node) is not None and isinstance(node.body[0], ast.Expr)
                first = node.body[1] if documented and len(node.body) > 1 else node.body[0]
                assert (node.end_lineno or 0) - first.lineno < 50, f"{path.name}: {node.name}"
