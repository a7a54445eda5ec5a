"""The base of the combinations: training members on folds, weighing them, and what they say together."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from covey import seeds
from covey._sklearn import Interval, StrOptions
from covey._text import duration, quoted
from covey._warnings import warn_user
from covey.combination.explanation import disagreements, explain_rows, members_as_html
from covey.combination.folds import make_folds
from covey.combination.importances import HeldOut
from covey.combination.members import read_members
from covey.combination.pooling import Pool, Weighting, influences
from covey.combination.training import Training, Trial, ask
from covey.ensemble.checks import check_member, read_inputs
from covey.ensemble.fit import TrainingData
from covey.ensemble.growth import ENTROPY, new_entropy
from covey.ensemble.inputs import Inputs
from covey.ensemble.member import Member
from covey.learners.base import TableEstimator
from covey.models.fields import Array, Field, Items, Maybe, Model, Number, OrNone, Part, Text, require
from covey.parallel import each
from covey.seeds import RandomState
from covey.table import Table
from covey.table.table import CategoricalFeatures

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

# A member with a smaller share in what all say is not fitted again: what it adds cannot be measured.
LEAST_SHARE = 0.02
# A column of more categories, none of them in two rows, is one of names.
MANY_CATEGORIES = 20
# How many numbers of members' outputs are held at a time.
MOST_NUMBERS = 20_000_000


@dataclass(frozen=True, eq=False)
class MemberScore:
    """How a member did on the rows it had not seen."""

    name: str
    score: float  # accuracy, or R²; NaN of one that was never asked
    loss: float  # log loss, or root mean squared error
    seconds: float
    weight: float
    disagreement: float  # the share of rows of which others say otherwise, or 1 less the correlation of their errors
    left_out: str  # why it has no weight

    _state: ClassVar[dict[str, Field]] = {
        "name": Text(),
        "score": Number(nan=True),
        "loss": Number(nan=True),
        "seconds": Number(0.0),
        "weight": Number(0.0, 1.0),
        "disagreement": Number(0.0, 2.0, nan=True),
        "left_out": Text(),
    }


@dataclass(eq=False, repr=False)
class Combination(TableEstimator):
    """Unlike members, weighted by what they predict of rows they have not seen."""

    members: Any = "auto"
    _: KW_ONLY
    weighting: Weighting = "optimal"
    cv: Any = None
    budget: float | None = 600.0
    categorical_features: CategoricalFeatures = "from_dtype"
    n_jobs: int | None = None
    random_state: RandomState = None
    verbose: int = 0

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "members": [StrOptions({"auto"}), list, tuple],
        "weighting": [StrOptions({"optimal", "greedy", "uniform"})],
        "cv": ["cv_object"],
        "budget": [None, Interval(Real, 0, None, closed="neither")],
        "n_jobs": [None, Interval(Integral, None, -1, closed="right"), Interval(Integral, 1, None, closed="left")],
        "verbose": ["verbose"],
    }
    _state: ClassVar[dict[str, Field]] = {
        "_entropy": ENTROPY,
        "estimators_": Items(Model(), "members"),
        "_codes": Items(OrNone(Array(np.intp, None, low=0, shared=True)), "members"),
        "_columns": Array(np.intp, None, low=0, below="features", shared=True),
        "_pool": Part(Pool, ["members", "classes"]),
        "_scores": Items(Part(MemberScore)),
        "_importances": Maybe(Array(np.float64, "features")),
    }
    _derived: ClassVar[tuple[str, ...]] = ("_held_out",)
    _measures: ClassVar[tuple[str, str]]  # what the score and the loss are called

    def _check_state(self) -> None:
        super()._check_state()
        self._held_out: HeldOut | None = None
        weighed = [score for score in self._scores if score.weight > 0.0]
        require(len(self.estimators_) > 0, "has no members")
        require(len(weighed) == len(self.estimators_), "has members without a score")
        require(np.allclose([score.weight for score in weighed], self._pool.weights), "has two weights for a member")
        for member in self._members:
            check_member(member, self.schema_, self._n_classes())

    @property
    @abstractmethod
    def _task(self) -> str:
        """What it predicts: "classification" or "regression"."""

    @abstractmethod
    def _make_pool(self, outputs: Floats, y: NDArray[Any], weight: Floats, frequencies: Floats) -> Pool:
        """Return the best pool of members' outputs for rows that they have not seen."""

    @staticmethod
    @abstractmethod
    def _grade(output: Floats, y: NDArray[Any], weight: Floats) -> tuple[float, float]:
        """Return the score and the loss of an output; the weights add up to 1."""

    def _n_classes(self) -> int:
        return len(self.classes_) if self._task == "classification" else 0

    # Training

    def _learn(self, table: Table, y: NDArray[Any], weight: Floats, *, alone: bool) -> None:
        self._train(table, y, weight, None)

    def _train(self, table: Table, y: NDArray[Any], weight: Floats, groups: Any) -> None:
        """Train the members, weigh them, and keep those with weight."""
        self._entropy = new_entropy(self.random_state)
        seed = np.random.SeedSequence(list(self._entropy))
        present = weight > 0
        data = TrainingData(Inputs(table.counting(present)), y, weight, self._n_classes())
        self._columns = _telling_columns(table, present)
        n_categories = table.schema.n_categories[self._columns]
        named = read_members(self.members, self._task, n_categories, y[present], self._n_classes())
        folds = make_folds(self.cv, table.matrix, y, weight, groups, seeds.child(seed, 0))
        trials = [Trial(name, model, seeds.child(seed, 1, place)) for place, (name, model) in enumerate(named)]
        training = Training(data, folds, trials, self._columns, self.budget, self.n_jobs, self._tell)
        training.first_fold()
        self._leave_out_weak(training, 1)
        training.other_folds()
        self._leave_out_weak(training, len(folds))
        training.all_rows()
        self._check_any(training)
        self._keep(training)

    def _tell(self, trial: Trial) -> None:
        if self.verbose:
            print(f"[{type(self).__name__}] {trial.name}: {trial.left_out or duration(trial.seconds)}", flush=True)

    def _check_any(self, training: Training) -> None:
        """Refuse to go on without a member, and warn of those that failed or had no time."""
        reasons = [f"{trial.name}: {trial.left_out}" for trial in training.trials if trial.failed]
        if not training.running:
            raise ValueError(f"No member could be fitted. {'; '.join(reasons)}.{_remedies(training)}")
        partly = quoted(trial.name for trial in training.running if trial.late)
        told = f"Left out: {'; '.join(reasons)}." if reasons else ""
        told += f" Fitted on the first fold's rows only, for lack of time: {partly}." if partly else ""
        if told:
            warn_user(told.strip() + _remedies(training))

    def _pool_of(self, training: Training, trials: Sequence[Trial], n_folds: int) -> tuple[Pool, Floats]:
        """Return the best pool of some trials for the asked rows of the first folds, and each one's share in it."""
        rows, outputs = training.outputs(trials, n_folds)
        known = training.known(rows)
        y, weight, rows = training.data.y, training.data.weight, rows[known]
        share = weight[rows] / max(float(weight[rows].sum()), np.finfo(float).tiny)
        pool = self._make_pool(outputs[:, known], y[rows], share, self._frequencies(y, weight))
        return pool, influences(pool, outputs[:, known])

    def _frequencies(self, y: NDArray[Any], weight: Floats) -> Floats:
        """Return how frequent classes are; empty in a regression."""
        n_classes = self._n_classes()
        return np.bincount(y, weight, minlength=n_classes) / weight.sum() if n_classes else np.empty(0)

    def _leave_out_weak(self, training: Training, n_folds: int) -> None:
        """Leave out members without weight, unless all are to have the same."""
        trials = training.running
        if self.weighting == "uniform" or len(trials) < 2:
            return
        _, shares = self._pool_of(training, trials, n_folds)
        for trial, share in zip(trials, shares.tolist(), strict=True):
            if share < LEAST_SHARE and share < shares.max():
                trial.left_out = "the others do as well without it"
                self._tell(trial)

    def _keep(self, training: Training) -> None:
        """Weigh the members that there are, and keep them with their scores."""
        pool, _ = self._pool_of(training, training.running, len(training.folds))
        has_weight = pool.weights > 0.0
        self._pool = replace(pool, weights=pool.weights[has_weight], exponents=pool.exponents[has_weight])
        kept = [trial for trial, weighs in zip(training.running, has_weight, strict=True) if weighs]
        rows, outputs = training.outputs(kept)
        self.oof_predictions_ = np.full((len(training.data.y), *outputs.shape[2:]), np.nan)
        self.oof_predictions_[rows] = self._pool(outputs)
        members = [trial.member for trial in kept if trial.member is not None]
        self.estimators_ = [member.model for member in members]
        self._codes = [member.classes for member in members]
        weights = dict(zip(map(id, kept), self._pool.weights.tolist(), strict=True))
        differ = self._differences(training)
        self._scores = [
            self._score_of(training, trial, weights.get(id(trial), 0.0), differ.get(id(trial), np.nan))
            for trial in training.trials
        ]
        self._held_out = HeldOut.of(training, kept)
        self.__dict__.pop("_importances", None)

    def _differences(self, training: Training) -> dict[int, float]:
        """Return how much trials differ from those asked of all folds, by id; left out, on the first fold's rows."""

        def apart(trials: list[Trial], n_folds: int) -> Floats:
            rows, said = training.outputs(trials, n_folds)
            return disagreements(said if self._n_classes() else said - training.data.y[rows])

        n_folds = len(training.folds)
        whole = [trial for trial in training.trials if len(trial.outputs) == n_folds]
        early = [trial for trial in training.trials if 0 < len(trial.outputs) < n_folds]
        if len(whole) == 1:
            return dict(zip(map(id, whole + early), apart(whole + early, 1).tolist(), strict=True))
        differ = dict(zip(map(id, whole), apart(whole, n_folds).tolist(), strict=True))
        return differ | {id(trial): float(apart([*whole, trial], 1)[-1]) for trial in early}

    def _score_of(self, training: Training, trial: Trial, weight: float, differs: float) -> MemberScore:
        score, loss = np.nan, np.nan
        if trial.outputs:
            rows, outputs = training.outputs([trial], len(trial.outputs))
            data = training.data
            score, loss = self._grade(outputs[0], data.y[rows], data.weight[rows] / data.weight[rows].sum())
        return MemberScore(trial.name, score, loss, trial.seconds, weight, differs, trial.left_out)

    # What the members say

    @property
    def _members(self) -> list[Member]:
        view = None if len(self._columns) == self.n_features_in_ else self._columns
        return [Member(model, view, classes=codes) for model, codes in zip(self.estimators_, self._codes, strict=True)]

    def _outputs(self, inputs: Inputs, rows: NDArray[np.intp] | None = None) -> Floats:
        """Return the members' outputs, (members, rows, classes) or (members, rows)."""
        asked = ((member, inputs, self._n_classes(), rows) for member in self._members)
        return np.stack(list(each(ask, asked, self.n_jobs)))

    def _pooled(self, X: Any) -> Floats:
        """Return what the members say together of each row."""
        inputs = read_inputs(self, X)
        n_rows = len(inputs.table.matrix)
        at_once = max(1, MOST_NUMBERS // (len(self.estimators_) * max(self._n_classes(), 1)))
        if n_rows <= at_once:
            return self._pool(self._outputs(inputs))
        starts = range(0, n_rows, at_once)
        parts = (np.arange(start, min(start + at_once, n_rows)) for start in starts)
        return np.concatenate([self._pool(self._outputs(inputs, rows)) for rows in parts])

    @property
    def weights_(self) -> dict[str, float]:
        """The weight of each member, by name, the greatest first."""
        scores = sorted(self._fitted_scores(), key=lambda score: -score.weight)
        return {score.name: score.weight for score in scores if score.weight > 0.0}

    @property
    def member_scores_(self) -> pd.DataFrame:
        """How each member did on the rows it had not seen, with its weight, and why it has none."""
        import pandas as pd

        score, loss = self._measures
        columns = ("member", "weight", score, loss, "disagreement", "seconds", "left out")
        rows = [
            (s.name, s.weight, s.score, s.loss, s.disagreement, s.seconds, s.left_out) for s in self._fitted_scores()
        ]
        frame = pd.DataFrame(rows, columns=columns).set_index("member")
        return frame.sort_values("weight", ascending=False, kind="stable")

    def _fitted_scores(self) -> list[MemberScore]:
        if not hasattr(self, "_scores"):
            raise AttributeError(f"This {type(self).__name__} is not fitted yet; call fit first.")
        return self._scores

    @property
    def feature_importances_(self) -> Floats:
        """How much worse rows that were left out are predicted once a column is shuffled, worked out when asked for.

        The increase of the log loss, or of the mean squared error over the target's variance, by the members as fitted
        on the first fold. A model from a file has them only if they were asked for before it was saved.
        """
        if not hasattr(self, "_importances"):
            self._fitted_scores()
            if self._held_out is None:
                raise AttributeError(
                    "feature_importances_ needs rows that were left out in training, which files do not hold; ask for "
                    "it before the model is saved."
                )
            rng = np.random.default_rng(self._entropy)
            self._importances = self._held_out.importances(self._pool, self._grade, rng)
        return self._importances

    def explain(self, X: Any) -> pd.DataFrame:
        """Return what the combination says of each row, how sure it is, and what each member says.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        DataFrame
            By row and member, the combination first, as "covey", then the members by their weights: weight and
            prediction; of classes the probability of the class that the combination predicts, of numbers the interval
            about the combination's within which nine of ten training rows lay when they were left out.
        """
        check_is_fitted(self)
        names = [score.name for score in self._scores if score.weight > 0.0]
        outputs = self._outputs(read_inputs(self, X))
        classes = self.classes_ if self._n_classes() else None
        return explain_rows(X, names, self._pool, outputs, classes, self._width())

    def plot(self, ax: Any = None, *, title: str | None = None) -> Any:
        """Draw the members, their losses against how much they differ from the others, and return the axes.

        The area of a point is the member's weight; members left out are hollow. See `covey.plots.draw_member_weights`.
        How far the probabilities of a classifier can be trusted is another figure, of what members said of rows that
        they had not seen: ``draw_reliability(reliability(y, model.oof_predictions_))`` from `covey.plots`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure.
        title : str, optional
            In place of the figure's own; "" for none.
        """
        from covey.plots import draw_member_weights, member_weights

        return draw_member_weights(member_weights(self), ax, title=title)

    def _width(self) -> float:
        """Return how far nine of ten numbers lay from what was predicted of them; NaN of classes."""
        return np.nan

    def _repr_html_inner(self) -> str:
        diagram: str = super()._repr_html_inner()
        return diagram + members_as_html(self._scores, self._measures) if hasattr(self, "_scores") else diagram

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        return {**bundle, "text/html": self._repr_html_inner()} if "text/html" in bundle else bundle


def _remedies(training: Training) -> str:
    """Say what helps members that had no time, or that do not take missing values."""
    text = ""
    if any(trial.late for trial in training.trials):
        text += f" The budget was {training.budget:g} seconds; a larger budget gives members more time."
    table = training.data.inputs.table
    missing = np.flatnonzero(np.isnan(table.matrix).any(axis=0))
    if len(missing) and any("NaN" in trial.left_out for trial in training.trials):
        names = quoted([table.schema.names[place] for place in missing])
        text += f" Values are missing in {names}; fill them, or put an imputer before a member that takes none."
    return text


def _telling_columns(table: Table, present: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the columns with values that are not the same, nor names, in every row; if there are none, the first."""
    matrix = table.matrix[present]
    missing = np.isnan(matrix)
    low, high = np.where(missing, np.inf, matrix).min(axis=0), np.where(missing, -np.inf, matrix).max(axis=0)
    telling = (low < high) | ((low == high) & missing.any(axis=0))
    many = np.flatnonzero(table.schema.n_categories > MANY_CATEGORIES)
    names = [place for place in many if len(np.unique(matrix[:, place])) == len(matrix)]
    if names:
        telling[names] = False
        warn_user(
            f"Columns with another category in every row tell nothing of new rows, and are not used: "
            f"{quoted(table.schema.names[place] for place in names)}. Leave them out."
        )
    return np.flatnonzero(telling) if telling.any() else np.zeros(1, dtype=np.intp)
