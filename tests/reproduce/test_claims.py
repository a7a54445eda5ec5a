"""The claims of the papers, on the papers' own figures and on none."""

from __future__ import annotations

import pytest

from covey.reproduce import find_paper, papers
from covey.reproduce.paper import Found
from covey.reproduce.run import judge
from reproduce.erassel.printed import printed as printed_erassel
from reproduce.made_up import swapped
from reproduce.mfs.printed import printed as printed_mfs
from reproduce.rsc.printed import printed_accuracies
from reproduce.triskel.printed import printed as printed_triskel

CLAIMS = {claim.id: claim for id in papers() for claim in find_paper(id).claims}
PRINTED = {"RSC": printed_accuracies, "MFS": printed_mfs, "ERA": printed_erassel, "TRI": printed_triskel}
HELD = [
    ("MFS-01", "mfs1 against nn 23-1-1 (p < 0.0001) on 25 datasets."),
    ("MFS-02", "mfs2 against nn 21-3-1 (p = 0.0003) on 25 datasets."),
    ("MFS-03", "mfs1 against knn 18-4-3 (p = 0.0043); mfs2 against knn 19-4-2"),
    ("MFS-04", "mfs1 against c5.0 18-6-1 (p = 0.0227); mfs2 against c5.0 18-7-0 (p = 0.0433); with c4.5 for c5.0."),
    ("MFS-05", "mean error 17.2 against 17.4"),
    ("MFS-06", "mfs1 against mfs2 15-8-2"),
    ("MFS-07", "errors of nn 0.9, mfs1 7.5, mfs2 1.2; mean subset of mfs2 8.9 of 9."),
    ("MFS-08", "by +7.3 points on sonar and by -7.0 on automobile"),
    ("MFS-09", "satimage 5.0, segment 5.0, annealing 5.0."),
    ("MFS-10", "german +3.9 and +4.2, vehicle +36.2 and +6.9"),
    ("MFS-11", "rises of +20.2 (knn) and +2.8 (mfs1)"),
    ("MFS-12", "mfs1 with 30 irrelevant attributes 9.1; without any nn 13.1, knn 13.1, fss 12.0, bss 11.1."),
    ("MFS-13", "0 of 30 figures."),
    ("MFS-22", "mfs1 10.6, mfs2 8.3 of"),
    (
        "ERA-01",
        "in 4 of 4 draws by the rule of appendix A (running); by other rules: mean 4, printed 4, conditional 4",
    ),
    ("ERA-02", "for the claim 75 % are needed."),
    ("ERA-03", "running, size 3: 1.00 (4 of 4)"),
    ("ERA-04", "of 4 draws: mean 0 (size 3) and 0 (size 5)"),
    ("ERA-05", "boston rassel 0.640, erassel 0.670, adaptive-rssl 0.690; diamonds"),
    ("ERA-06", "cars93 rssl 57.29, adaptive-rssl 57.60, rassel 58.47, erassel 57.79."),
    ("ERA-07", "sim-regression (2 draws) erassel 16.17, rssl 17.00"),
    ("ERA-08", "sim-logistic 0.47 (without rassel 0.47), spam 0.18 (without rassel 0.18), pima-532 0.19"),
    ("ERA-09", "spam rssl 7.56, adaptive-rssl 7.42, erassel 7.38."),
    ("ERA-10", "drawn from the published means, 100 % show it."),
    ("ERA-11", "pima-532 rssl 22.48, adaptive-rssl 22.65, erassel 22.67."),
    ("ERA-12", "prostate-79 rssl 0.380, adaptive-rssl 0.390, erassel 0.360."),
    ("ERA-13", "sim-logistic (2 draws) rssl 20.82, adaptive-rssl 21.29, erassel 21.04."),
    ("ERA-15", "running, size 3: 0.00"),
    ("ERA-16", "least at 5 (near 5 is 4 to 6): 1 1."),
    (
        "TRI-02",
        "3 significant wins (annealing-orig, balance-scale, segment) and 0 significant losses on 15 datasets.",
    ),
    ("TRI-03", "on 11 of 15 datasets, not on annealing, audiology, soybean, zoo; geometric mean of ratios"),
    ("TRI-04", "2 significant wins (annealing-orig, segment) and 2 significant losses (hypothyroid, vowel)"),
    ("TRI-05", "on 9 of 15 datasets"),
    ("TRI-06", "differences: annealing-orig +8.39, hypothyroid +0.29, segment +0.69 points."),
    ("TRI-07", "audiology 0.69, hypothyroid 0.57, soybean 0.61; below 1 too: zoo 0.91."),
    (
        "TRI-08",
        "least mean accuracy: triskel-m1 (81.83, triskel-m1 81.83); least geometric mean of times: triskel-m1",
    ),
    ("TRI-09", "smo 81.49, adaboost-3 83.70, adaboost-10 84.16, adaboost-50 84.40"),
    ("TRI-10", "8 wins, 6 losses, 1 ties"),
    *(
        pytest.param(*row, marks=pytest.mark.slow)
        for row in (
            ("RSC-03", "12 wins, 2 ties, 2 losses on 16 datasets"),
            ("RSC-04", "14 wins, 0 ties, 2 losses on 16 datasets"),
            ("RSC-05", "25 members: alphabeta-rse 2.50, multiboost 2.78"),
            ("RSC-06", "F = 0.77, p = 0.5469; 100 members: F = 1.25"),
            ("RSC-07", "0.03 with 25 members, -0.06 with 100"),
            ("RSC-08", "ahead by 1.91 of random-subspace, 1.41 of random-forest, 1.78 of random-committee"),
            ("RSC-09", "rotation-forest ahead by 0.56; critical difference 1.37"),
            ("RSC-10", "by 0.56 with 25 members and by 0.13 with 100"),
        )
    ),
]


def printed(id):
    """The published figures that a claim is about, as if they had been found here."""
    return PRINTED[id.partition("-")[0]]()


@pytest.mark.parametrize(("id", "text"), HELD)
def test_claims_hold_on_the_printed_figures(id, text):
    verdict = CLAIMS[id].judge(printed(id))
    assert verdict.status == "held", verdict.found
    assert text in verdict.found


@pytest.mark.parametrize(
    ("id", "pair"),
    [
        ("MFS-01", ("mfs1", "nn")),
        ("MFS-02", ("mfs2", "nn")),
        ("MFS-03", ("mfs1", "knn")),
        ("MFS-06", ("mfs1", "nn")),
        ("MFS-07", ("mfs1", "nn")),
        ("MFS-22", ("mfs1", "mfs2")),
        ("TRI-02", ("triskel-w4", "adaboost-50")),
        ("TRI-03", ("triskel-w4", "adaboost-50")),
        ("TRI-05", ("triskel-w2", "adaboost-10")),
        ("TRI-06", ("triskel-m1", "smo")),
        ("TRI-07", ("triskel-m1", "smo")),
        ("TRI-08", ("triskel-m1", "triskel-w4")),
        ("TRI-09", ("adaboost-50", "smo")),
    ],
)
def test_claims_fail_where_methods_change_places(id, pair):
    assert CLAIMS[id].judge(swapped(printed(id), *pair)).status == "failed"


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=lambda claim: claim.id)
def test_claims_without_their_experiments_are_not_tested(claim):
    """All but those that are shown by arithmetic."""
    assert judge(claim, Found({}, quick=True)).status == ("not testable" if claim.needs else "held")
