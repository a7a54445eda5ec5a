"""Studies from file to scores: what runs, what is kept, and what is not run again."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from covey.analysis import friedman
from covey.datasets import load
from covey.study import (
    CycledFolds,
    DataSpec,
    FixedSplit,
    MethodSpec,
    Resamples,
    Results,
    Study,
    repeat_predictions,
    run_study,
)
from covey.study.cell import cached_dataset, cached_datasets
from covey.study.layout import lay_out

NAIVE = MethodSpec("naive", "sklearn.naive_bayes.GaussianNB", {})
TREE = MethodSpec("tree", "covey:c4.5", {})
FOLDS = CycledFolds(n_cycles=2, n_folds=3)


def study_of(methods=(NAIVE, TREE), datasets=("iris", "wine"), **options):
    data = tuple(DataSpec(name, name) for name in datasets)
    settings = {"protocol": FOLDS, "metrics": ("accuracy",), "seed": 0, "task": "classification"} | options
    return Study("a study", data, tuple(methods), **settings)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    store = tmp_path_factory.mktemp("study") / "results.db"
    return run_study(study_of(), store)


def test_every_cell_is_there(finished):
    frame = finished.frame()
    assert len(frame) == 2 * 2 * 6
    assert set(frame.status) == {"done"}
    assert frame.accuracy.between(0.8, 1).all()
    assert (frame["fit seconds"] > 0).all()


def test_scores_are_ready_for_the_analysis(finished):
    scores = finished.scores()
    assert scores.index.tolist() == ["iris", "wine"]
    assert scores.columns.tolist() == ["naive", "tree"]
    assert friedman(scores, larger_is_better=True).n_datasets == 2
    with pytest.raises(ValueError, match="none of the study's"):
        finished.scores("r2")


def test_results_show_themselves_in_a_line(finished):
    assert repr(finished) == f"<Results of 'a study': 24 cells in {finished.store}>"


def test_a_cell_predicts_what_a_plain_loop_does(finished):
    X, y = load("iris").to_xy()
    runs = repeat_predictions(GaussianNB(), FOLDS, X, np.asarray(y), random_state=0)
    for fit in range(6):
        kept = finished.arrays("iris", "naive", fit)
        np.testing.assert_array_equal(kept["predictions"], runs.predictions[fit // 3][kept["cases"]])
    with pytest.raises(KeyError, match="no fit 6"):
        finished.arrays("iris", "naive", 6)


def test_nothing_is_run_twice(finished, monkeypatch):
    monkeypatch.setattr("covey.study.run.run_cell", None)
    again = run_study(study_of(), finished.store)
    pd.testing.assert_frame_equal(again.frame(), finished.frame())


def test_studies_share_what_is_the_same(finished):
    """Another name, order and number of repeats: the same cells."""
    other = study_of([MethodSpec("bayes", NAIVE.path, {})], ["wine"], protocol=CycledFolds(1, 3))
    shared = Results.of(other, finished.store).frame()
    assert shared.status.tolist() == ["done"] * 3
    assert set(shared.method) == {"bayes"}
    changed = study_of([MethodSpec("naive", NAIVE.path, {"var_smoothing": 1e-3})])
    assert set(Results.of(changed, finished.store).frame().status) == {"missing"}
    assert set(Results.of(study_of(seed=1), finished.store).frame().status) == {"missing"}


def test_a_metric_that_was_not_asked_for_is_found_later(finished):
    more = Results.of(study_of(metrics=("accuracy", "error", "neg_log_loss")), finished.store).frame()
    np.testing.assert_allclose(more.error, 1 - more.accuracy)
    assert (more.neg_log_loss < 0).all()


def test_votes_of_members_are_kept_where_they_take_little_room(tmp_path, monkeypatch):
    boosted = MethodSpec("boosted", "covey:boost", {"n_estimators": 4})
    study = study_of([boosted], ["iris"], protocol=CycledFolds(1, 3))
    kept = run_study(study, tmp_path / "s.db").arrays("iris", "boosted", 1)
    assert kept["votes"].shape == (50, 4)
    assert kept["votes"].dtype == np.uint8
    assert kept["weights"].shape == (4,)
    monkeypatch.setattr("covey.study.cell._MOST_BYTES", 199)
    bare = run_study(study, tmp_path / "t.db").arrays("iris", "boosted", 1)
    assert {"votes", "weights"}.isdisjoint(bare)
    assert len(bare["predictions"]) == 50


def test_weights_of_columns_are_kept_where_they_are_few(tmp_path, monkeypatch):
    plain = GaussianNB.fit

    def fit(self, X, y):
        self.feature_weights_, self.feature_weights_path_ = np.arange(4.0), np.ones((3, 4))
        return plain(self, X, y)

    monkeypatch.setattr(GaussianNB, "fit", fit)
    monkeypatch.setattr("covey.study.cell._MOST_LEARNT", 11)
    (kept, *_) = run_study(study_of([NAIVE], ["iris"]), tmp_path / "s.db").fits("iris", "naive")
    assert kept["feature_weights"].tolist() == [0, 1, 2, 3]
    assert "feature_weights_path" not in kept


def test_a_failed_cell_is_a_row_and_can_be_retried(tmp_path):
    wrong = MethodSpec("wrong", "sklearn.neighbors.KNeighborsClassifier", {"n_neighbors": 1000})
    study = study_of([NAIVE, wrong], ["iris"], protocol=CycledFolds(1, 3))
    results = run_study(study, tmp_path / "s.db")
    frame = results.frame().set_index("method")
    assert set(frame.loc["wrong", "status"]) == {"failed"}
    assert frame.loc["wrong", "failure"].str.contains("n_neighbors").all()
    assert results.scores()["wrong"].isna().all()
    assert results.scores()["naive"].notna().all()
    seen = []
    run_study(study, tmp_path / "s.db", progress=seen.append)
    assert seen == []
    run_study(study, tmp_path / "s.db", retry_failed=True, progress=seen.append)
    assert [(one.total, one.done, one.failed) for one in seen] == [(6, 3, 3)] * 3


def test_categories_and_gaps_reach_learners_that_know_neither(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"town": rng.choice(["Ely", "York", "Bath"], 90), "age": rng.normal(40, 9, 90)})
    frame["outcome"] = np.where((frame.town == "Ely") ^ (frame.age > 40), "yes", "no")
    frame.loc[::7, "age"] = np.nan
    frame.loc[::11, "town"] = None
    frame.to_csv(tmp_path / "people.csv", index=False)
    study = Study(
        "people",
        (DataSpec("people", str(tmp_path / "people.csv"), "outcome"),),
        (MethodSpec("forest", "sklearn.ensemble.RandomForestClassifier", {"n_estimators": 20}), TREE),
        protocol=CycledFolds(1, 3),
        metrics=("accuracy",),
        seed=0,
        task="classification",
    )
    assert run_study(study, tmp_path / "s.db").scores().loc["people"].min() > 0.6


class Objects(GaussianNB):
    """A learner whose labels are Python objects."""

    def predict(self, X):
        return super().predict(X).astype(object)


def test_labels_that_are_objects_are_kept_as_text(tmp_path, monkeypatch):
    monkeypatch.setattr(MethodSpec, "make", lambda self: Objects())
    results = run_study(study_of([NAIVE], ["iris"], protocol=CycledFolds(1, 3)), tmp_path / "s.db")
    assert results.arrays("iris", "naive", 0)["predictions"].dtype.kind == "U"


def test_workers_give_the_same_as_this_process(finished, tmp_path):
    results = run_study(study_of(), tmp_path / "s.db", n_workers=2)
    assert results.frame().accuracy.tolist() == finished.frame().accuracy.tolist()


def test_a_dataset_of_the_wrong_task_is_refused_before_anything_runs(tmp_path):
    with pytest.raises(ValueError, match=r"'diabetes' is for regression.*leave it out"):
        run_study(study_of(datasets=["iris", "diabetes"]), tmp_path / "s.db")
    assert not (tmp_path / "s.db").exists()


def test_predictions_are_put_together_by_case(finished):
    said, y = finished.predictions("wine", "tree")
    assert said.shape == (2, 178)
    np.testing.assert_array_equal(y, np.asarray(load("wine").target))
    frame = finished.frame().query("dataset == 'wine' and method == 'tree'")
    for repeat in range(2):
        fits = frame[frame.repeat == repeat]
        sizes = [len(finished.arrays("wine", "tree", fit)["y"]) for fit in fits.fit]
        expected = np.average(fits.accuracy, weights=sizes)
        assert np.mean(said[repeat] == y) == pytest.approx(expected)


def test_predictions_of_splits_that_leave_cases_out_are_refused(tmp_path):
    study = study_of(datasets=("iris",), protocol=Resamples(n_repeats=3))
    results = run_study(study, tmp_path / "a.store")
    with pytest.raises(ValueError, match=r"3 random splits .* does not predict every case"):
        results.predictions("iris", "tree")
    with pytest.raises(KeyError, match="no method 'forest' on dataset 'iris'"):
        results.predictions("iris", "forest")


def test_results_come_from_the_store_alone(finished):
    again = Results.in_store(finished.store)
    assert replace(again.record, started="") == replace(finished.record, started="")
    assert again.record.protocol_text == "2 x 3-fold cross-validation"
    assert again.record.datasets[0].classes == {"setosa": 50, "versicolor": 50, "virginica": 50}
    pd.testing.assert_frame_equal(again.frame(), finished.frame())


def test_studies_that_share_a_store_are_told_apart(tmp_path):
    store = tmp_path / "a.store"
    first, second = study_of(datasets=("iris",)), replace(study_of(datasets=("iris", "wine")), name="another")
    run_study(first, store)
    seen = []
    run_study(second, store, progress=seen.append)
    assert {one.latest.labels["dataset"] for one in seen} == {"wine"}
    with pytest.raises(ValueError, match="several studies; give one of 'a study', 'another'"):
        Results.in_store(store)
    with pytest.raises(ValueError, match="no study 'none'; it has 'a study', 'another'"):
        Results.in_store(store, "none")
    assert len(Results.in_store(store, "another").frame()) == 2 * len(Results.in_store(store, "a study").frame())


@pytest.mark.parametrize("name", ["RandomForest", "ExtraTrees", "Bagging"])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_votes_of_scikit_learns_ensembles_are_kept(tmp_path, name, task):
    kind = "Classifier" if task == "classification" else "Regressor"
    forest = MethodSpec("forest", f"sklearn.ensemble.{name}{kind}", {"n_estimators": 5})
    metrics = ("accuracy",) if task == "classification" else ("r2",)
    data = "iris" if task == "classification" else "diabetes"
    study = study_of((forest,), (data,), task=task, metrics=metrics, protocol=FixedSplit(n_train=100))
    (arrays,) = run_study(study, tmp_path / "a.store").fits(data, "forest")
    assert arrays["votes"].shape == (len(arrays["y"]), 5)
    assert arrays["weights"].tolist() == [1.0] * 5
    if task == "regression":
        np.testing.assert_allclose(arrays["votes"].mean(axis=1), arrays["predictions"], rtol=1e-5)
    else:
        shares = np.stack([(arrays["votes"] == code).mean(axis=1) for code in range(len(arrays["classes"]))], axis=1)
        assert np.mean(arrays["classes"][shares.argmax(axis=1)] == arrays["predictions"]) > 0.9


def test_a_run_with_nothing_to_do_leaves_on_record_where_the_cells_ran(tmp_path, monkeypatch):
    study, store = study_of(datasets=("iris",)), tmp_path / "a.store"
    first = run_study(study, store).record
    monkeypatch.setattr("covey.study.record.machine", lambda: {"cores": "another"})
    assert run_study(study, store).record == first
    assert Results.in_store(store).record == first
    more = replace(study, metrics=("accuracy", "error"))
    assert run_study(more, store).record == replace(first, metrics=("accuracy", "error"))
    further = replace(study, protocol=CycledFolds(n_cycles=3, n_folds=3))
    last = run_study(further, store).record
    assert last.machine == {"cores": "another"}
    assert [run["machine"] for run in last.earlier] == [first.machine]
    assert Results.in_store(store).record == last
    assert len(Results.in_store(store).frame()) == 2 * 9


def test_a_study_that_cannot_be_laid_out_makes_no_store(tmp_path):
    with pytest.raises(ValueError, match="n_folds=500"):
        run_study(study_of(protocol=CycledFolds(n_folds=500)), tmp_path / "a.store")
    assert list(tmp_path.iterdir()) == []


def test_a_gap_in_a_test_part_alone_is_filled(tmp_path):
    """Regression: whether there are gaps was asked of the training part."""
    data = load("iris")
    frame = data.frame.copy()
    frame.iloc[0, 0] = np.nan
    held = DataSpec("gap", "memory", held=replace(data, frame=frame))
    study = replace(study_of((NAIVE,)), datasets=(held,))
    assert set(run_study(study, tmp_path / "a.store").frame().status) == {"done"}


def test_what_is_the_same_but_for_its_name_is_refused(tmp_path):
    twins = (TREE, replace(TREE, name="again"))
    with pytest.raises(ValueError, match="methods 'tree' and 'again' are the same but for their names"):
        run_study(study_of(twins), tmp_path / "a.store")
    same = (DataSpec("one", "iris"), DataSpec("two", "sklearn:iris"))
    with pytest.raises(ValueError, match="datasets 'one' and 'two' are the same"):
        run_study(replace(study_of(), datasets=same), tmp_path / "a.store")


def test_data_are_let_go_after_a_run_in_this_process(tmp_path):
    data = load("iris")
    frame = data.frame.copy()
    gone = weakref.ref(frame)
    study = replace(study_of((NAIVE,)), datasets=(DataSpec("held", "memory", held=replace(data, frame=frame)),))
    run_study(study, tmp_path / "a.store")
    del study, frame
    gc.collect()
    assert gone() is None


def test_numbers_that_fitting_chose_are_kept(tmp_path):
    """Those of a pipeline's last step too; parameters that no fit chooses for have none."""
    sizes = {"min_sphere_size": "auto"}
    cover = MethodSpec("cover", "covey:alpha-rsc", sizes)
    steps = [
        {"estimator": "sklearn.preprocessing.StandardScaler", "params": {}},
        {"estimator": "covey.SphereCoverClassifier", "params": sizes},
    ]
    piped = MethodSpec("piped", "pipeline", {"steps": steps})
    results = run_study(study_of((cover, piped, NAIVE), datasets=("iris",)), tmp_path / "results.db")
    for name in ("cover", "piped"):
        chosen = results.chosen("iris", name)
        assert list(chosen) == ["min_sphere_size"]
        assert chosen["min_sphere_size"].shape == (6,)
        assert (chosen["min_sphere_size"] >= 1).all()
    assert (
        results.arrays("iris", "cover", 2)["chosen_min_sphere_size"]
        == results.chosen("iris", "cover")["min_sphere_size"][2]
    )
    assert results.chosen("iris", "naive") == {}
    with pytest.raises(KeyError, match="no method 'none'"):
        results.chosen("iris", "none")


@pytest.mark.parametrize("n_workers", [1, 2])
def test_a_study_of_data_in_memory(tmp_path, n_workers):
    """Workers are handed what no file has, and nothing stays held."""
    data = load("iris")
    data = replace(data, frame=data.frame.assign(extra=range(len(data.frame))))
    study = replace(study_of((TREE,)), datasets=(DataSpec("mine", "a frame", held=data),))
    results = run_study(study, tmp_path / "a.store", n_workers=n_workers)
    assert results.frame().accuracy.mean() > 0.9
    assert results.record.datasets[0].n_features == 5
    assert cached_dataset(results.record.datasets[0].content) is None
    assert all(cell.data.held is None for cell in lay_out(study).cells)
    assert Results.in_store(tmp_path / "a.store").frame().equals(results.frame())


def test_what_is_held_is_let_go_when_the_last_holder_leaves():
    data = object()
    with cached_datasets({"a": data}):
        with cached_datasets({"a": data, "b": data}):
            assert cached_dataset("a") is cached_dataset("b") is data
        assert (cached_dataset("a"), cached_dataset("b")) == (data, None)
    assert cached_dataset("a") is None
