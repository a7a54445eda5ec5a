"""The paper's argument on maximal variance (section 1), worked out exactly."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from covey.reproduce.paper import Found, Verdict

MOST_CASES, MOST_MEMBERS = 40, 61


def least_members(error: Fraction) -> int:
    """Return 1 / (1 - 2e) rounded up to an odd number, the members that the paper asks for."""
    members = ceil(1 / (1 - 2 * error))
    return members if members % 2 else members + 1


def wrong_votes(error: Fraction, members: int) -> tuple[int, int]:
    """Return the least and the most members that are wrong about a case when the variance of votes is maximal.

    The variance of a case is 2 p (1 - p) with a share p of wrong votes, which is concave: for a given mean of p, the
    members' error e, its sum is largest if all cases have the same share, or, as votes are whole, numbers of wrong
    votes that differ by one at most: e t rounded down and up.
    """
    return floor(error * members), ceil(error * members)


def vote_errs(error: Fraction, members: int) -> bool:
    """Whether a majority vote can be wrong, or tied, on some case when the variance of votes is maximal."""
    return 2 * wrong_votes(error, members)[1] >= members


def judge_maximal_variance(found: Found) -> Verdict:
    """Judge the claim for all errors below one half with denominators up to 40, and odd sizes up to 61."""
    errors = {Fraction(wrong, cases) for cases in range(1, MOST_CASES + 1) for wrong in range((cases + 1) // 2)}
    tried = [
        (error, members) for error in sorted(errors) for members in range(least_members(error), MOST_MEMBERS + 1, 2)
    ]
    against = [pair for pair in tried if vote_errs(*pair)]
    tie = next(
        (error, members)
        for error in sorted(errors)
        for members in range(least_members(error) + 1, MOST_MEMBERS, 2)
        if vote_errs(error, members)
    )
    if against:
        error, members = against[0]
        return Verdict("failed", f"Not so for e = {error} and t = {members}.")
    return Verdict(
        "held",
        f"No error in any of {len(tried)} cases: all e below 1/2 with denominators up to {MOST_CASES}, all odd t from "
        f"the least to {MOST_MEMBERS}. With an even t a tie is possible: e = {tie[0]}, t = {tie[1]}.",
    )
