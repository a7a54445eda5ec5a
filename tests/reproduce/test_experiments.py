"""From experiments to studies."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from covey.datasets import available
from covey.registry import PAPERS
from covey.reproduce import find_paper, papers
from covey.reproduce.experiments import REMEDY, _smaller, how_to_get, is_there, published_study, study_of
from covey.reproduce.multistrategy import PAPER
from covey.reproduce.paper import Experiment, Quick
from covey.reproduce.published import _index
from covey.study.checks import check_study

SYSTEMS, OTHERS = PAPER.experiments
EVERY = [pytest.param(id, one, id=f"{id} {one.id}") for id in papers() for one in find_paper(id).experiments]
PREFIXES = {"multistrategy": "MS", "rsc": "RSC", "mfs": "MFS", "erassel": "ERA", "triskel": "TRI"}
# Numbers of the tables and figures that can be made.
VIEWS = {
    "multistrategy": (range(1, 7), range(2, 7)),
    "rsc": (range(1, 12), range(3, 7)),
    "mfs": (range(1, 8), (1,)),
    "erassel": (
        ["4.1", *(f"5.{n}" for n in range(1, 10))],
        [f"5.{n}" for n in (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20)],
    ),
    "triskel": ((1, 2), (1, 2, 3, 4)),
}


@pytest.mark.parametrize("id", papers())
def test_papers_are_whole(id):
    paper = find_paper(id)
    assert (paper.id, paper.title) == (id, PAPERS[id])
    assert {need for one in (*paper.views, *paper.claims) for need in one.needs} == {
        one.id for one in paper.experiments
    }
    for experiment in paper.experiments:
        assert set(experiment.serves) == {view.id for view in paper.views if experiment.id in view.needs}
    tables, figures = VIEWS[id]
    assert [view.id for view in paper.views] == [*map(str, tables), *(f"figure {number}" for number in figures)]
    assert [one.id for one in paper.claims] == [f"{PREFIXES[id]}-{n:02d}" for n in range(1, len(paper.claims) + 1)]
    assert all(term and text for term, text in paper.method)


def test_an_unknown_paper():
    with pytest.raises(ValueError, match=r"paper='multistrat' is unknown; did you mean 'multistrategy'\?"):
        find_paper("multistrat")


@pytest.mark.parametrize(("paper", "experiment"), EVERY)
def test_every_method_can_be_made_and_the_quick_run_is_a_part_of_the_full_one(paper, experiment):
    whole = published_study(paper, experiment)
    check_study(whole, data=False)
    part = _smaller(whole, experiment.quick)
    assert {one.name for one in part.datasets} <= {one.name for one in whole.datasets}
    assert {one.name for one in part.methods} <= {one.name for one in whole.methods}
    assert part.protocol.n_repeats <= whole.protocol.n_repeats
    assert part.seed == whole.seed


@pytest.fixture
def no_data(monkeypatch):
    """Nothing but what is embedded or drawn."""
    monkeypatch.delenv("COVEY_DATA", raising=False)
    monkeypatch.setattr("covey.datasets.packaged.data_directory", lambda: None)


def test_as_published():
    study = published_study("multistrategy", SYSTEMS)
    assert study.name == "multistrategy: systems"
    assert (len(study.datasets), len(study.methods)) == (41, 9)
    assert (study.protocol.n_repeats, study.protocol.n_folds, study.metrics) == (10, 3, ("error",))
    assert {method.make().get_params().get("n_estimators") for method in study.methods} == {None, 100}
    small, bagging = published_study("multistrategy", OTHERS).methods
    assert small.make().n_estimators == 10
    assert type(bagging.make().draw).__name__ == "Bootstrap"


def test_experiments_may_share_a_file():
    names = [{data.name for data in published_study("multistrategy", one).datasets} for one in PAPER.experiments]
    assert names[0] == names[1]


def test_a_quick_one_has_less_of_everything(no_data):
    study, missing = study_of("multistrategy", SYSTEMS, quick=True)
    assert study.protocol.n_repeats == SYSTEMS.quick.n_repeats
    sizes = {method.name: method.make().get_params().get("n_estimators") for method in study.methods}
    assert sizes.pop("c4.5") is None
    assert sizes.pop("c4.5sas") is None
    assert set(sizes.values()) == {SYSTEMS.quick.params["n_estimators"]}
    assert not {*missing, *(data.name for data in study.datasets)} & set(SYSTEMS.quick.without)
    small, bagging = study_of("multistrategy", OTHERS, quick=True)[0].methods
    # A small boosted ensemble is as large as a sub-committee of mb.
    assert small.make().n_estimators ** 2 == bagging.make().n_estimators == SYSTEMS.quick.params["n_estimators"]


def test_without_data_the_rest_runs(no_data):
    study, missing = study_of("multistrategy", SYSTEMS, quick=False)
    assert [data.name for data in study.datasets] == ["iris", "led-24", "waveform-21", "wine"]
    assert len(missing) == 37
    assert missing["nettalk-stress"] == how_to_get("nettalk_stress") == "nettalk_stress.arff"
    assert missing["horse-colic"] == "horse_colic.arff, on OpenML colic"
    assert missing["hypothyroid"] == "hypothyroid.arff, on OpenML hypothyroid"
    assert "COVEY_DATA" in REMEDY


def test_none_at_all(no_data):
    without = tuple(data.name for data in published_study("multistrategy", SYSTEMS).datasets if data.name != "adult")
    study, missing = study_of("multistrategy", replace(SYSTEMS, quick=Quick(2, without=without)), quick=True)
    assert study is None
    assert list(missing) == ["adult"]


def test_sources_with_a_place():
    known = available("generator")
    assert is_there("generator:led-24", known)
    assert is_there("LED_24", known)
    assert not is_there("sklearn:led-24", known)
    assert not is_there("openml:sonar", known)


def test_more_repeats_than_published_are_not_made(no_data):
    study, _ = study_of("multistrategy", replace(SYSTEMS, quick=Quick(99)), quick=True)
    assert study.protocol.n_repeats == 10


def test_a_quick_one_may_have_fewer_folds(no_data):
    for n_folds, expected in ((2, 2), (9, 3), (None, 3)):
        study, _ = study_of("multistrategy", replace(SYSTEMS, quick=Quick(2, n_folds=n_folds)), quick=True)
        assert (study.protocol.n_folds, study.protocol.n_repeats) == (expected, 2)


@pytest.mark.parametrize(
    ("experiment", "words"),
    [
        (Experiment("systems", (), Quick(2, without=("irsi",))), "'irsi' are no datasets"),
        (Experiment("systems", (), Quick(2, methods=("bost",))), "'bost' are not in the study"),
        (Experiment("systems", (), Quick(2), methods=("bost",)), "'bost' are not in the study"),
    ],
)
def test_names_that_the_file_lacks(experiment, words):
    with pytest.raises(ValueError, match=words):
        study_of("multistrategy", experiment, quick=True)


@pytest.mark.parametrize(
    ("repeats", "expected"),
    [
        ({"": 0.1}, 3),
        ({"": 0.1, "2": 0.5}, 15),
        ({"2": 0.5}, 15),
        ({"full-space": 0.2, "3": 0.4}, 12),
        ({"4": 0.1}, 30),
    ],
)
def test_shares_of_the_repeats_by_table(repeats, expected):
    some, _ = study_of("rsc", find_paper("rsc").experiments[0], quick=False, repeats=repeats)
    assert some.protocol.n_repeats == expected


def test_a_share_of_the_repeats_leaves_all_else_as_published():
    whole = published_study("rsc", find_paper("rsc").experiments[0])
    for share, repeats in ((0.1, 3), (0.01, 1), (0.34, 11), (1.0, 30)):
        some, _ = study_of("rsc", find_paper("rsc").experiments[0], quick=False, repeats=share)
        assert some.protocol.n_repeats == repeats
        assert some.methods == whole.methods
    folds = next(one for one in find_paper("mfs").experiments if one.id == "neighbours")
    some, _ = study_of("mfs", folds, quick=False, repeats=0.1)
    assert (some.protocol.n_cycles, some.protocol.n_folds) == (1, 10)


def test_every_published_table_has_a_view():
    for id in papers():
        tables = {view.id for view in find_paper(id).views if not view.id.startswith("figure")}
        assert tables == set(_index().query("paper == @id")["table"]), id


def test_all_claims_have_a_judge():
    ids = [claim.id for id in papers() for claim in find_paper(id).claims]
    assert Counter(id.partition("-")[0] for id in ids) == {"RSC": 24, "MFS": 22, "TRI": 18, "ERA": 16, "MS": 24}
    assert len(set(ids)) == 104
