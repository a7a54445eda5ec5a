"""Tables and figures of made-up results: the paper's own figures come back as they were printed."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_wine

from covey import method
from covey.analysis.bias_variance import domingos
from covey.analysis.staged import staged_errors
from covey.report.page import Drawing, TableBlock
from covey.reproduce.paper import Found
from covey.reproduce.rsc import PAPER, figures, tables
from covey.study import BootstrapSamples, CycledFolds, run_study
from covey.study.spec import DataSpec, MethodSpec, Study
from reproduce.made_up import Made, of_kind, words
from reproduce.rsc.printed import made_of, printed_accuracies, printed_genes

VIEWS = {view.id: view for view in PAPER.views}


@pytest.mark.slow
@pytest.mark.parametrize("id", tables.VOTING)
def test_the_first_members_of_many_are_the_ensemble_of_few(id):
    """What lets one fit serve two tables; it does not hold for those that are trained twice."""
    X, y = load_wine(return_X_y=True)
    many, few = (method(id, n_estimators=size, random_state=3).fit(X[::2], y[::2]) for size in (40, 15))
    votes, said = many.member_predictions(X[1::2]), few.member_predictions(X[1::2])
    np.testing.assert_array_equal(votes[:, :15], said)
    np.testing.assert_allclose(many.estimator_weights_[:15], few.estimator_weights_)
    errors = staged_errors(votes, y[1::2], many.estimator_weights_).errors
    ties = 1 / len(said)  # each counts for its share here, and goes one way there
    assert errors[14] == pytest.approx(1 - few.score(X[1::2], y[1::2]), abs=2 * ties)


def test_an_experiment_that_is_lacking_leaves_its_datasets_out():
    results = {id: made for id, made in printed_accuracies().items() if id != "unscaled"}
    ours = tables.ACCURACIES[2].whole(Found(results, quick=False))
    assert "wdbc" not in ours.index
    assert len(ours) == 15


def test_spread_is_the_deviation_over_repeats():
    made = Made({("heart", "bagging 25"): {"accuracy": [0.8, 0.9]}, ("ecoli", "bagging 25"): {"accuracy": [0.5, 0.7]}})
    found, ours = Found({"full-space": made.failing("ecoli", "bagging 25", 1)}, quick=True), tables.ACCURACIES[2]
    assert ours.measured(found)["bagging"].to_dict() == pytest.approx({"heart": 85})
    spread = ours.table(2).spreads(found)[0]
    assert spread.loc["heart", "bagging"] == pytest.approx(np.std([80, 90], ddof=1))
    assert ours.whole(found).empty
    assert ours.repeats(found) == 2


def test_a_class_that_the_training_part_lacks_has_no_votes(ecoli_like):
    first, second = tables.votes_of(ecoli_like, "ecoli", "boost")
    # The case of class c counts as an error of every member; the other is right by both.
    assert first.errors.tolist() == [0.5, 0.5]
    assert first.member_errors.tolist() == [0.5, 0.5]
    assert first.n_classes == 3
    # The second member weighs more and is right about both.
    assert second.errors.tolist() == [0.5, 0.0]
    for size in (25, None):
        np.testing.assert_allclose(tables.accuracies_of(ecoli_like, "ecoli", "boost", size), [50, 100])


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_printed_accuracies_do_not_deviate(number):
    found = printed_accuracies()
    view = VIEWS[str(number)]
    assert view.tell(found).startswith(f"Table {number}: 80 of 80 figures within one published standard deviation of")
    blocks = view.show(found)
    table, ranks, every = of_kind(blocks, TableBlock)
    assert table.table.frame.shape == (16, 10)
    np.testing.assert_allclose(table.table.frame.iloc[:, 0::2], table.table.frame.iloc[:, 1::2], atol=1e-9)
    np.testing.assert_allclose(ranks.table.frame["mean rank"], ranks.table.frame["published"])
    assert every.table.frame["deviation"].abs().max() < 1e-9
    assert "RSC-I13" in words(blocks)


def test_the_critical_difference_is_the_printed_one():
    text = words(VIEWS["4"].show(printed_accuracies()))
    assert "Critical difference at 0.1: 1.375" in text
    assert "F(4, 60) = 14.96" in text  # 14.97 in the paper


def test_ranks_need_several_datasets():
    text = words(VIEWS["2"].show(printed_accuracies(("heart",))))
    assert "Ranks need two datasets" in text


@pytest.mark.parametrize(("number", "n_methods", "critical"), [(4, 5, "1.375"), (5, 10, "3.126")])
def test_diagrams_are_drawn_of_ours_and_of_the_printed(number, n_methods, critical):
    found = printed_accuracies()
    blocks = VIEWS[f"figure {number}"].show(found)
    ours, theirs = of_kind(blocks, Drawing)
    assert critical in words(blocks)
    assert ours.description == theirs.description
    assert f"of {n_methods} methods on 16 datasets" in ours.description
    assert len(figures.DIAGRAMS[5].whole(found)) == 16


@pytest.mark.parametrize(("number", "misprint"), [(7, "RSC-I02"), (8, "RSC-I03"), (10, "RSC-I05")])
def test_printed_genes_do_not_deviate(number, misprint):
    found = printed_genes()
    blocks = VIEWS[str(number)].show(found)
    beside = tables.TABLES[number - 2].beside(found)
    # Table 10 is said to be the best of the three others, and is not in four places.
    wrong = {7: 0, 8: 0, 10: 4}[number]
    assert (beside.frame["deviation"].abs() > 1e-9).sum() == wrong
    assert misprint in words(blocks)
    assert "too high" in words(blocks)
    assert "Not found" not in words(blocks)
    lacking = words(VIEWS[str(number)].show(printed_genes(without=("ovarian-gene",))))
    assert "Not found, and left out here and in the ranks of the published: ovarian-gene." in lacking


def test_the_number_of_attributes_that_suits_alpha_rsse_best_counts_for_all_methods():
    values = {("colon-tumor-gene 5", name): 70.0 + place for place, name in enumerate(tables.GENE_METHODS)}
    values |= {("colon-tumor-gene 50", name): 80.0 - 2 * place for place, name in enumerate(tables.GENE_METHODS)}
    values |= {("heart-gene 5", name): 60.0 for name in tables.GENE_METHODS}
    values |= {("heart-gene 10", tables.GENE_METHODS[0]): 90.0}  # other methods lack it
    best = tables.best_of(Found({"gene-relief": made_of(values)}, quick=True), ["gene-relief"])
    assert tables.GENE_METHODS[0] == "alpha-rsse"
    np.testing.assert_allclose(best.loc["colon-tumor-gene"], [80, 78, 76, 74, 72, 70, 68])
    np.testing.assert_allclose(best.loc["heart-gene"], 60)


def test_the_best_of_several_filters_is_each_methods_own():
    high, low = (
        {("colon-tumor-gene 5", name): start + step * place for place, name in enumerate(tables.GENE_METHODS)}
        for start, step in ((80.0, -2), (70.0, 1))
    )
    both = Found({"gene-relief": made_of(high), "gene-chi-squared": made_of(low)}, quick=True)
    best = tables.best_of(both, ["gene-relief", "gene-chi-squared"])
    np.testing.assert_allclose(best.loc["colon-tumor-gene"], [80, 78, 76, 74, 74, 75, 76])


def test_sizes_are_read_from_the_votes_of_one_ensemble():
    made = made_of({("heart", "alpha-rsse"): 84.0}, {("heart", "alpha-rsse"): 80.0}, members=101, repeats=3)
    found = Found({"sizes": made}, quick=True)
    assert tables.by_size(found).loc["heart"].to_dict() == pytest.approx({15: 80, 25: 80, 50: 82, 100: 84})
    blocks = VIEWS["6"].show(found)
    table = of_kind(blocks, TableBlock)[0].table.frame
    assert table.loc["heart", "25, published"] == 84.26
    assert "fewer members than the paper" in words(blocks)
    assert "RSC-I21" in words(blocks)
    assert len(of_kind(blocks, Drawing)) == 1


@pytest.fixture(scope="module")
def alpha_results(tmp_path_factory):
    methods = tuple(
        MethodSpec(f"{name} {alpha}", f"covey:{name}", {"n_estimators": 3, "min_sphere_size": alpha})
        for name in ("alpha-rse", "alphabeta-rse")
        for alpha in (1, 4)
    )
    study = Study("a", (DataSpec("wine", "sklearn:wine"),), methods, CycledFolds(1, 3), ("accuracy",), 0)
    return run_study(study, tmp_path_factory.mktemp("alpha") / "a.store")


def test_curves_over_alpha_are_of_single_members_and_of_the_vote(alpha_results):
    frame = figures.by_alpha(alpha_results, "wine")
    assert list(frame.index) == [1, 4]
    for alpha in (1, 4):
        right = [
            fit["classes"][fit["votes"]] == fit["y"][:, None]
            for fit in alpha_results.fits("wine", f"alpha-rse {alpha}")
        ]
        assert frame.loc[alpha, figures.MEMBER] == pytest.approx(100 * np.concatenate(right).mean())
        said, y = alpha_results.predictions("wine", f"alphabeta-rse {alpha}")
        # The vote of three members may be a tie of three classes, which counts as its expected accuracy.
        assert frame.loc[alpha, "alphabeta-rse"] == pytest.approx(100 * np.mean(said[0] == y), abs=2)
    blocks = VIEWS["figure 3"].show(Found({"alpha": alpha_results}, quick=True))
    (drawing,) = of_kind(blocks, Drawing)
    assert drawing.svg.startswith("<svg")
    assert "wine" in drawing.caption


@pytest.fixture(scope="module")
def losses(tmp_path_factory):
    single = MethodSpec("alpha-rsc", "covey:alpha-rsc", {"min_sphere_size": 2})
    border = MethodSpec("alphabeta-rse", "covey:alphabeta-rse", {"n_estimators": 3, "min_sphere_size": 2})
    subspaces = tuple(
        MethodSpec(f"alpha-rsse {k}", "covey:alpha-rsse", {"n_estimators": 3, "min_sphere_size": 2, "subspace_size": k})
        for k in (1, 5)
    )
    data = DataSpec("heart", "sklearn:breast_cancer", rows=90)
    protocol = BootstrapSamples(4, 40)
    study = Study("l", (data,), (single, border, *subspaces), protocol, ("accuracy",), 0)
    results = run_study(study, tmp_path_factory.mktemp("losses") / "l.store")
    return Found({"bias-variance-heart": results}, quick=True)


def test_losses_are_those_of_the_predictions(losses):
    terms = tables.terms(losses)
    assert list(terms.index) == [("heart", name) for name in tables.LOSS_METHODS]
    expected = domingos(*losses["bias-variance-heart"].predictions("heart", "alpha-rsse 5"))
    row = terms.loc[("heart", "alpha-rsse")]
    assert row["average error"] == expected.error
    assert row["net variance"] == expected.net_variance
    blocks = VIEWS["11"].show(losses)
    (table,) = of_kind(blocks, TableBlock)
    assert table.table.frame.loc[("heart", "alpha-rsse"), "average error, published"] == 0.1814
    assert "RSC-I09" in words(blocks)


def test_the_misprint_of_table_11_is_corrected():
    printed = tables.published_terms()
    assert printed.loc[("ringnorm", "alpha-rsc"), "biased variance"] == 0.0196
    net = printed["unbiased variance"] - printed["biased variance"]
    assert np.abs(net - printed["net variance"]).max() < 2e-4


def test_curves_over_kappa_are_drawn(losses):
    assert list(figures.curve_of(losses, "heart")) == [1, 5]
    (drawing,) = of_kind(VIEWS["figure 6"].show(losses), Drawing)
    assert "heart" in drawing.caption


def test_a_single_repeat_has_no_variance(tmp_path):
    data = DataSpec("heart", "sklearn:wine", rows=90)
    method = MethodSpec("alpha-rsc", "covey:alpha-rsc", {"min_sphere_size": 2})
    study = Study("l", (data,), (method,), BootstrapSamples(1, 40), ("accuracy",), 0)
    results = run_study(study, tmp_path / "l.store")
    assert tables.decomposed(results, "heart", "alpha-rsc") is None
    assert tables.terms(Found({"bias-variance-heart": results}, quick=True)).empty
