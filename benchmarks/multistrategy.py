"""The nine systems of the multi-strategy paper by its own protocol: mean errors, ratios and sign records.

Ten times three-fold cross-validation with 100 members, on the paper's datasets. Finished cells are kept in a CSV file,
so that an interrupted run goes on where it stopped; run by ``make bench-multistrategy``.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from cells import Task, fill_in, found_only
from numpy.typing import NDArray
from scipy.stats import binomtest
from sklearn.base import BaseEstimator
from sklearn.model_selection import KFold
from threadpoolctl import threadpool_limits

from covey import method
from covey.datasets import load

SYSTEMS = ("c4.5", "c4.5sas", "wag", "boost", "sasc", "mb", "boostsasc", "wagsasc", "mbsasc")

# The paper's datasets but four large ones, which may be asked for: adult, letter, nettalk_letter, nettalk_phoneme.
# fmt: off
DATASETS = [
    "anneal", "audiology", "autos", "balance_scale", "breast_cancer_ljubljana", "breast_w", "kr_vs_kp",
    "credit_a", "credit_g", "discordant", "echocardiogram", "glass", "heart_statlog", "heart_c", "heart_h",
    "hepatitis", "horse_colic", "vote", "hypothyroid", "iris", "labor", "generator:led-24", "liver_bupa",
    "lymphography", "nettalk_stress", "new_thyroid", "diabetes_pima", "postoperative", "promoters", "segment",
    "sick", "sonar", "soybean", "splice", "vehicle", "waveform_21", "wine",
]
# fmt: on
FIRST_ROWS = {"waveform_21": 300}  # as many as the paper used

# A system, one with a strategy more, and the published geometric mean of the error ratio between them (table 1).
STEPS = (
    ("c4.5", "wag", 0.86),
    ("c4.5", "sasc", 0.84),
    ("c4.5", "boost", 0.76),
    ("wag", "mb", 0.87),
    ("boost", "mb", 0.99),
    ("sasc", "boostsasc", 0.89),
    ("boost", "boostsasc", 0.98),
    ("wag", "wagsasc", 0.92),
    ("sasc", "wagsasc", 0.95),
    ("mb", "mbsasc", 0.97),
    ("boostsasc", "mbsasc", 0.98),
    ("wagsasc", "mbsasc", 0.91),
    ("c4.5sas", "c4.5", 1 / 1.07),
    ("c4.5", "mbsasc", 0.73),
)


class Cell(NamedTuple):
    """The error of a system in one three-fold cross-validation."""

    dataset: str
    system: str
    members: int
    repeat: int
    error: float

    @property
    def key(self) -> tuple[str, str, int, int]:
        """What the cell is about, without its outcome."""
        return self[:4]


def configured(system: str, members: int, seed: int) -> BaseEstimator:
    """Return a system with a number of members; a single tree has none."""
    size = {} if system.startswith("c4.5") else {"n_estimators": members}
    return method(system, random_state=seed, **size)


def errors_of_repeat(dataset: str, system: str, members: int, repeat: int) -> list[Cell]:
    """Run a system on the three folds of a repeat, the same for all systems, and return its error over all rows."""
    data = load(dataset)
    rows = FIRST_ROWS.get(dataset, data.n_rows)
    X, y = data.frame.iloc[:rows], np.asarray(data.target)[:rows]
    wrong = 0
    for fold, (train, test) in enumerate(KFold(3, shuffle=True, random_state=repeat).split(X)):
        with warnings.catch_warnings(), threadpool_limits(1):
            # A category that only the test fold has is no news here.
            warnings.filterwarnings("ignore", category=UserWarning, message="Column .* was seen in training")
            model = configured(system, members, 3 * repeat + fold).fit(X.iloc[train], y[train])
            wrong += int(np.count_nonzero(model.predict(X.iloc[test]) != y[test]))
    return [Cell(dataset, system, members, repeat, wrong / rows)]


def run(path: Path, datasets: list[str], repeats: int, members: int, n_jobs: int) -> list[Cell]:
    """Fill in the cells that a file lacks, and return those of this run, old and new."""
    keys = [(name, system, members, repeat) for repeat in range(repeats) for name in datasets for system in SYSTEMS]
    tasks = [Task((key,), errors_of_repeat, key) for key in keys]
    return fill_in(path, Cell, tasks, n_jobs, "cross-validations")


def mean_errors(cells: list[Cell]) -> dict[str, NDArray[np.float64]]:
    """Return, for each system, the mean error of every dataset."""
    names = sorted({cell.dataset for cell in cells})
    return {
        system: np.array(
            [np.mean([cell.error for cell in cells if (cell.dataset, cell.system) == (name, system)]) for name in names]
        )
        for system in SYSTEMS
    }


def ratio(before: NDArray[np.float64], after: NDArray[np.float64]) -> float:
    """Return the geometric mean of error ratios, over the datasets where neither error is zero."""
    both = (before > 0) & (after > 0)
    return float(np.exp(np.mean(np.log(after[both] / before[both]))))


def record(before: NDArray[np.float64], after: NDArray[np.float64]) -> tuple[int, int, int, float]:
    """Return on how many datasets the error falls, stays and rises, and the sign test's probability, two-tailed."""
    wins, losses = int(np.count_nonzero(after < before)), int(np.count_nonzero(after > before))
    chance = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    return wins, len(before) - wins - losses, losses, float(chance)


def summary(errors: dict[str, NDArray[np.float64]]) -> Iterator[str]:
    """Yield the lines of the report: the mean error of each system, then every step of the paper's hierarchy."""
    yield f"{'system':12}{'mean error %':>14}{'ratio to c4.5':>16}"
    for system in SYSTEMS:
        yield f"{system:12}{100 * errors[system].mean():14.2f}{ratio(errors['c4.5'], errors[system]):16.2f}"
    yield f"\n{'step':24}{'mean error %':>18}{'ratio':>8}{'paper':>8}{'win/draw/loss':>16}{'p':>9}  mean error"
    for before, after, published in STEPS:
        first, second = errors[before], errors[after]
        wins, draws, losses, chance = record(first, second)
        means = f"{100 * first.mean():.2f} > {100 * second.mean():.2f}"
        verdict = "falls" if second.mean() < first.mean() else "DOES NOT FALL"
        yield (
            f"{f'{before} > {after}':24}{means:>18}{ratio(first, second):8.2f}{published:8.2f}"
            f"{f'{wins}/{draws}/{losses}':>16}{chance:9.4f}  {verdict}"
        )


def main() -> None:
    """Run what is missing and print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--members", type=int, default=100)
    parser.add_argument("--datasets", nargs="+", default=DATASETS, metavar="NAME")
    parser.add_argument("--n-jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("build/multistrategy.csv"))
    arguments = parser.parse_args()
    names = found_only(arguments.datasets, load)
    if not names:
        parser.error("none of the datasets was found; name their directory in COVEY_DATA")
    cells = run(arguments.out, names, arguments.repeats, arguments.members, arguments.n_jobs)
    print(
        f"{len(names)} datasets, {arguments.repeats} x three-fold, {arguments.members} members; cells: {arguments.out}"
    )
    print("\n".join(summary(mean_errors(cells))))


if __name__ == "__main__":
    main()
