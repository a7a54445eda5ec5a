"""How long a study will still take, from how long its cells took so far."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from math import exp, log

Place = tuple[str, str]
"""A dataset and a method."""

_LEAST = 1e-4
_ENOUGH = 3
_ROUNDS = 20


class TimeLeft:
    """Seconds of cells by dataset and method, and what follows for those that are left.

    A pair of dataset and method that has not been tried is taken to be as much slower than others on its dataset as its
    method is elsewhere, and the other way round.

    Parameters
    ----------
    left : mapping of (dataset, method) to int, optional
        Cells that are to be carried out; without it, those left are taken for average ones.
    """

    def __init__(self, left: Mapping[Place, int] | None = None) -> None:
        self._left = None if left is None else Counter(left)
        self._seconds: defaultdict[Place, float] = defaultdict(float)
        self._counts: Counter[Place] = Counter()
        self._spent = 0.0
        self._finished = 0

    def expect(self, left: Mapping[Place, int]) -> None:
        """Say what is to be carried out, once it is known."""
        self._left = Counter(left)

    def learn(self, place: Place, seconds: float) -> None:
        """Note how long a cell took in an earlier run."""
        self._seconds[place] += seconds
        self._counts[place] += 1

    def observe(self, place: Place, seconds: float) -> None:
        """Note how long a cell of this run took."""
        self.learn(place, seconds)
        self._spent += max(seconds, _LEAST)
        self._finished += 1
        if self._left is not None and self._left[place] > 0:
            self._left[place] -= 1

    def estimate(self, elapsed: float, n_left: int) -> float | None:
        """Return the seconds that the cells left will take; None if too little is known.

        Parameters
        ----------
        elapsed : float
            Seconds since this run began: with the seconds of its cells they say how many ran at a time.
        n_left : int
            Cells that are left.
        """
        if n_left == 0:
            return 0.0
        if self._finished < _ENOUGH or elapsed <= 0:
            return None
        if self._left is None:
            return elapsed / self._finished * n_left
        known = {place: max(self._seconds[place] / n, _LEAST) for place, n in self._counts.items()}
        waiting = {place: count for place, count in self._left.items() if count > 0}
        expect = _guesser(known) if waiting.keys() - known.keys() else known.__getitem__
        work = sum(count * (known[place] if place in known else expect(place)) for place, count in waiting.items())
        return work * elapsed / self._spent


def _guesser(known: Mapping[Place, float]) -> Callable[[Place], float]:
    """Return what guesses the seconds of a pair: a factor for its dataset times one for its method.

    The factors are those that fit the logarithms of what is known best, found by alternating least squares.
    """
    middle = _mean([log(seconds) for seconds in known.values()])
    rest = {place: log(seconds) - middle for place, seconds in known.items()}
    datasets: dict[str, float] = {}
    methods: dict[str, float] = {}
    for _ in range(_ROUNDS):
        datasets = _means((place[0], value - methods.get(place[1], 0.0)) for place, value in rest.items())
        methods = _means((place[1], value - datasets[place[0]]) for place, value in rest.items())
    return lambda place: exp(middle + datasets.get(place[0], 0.0) + methods.get(place[1], 0.0))


def _means(named: Iterable[tuple[str, float]]) -> dict[str, float]:
    groups: dict[str, list[float]] = {}
    for name, value in named:
        groups.setdefault(name, []).append(value)
    return {name: _mean(values) for name, values in groups.items()}


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
