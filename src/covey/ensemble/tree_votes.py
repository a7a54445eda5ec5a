"""The votes of many trees, counted as they are found, a block of rows after the other."""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.ensemble.inputs import Inputs
from covey.ensemble.member import Member
from covey.ensemble.voting import VoteCount
from covey.learners.tree import Tree
from covey.learners.trees import BaseTreeClassifier
from covey.parallel import each, has_threads
from covey.strategies import MajorityVote, MeanProbability, WeightedVote
from covey.strategies.view import Rotated

# Rows that go down one tree after the other, so that they stay in the cache and so does the tree.
BLOCK = 2**14


class Voter(NamedTuple):
    """A tree with its vote."""

    tree: Tree
    columns: Any  # that it sees, None for all
    known: NDArray[np.int64]  # the ensemble's codes of its classes
    vote: float
    second_vote: float


def add_tree_votes(
    count: VoteCount, inputs: Inputs, members: list[Member], factors: list[float], n_jobs: int | None
) -> bool:
    """Count the votes of all members, if they are trees and see columns of the table; say whether they are and do.

    The count is that of one member after the other.
    """
    is_usual = type(count.combine) in (WeightedVote, MajorityVote, MeanProbability)
    if not is_usual or not all(
        isinstance(m.model, BaseTreeClassifier) and not isinstance(m.view, Rotated) for m in members
    ):
        return False
    voters = [
        _voter(member, count.combine.share(member.weight), factor)
        for member, factor in zip(members, factors, strict=True)
    ]
    matrix, by_class = np.ascontiguousarray(inputs.table.matrix), count.combine.reads == "codes"
    blocks = [slice(first, first + BLOCK) for first in range(0, len(matrix), BLOCK)]
    calls = [
        (voters, matrix[rows], inputs.has_missing, by_class, count.scores[rows], count.second[rows]) for rows in blocks
    ]
    # Calls add to the same arrays, so they are made in this process.
    deque(each(_add_block, calls, n_jobs if has_threads(n_jobs) else 1), maxlen=0)
    for voter in voters:
        count.total += voter.vote
        count.squares += voter.vote**2
    return True


def _voter(member: Member, vote: float, factor: float) -> Voter:
    codes = np.asarray(member.model.classes_).astype(np.int64, copy=False)
    known = np.asarray(codes if member.classes is None else member.classes[codes], dtype=np.int64)
    return Voter(member.model.tree_, member.view, known, vote, vote * factor)


def _add_block(
    voters: list[Voter],
    rows: NDArray[np.float64],
    has_missing: bool,
    by_class: bool,
    scores: NDArray[np.float64],
    second: NDArray[np.float64],
) -> None:
    for tree, columns, known, vote, second_vote in voters:
        seen = rows if columns is None else np.take(rows, columns, axis=1)
        tree.add_votes(seen, has_missing, known, by_class, vote, second_vote, scores, second)
