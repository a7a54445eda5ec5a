from __future__ import annotations

import pytest

from covey.reproduce.paper import Found, Verdict
from covey.reproduce.rsc import power
from covey.reproduce.rsc.power import DRAWS, on_scores, power_of
from covey.reproduce.rsc.reading import published_means
from reproduce.rsc.printed import printed_accuracies

DATASETS = tuple(published_means(2).index)


def spheres_lead_on_twonorm(scores):
    row = scores[2].loc["twonorm"]
    return Verdict("held" if row["alphabeta-rse"] > row["adaboost"] else "failed", "as it is.")


def ecoli_is_odd(scores):
    return Verdict("held" if round(100 * scores[2].loc["ecoli", "bagging"]) % 2 else "failed", "by chance.")


def never(scores):
    return Verdict("failed", "never.")


def test_a_large_difference_shows_in_one_split_and_chance_in_half():
    assert power_of(spheres_lead_on_twonorm, (2,), DATASETS, 1) > 0.95
    assert 0.35 < power_of(ecoli_is_odd, (2,), DATASETS, 1) < 0.65


def test_more_splits_show_more():
    few, many = (power_of(close_call, (2,), DATASETS, repeats) for repeats in (1, 100))
    assert few < 0.9 < many


def close_call(scores):
    row = scores[2].loc["yeast"]
    return Verdict("held" if row["bagging"] > row["multiboost"] else "failed", "close.")


@pytest.mark.parametrize(
    ("judge", "status", "text"), [(spheres_lead_on_twonorm, "held", "as it is."), (never, "failed", "never.")]
)
@pytest.mark.parametrize("share", [0.0, 0.05, 0.9])
def test_a_verdict_is_by_the_numbers_and_the_share_of_runs_stands_beside_it(monkeypatch, judge, status, text, share):
    monkeypatch.setattr(power, "power_of", lambda *_: share)
    verdict = on_scores(judge, 2)(printed_accuracies())
    assert verdict.status == status
    assert verdict.found == (
        f"{text} Of runs of 1 split on these 16 datasets, drawn from the published means and deviations, "
        f"{share:.0%} show the claim."
    )


def test_the_share_is_of_runs_of_the_same_size(monkeypatch):
    asked = []
    monkeypatch.setattr(power, "power_of", lambda *given: asked.append(given) or 0.5)
    datasets = DATASETS[:7]
    on_scores(never, 2, 3)(printed_accuracies(datasets))
    assert asked == [(never, (2, 3), datasets, 1)]


def test_tables_are_compared_on_the_datasets_that_all_have():
    seen = []

    def judge(scores):
        seen.append({number: list(one.index) for number, one in scores.items()})
        return Verdict("held", "")

    few = tuple(name for name in DATASETS if name != "wdbc")[:8]
    full, some = printed_accuracies(), printed_accuracies(few)
    found = Found({"full-space": full["full-space"], "subspace": some["subspace"]}, quick=False)
    assert on_scores(judge, 2, 4)(found).status == "held"
    # What was found, and then every run that is drawn.
    assert len(seen) == 1 + DRAWS
    assert all(one == {2: list(few), 4: list(few)} for one in seen)
