import warnings
from dataclasses import dataclass

import pytest

from covey.cli import terminal
from covey.cli.app import main


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture
def covey(capsys, monkeypatch, tmp_path):
    """Runs the command line in an empty folder and returns its exit code and what it wrote."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COVEY_TRACEBACK", "")
    monkeypatch.setenv("COVEY_DATA", "")
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    for name in ("FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    terminal._console.cache_clear()

    def run(*arguments):
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        written = capsys.readouterr()
        return Ran(left.value.code or 0, written.out, written.err)

    yield run
    terminal._console.cache_clear()


@pytest.fixture
def study(tmp_path):
    """A small study file, with names that look like markup."""
    file = tmp_path / "study.toml"
    file.write_text(
        """
        name = "a [red]study[/red]"
        seed = 1
        datasets = ["iris"]
        [protocol]
        kind = "cross-validation"
        n_folds = 2
        n_repeats = 2
        [[method]]
        name = "bayes [bold]"
        estimator = "sklearn.naive_bayes.GaussianNB"
        [[method]]
        name = "fails"
        estimator = "sklearn.neighbors.KNeighborsClassifier"
        params = { n_neighbors = 100000 }
        """
    )
    return file
