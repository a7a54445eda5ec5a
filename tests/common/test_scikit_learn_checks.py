"""scikit-learn's own checks, with every expected failure named in the roster."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any
from unittest import SkipTest

import pytest
import sklearn
from sklearn.base import clone
from sklearn.utils._testing import set_random_state
from sklearn.utils.estimator_checks import estimator_checks_generator

from common.roster import ROSTER, TRANSFORMERS, VARIANTS

# scikit-learn 1.6 subtracts a mean from whole numbers in place, which NumPy 2 refuses.
BROKEN = {"check_positive_only_tag_during_fit"} if sklearn.__version__.startswith("1.6.") else set()


def _name(check: Any) -> str:
    return check.func.__name__ if isinstance(check, partial) else check.__name__


def _seeded(estimator: Any) -> Any:
    """A copy with a seed: some checks set none, and warnings of a rare draw would fail them."""
    seeded = clone(estimator)
    set_random_state(seeded, 0)
    return seeded


def _checks() -> Iterator[Any]:
    for entry in [*ROSTER, *TRANSFORMERS]:
        if entry.name in VARIANTS:
            continue
        for estimator, check in estimator_checks_generator(_seeded(entry.estimator)):
            name = _name(check)
            options = "-".join(map(str, check.keywords.values())) if isinstance(check, partial) else ""
            reason = entry.expected_failures.get(name)
            marks = [pytest.mark.xfail(reason=reason)] if reason else []
            marks += [pytest.mark.skip(reason="fails by itself")] if name in BROKEN else []
            yield pytest.param(estimator, check, id=f"{entry}-{name}-{options}".rstrip("-"), marks=marks)


# Logistic regression on the checks' tiny and unscaled sets does not always converge, or has no finite maximum; that is
# not what they look at.
pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore:.* a small ridge:UserWarning"),
    pytest.mark.filterwarnings("ignore:In .* would have left no case of a class:UserWarning"),
    pytest.mark.filterwarnings("ignore:Missing values in column .* are replaced:UserWarning"),
]


@pytest.mark.parametrize(("estimator", "check"), list(_checks()))
def test_check(estimator, check):
    check(estimator)


@pytest.mark.slow
@pytest.mark.parametrize("entry", [entry for entry in ROSTER if entry.name in VARIANTS], ids=str)
def test_all_checks_of_a_variant(entry):
    wrong = {}
    for estimator, check in estimator_checks_generator(_seeded(entry.estimator)):
        expected = _name(check) in entry.expected_failures
        try:
            check(estimator)
        except SkipTest:
            continue
        except Exception as error:
            if not expected:
                wrong[_name(check)] = repr(error)
        else:
            if expected:
                wrong[_name(check)] = "passed, and was expected to fail"
    assert wrong == {}
