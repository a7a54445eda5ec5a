"""The paper's experiments, and how they are made smaller."""

from __future__ import annotations

from covey.reproduce.paper import Experiment, Quick
from covey.reproduce.published import published_table

SINGLE, BORDER, SUBSPACE = "alpha-rsc", "alphabeta-rse", "alpha-rsse"
# The datasets of table 11, and those of figure 6.
LOSSES = ("waveform-40", "pima-diabetes", "heart", "wdbc", "image", "twonorm", "ringnorm")
CURVES = ("pima-diabetes", "heart", "image", "waveform-40")
# fmt: off
_GENES = ("breast-cancer-gene", "central-nervous-gene", "colon-tumor-gene", "lung-cancer-gene", "ovarian-gene",
          "prostate-gene")
# fmt: on
# Numbers of attributes, and those that the quick run leaves out.
_LATER_NUMBERS = (5, 20, 40, 50)
_FEW_ALPHAS = (1, 2, 5, 10)
_FEW_KAPPAS = {
    "waveform-40": (2, 4, 11, 21),
    "pima-diabetes": (1, 3, 5, 8),
    "heart": (1, 3, 5, 13),
    "image": (1, 4, 10, 18),
}
# Those of more than 2500 cases, on which each split takes as long as on all others together.
_LARGE = ("abalone", "waveform-40", "satimage", "ringnorm", "twonorm")
# Those of table 6 that are not the smallest: parameters are chosen anew in each of ten folds.
# fmt: off
_NOT_SMALL = ("waveform-40", "ringnorm", "twonorm", "image", "german", "wdbc", "yeast", "pima-diabetes", "ionosphere",
              "sonar", "breast-wisconsin")
# fmt: on


def loss_id(dataset: str) -> str:
    """Return the experiment for bias and variance on a dataset."""
    return f"bias-variance-{dataset}"


def published_kappa(dataset: str) -> int:
    """Return the number of attributes of members on a dataset in table 11."""
    frame = published_table("rsc", 11)
    rows = frame[(frame["dataset"] == dataset) & (frame["method"] == SUBSPACE) & (frame["kind"] == "value")]
    return int(rows["kappa"].iloc[0])


def _gene(name: str, table: str) -> Experiment:
    without = tuple(f"{gene} {k}" for gene in _GENES for k in _LATER_NUMBERS)
    return Experiment(name, ("1", table, "10"), Quick(n_repeats=2, without=without))


def _loss(dataset: str) -> Experiment:
    kappas = _FEW_KAPPAS.get(dataset, (published_kappa(dataset),))
    methods = (SINGLE, BORDER, *(f"{SUBSPACE} {kappa}" for kappa in kappas))
    serves = ("11", "figure 6") if dataset in CURVES else ("11",)
    return Experiment(loss_id(dataset), serves, Quick(n_repeats=40, methods=methods))


_ALPHAS = tuple(f"{method} {alpha}" for alpha in _FEW_ALPHAS for method in ("alpha-rse", BORDER))

EXPERIMENTS = (
    Experiment("full-space", ("1", "2", "3", "figure 5"), Quick(n_repeats=2, without=_LARGE)),
    Experiment("subspace", ("4", "5", "figure 4", "figure 5"), Quick(n_repeats=2, without=_LARGE)),
    Experiment("unscaled", ("1", "2", "3", "4", "5", "figure 4", "figure 5"), Quick(n_repeats=2)),
    Experiment("sizes", ("6",), Quick(n_repeats=1, params={"n_estimators": 100}, without=_NOT_SMALL)),
    _gene("gene-chi-squared", "7"),
    _gene("gene-information-gain", "8"),
    _gene("gene-relief", "9"),
    *(_loss(dataset) for dataset in LOSSES),
    Experiment("alpha", ("figure 3",), Quick(n_repeats=1, methods=_ALPHAS)),
    Experiment("beta", (), Quick(n_repeats=3, without=("waveform-40",))),
)
