"""What a page says of the best method: where it errs, what it looks at, and nothing of what a forger put in a store."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from covey.report import render_page
from covey.report.explanation import PARTS, part_key, read_explanation, read_part
from covey.report.page import Drawing, Gallery, Prose, Remarks, TableBlock
from covey.report.study_page import study_page
from covey.study.outcome import Outcome
from covey.study.store import Store
from report.studies import near, study_of
from report.test_study_page import section_of, titles, undrawn

CLASSES = np.array(["no", "yes"])
Y = np.array(["no", "no", "yes"] * 10)
EXPLAINED = {
    "rows": {
        "cases": np.array([5, 2]),
        "numbers": np.array([15, 12]),
        "columns": np.array(["x", "<b>"]),
        "values": np.array([["1.5", "u"], ["2", ""]]),
    },
    "importance": {
        "columns": np.array(["x", "<b>", "noise"]),
        "losses": np.array([0.2, 0.1, 0.001]),
        "spreads": np.array([0.01, 0.02, 0.01]),
        "n_rows": np.array([10]),
    },
    "dependence": {
        "columns": np.array(["x", "<b>"]),
        "outputs": np.array(["yes"]),
        "values_0": np.array([1.0, 2.0]),
        "means_0": np.array([[0.2, 0.4]]),
        "values_1": np.array(["u", "v"]),
        "means_1": np.array([[0.3, 0.3]]),
    },
    "learning": {"sizes": np.array([5, 10, 20]), "scores": np.array([[0.6, 0.7], [0.7, 0.8], [0.9, 0.95]])},
}


def classes(dataset, method, fit):
    """Three folds of 30 rows; "forest" takes row 5 for "no" with certainty, and row 2 with less."""
    cases = np.arange(fit % 3, 30, 3)
    sure = np.where(Y[cases] == "yes", 0.9, 0.1)
    if method == "forest":
        sure[cases == 5], sure[cases == 2] = 0.0, 0.4
    shares = np.stack([1 - sure, sure], axis=1)
    said = CLASSES[shares.argmax(axis=1)]
    return {"y": Y[cases], "cases": cases, "predictions": said, "classes": CLASSES, "probabilities": shares}


def numbers(dataset, method, fit):
    cases = np.arange(fit % 3, 30, 3)
    y = cases.astype(float)
    return {"y": y, "cases": cases, "predictions": y + np.where(cases == 5, 100.0, 1.0)}


def explained(results, parts=EXPLAINED, method="forest"):
    """Keep parts of an explanation in the store of a study."""
    dataset = results.record.datasets[0].name
    with Store.open(results.store, write=True) as kept:
        for part, arrays in parts.items():
            key = part_key(results, dataset, method, part)
            if isinstance(arrays, str):
                kept.put(Outcome.failed(key, {}, arrays))
            else:
                kept.put(Outcome.done(key, {}, {}, {}, (), arrays))
    return results


def study(folder, arrays=classes, **about):
    scores = {"d": {"forest": near(0.9, seed=1), "plain": near(0.8, seed=2), "Dummy": near(0.5, seed=3)}}
    return study_of(folder, scores, arrays=arrays, **about)


def page_of(results):
    with undrawn():
        return study_page(results)


def named(section):
    """The figures of a section by their names, those of galleries too."""
    blocks = [part for block in section.blocks for part in (block.drawings if isinstance(block, Gallery) else (block,))]
    return {block.name: block for block in blocks if isinstance(block, Drawing)}


def table_of(section):
    (block,) = (block for block in section.blocks if isinstance(block, TableBlock))
    return block.table.frame


def test_the_answer_says_what_the_best_method_costs_and_looks_at(tmp_path):
    results = study(tmp_path)
    assert page_of(results).summary[2] == "Training it on 67 rows takes 500 ms, predicting 33 rows 50 ms."
    summary = page_of(explained(results)).summary
    assert summary[0].startswith("C4.5 tree (forest) has the best accuracy on d")
    assert summary[2].endswith("What matters most to it are the columns x and <b>.")


def test_remarks_stand_right_after_the_answer(tmp_path):
    results = study(tmp_path).with_remarks(["The column 'x' gives the target away."])
    page = page_of(results)
    assert page.sections[0].blocks == (Remarks(("The column 'x' gives the target away.",)),)
    html = render_page(page)
    where = [html.index(text) for text in ('class="summary"', 'class="remarks"', 'class="cards"', ">Ranking <a")]
    assert where == sorted(where)
    assert not any(isinstance(block, Remarks) for part in page_of(study(tmp_path)).sections for block in part.blocks)


def test_where_a_classifier_errs(tmp_path):
    page = page_of(study(tmp_path))
    section = section_of(page, "Errors of forest")
    assert list(named(section)) == ["confusion-d", "calibration-d", "roc-d", "precision-recall-d"]
    assert "yes: no 20.0%, yes 80.0%" in named(section)["confusion-d"].description
    assert "of class yes" in named(section)["roc-d"].caption  # the rarer
    frame = table_of(section)
    assert frame["recall"].tolist() == [1.0, 0.8]
    assert frame["precision"].to_numpy() == pytest.approx([20 / 22, 1.0])
    hard = table_of(section_of(page, "The hardest rows"))
    assert hard.index.tolist() == [6, 3]
    assert hard["truth"].tolist() == ["yes", "yes"]
    assert hard["probability of the truth"].tolist() == [0.0, pytest.approx(0.4)]
    apart = table_of(section_of(page, "Where methods disagree"))
    assert apart.loc[("forest", "plain")].to_numpy() == pytest.approx([2 / 30, 0, 1, 0])
    assert "Dummy" not in apart.index.get_level_values("second")


def test_where_a_regression_errs(tmp_path):
    page = page_of(study(tmp_path, numbers, task="regression", metrics=("r2",)))
    section = section_of(page, "Errors of forest")
    assert list(named(section)) == ["residuals-d", "residual-bars-d"]
    assert table_of(section)["rows"].sum() == 30
    hard = table_of(section_of(page, "The hardest rows"))
    assert (hard.index[0], hard["error"].iloc[0], hard["predicted"].iloc[0]) == (6, 100.0, 105.0)


def test_an_explanation_has_its_sections(tmp_path):
    page = page_of(explained(study(tmp_path)))
    order = "Ranking; Columns that matter to forest; Errors of forest; The hardest rows; Would more rows help?; "
    assert f"; {order}Where methods disagree" in "; ".join(titles(page.sections))
    looked = named(section_of(page, "Columns that matter to forest"))
    assert "x 20, <b> 10, noise 0.1" in looked["importances-d"].description
    assert looked["dependence-1-d"].caption == "Mean probability of yes by x"
    hard = table_of(section_of(page, "The hardest rows"))
    assert hard["x"].tolist() == [1.5, 2.0]
    assert hard["<b>"].tolist() == ["u", ""]
    (prose,) = (block for block in section_of(page, "Would more rows help?").blocks if isinstance(block, Prose))
    assert prose.paragraphs[0].startswith("From 10 to 20 training rows, the mean accuracy gets better by 17.5 points: ")
    assert "<b>" not in render_page(page).replace("&lt;b&gt;", "")


def test_scores_by_rows_have_the_sign_of_the_ranking(tmp_path):
    learning = {"sizes": np.array([5, 20]), "scores": np.array([[-0.6], [-0.4]])}
    results = explained(study(tmp_path, metrics=("error",)), {"learning": learning}, "Dummy")
    ranking = results.ranking()
    assert (ranking.best, ranking.larger_is_better) == ("Dummy", False)
    # The best method that learns is explained, not a baseline.
    assert "Would more rows help?" not in titles(page_of(results).sections)
    section = section_of(page_of(explained(results, {"learning": learning}, "plain")), "Would more rows help?")
    assert "best 40 at 20" in next(iter(named(section).values())).description.lower()


def test_what_could_not_be_found_out_is_said(tmp_path):
    page = page_of(explained(study(tmp_path), {"importance": "ValueError: no luck"}))
    (prose,) = section_of(page, "Columns that matter to forest").blocks
    assert prose.paragraphs == ("This could not be found out: ValueError: no luck.",)


FORGED = {
    "other kinds": {part: {name: np.array([b"x"]) for name in arrays} for part, arrays in EXPLAINED.items()},
    "nothing": {part: {"x": np.zeros(1)} for part in PARTS},
    "other shapes": {
        "rows": {**EXPLAINED["rows"], "values": np.array([["1"]])},
        "importance": {**EXPLAINED["importance"], "losses": np.zeros(2)},
        "dependence": {**EXPLAINED["dependence"], "means_0": np.zeros((3, 2))},
        "learning": {**EXPLAINED["learning"], "scores": np.zeros((2, 2))},
    },
    "no numbers": {
        "rows": {**EXPLAINED["rows"], "cases": np.array([-1, 3])},
        "importance": {**EXPLAINED["importance"], "spreads": np.array([np.nan, 1, 1])},
        "dependence": {**EXPLAINED["dependence"], "values_0": np.array([np.inf, 1.0])},
        "learning": {**EXPLAINED["learning"], "sizes": np.array([5, 5, 20])},
    },
}


@pytest.mark.parametrize("parts", FORGED.values(), ids=FORGED)
def test_what_a_forger_put_is_left_out(tmp_path, parts):
    results = explained(study(tmp_path), parts)
    known = read_explanation(results, "d", "forest")
    assert (known.rows, known.importance, known.dependence, known.learning) == (None, None, (), None)
    assert titles(page_of(results).sections) == titles(page_of(study(tmp_path / "..")).sections)


def test_a_part_of_a_million_numbers_is_left_out():
    many = {name: np.resize(array, 600_000) for name, array in EXPLAINED["importance"].items()}
    assert read_part("importance", EXPLAINED["importance"]) is not None
    assert read_part("importance", many) is None


def test_more_fits_ask_for_another_explanation(tmp_path):
    results = study(tmp_path)
    fewer = replace(results, keys=dict(list(results.keys.items())[1:]))
    assert part_key(results, "d", "forest", "rows") != part_key(fewer, "d", "forest", "rows")
    assert part_key(results, "d", "plain", "rows") == part_key(fewer, "d", "plain", "rows")


def test_pages_of_many_datasets_lack_diagnostics(tmp_path):
    def chapters(n_datasets):
        scores = {f"d{place}": {"forest": near(0.9, seed=place), "plain": near(0.8)} for place in range(n_datasets)}
        return page_of(study_of(tmp_path, scores, arrays=classes)).chapters

    assert "Errors of forest" in titles(chapters(2)[1].sections)
    assert "Errors of forest" not in titles(chapters(4)[1].sections)
