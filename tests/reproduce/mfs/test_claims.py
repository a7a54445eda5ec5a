"""The claims of the feature-subset paper: on its own numbers they hold."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from covey.reproduce.mfs import PAPER, figures, tables
from covey.reproduce.mfs.figures import BAGGED, FEATURES, PROTOTYPES
from covey.reproduce.mfs.tables import LOSS_METHODS as METHODS, published_terms
from covey.reproduce.paper import Found
from covey.reproduce.published import published_wide
from covey.reproduce.run import judge
from reproduce.mfs.printed import made_of, noise_of, printed

CLAIMS = {claim.id: claim for claim in PAPER.claims}
LOSSES = [f"MFS-{number}" for number in range(14, 19)]


@pytest.mark.parametrize("id", ["MFS-04", "MFS-05", "MFS-08"])
def test_claims_on_trees_fail_where_trees_never_err(id):
    trees = made_of(dict.fromkeys(printed()["trees"].figures, 0.0))
    verdict = CLAIMS[id].judge(Found({**printed(), "trees": trees}, quick=False))
    assert verdict.status == "failed"
    assert "; with " in verdict.found


@pytest.mark.parametrize("id", ["MFS-01", "MFS-02", "MFS-03", "MFS-04", "MFS-05", "MFS-06", "MFS-22"])
def test_few_datasets_are_not_tested(id):
    verdict = CLAIMS[id].judge(printed(("glass", "iris", "wine")))
    assert verdict.status == "not testable"
    assert verdict.found.startswith("3 datasets on which all methods of the claim were carried out")


@pytest.mark.parametrize("id", ["MFS-07", "MFS-08", "MFS-09", "MFS-10", "MFS-11", "MFS-12", "MFS-13"])
def test_claims_on_datasets_that_are_lacking_are_not_tested(id):
    assert judge(CLAIMS[id], printed(("glass",))).status == "not testable"


def test_a_slow_ensemble_fails_the_claim_on_times():
    verdict = CLAIMS["MFS-09"].judge(printed(mfs1_seconds=1.8))
    assert verdict.status == "failed"
    assert "satimage 90.0, segment 90.0, annealing 90.0." in verdict.found


def with_noise(values):
    return Found({**printed(), "irrelevant": made_of(values)}, quick=True)


def test_claims_on_irrelevant_attributes_fail_where_knn_bears_them():
    names = {"knn": "mfs1", "mfs1": "knn"}
    other = {
        (data, f"{names[label.split()[0]]} {label.split()[1]}"): value for (data, label), value in noise_of().items()
    }
    results = with_noise(other)
    assert {CLAIMS[id].judge(results).status for id in ("MFS-10", "MFS-11", "MFS-12", "MFS-13")} == {"failed"}
    assert "knn with 10 on ionosphere (9.4, 13.1 without)" in CLAIMS["MFS-13"].judge(results).found


def test_claims_on_irrelevant_attributes_are_judged_on_the_numbers_that_were_tried():
    part = with_noise({key: value for key, value in noise_of().items() if not key[1].endswith(" 20")})
    assert {CLAIMS[id].judge(part).status for id in ("MFS-10", "MFS-11", "MFS-12", "MFS-13")} == {"held"}
    assert "0 of 20 figures" in CLAIMS["MFS-13"].judge(part).found


def test_one_dataset_less_may_be_one_win_less():
    names = tuple(published_wide("mfs", 2).index.drop("glass"))
    for id in ("MFS-01", "MFS-02"):
        verdict = CLAIMS[id].judge(printed(names))
        assert verdict.status == "held"
        assert "on 24 datasets" in verdict.found


@pytest.fixture
def losses(monkeypatch):
    """Put a table of terms in the place of what was found, with some methods as others."""

    def put(names=None, methods=METHODS):
        frame = published_terms()
        rows = {
            (data, method): frame.loc[data, (names or {}).get(method, method)].to_dict()
            for data, method in frame.index
            if method in methods
        }
        monkeypatch.setattr(tables, "losses", lambda found: rows)

    return put


def test_claims_on_losses_hold_on_the_printed_table(losses):
    losses()
    verdicts = {id: CLAIMS[id].judge(Found({}, quick=False)) for id in LOSSES}
    assert {verdict.status for verdict in verdicts.values()} == {"held"}
    assert verdicts["MFS-14"].found == "bias on ringnorm: nn 47.1, mfs1-single 4.6."
    assert verdicts["MFS-18"].found == "variance on twonorm: knn 1.0, mfs1 1.3; threenorm: knn 4.4, mfs1 6.3."
    assert "threenorm bias +0.7, variance -9.2, ringnorm bias +0.0" in verdicts["MFS-17"].found


def test_claims_on_losses_fail_where_a_subset_is_as_all_features(losses):
    losses({"mfs1-single": "nn", "mfs1": "nn"})
    status = {id: CLAIMS[id].judge(Found({}, quick=False)).status for id in LOSSES}
    assert status == {"MFS-14": "failed", "MFS-15": "failed", "MFS-16": "failed", "MFS-17": "held", "MFS-18": "held"}
    losses({"knn": "mfs1-single"})
    assert {CLAIMS[id].judge(Found({}, quick=False)).status for id in ("MFS-17", "MFS-18")} == {"failed"}


def test_claims_on_losses_need_all_methods(losses):
    losses(methods=METHODS[:-1])
    assert {CLAIMS[id].judge(Found({}, quick=False)).status for id in LOSSES} == {"not testable"}


@pytest.mark.parametrize(
    ("features", "prototypes", "status"),
    [
        ((0.5, 0.15), (0.5, 0.25), "held"),
        ((0.9, 0.15), (0.5, 0.25), "failed"),
        ((0.5, 0.18), (0.5, 0.25), "failed"),
        ((0.5, 0.15), (0.5, 0.14), "failed"),
    ],
)
def test_members_are_compared_by_their_mean_pair(monkeypatch, features, prototypes, status):
    places = {BAGGED: (0.825, 0.15), PROTOTYPES: prototypes, FEATURES: features}
    parts = {
        name: SimpleNamespace(kappa=np.array([kappa - 0.1, kappa + 0.1]), error=np.array([error, error]))
        for name, (kappa, error) in places.items()
    }
    monkeypatch.setattr(figures, "clouds", lambda found: parts)
    verdict = CLAIMS["MFS-19"].judge(Found({}, quick=True))
    assert verdict.status == status
    assert "bagged nn 0.82 and 15.0" in verdict.found
    monkeypatch.setattr(figures, "clouds", lambda found: {BAGGED: parts[BAGGED]})
    assert CLAIMS["MFS-19"].judge(Found({}, quick=True)).status == "not testable"


@pytest.mark.parametrize(("bagged", "status"), [(10.2, "held"), (7.0, "failed"), (12.0, "held")])
def test_bagging_is_compared_with_nn(bagged, status):
    values = {(f"data {number}", "nn"): 10.0 for number in range(7)}
    values |= {(f"data {number}", BAGGED): bagged for number in range(7)}
    verdict = CLAIMS["MFS-20"].judge(Found({"members": made_of(values)}, quick=True))
    assert verdict.status == status
    alone = made_of({key: value for key, value in values.items() if key[0] == "data 0"})
    assert CLAIMS["MFS-20"].judge(Found({"members": alone}, quick=True)).status == "not testable"


@pytest.mark.parametrize(("error", "status"), [(22.4, "held"), (12.4, "failed")])
def test_members_of_different_sizes_vote_together(error, status):
    sizes = made_of({("glass", f"mfs1 {tenth}0 %"): error for tenth in range(1, 11)})
    found = Found({**printed(), "sizes": sizes}, quick=False)
    verdict = CLAIMS["MFS-21"].judge(found)
    assert verdict.status == status
    assert f"glass {22.4 - error:+.1f}" in verdict.found
    assert "Weighted votes and pruning cannot be tested" in verdict.found
    other = Found({**printed(), "sizes": made_of({("heart", "mfs1 10 %"): 3.0})}, quick=False)
    assert CLAIMS["MFS-21"].judge(other).status == "not testable"
    assert CLAIMS["MFS-21"].judge(printed()).status == "not testable"
