"""Triskel: pairs of biased classifiers, and an arbiter (Khoussainov, Heß and Kushmerick 2005)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from importlib.util import find_spec
from numbers import Integral, Real
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if

from covey import seeds
from covey._progress import Progress, told
from covey._sklearn import Interval, StrOptions
from covey._warnings import warn_user
from covey.ensemble.checks import check_member
from covey.ensemble.fit import TrainingData
from covey.ensemble.inputs import Inputs
from covey.ensemble.one_vs_one import Pairing, PairwiseClassifier, Votes, one_vs_one
from covey.ensemble.pair_machines import PairMachines, can_grow_at_once, grow_at_once
from covey.ensemble.triskel_rounds import ClassRounds, Rounds, Settings, fit_pairing, fit_triskel, fit_triskel_m
from covey.models.fields import Field, Items, Maybe, Part, require
from covey.parallel import each
from covey.strategies.bias import BIASINGS, Biasing
from covey.table import Table

# Beyond, an arbiter's vote is too small beside those of the first pair to be told from rounding.
MOST_ROUNDS = 32

# What multiplies the weights of easy and of hard cases.
_COVERINGS = {"separate": (0.0, 1.0), "soft": (0.5, 2.0)}


def _by_pairs(model: Any) -> bool:
    return hasattr(model, "_rounds") or (model.multiclass == "one-vs-one" and not hasattr(model, "_classes"))


# What is there only where every binary problem has its own rounds.
_with_rounds: Callable[[Callable[..., Any]], Any] = available_if(_by_pairs)


@dataclass(eq=False, repr=False)
class TriskelClassifier(PairwiseClassifier):
    """Pairs of classifiers, each sure of one class, and an arbiter for where they disagree (algorithm 1).

    In each round two classifiers are trained: h+ says the positive class only when it is sure, h- the negative one.
    Cases that both get right are easy; the next round, and in the end the arbiter, turns to the hard ones. Of new
    cases, the first pair that agrees decides, else the arbiter: their votes of 2^(K - t) and 1 come to the same.

    It does well where the cases near the border follow another pattern than the rest, where boosting goes in circles;
    `covey.analysis.roc` tells such data by their ROC curves.

    Parameters
    ----------
    estimator : classifier, optional
        The base estimator, by default a linear support vector machine with C = 1, whose columns are brought to [0, 1]
        on each member's own cases.
    n_rounds : int, default=4
        The number of rounds K, up to 32; a binary problem has 2 K + 1 members, or fewer where no hard case is left.
        Weights that are doubled in each of more than about 15 rounds make a support vector machine slow: separate, or
        normalise them.
    covering : {"separate", "soft"} or (float, float), default="soft"
        What becomes of cases after a round: "separate" leaves easy ones out, "soft" halves their weights and doubles
        those of hard ones; or what to multiply the weights of easy and of hard cases by.
    bias : float, (float, float) or "auto", default=0.9
        How strongly classifiers are biased, from 0, not at all, to less than 1; or h+ and h- apart. "auto" chooses both
        for each problem by cross-validated bias curves. With "triskel-m" there are classifiers like h+ only.
    biasing : {"undersample", "oversample", "weight", "threshold", "smote"}, default="undersample"
        How: keep a share of 1 - bias of a class's cases, as published; draw further cases of the other class, or make
        up some between its cases (SMOTE, which needs imbalanced-learn), until the classes are in the same proportion;
        multiply weights by 1 - bias; or move the decision threshold so that a share of 1 - bias of the cases said to
        be of the class remain so.
    multiclass : {"one-vs-one", "triskel-m"}, default="one-vs-one"
        How more than two classes are told apart: by a Triskel for every pair, which vote; or by one biased classifier
        per class, of which one alone may claim a case, and an arbiter one-vs-one (section 3.1), which takes less time;
        a linear support vector machine is such an arbiter by itself, scaled once for all pairs, as published.
    normalize_weights : bool, default=False
        Whether weights are brought back to their sum after each round, as algorithm 1 is printed; the published
        figures are met without.
    class_weight : dict, "balanced" or None
        Weights of classes, by which case weights are multiplied; "balanced" gives all classes the same in sum.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.
    n_jobs : int, optional
        How many problems are worked on at a time, in threads.
    random_state : int, RandomState, Generator or None
        The seed of undersampling and the like, and of ties between classes.
    verbose : int, default=0
        1 prints progress at most once a second, 2 each time: how many classifiers are trained, those by which "auto"
        chooses included, or of several binary problems how many are done.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    pairs_ : list of (label, label)
        The negative and the positive class of each binary problem; with "triskel-m" those that the arbiter tells apart.
    estimators_ : list of classifiers
        All members, problem by problem: h+ and h- of each round, and the arbiter; trained on the codes 0 and 1.
    n_members_ : ndarray of shape (n_problems,)
        How many members each problem has; with "triskel-m" one number for all.
    bias_ : ndarray of shape (n_problems, 2)
        With one-vs-one, the strengths of h+ and h-, as given or as chosen.
    n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> from covey import TriskelClassifier
    >>> from covey.datasets import make_layered_cake
    >>> X, y = make_layered_cake(random_state=0)
    >>> model = TriskelClassifier(n_rounds=1, covering="separate", bias="auto", random_state=0).fit(X, y)
    >>> len(model.estimators_)
    3
    """

    n_rounds: int = 4
    _: KW_ONLY
    covering: Literal["separate", "soft"] | Sequence[float] = "soft"
    bias: float | Sequence[float] | Literal["auto"] = 0.9
    biasing: Biasing = "undersample"
    multiclass: Literal["one-vs-one", "triskel-m"] = "one-vs-one"
    normalize_weights: bool = False

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **PairwiseClassifier._parameter_constraints,
        "n_rounds": [Interval(Integral, 1, MOST_ROUNDS, closed="both")],
        "covering": [StrOptions(set(_COVERINGS)), tuple, list],
        "bias": [StrOptions({"auto"}), Interval(Real, 0, 1, closed="left"), tuple, list],
        "biasing": [StrOptions(set(BIASINGS))],
        "multiclass": [StrOptions({"one-vs-one", "triskel-m"})],
        "normalize_weights": ["boolean"],
    }

    _state: ClassVar[dict[str, Field]] = {
        "_rounds": Maybe(Items(Part(Rounds))),
        "_classes": Maybe(Part(ClassRounds, ["classes"])),
    }
    _derived: ClassVar[tuple[str, ...]] = ("n_members_", "bias_")

    def _check_state(self) -> None:
        super()._check_state()
        self._check_base()
        require(hasattr(self, "_rounds") != hasattr(self, "_classes"), "has no rounds, or rounds of two kinds")
        n_classes = len(self.classes_)
        if hasattr(self, "_rounds"):
            require(all(len(rounds.pairs) <= MOST_ROUNDS for rounds in self._rounds), "has too many rounds")
            self._keep(self._rounds, len(self._rounds))
            members = [(member, 2) for rounds in self._rounds for member in rounds.members]
        else:
            require(n_classes > 2, "has rounds of too few classes")
            self._classes.check_pairings()
            self._keep([self._classes], n_classes * (n_classes - 1) // 2)
            members = [(member, 2) for member in self._classes.members[: -len(self._classes.arbiters)]]
            members += [(member, 2 if self._classes.pairings else n_classes) for member in self._classes.arbiters]
        for member, count in members:
            check_member(member, self.schema_, count)

    # Training

    def _check(self, table: Table) -> Settings:
        """Return what was asked for, refusing what cannot be done before any work is."""
        easy, hard = _two("covering", _COVERINGS.get(str(self.covering), self.covering), 0.0, np.inf)
        if hard == 0:
            raise ValueError(f"covering={self.covering!r} leaves no hard case; give the second factor more than 0.")
        biases = None if isinstance(self.bias, str) else _two("bias", self.bias, 0.0, 1.0)
        if biases is not None and biases[0] != biases[1] and self.multiclass == "triskel-m":
            raise ValueError(f"bias={self.bias!r} is one for h+ and one for h-, and 'triskel-m' has no h-; give one.")
        base = self._innermost()
        if self.biasing == "threshold" and not (hasattr(base, "decision_function") or hasattr(base, "predict_proba")):
            raise ValueError(
                f"biasing='threshold' needs decision values or probabilities, and {type(base).__name__} gives neither; "
                "use 'undersample'."
            )
        if self.biasing == "smote":
            _check_smote(table)
        return Settings(int(self.n_rounds), easy, hard, biases, self.biasing, bool(self.normalize_weights))

    def _fit_problems(self, data: TrainingData, seed: np.random.SeedSequence, *, alone: bool) -> list[Any]:
        base, settings, pairings = self._base(), self._check(data.inputs.table), one_vs_one(data.n_classes)
        for name in ("bias_", "_rounds", "_classes"):
            self.__dict__.pop(name, None)
        grown: Sequence[ClassRounds] | Sequence[Rounds]
        if self.multiclass == "triskel-m" and data.n_classes > 2:
            progress = self._progress(settings.n_rounds * data.n_classes, "classifiers of rounds")
            self._classes = fit_triskel_m(base, data, settings, seed, self.n_jobs, progress.advance)
            grown = [self._classes]
            progress.end()
        else:
            self._rounds = grown = self._grow_pairs(base, data, settings, seed)
        self._keep(grown, len(pairings))
        at_once = isinstance(grown, PairMachines)
        spared = int(grown.spared.sum()) if isinstance(grown, PairMachines) else sum(one.spared for one in grown)
        if spared and alone:
            warn_user(
                f"In {spared} of {self.n_members_.sum()} members bias={self.bias!r} would have left no case of a "
                "class, and one was kept. Give a smaller bias, or biasing='weight' to a base that takes weights."
            )
        return [] if at_once else self.estimators_

    def _grow_pairs(
        self, base: Any, data: TrainingData, settings: Settings, seed: np.random.SeedSequence
    ) -> Sequence[Rounds]:
        """Return a grown Triskel for each pair of classes."""
        pairings = one_vs_one(data.n_classes)
        if len(pairings) == 1:
            progress = self._progress(settings.n_fits, "classifiers")
            binary, inner = pairings[0].binary(data), seeds.child(seed, 3, 0)
            rounds: Sequence[Rounds] = [fit_triskel(base, binary, settings, inner, progress.advance)]
        elif can_grow_at_once(base, data, settings):
            progress = self._progress(len(pairings), "pairs of classes")
            rounds = grow_at_once(base, data, settings, seed, self.n_jobs, progress.advance)
        else:
            progress = self._progress(len(pairings), "pairs of classes")
            jobs = ((base, data, pair, settings, seeds.child(seed, 3, number)) for number, pair in enumerate(pairings))
            rounds = list(told(each(fit_pairing, jobs, self.n_jobs), progress.advance))
        progress.end()
        return rounds

    def _progress(self, total: int, unit: str) -> Progress:
        return Progress(type(self).__name__, total, self.verbose, unit=unit)

    def _keep(self, grown: Sequence[ClassRounds] | Sequence[Rounds], n_pairs: int) -> None:
        """Set what follows from the rounds."""
        self._set_pairs(n_pairs)
        if isinstance(grown, PairMachines):
            self.bias_, self.n_members_ = np.tile(grown.biases, (len(grown), 1)), grown.n_members
            return
        if hasattr(self, "_rounds"):
            self.bias_ = np.array([rounds.biases for rounds in self._rounds])
        self.n_members_ = np.array([len(rounds.members) for rounds in grown])

    @property
    def estimators_(self) -> list[Any]:
        """All members, problem by problem: h+ and h- of each round, and the arbiter; trained on the codes 0 and 1."""
        if not (hasattr(self, "_rounds") or hasattr(self, "_classes")):
            raise AttributeError("There are members after fitting only.")
        grown = self._rounds if hasattr(self, "_rounds") else [self._classes]
        return [member.model for rounds in grown for member in rounds.members]

    # Votes

    def _votes(self, inputs: Inputs) -> Votes:
        if hasattr(self, "_classes"):  # the arbiter's pairs vote, unless a class alone claims the row
            claims = self._classes.claims(inputs)[:, None]
            codes = np.where(claims < 0, self._classes.arbitrated(inputs, self.n_jobs), claims)
            return Votes(codes, np.ones(codes.shape[1]))
        if len(self._rounds) == 1:
            rounds, pairing = self._rounds[0], self._pairings[0]
            return Votes(pairing.name(rounds.member_codes(inputs)), rounds.vote_weights)
        if isinstance(self._rounds, PairMachines):
            said, log_odds = self._rounds.decisions(inputs)
            return Votes(_named(said, self._pairings), np.ones(len(self._rounds)), log_odds)
        by_pair = list(each(Rounds.decisions, ((rounds, inputs) for rounds in self._rounds), self.n_jobs))
        codes = np.column_stack([pair.name(some) for pair, (some, _) in zip(self._pairings, by_pair, strict=True)])
        return Votes(codes, np.ones(codes.shape[1]), np.column_stack([log_odds for _, log_odds in by_pair]))

    @_with_rounds
    def _member_codes(self, X: Any) -> NDArray[Any]:
        """Return what votes in the end: for two classes the members, for more the pairs of classes."""
        codes = self._votes(self._new_inputs(X)).codes
        return codes.astype(np.min_scalar_type(-len(self.classes_)))

    @property
    def estimator_weights_(self) -> NDArray[np.float64]:
        """What each vote counts: those of `member_predictions`."""
        if not hasattr(self, "_rounds"):
            raise AttributeError("Votes have weights with multiclass='one-vs-one' only, after fitting.")
        return self._rounds[0].vote_weights if len(self._rounds) == 1 else np.ones(len(self._rounds))

    @_with_rounds
    def round_predictions(self, X: Any, problem: int = 0) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """Return what h+ and h- of each round say in a binary problem; `covey.analysis.roc` makes spaces of them.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
        problem : int, default=0
            Which of `pairs_`.

        Returns
        -------
        list of (ndarray, ndarray)
            Labels of the two classes, for each round.
        """
        inputs = self._new_inputs(X)
        rounds, pairing = self._rounds[problem], self._pairings[problem]
        labels = self.classes_[pairing.name(rounds.member_codes(inputs))]
        return [(labels[:, place], labels[:, place + 1]) for place in range(0, 2 * len(rounds.pairs), 2)]


def _named(codes: NDArray[np.intp], pairings: Sequence[Pairing]) -> NDArray[np.intp]:
    """Return the codes of classes for those of each pair."""
    negative, positive = (np.array(side) for side in zip(*((p.negative, p.positive) for p in pairings), strict=True))
    return np.where(codes == 1, positive, negative)


def _two(name: str, value: Any, least: float, most: float) -> tuple[float, float]:
    """Return one number for both, or two, that lie in a range."""
    numbers = (value, value) if isinstance(value, Real) else tuple(value)
    proper = len(numbers) == 2 and all(isinstance(side, Real) and least <= float(side) < most for side in numbers)
    if not proper:
        limit = f" and less than {most:g}" if np.isfinite(most) else ""
        raise ValueError(f"{name}={value!r} must be two numbers from {least:g} up{limit}.")
    return float(numbers[0]), float(numbers[1])


def _check_smote(table: Table) -> None:
    if find_spec("imblearn") is None:
        raise ValueError(
            "biasing='smote' needs imbalanced-learn, which is not installed: pip install 'covey[smote]', or use "
            "'oversample'."
        )
    missing = np.isnan(table.matrix).any(axis=0)
    if missing.any():
        name = table.names[int(np.argmax(missing))]
        raise ValueError(
            f"biasing='smote' takes no missing values, as in column {name!r}; impute them, or use another."
        )
