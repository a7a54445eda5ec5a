"""The papers that can be tried."""

from __future__ import annotations

import pytest

from covey.registry import PAPERS
from covey.reproduce import find_paper, papers


@pytest.mark.parametrize("id", papers())
def test_papers_are_whole(id):
    paper = find_paper(id)
    assert (paper.id, paper.title) == (id, PAPERS[id])
    experiments = {one.id for one in paper.experiments}
    views, claims = [view.id for view in paper.views], [claim.id for claim in paper.claims]
    assert len(set(views)) == len(views)
    assert len(set(claims)) == len(claims)
    assert {need for one in (*paper.views, *paper.claims) for need in one.needs} == experiments
    for experiment in paper.experiments:
        assert set(experiment.serves) == {view.id for view in paper.views if experiment.id in view.needs}


def test_an_unknown_paper():
    with pytest.raises(ValueError, match=r"paper='multistrat' is unknown; did you mean 'multistrategy'\?"):
        find_paper("multistrat")
