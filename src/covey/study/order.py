"""In which order cells are carried out: long ones first, so that no worker is left with one at the end."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from math import inf

from covey.study.cell import Cell
from covey.study.outcome import Outcome


class LongFirst(Iterator[Cell]):
    """Cells dataset by dataset, on each the methods first that take longest.

    Datasets come in the order of the cells, which is by size: a worker reads each once. On each, every method is tried
    once, and what is left goes by the time that this took. A method whose first cell is still under way when others
    are through is taken for the slowest.

    Parameters
    ----------
    cells : iterable of Cell
        What is to be done.
    """

    def __init__(self, cells: Iterable[Cell]) -> None:
        self._waiting: dict[str, dict[str, deque[Cell]]] = {}
        for cell in cells:
            methods = self._waiting.setdefault(cell.labels["dataset"], {})
            methods.setdefault(cell.labels["method"], deque()).append(cell)
        self._seconds: dict[tuple[str, str], float] = {}
        self._tried: set[tuple[str, str]] = set()

    def observe(self, outcome: Outcome) -> None:
        """Note how long a cell took."""
        place = outcome.labels["dataset"], outcome.labels["method"]
        self._seconds[place] = max(self._seconds.get(place, 0.0), sum(outcome.seconds.values()))

    def __next__(self) -> Cell:
        while self._waiting:
            dataset, methods = next(iter(self._waiting.items()))
            if methods:
                chosen = max(methods, key=lambda method: self._urgency(dataset, method))
                self._tried.add((dataset, chosen))
                cell = methods[chosen].popleft()
                if not methods[chosen]:
                    del methods[chosen]
                return cell
            del self._waiting[dataset]
        raise StopIteration

    def _urgency(self, dataset: str, method: str) -> tuple[bool, float]:
        place = dataset, method
        return place not in self._tried, self._seconds.get(place, inf)
