"""The order of cells: dataset by dataset, long ones first."""

from __future__ import annotations

from types import SimpleNamespace

from covey.study.layout import Ordered
from covey.study.outcome import Outcome


def cells(*datasets, methods=("quick", "slow"), fits=3):
    return [
        SimpleNamespace(labels={"dataset": dataset, "method": method, "fit": fit})
        for dataset in datasets
        for fit in range(fits)
        for method in methods
    ]


def told(cell, seconds):
    return Outcome.done("key", cell.labels, {}, {"fit": seconds})


def names(order):
    return [(cell.labels["dataset"], cell.labels["method"], cell.labels["fit"]) for cell in order]


def test_every_cell_comes_once_and_datasets_one_after_the_other():
    given = cells("large", "small")
    found = names(Ordered(given))
    assert sorted(found) == sorted(names(given))
    assert [dataset for dataset, _, _ in found] == ["large"] * 6 + ["small"] * 6


def test_each_method_is_tried_once_and_then_the_slow_ones_go_first():
    order = Ordered(cells("one", methods=("quick", "slow", "slower")))
    for seconds, cell in zip((1.0, 5.0, 9.0), (next(order), next(order), next(order)), strict=True):
        assert cell.labels["fit"] == 0
        order.observe(told(cell, seconds))
    assert [method for _, method, _ in names(order)] == ["slower"] * 2 + ["slow"] * 2 + ["quick"] * 2


def test_a_method_still_under_way_is_taken_for_the_slowest():
    order = Ordered(cells("one"))
    first, second = next(order), next(order)
    assert [one.labels["method"] for one in (first, second)] == ["quick", "slow"]
    order.observe(told(first, 3.0))
    assert next(order).labels["method"] == "slow"


def test_a_failed_cell_without_times_counts_as_quick():
    order = Ordered(cells("one"))
    first, second = next(order), next(order)
    order.observe(Outcome.failed("key", first.labels, "raised: it did"))
    order.observe(told(second, 1.0))
    assert [method for _, method, _ in names(order)] == ["slow", "slow", "quick", "quick"]


def test_where_time_is_short_quick_methods_are_finished_before_others_are_tried():
    given = cells("one", methods=("slow", "medium", "quick", "simple"))
    for cell in given:
        cell.labels["repeat"] = 0
    seconds = {"slow": 50, "medium": 3, "quick": 0.1, "simple": 0.01}
    order, methods = Ordered(given, quick_first=True), []
    for cell in order:
        methods.append(cell.labels["method"])
        order.observe(told(cell, seconds[methods[-1]]))
    assert methods == [*["simple"] * 3, *["quick"] * 3, "medium", "slow", *["medium"] * 2, *["slow"] * 2]


def test_nothing_to_do():
    assert names(Ordered([])) == []
