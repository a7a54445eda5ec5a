"""Table 4 of the MFS paper: ratios of times."""

from __future__ import annotations

import pytest

from covey.report.page import TableBlock
from covey.reproduce.mfs.times import VIEW, published_ratios, ratios
from covey.reproduce.paper import Found, Lacking
from reproduce.made_up import Made, of_kind, words


def seconds(fit, predict):
    return {"fit": range(len(fit)), "fit seconds": fit, "predict seconds": predict}


def timed():
    return Found(
        {
            "neighbours": Made(
                {
                    ("segment", "nn"): seconds([0, 0, 0], [1, 2, 9]),
                    ("segment", "mfs1"): seconds([10, 10, 10], [8, 10, 12]),
                }
            ),
            "selection": Made({("segment", "fss"): seconds([20, 30, 90], [1, 1, 1])}),
            "trees": Made(
                {("segment", "c4.5"): seconds([1, 1, 1], [1, 1, 1]), ("segment", "boost"): seconds([9] * 3, [1] * 3)}
            ),
        },
        quick=False,
    )


def test_ratios_of_medians():
    ours = ratios(timed()).loc["segment"]
    assert ours["mfs1 / nn, predicting"] == 5
    assert ours["fss / mfs1, training"] == 3
    assert ours["c5.0-boosted / c5.0, both"] == 5
    assert ours.isna().sum() == 1  # bss was not carried out
    assert list(ratios(timed()).index) == ["segment"]


def test_published_ratios():
    printed = published_ratios()
    assert printed.loc["satimage", "mfs1 / nn, predicting"] == pytest.approx(0.415 / 0.08)
    assert printed.loc["segment", "fss / mfs1, training"] == pytest.approx(4680 / 3072)
    assert printed.loc["annealing", "c5.0-boosted / c5.0, both"] == pytest.approx(66 / 1.4)


def test_view():
    blocks = VIEW.show(timed())
    assert "mfs1 / nn, predicting 5.00 (6.18)" in words(blocks)
    (block,) = of_kind(blocks, TableBlock)
    assert block.table.frame.shape == (1, 8)
    with pytest.raises(Lacking):
        VIEW.tell(Found({}, quick=False))
