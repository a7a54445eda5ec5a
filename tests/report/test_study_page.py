"""The page of a study: what is on it, for studies of every kind."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from covey.report import render_page, write_report
from covey.report.method_sections import params_text, stratified_words
from covey.report.page import Details, Drawing, Figures, Listing, Prose, TableBlock
from covey.report.result_sections import describe_method
from covey.report.study_page import study_page
from covey.study.record import MethodRecord
from covey.study.shortlist import shortlist
from report.studies import near, record_of, study_of

Y = np.array(["no", "yes"] * 10)
EMPTY = '<svg xmlns="http://www.w3.org/2000/svg"></svg>'


def votes(dataset, method, fit):
    """Three folds of the cases; the members of all methods but "plain" are wrong in different cases."""
    cases = np.arange(fit % 3, 20, 3)
    y = Y[cases]
    found = {"y": y, "cases": cases, "predictions": y, "classes": np.array(["no", "yes"])}
    if method == "plain":
        return found
    codes = (y == "yes").astype(np.uint8)
    said = np.stack([codes] * 5, axis=1)
    said[np.arange(len(y)), np.arange(len(y)) % 5] ^= 1
    return {**found, "votes": said, "weights": np.ones(5)}


def numbers(dataset, method, fit):
    """Three folds of nine cases, and four members that are near the truth."""
    cases = np.arange(fit % 3, 9, 3)
    said = np.random.default_rng(fit).normal(cases[:, None], 1, (3, 4))
    return {"y": cases.astype(float), "cases": cases, "predictions": said.mean(axis=1), "votes": said}


@contextmanager
def undrawn():
    """Make the data of figures, but do not draw them: drawing takes most of a page's time."""

    def described(draw, data, *, name, caption=None, size="own"):
        return Drawing(EMPTY, data.title if caption is None else caption, data.description, name)

    with pytest.MonkeyPatch.context() as patch:
        for module in ("result_sections", "diagnosis_sections"):
            patch.setattr(f"covey.report.{module}.drawn", described)
        yield


@pytest.fixture
def no_drawing():
    with undrawn():
        yield


def titles(sections):
    return [section.title for section in sections]


def section_of(page, title):
    (section,) = (section for section in page.sections if section.title == title)
    return section


def more_of(page, title):
    (details,) = (block for block in section_of(page, "More on the methods").blocks if block.title == title)
    return details


def figures_of(page):
    return {label: (value, remark) for label, value, remark in blocks(page.sections, Figures)[0].items}


def blocks(sections, kind):
    return [block for section in sections for block in section.blocks if isinstance(block, kind)]


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    scores = {"iris": {"forest": near(0.9, seed=1), "plain": near(0.89, seed=2), "Dummy": near(0.6, seed=3)}}
    scores["iris"]["broken"] = ["ValueError: no luck"] * 6
    for method, values in scores["iris"].items():
        if method != "broken":
            scores["iris"][method] = [{"accuracy": value, "neg_log_loss": -value} for value in values]
    metrics = ("accuracy", "neg_log_loss")
    folder = tmp_path_factory.mktemp("one")
    return study_page(study_of(folder, scores, arrays=votes, metrics=metrics, warnings=("careful",)))


def test_one_dataset_is_on_the_first_chapter(one):
    assert one.title == "a study"
    assert (
        one.subtitle
        == "4 methods on iris (100 rows, 4 columns, 2 classes), 2 x 3-fold cross-validation, stratified by class"
    )
    assert one.chapters == ()
    assert "; ".join(titles(one.sections)) == (
        "; Ranking; Errors of forest; The hardest rows; Where methods disagree; More on the methods; What failed; "
        "The data"
    )
    assert section_of(one, "What failed").blocks[0].table.frame.loc["broken"].tolist() == [6, "ValueError: no luck"]
    (listing,) = blocks(one.sections, Listing)  # that of methods is folded away
    facts = dict(listing.items)
    assert (facts["Rows"], facts["Columns"]) == ("100", "4, 1 categorical")
    assert facts["Classes (2)"] == "no: 60 (60%); yes: 40 (40%)"


def test_the_summary_says_what_won_what_is_open_the_baseline_and_what_failed(one):
    assert one.summary[0].startswith("C4.5 tree (forest) has the best accuracy on iris: 90.0%")
    assert one.summary[1:5] == (
        "Too close to call: plain (1.0 point).",
        "Training it on 67 rows takes 500 ms, predicting 33 rows 50 ms.",
        "The baseline (Dummy) learns nothing and reaches 60.0%: 30.0 points behind (99% sure).",
        "With 6 fits only large differences can be shown; more repeats show smaller ones.",
    )
    assert one.summary[-1] == "Not ranked is broken: 6 of 6 fits failed (ValueError: no luck)."


def test_tables_and_figures_draw_on_the_same_numbers(one):
    ranking = blocks(one.sections, TableBlock)[0]
    assert ranking.table.frame.index.tolist() == ["C4.5 tree (forest)", "C4.5 tree (plain)", "Dummy"]
    assert [ranking.badges["verdict"][text] for text in ranking.table.frame["verdict"]] == ["good", "neutral", "bad"]
    intervals = blocks(one.sections, Drawing)[0]
    assert "C4.5 tree (forest): 90" in intervals.description
    # The baseline is so far from the others that they would look alike.
    assert "Dummy" not in intervals.description
    assert "the baseline (Dummy), at 60.0%, is off the figure" in intervals.caption
    # A phone shows the verdict beside the score.
    assert ranking.table.frame.columns[:2].tolist() == ["accuracy", "verdict"]


def test_leaders_are_explained(one):
    section = more_of(one, "Why the leaders err: bias, variance and members")
    (prose,) = (block for block in section.blocks if isinstance(block, Prose))
    assert "There is no error of forest (0.0%) and plain (0.0%)." in prose.paragraphs[0]
    assert "Members of forest err in 20.0% of rows, but in different ones" in prose.paragraphs[1]
    assert "plain" not in prose.paragraphs[1]


def test_other_metrics_are_folded_away(one):
    *_, details, methods = blocks(one.sections, Details)
    assert details.title == "By log loss: Dummy is the best"
    assert dict(methods.blocks[0].items)["forest"].startswith("one C4.5 tree (Webb and Zheng")


def test_the_method_chapter_says_how_numbers_were_obtained(one):
    sections = "How it was done; Metrics; Tests and measures; Methods and parameters; Software and machine"
    assert "; ".join(titles(one.method)) == sections
    listed = dict(item for block in blocks(one.method, Listing) for item in block.items)
    assert listed["Seed"].startswith("1;")
    assert listed["Protocol"] == "2 x 3-fold cross-validation, stratified by class"
    assert listed["Fits"] == "18 done, 6 failed"
    assert listed["Warnings"] == "18 warnings in 18 fits"
    assert "Nadeau and Bengio, 2003" in listed["Confidence intervals"]
    assert "Corani and Benavoli, 2015" in listed["Comparisons with the best"]
    assert listed["Software"] == "covey 0.1, python 3.11"
    assert listed["Cores"] == "2"
    assert "Larger is better" in listed["accuracy"]
    methods = blocks(one.method, TableBlock)[0].table.frame
    assert methods.loc["forest"].tolist()[1:] == ["covey:c4.5", "defaults", 6]


def test_key_figures_agree_with_the_table(one):
    """What can be had without learning is the score of the baseline that was run, not that of a formula."""
    figures = figures_of(one)
    assert list(figures) == ["Best method", "Its mean accuracy", "Without learning", "Training it"]
    assert figures["Without learning"] == ("60.0%", "the mean of the baseline (Dummy)")
    assert figures["Training it"] == ("500 ms", "and 50 ms to predict")


@pytest.mark.usefixtures("no_drawing")
def test_the_baseline_of_a_regression_is_the_one_that_was_run(tmp_path):
    scores = {"d": {"ridge": near(0.5, seed=1), "Dummy": near(-0.029, seed=2)}}
    page = study_page(study_of(tmp_path, scores, arrays=numbers, task="regression", metrics=("r2",)))
    assert figures_of(page)["Without learning"] == ("-0.029", "the mean of the baseline (Dummy)")


def test_no_method_is_the_best_if_all_scores_are_the_same(tmp_path):
    metrics = ("accuracy", "balanced_accuracy")
    fits = [{"accuracy": 0.0, "balanced_accuracy": 0.0}] * 6
    page = study_page(study_of(tmp_path, {"iris": {"a": fits, "b": fits, "c": fits}}, arrays=votes, metrics=metrics))
    figures = figures_of(page)
    assert figures["Best method"] == ("none", "all 3 have the same mean")
    assert "Training it" not in figures
    assert "Training it" not in " ".join(page.summary)
    assert blocks(page.sections, Details)[-2].title.endswith("no method is the best, all have the same mean")
    assert page.summary[:2] == (
        "No method does better than always predicting the most frequent class (no).",
        "All 3 methods have the same accuracy on iris: 0.0%.",
    )
    assert "has the best" not in render_page(page)


@pytest.mark.usefixtures("no_drawing")
def test_warnings_are_shown(tmp_path):
    told = ("it did\n not converge", "careful", "x" * 900, "four", "five")
    scores = {"iris": {"a": near(0.9), "b": [*near(0.8, 5), None]}}
    page = study_page(study_of(tmp_path, scores, arrays=votes, warnings=told))
    (details,) = blocks(page.method, Details)
    items = dict(details.blocks[0].items)
    assert list(items) == ["a", "b"]
    assert "“it did not converge” (in 6 fits)" in items["a"]
    assert "(in 5 fits)" in items["b"]
    assert items["a"].endswith("; and 2 other messages")
    assert len(items["a"]) < 600


@pytest.mark.usefixtures("no_drawing")
def test_a_plain_study_without_warnings_and_baselines(tmp_path):
    scores = {"iris": {"a": near(0.9), "b": near(0.8), "c": ["ValueError: it\nbroke\n  twice"] * 6}}
    page = study_page(study_of(tmp_path, scores, arrays=votes))
    assert blocks(page.method, Details) == []
    chance = ("Without learning", "60.0%", "always predicting the most frequent class (no)")
    assert chance in blocks(page.sections, Figures)[0].items
    section = section_of(page, "What failed")
    assert section.blocks[0].table.frame.loc["c", "message"] == "ValueError: it broke twice"
    alone = study_page(study_of(tmp_path, {"wine": {"forest": near(0.9)}}, arrays=votes))
    assert alone.summary[0].startswith("C4.5 tree (forest) is the only method that is ranked on wine")
    render_page(alone)


@pytest.mark.usefixtures("no_drawing")
def test_methods_that_share_the_best_rank_are_named(tmp_path):
    scores = {f"d{row}": {"a": near(0.8), "b": near(0.8), "c": near(0.7)} for row in range(6)}
    page = study_page(study_of(tmp_path, scores, arrays=votes))
    figures = figures_of(page)
    assert figures["Best mean rank"] == ("a and b", "shared, 1.50 of 3 methods")
    assert figures["Their wins"][0] == "6 and 6 of 6"
    assert "b" not in figures["Not shown to differ"][1].split()


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    scores = {
        f"d{row}": {"forest": near(0.9, seed=row), "plain": near(0.8, seed=row + 9), "other": near(0.5, seed=row + 20)}
        for row in range(6)
    }
    scores["d5"]["plain"][2] = "it broke"
    with undrawn():
        return study_page(study_of(tmp_path_factory.mktemp("several"), scores, arrays=votes))


def test_several_datasets_have_a_chapter_each(several):
    assert [chapter.title for chapter in several.chapters] == [f"d{row}" for row in range(6)]
    assert {chapter.group for chapter in several.chapters} == {"Datasets"}
    sections = "At a glance; Mean ranks; Time against rank; Scores; Wins, draws and losses; What failed"
    assert "; ".join(titles(several.sections)) == sections
    assert [drawing.name for drawing in blocks(several.sections, Drawing)] == ["critical-difference", "time"]
    first = several.chapters[0].sections[0]
    assert first.blocks[0].paragraphs[0].startswith("C4.5 tree (forest) has the best accuracy on d0")
    assert several.summary[0].startswith("Over 5 datasets, forest has the best mean rank of 3 methods")
    assert several.summary[-1] == "Left out of the comparison over datasets: d5 (no score of plain)."


@pytest.mark.usefixtures("no_drawing")
def test_few_datasets_have_no_diagram_and_no_test(tmp_path):
    scores = {f"d{row}": {"a": near(0.9, seed=row), "b": near(0.8, seed=row)} for row in range(3)}
    page = study_page(study_of(tmp_path, scores, arrays=votes))
    assert [drawing.name for drawing in blocks(page.sections, Drawing)] == ["time"]
    section = section_of(page, "Mean ranks")
    assert section.blocks[2].paragraphs[0].startswith("No test is made and no diagram drawn: 3 datasets are too few")


@pytest.mark.parametrize("n_datasets", [1, 2])
def test_nothing_is_done_yet_or_all_failed(tmp_path, n_datasets):
    scores = {f"d{row}": {"a": [None] * 6, "b": [None] * 6} for row in range(n_datasets)}
    page = study_page(study_of(tmp_path, scores))
    assert "there is no ranking" in page.summary[0]
    assert page.summary[-1].startswith(f"This study is not finished: 0 of {12 * n_datasets} fits are done")
    render_page(page)
    failed = study_page(study_of(tmp_path, {"iris": {"a": ["bad"] * 6, "b": ["worse"] * 6}}))
    assert failed.summary[0] == "No method finished all of its fits on iris, so there is no ranking."
    assert "What failed" in titles(failed.sections)
    render_page(failed)


@pytest.mark.usefixtures("no_drawing")
def test_unfinished(tmp_path):
    page = study_page(study_of(tmp_path, {"iris": {"a": near(0.9), "b": [*near(0.8, 5), None]}}, arrays=votes))
    done = "This study is not finished: 11 of 12 fits are done, 1 is missing."
    assert page.summary[-1] == done
    assert "Not ranked is b: 1 of 6 fits is not finished, 80.0% in the others." in page.summary


@pytest.mark.usefixtures("no_drawing")
@pytest.mark.parametrize(
    "protocol",
    [
        {"kind": "fixed-split", "n_train": 60},
        {"kind": "cross-validation", "n_repeats": 1, "n_folds": 3, "stratified": False},
        {"kind": "resamples", "n_repeats": 3, "train_size": 0.7, "stratified": False},
        {"kind": "bootstrap", "n_repeats": 3, "sample_size": 50, "test_size": 0.25},
        {"kind": "FreshSamples", "n_repeats": 3},
    ],
)
def test_every_protocol_has_a_page(tmp_path, protocol):
    n_fits = 1 if protocol["kind"] == "fixed-split" else 3

    def arrays(dataset, method, fit):
        return votes(dataset, method, 0 if protocol["kind"] in ("bootstrap", "FreshSamples") else fit)

    results = study_of(
        tmp_path,
        {"iris": {"a": near(0.9, n_fits), "b": near(0.85, n_fits)}},
        protocol=protocol,
        arrays=arrays,
        n_folds=3 if protocol["kind"] == "cross-validation" else 1,
    )
    page = study_page(results)
    tests = dict(item for block in blocks(page.method, Listing) for item in block.items)
    tested = protocol["kind"] in ("cross-validation", "resamples")
    assert ("Confidence intervals" in tests) is tested
    assert ("sure" in " ".join(page.summary)) is tested
    render_page(page)


def test_a_regression(tmp_path):
    scores = {"d": {"forest": near(0.5, seed=1), "ridge": near(0.4, seed=2)}}
    page = study_page(study_of(tmp_path, scores, arrays=numbers, task="regression", metrics=("r2",)))
    assert "C4.5 tree (forest) has the best R² on d: 0.500" in page.summary[0]
    assert "For comparison: always predicting the mean would give" in " ".join(page.summary)
    text = render_page(page)
    assert "Krogh and Vedelsby" in text


@pytest.mark.usefixtures("no_drawing")
def test_several_studies(tmp_path):
    one = study_of(tmp_path, {"iris": {"a": near(0.9), "b": near(0.8)}}, arrays=votes, name="first")
    scores = {"iris": {"a": near(0.9, seed=4)}, "wine": {"a": near(0.7, seed=5)}}
    other = study_of(tmp_path, scores, arrays=votes, name="second")
    page = study_page([one, other])
    assert (page.title, page.subtitle) == ("first and second", "2 studies, 3 datasets")
    assert titles(page.sections) == ["first", "second"]
    assert [(chapter.group, chapter.title) for chapter in page.chapters] == [
        ("first", "iris"),
        ("second", "All datasets"),
        ("second", "iris"),
        ("second", "wine"),
    ]
    assert page.summary[0].startswith("first: C4.5 tree (a) has the best accuracy on iris: 90.0%")
    assert page.summary[1] == "second: The only method that finished is a; it was run on 2 datasets."
    render_page(page)
    with pytest.raises(ValueError, match="results is empty"):
        study_page([])


def test_a_report_is_one_file_that_replaces_an_older_one_but_no_folder(tmp_path):
    results = study_of(tmp_path, {"iris": {"plain": near(0.9, 3), "b": near(0.8, 3)}}, arrays=votes)
    file = write_report(results, tmp_path / "new" / "report.html")
    assert file == tmp_path / "new" / "report.html"
    before = file.read_text("utf-8")
    assert before.lower().startswith("<!doctype html>")
    assert write_report([results], file).read_text("utf-8") == before
    assert [path.name for path in file.parent.iterdir()] == ["report.html"]
    with pytest.raises(IsADirectoryError, match="is a folder"):
        write_report(results, tmp_path)


def test_parameters_in_a_line():
    params = {
        "n_estimators": 50,
        "learner": {"estimator": "sklearn.tree.DecisionTreeClassifier", "params": {"max_depth": 3}},
        "flag": None,
        "name": "é",
        "steps": [{"estimator": "a.B"}, 2],
        "grid": {"x": 1},
    }
    assert params_text(params) == (
        "n_estimators = 50, learner = DecisionTreeClassifier(max_depth = 3), flag = None, name = 'é', "
        "steps = [B(), 2], grid = {x = 1}"
    )
    assert len(params_text({"x": "y" * 900})) == 300


def test_runs_with_other_software_are_named():
    from covey.report.method_sections import _software
    from study.outcomes import record_of

    before = {"started": "2026-01-02T00:00:00", "software": {"covey": "0.0"}, "machine": {"cores": "8"}, "workers": ""}
    items = dict(_software(record_of("one", earlier=(before,))).items)
    assert items["Some fits are of a run on 2026-01-02"] == "covey 0.0; 8"


def test_methods_in_a_line():
    def described(path, **params):
        return describe_method(MethodRecord("name", path, params))

    assert described("covey:mbsasc") == "MultiBoosting over C4.5SAS (Webb and Zheng, Multi-strategy ensemble learning)"
    assert described("covey:gone") == "covey:gone"
    assert described("sklearn.ensemble.ExtraTreesClassifier") == "ExtraTreesClassifier of scikit-learn"
    assert described("my_package.part.Learner") == "Learner of my_package"
    linear = next(method for method in shortlist("classification").methods if method.name == "logistic regression")
    steps = "LogisticRegression of scikit-learn after StandardScaler of scikit-learn after SimpleImputer of"
    assert describe_method(MethodRecord.of(linear)).startswith(steps)


EACH = "Each class has its share in every part"
FIVE = {"kind": "cross-validation", "n_repeats": 1, "n_folds": 5, "stratified": True}


def stratified(classes, protocol=FIVE, datasets=("iris",)):
    record = record_of(datasets, ["a"], protocol=protocol)
    return stratified_words(replace(record, datasets=tuple(replace(data, classes=classes) for data in record.datasets)))


def test_classes_that_are_too_rare_for_folds():
    assert stratified({"no": 95, "yes": 5}) == f"{EACH}."
    assert stratified({"no": 99, "yes": 1}, FIVE | {"stratified": False}) == ""
    assert stratified({"no": 96, "rare2": 3, "rare1": 1}) == (
        f"{EACH}, where it has rows enough. But 'rare1' has 1 row, fewer than the 5 folds: where it is tested it was "
        "not there to be learnt; 'rare2' has 3 rows, fewer than the 5 folds: not every fold tests it."
    )
    several = stratified({f"c{place}": 1 for place in range(3)}, datasets=("iris", "wine"))
    assert several.count("'c") == 3
    assert "'c0' of iris has 1 row" in several
    assert several.endswith("; and so 3 more classes.")


@pytest.mark.parametrize(("count", "rare"), [(1, True), (3, True), (4, False)])
def test_classes_that_are_too_rare_for_random_splits(count, rare):
    protocol = {"kind": "resamples", "n_repeats": 3, "train_size": 2 / 3, "stratified": True}
    assert ("'yes' has" in stratified({"no": 100 - count, "yes": count}, protocol)) is rare
