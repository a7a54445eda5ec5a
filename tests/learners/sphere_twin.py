"""Sphere covers written to be read: plain loops over float64 numbers.

A case is a list with a cell per column: a number, text for a category, or None where it is missing.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

Case = Sequence[float | str | None]

NOBODY = -1


def counts(weight):
    """Whole weights count cases once their common divisor is taken out; others have a mean of 1."""
    present = [w for w in weight if w > 0]
    if all(float(w).is_integer() for w in present):
        divisor = math.gcd(*(int(w) for w in present))
        return [w / divisor for w in weight]
    return [float(w / np.mean(present)) for w in weight]


@dataclass(frozen=True)
class Distance:
    """The mixed distance: the root of the sum of squares over the columns.

    ``ranges`` has the lowest and the highest value of each column of numbers, None for a column of categories.
    """

    ranges: list[tuple[float, float] | None]
    scale: bool = True

    @classmethod
    def of(cls, cases, weight, categorical, scale=True):
        ranges: list[tuple[float, float] | None] = []
        for j, is_category in enumerate(categorical):
            there = [case[j] for case, w in zip(cases, weight, strict=True) if w > 0 and case[j] is not None]
            ranges.append(None if is_category else (min(there, default=0.0), max(there, default=0.0)))
        return cls(ranges, scale)

    def __call__(self, a: Case, b: Case) -> float:
        return math.sqrt(math.fsum(self._along(j, a[j], b[j]) ** 2 for j in range(len(self.ranges))))

    def _along(self, column, a, b):
        if a is None or b is None:
            return 0.0 if a is b else 1.0
        if self.ranges[column] is None:
            return 0.0 if a == b else 1.0
        if not self.scale:
            return a - b
        low, high = self.ranges[column]
        return (a - low) / (high - low) - (b - low) / (high - low) if high > low else 0.0


class Sphere(NamedTuple):
    center: int
    radius: float
    border: int
    size: float
    cases: list[int]


@dataclass(frozen=True)
class Cases:
    """Training cases; those without weight are absent."""

    cases: list[Case]
    labels: list[int]
    weight: list[float]
    distance: Distance
    beta: int = 0

    @cached_property
    def present(self):
        return [i for i, w in enumerate(self.weight) if w > 0]

    @cached_property
    def spheres(self) -> dict[int, Sphere]:
        """The sphere around each case, kept or not."""
        return {i: self._sphere(i) for i in self.present}

    def _sphere(self, center):
        away = {i: self.distance(self.cases[center], self.cases[i]) for i in self.present}
        radius, border = self._halt(center, away)
        if radius == 0:
            return Sphere(center, radius, border, min(self.weight[center], 1.0), [center])
        own = [i for i in self.present if self.labels[i] == self.labels[center] and away[i] < radius]
        return Sphere(center, radius, border, sum(self.weight[i] for i in own), own)

    def _halt(self, center, away):
        """The sphere reaches to the first enemy with which it would hold more than beta of them, by weight or rows."""
        enemies = [i for i in self.present if self.labels[i] != self.labels[center]]
        enemies.sort(key=lambda i: (away[i], i))
        held = 0.0
        for rank, enemy in enumerate(enemies):
            held += self.weight[enemy]
            if held > self.beta or rank == self.beta:
                return away[enemy], enemy
        return math.inf, NOBODY


@dataclass(frozen=True)
class Cover:
    """Spheres in the order they were made; ``regular`` says that some were large enough."""

    kept: list[Sphere]
    pruned: list[Sphere]
    uncovered: list[int]
    regular: bool

    @property
    def border(self):
        return sorted({sphere.border for sphere in self.kept} - {NOBODY})


def is_large(sphere, alpha):
    return alpha <= 1 or sphere.size >= alpha


def random_cover(data: Cases, alpha, order) -> Cover:
    """Algorithm 1: the next case drawn that no sphere holds yet is the centre of one, which is kept if large enough."""
    kept, pruned, covered = [], [], set()
    for case in order:
        if case in covered:
            continue
        sphere = data.spheres[case]
        if is_large(sphere, alpha):
            kept.append(sphere)
            covered.update(sphere.cases)
        else:
            pruned.append(sphere)
    return finish(data, kept, pruned, order)


def greedy_cover(data: Cases, alpha) -> Cover:
    """Of the spheres that are large enough the one that holds most weight not covered yet, the lowest row of equals."""
    large = [sphere for sphere in data.spheres.values() if is_large(sphere, alpha)]
    pruned = [sphere for sphere in data.spheres.values() if not is_large(sphere, alpha)]
    kept, covered = [], set()
    while large:
        gains = [sum(data.weight[i] for i in sphere.cases if i not in covered) for sphere in large]
        if max(gains) <= 0:
            break
        best = large.pop(gains.index(max(gains)))
        kept.append(best)
        covered.update(best.cases)
    cover = finish(data, kept, pruned, data.present)
    cover.kept.sort(key=lambda sphere: (-sphere.size, sphere.center))  # made in no order: the largest comes first
    return cover


def finish(data, kept, pruned, order):
    """If nothing was kept, keep the largest sphere of each class, the first of equals."""
    regular = bool(kept)
    if not regular:
        best = {}
        for sphere in pruned:
            label = data.labels[sphere.center]
            if label not in best or sphere.size > best[label].size:
                best[label] = sphere
        kept = sorted(best.values(), key=lambda sphere: list(order).index(sphere.center))
        pruned = [sphere for sphere in pruned if sphere not in kept]
    covered = {i for sphere in kept for i in sphere.cases}
    return Cover(kept, pruned, [i for i in data.present if i not in covered], regular)


class Verdict(NamedTuple):
    sphere: int
    rule: str
    distance: float


def decide(data: Cases, cover: Cover, case: Case) -> Verdict:
    """Rule 1, of the spheres that hold the case the one with the closest centre; rule 2, else, the closest edge."""
    away = [data.distance(case, data.cases[sphere.center]) for sphere in cover.kept]
    radii = [sphere.radius for sphere in cover.kept]
    holding = [k for k in range(len(away)) if away[k] < radii[k]]
    if holding:
        sphere = min(holding, key=lambda k: away[k])
        return Verdict(sphere, "inside", away[sphere])
    sphere = min(range(len(away)), key=lambda k: away[k] - radii[k])
    return Verdict(sphere, "edge", away[sphere])


def chances(given, border, uncovered, wrong):
    """Algorithm 2, H = E + F + G: how likely each case is to be drawn, one in several of them no more than others."""
    hard = {*border, *uncovered, *wrong}
    total = sum(given[i] for i in hard)
    return [given[i] / total if i in hard else 0.0 for i in range(len(given))]


def draws(weight, border):
    """How many cases take the place of those of the border, and what each of them weighs."""
    removed = sum(weight[i] for i in border)
    number = max(1, round(removed))
    return number, removed / number


def resampled(weight, border, drawn):
    """Algorithm 2, D - E + drawn: no copy of a border case is left but those that are drawn."""
    _, each = draws(weight, border)
    after = [0.0 if i in border else w for i, w in enumerate(weight)]
    for i in drawn:
        after[i] += each
    return after
