"""Vote counts: what members say, added up one after the other, with ties broken by a seed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.tree import BaseDecisionTree
from sklearn.utils.metaestimators import available_if

from covey import seeds
from covey.ensemble.inputs import Inputs
from covey.ensemble.member import Member
from covey.learners.base import TIE, put_ahead
from covey.strategies import Combine
from covey.strategies.combine import Reads

# The most that a loaded member's vote may weigh, and the least that all votes together may: products of those of
# ensembles within ensembles stay finite.
MOST_VOTES, LEAST_VOTES = 1e12, 1e-12

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Confidence:
    """How vote shares, or mean probabilities, become the probabilities of classes."""

    doubt: float  # which share of the vote says nothing, however many vote
    sharpness: float  # the exponent of what is left

    def probabilities(self, shares: Matrix, n_votes: NDArray[np.float64] | float = np.inf) -> Matrix:
        """Return probabilities that are never 0; the fewer votes, the closer to each other.

        One vote more than were counted says nothing, as does a share of all of them; members learn from the same rows,
        and are wrong together.
        """
        nothing = np.asarray(self.doubt + (1.0 - self.doubt) / (np.asarray(n_votes) + 1.0)).reshape(-1, 1)
        sharp = ((1.0 - nothing) * shares + nothing / shares.shape[1]) ** self.sharpness
        return np.asarray(sharp / sharp.sum(axis=1, keepdims=True))


# Chosen by log loss over many datasets: docs/decisions/votes.md.
OF_VOTES = Confidence(0.2, 1.5)
OF_WEIGHTED = Confidence(0.2, 2.0)  # boosted members turn to what others got wrong, and agree less
OF_MEANS = Confidence(0.01, 1.0)
# With more, classes could not be told apart.
MOST_DOUBT = 0.9


def tried_confidence(accuracies: Mapping[Any, float], chosen: Any, n_classes: int) -> Confidence:
    """Return the confidence in votes of an accuracy that was measured on rows left out.

    The doubt is such that a vote all for one class would be as often wrong as votes were there.
    """
    if chosen not in accuracies or n_classes < 2:
        return OF_VOTES
    doubt = (1.0 - accuracies[chosen]) * n_classes / (n_classes - 1)
    return replace(OF_VOTES, doubt=min(max(doubt, 0.0), MOST_DOUBT))


class VoteCount:
    """The votes counted so far.

    Beside the count itself goes a second one, in which each member's vote is multiplied by a random factor of its own;
    it decides ties. The factors are drawn once per ensemble, so a tie depends on the seed and on who voted for what,
    not on the order of classes or rows. Random keys decide between classes that are equal in the second count too;
    there are none in a regression.
    """

    def __init__(
        self, combine: Combine, n_rows: int, class_keys: NDArray[np.float64], confidence: Confidence = OF_VOTES
    ) -> None:
        self.combine = combine
        self.confidence = confidence
        self.class_keys = class_keys
        self.scores = np.zeros((n_rows, max(len(class_keys), 1)))
        self.second = np.zeros((n_rows, len(class_keys)))
        self.total = np.zeros(n_rows)
        self.squares = np.zeros(n_rows)
        self.log_odds: Callable[[], Matrix] | None = None  # of each class, where more is known than its share

    def add(self, output: NDArray[Any], weight: float, factor: float, rows: NDArray[np.intp] | None = None) -> None:
        """Count a member's output, for all rows or for some."""
        if rows is not None:
            some = VoteCount(self.combine, len(rows), self.class_keys)
            some.add(output, weight, factor)
            self.scores[rows] += some.scores
            self.second[rows] += some.second
            self.total[rows] += some.total
            self.squares[rows] += some.squares
            return
        self.combine.add(self.scores, output, weight)
        self.total += self.combine.share(weight)
        self.squares += self.combine.share(weight) ** 2
        if len(self.class_keys):
            self.combine.add(self.second, output, weight, factor)

    def shares(self) -> NDArray[np.float64]:
        """Return the scores as shares of the total vote; NaN for a row without votes."""
        with np.errstate(invalid="ignore", divide="ignore"):
            shares: NDArray[np.float64] = self.scores / self.total[:, None]
        return shares

    def winners(self) -> NDArray[np.intp]:
        """Return the code of the class that wins each row."""
        shares = self.shares()
        best: NDArray[np.intp] = shares.argmax(axis=1)
        tied = shares >= shares.max(axis=1, keepdims=True) - TIE
        rows = np.flatnonzero(np.count_nonzero(tied, axis=1) > 1)
        if len(rows):
            second = np.where(tied[rows], self.second[rows] / self.total[rows, None], -np.inf)
            tied = second >= second.max(axis=1, keepdims=True) - TIE
            best[rows] = np.where(tied, self.class_keys, -np.inf).argmax(axis=1)
        return best

    def n_votes(self) -> NDArray[np.float64]:
        """Return how many votes of equal weight say as much as those counted."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.total**2 / self.squares)

    def decided_shares(self) -> Matrix:
        """Return the shares, the winner of a tie ahead by as little as makes it the greatest."""
        return put_ahead(self.shares(), self.winners())

    def probabilities(self) -> Matrix:
        """Return how probable each class is; the winner's is the greatest."""
        if self.log_odds is None:
            n_votes = self.n_votes() if self.combine.reads == "codes" else np.inf
            return put_ahead(self.confidence.probabilities(self.shares(), n_votes), self.winners())
        ahead = put_ahead(softmax(self.log_odds(), axis=1), self.winners())
        return np.asarray(ahead / ahead.sum(axis=1, keepdims=True))


def final(counts: Iterator[VoteCount]) -> VoteCount:
    """Return the last of the counts, that of all members."""
    return deque(counts, maxlen=1).pop()


def count_codes(
    codes: NDArray[Any],
    weights: NDArray[np.float64],
    combine: Combine,
    seed: np.random.SeedSequence,
    n_classes: int,
    confidence: Confidence = OF_VOTES,
) -> Iterator[VoteCount]:
    """Count class codes of shape (n_rows, n_members), one member after the other, giving the count after each."""
    factors, class_keys = tie_breakers(seed, codes.shape[1], n_classes)
    count = VoteCount(combine, len(codes), class_keys, confidence)
    for output, weight, factor in zip(codes.T, weights.tolist(), factors, strict=True):
        count.add(output, weight, factor)
        yield count


def tie_breakers(
    seed: np.random.SeedSequence, n_members: int, n_classes: int
) -> tuple[list[float], NDArray[np.float64]]:
    """Return what breaks ties: a factor for each member's vote, and a key for each class."""
    factors = 0.5 + np.random.default_rng(seeds.child(seed, 0)).random(n_members)
    return factors.tolist(), np.random.default_rng(seeds.child(seed, 1)).random(n_classes)


def member_output(
    member: Member, inputs: Inputs, reads: Reads, n_classes: int, rows: NDArray[np.intp] | None = None
) -> NDArray[Any]:
    """Return the output of one member: class codes, a probability per class, or numbers."""
    model, X = member.model, inputs.for_model(member.model, member.view, rows)
    # What a tree gets in single precision has been checked already, once for all members.
    options = {"check_input": False} if isinstance(model, BaseDecisionTree) and X.dtype == np.float32 else {}
    if reads == "values":
        return np.asarray(model.predict(X, **options), dtype=np.float64).reshape(-1)
    if reads == "codes":
        codes = np.asarray(model.predict(X, **options)).astype(np.intp, copy=False).reshape(-1)
        return codes if member.classes is None else member.classes[codes]
    ask = model._vote_shares if isinstance(model, VotingMixin) else model.predict_proba
    own = np.asarray(ask(X, **options), dtype=np.float64)
    known = np.asarray(model.classes_).astype(np.intp, copy=False)
    known = known if member.classes is None else member.classes[known]
    if len(known) == n_classes and (known[:-1] < known[1:]).all():
        return own
    probabilities = np.zeros((len(own), n_classes))
    probabilities[:, known] = own
    return probabilities


def losses_of(output: NDArray[Any], true: NDArray[Any], reads: Reads) -> NDArray[np.float64]:
    """Return the loss of each row: of numbers squared errors, of codes 0 or 1, of probabilities Brier scores."""
    if reads == "values":
        return np.asarray(np.square(output - true))
    if reads == "codes":
        return np.asarray(output != true, dtype=np.float64)
    return np.asarray(np.square(output - np.eye(output.shape[1])[true]).sum(axis=1))


# What is there only where a class tells of its members' votes one by one, by `_member_codes`.
_with_codes: Callable[[Callable[..., Any]], Any] = available_if(lambda model: hasattr(model, "_member_codes"))


class VotingMixin(ABC):
    """Turns the vote counts of a classifier's members into its predictions."""

    classes_: NDArray[Any]
    n_jobs: int | None

    @abstractmethod
    def _vote_counts(self, X: Any, n_jobs: int | None = 1) -> Iterator[VoteCount]:
        """Count the members' votes one after the other, giving the count after each."""

    def _confidence(self) -> Confidence:
        """How sure the shares of the vote are taken to be."""
        return OF_VOTES

    def _vote_count(self, X: Any) -> VoteCount:
        return final(self._vote_counts(X, self.n_jobs))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the most votes for each row; the seed breaks ties."""
        winners = self._vote_count(X).winners()
        return np.asarray(self.classes_[winners])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return how probable each class is, by its share of the vote or its mean probability.

        Shares are drawn together, as all members learn from the same rows, and never 0; the greatest is that of the
        class that is predicted. Shares as they are: `decision_function`.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns are in the order of ``classes_``.
        """
        return self._vote_count(X).probabilities()

    @_with_codes
    def member_predictions(self, X: Any, *, codes: bool = False) -> NDArray[Any]:
        """Return what each member votes for; of several pairs of classes, what each pair does.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
        codes : bool, default=False
            Whether to give classes as positions in ``classes_``, in the smallest integer type that holds them.

        Returns
        -------
        ndarray of shape (n_samples, n_members)
            Labels, as `predict` gives, or codes. What each vote counts is in ``estimator_weights_``.
        """
        said: NDArray[Any] = self._member_codes(X)  # type: ignore[attr-defined]
        return said if codes else np.asarray(self.classes_[said])

    def _vote_shares(self, X: Any) -> NDArray[np.float64]:
        return self._vote_count(X).decided_shares()

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return each class's share of the vote; for two classes the second's lead over the first."""
        shares = self._vote_shares(X)
        return shares[:, 1] - shares[:, 0] if shares.shape[1] == 2 else shares

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Give the prediction of the first member, of the first two, and so on."""
        return (np.asarray(self.classes_[count.winners()]) for count in self._vote_counts(X))

    def staged_predict_proba(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Give the probabilities by the first member, by the first two, and so on."""
        return (count.probabilities() for count in self._vote_counts(X))
