"""Classes that are too rare to be in every part."""

from __future__ import annotations

from dataclasses import replace

import pytest
from covey.report.rare_classes import stratified_words

from report.studies import record_of

EACH = "Each class has its share in every part"
FIVE = {"kind": "cross-validation", "n_repeats": 1, "n_folds": 5, "stratified": True}


def words(classes, protocol=FIVE, datasets=("iris",)):
    record = record_of(datasets, ["a"], protocol=protocol)
    return stratified_words(replace(record, datasets=tuple(replace(one, classes=classes) for one in record.datasets)))


def test_enough_cases():
    assert words({"no": 95, "yes": 5}) == f"{EACH}."
    assert words({"no": 99, "yes": 1}, FIVE | {"stratified": False}) == ""


def test_fewer_cases_than_folds():
    assert words({"no": 96, "rare2": 3, "rare1": 1}) == (
        f"{EACH}, where it has cases enough. But 'rare1' has 1 case, fewer than the 5 folds: where it is tested it was "
        "not there to be learnt; 'rare2' has 3 cases, fewer than the 5 folds: not every fold tests it."
    )


def test_only_a_few_are_named_each_with_its_dataset():
    text = words({f"c{place}": 1 for place in range(3)}, datasets=("iris", "wine"))
    assert text.count("'c") == 3
    assert "'c0' of iris has 1 case" in text
    assert text.endswith("; and so 3 more classes.")


@pytest.mark.parametrize(("count", "rare"), [(1, True), (3, True), (4, False)])
def test_random_splits(count, rare):
    protocol = {"kind": "resamples", "n_repeats": 3, "train_size": 2 / 3, "stratified": True}
    text = words({"no": 100 - count, "yes": count}, protocol)
    assert ("'yes' has" in text) is rare
