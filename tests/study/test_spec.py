from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from covey.datasets import twonorm_task
from covey.study import CycledFolds, FreshSamples
from covey.study.spec import DataSpec, MethodSpec, Study
from covey.study.splits import Resamples

WINE = DataSpec("wine", "wine")
FOREST = MethodSpec("forest", "sklearn.ensemble.RandomForestClassifier", {"n_estimators": 5})
STUDY = Study("a study", (WINE,), (FOREST,), CycledFolds(), ("accuracy",), 0)


def test_studies_can_be_sent_compared_and_changed():
    again = pickle.loads(pickle.dumps(STUDY))
    assert again == STUDY
    assert hash(again) == hash(STUDY)
    assert len({FOREST, pickle.loads(pickle.dumps(FOREST)), replace(FOREST, params={"n_estimators": 6})}) == 2
    assert replace(STUDY, file="elsewhere/study.toml") == STUDY
    assert replace(STUDY, seed=1) != STUDY
    assert replace(replace(FOREST, name="other"), name="forest") == FOREST


def test_lists_become_tuples():
    study = Study("x", [WINE], [FOREST], CycledFolds(), ["accuracy", "error"], 0)
    assert study == Study("x", (WINE,), (FOREST,), CycledFolds(), ("accuracy", "error"), 0)
    assert DataSpec("a", "b", drop=["c"]).drop == ("c",)


def write(folder, text: str) -> str:
    path = folder / "data.csv"
    path.write_text(text)
    return str(path)


def test_the_task_says_what_whole_numbers_in_a_file_are(tmp_path):
    source = write(tmp_path, "a,few,many\n" + "".join(f"{i % 7},{i % 3},{i}\n" for i in range(20)))
    few, many = DataSpec("few", source, "few"), DataSpec("many", source, "many")
    assert (few.load().task, many.load().task) == ("classification", "regression")
    assert (replace(few, task="regression").load().task, len(replace(many, task="classification").load().classes)) == (
        "regression",
        20,
    )


def test_a_target_that_cannot_be_what_the_task_needs_is_refused(tmp_path):
    source = write(tmp_path, "a,half,word\n" + "".join(f"{i % 7},{i / 2},w{i % 2}\n" for i in range(20)))
    with pytest.raises(ValueError, match="dataset 'x': the target holds numbers that are not whole, no classes"):
        DataSpec("x", source, "half", task="classification").load()
    with pytest.raises(ValueError, match="task='regression' needs a numeric target"):
        DataSpec("x", source, "word", task="regression").load()
    with pytest.raises(ValueError, match="dataset 'sugar': the target holds numbers, no classes"):
        DataSpec("sugar", "sklearn:diabetes", task="classification").load()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: DataSpec("", "wine"), ValueError, "name='' is empty"),
        (lambda: DataSpec("a\nb", "wine"), ValueError, "name='a.nb' has a line break"),
        (lambda: DataSpec("a", " "), ValueError, "source=' ' is empty"),
        (lambda: DataSpec("a", "b\0.csv"), ValueError, "source=.* control character"),
        (lambda: DataSpec("a", 7), TypeError, "source=7 must be text"),
        (lambda: DataSpec("a", "b", 3), TypeError, "target=3 must be text"),
        (lambda: DataSpec("a", "b", "c", "d"), TypeError, r"drop='d' must be an array of column names; .*\['name'\]"),
        (lambda: DataSpec("a", "b", "c", ("d", 4)), TypeError, r"drop\[1\]=4 must be text"),
        (lambda: DataSpec("a", "b", "c", ("c",)), ValueError, r"drop=\['c'\] names the target 'c'"),
        (lambda: DataSpec("a", "b", task="ranking"), ValueError, "task='ranking' is unknown"),
        (lambda: DataSpec("a", "b", rows=0), ValueError, "rows=0 is too small"),
        (lambda: DataSpec("a", "b", rows="3"), TypeError, "rows='3' must be an integer"),
        (lambda: DataSpec("a", "b", complete=1), TypeError, "complete=1 must be true or false"),
        (lambda: DataSpec("a", "b", ordinal="yes"), TypeError, "ordinal='yes' must be true or false"),
        (lambda: DataSpec("a", "b", log_target=1), TypeError, "log_target=1 must be true or false"),
        (lambda: DataSpec("a", "b", against=3), TypeError, "against=3 must be text"),
        (lambda: DataSpec("a", "b", select=5), TypeError, "select=5 must be a table; write select = { by"),
        (lambda: DataSpec("a", "b", select={"by": "f", "k": 5}), ValueError, "select.by='f' is unknown; choose one of"),
        (lambda: DataSpec("a", "b", select={"by": "relieff"}), ValueError, "select.k is missing"),
        (lambda: DataSpec("a", "b", select={"by": "relieff", "k": 0.5}), TypeError, "select.k=0.5 must be an integer"),
        (lambda: DataSpec("a", "b", select={"by": "relieff", "n": 5}), ValueError, "select.n is an unknown key"),
        (lambda: DataSpec("a", "generator:b", n_samples=1), ValueError, "n_samples=1 is too small"),
        (lambda: DataSpec("a", "b", n_samples=9), ValueError, "n_samples=9 is for generators, but source='b' is none"),
        (lambda: DataSpec("a", "b", seed=9), ValueError, "seed=9 is for generators"),
        (lambda: MethodSpec(3, "covey:mb"), TypeError, "name=3 must be text"),
        (lambda: MethodSpec("a", None), TypeError, "path=None must be text"),
        (lambda: MethodSpec("a", "covey:mbs"), ValueError, "id='mbs' is no published system"),
        (lambda: replace(STUDY, name=""), ValueError, "name='' is empty"),
        (lambda: replace(STUDY, seed=-1), ValueError, "seed=-1 is too small"),
        (lambda: replace(STUDY, seed=True), TypeError, "seed=True must be an integer"),
        (lambda: replace(STUDY, task="ranking"), ValueError, "task='ranking' is unknown; choose one of"),
        (lambda: replace(STUDY, datasets=()), ValueError, "datasets is empty"),
        (lambda: replace(STUDY, datasets=("wine",)), TypeError, r"datasets=\('wine',\) must be a sequence of DataSpec"),
        (lambda: replace(STUDY, methods=FOREST), TypeError, r"methods=MethodSpec.* must be a sequence of MethodSpec"),
        (lambda: replace(STUDY, datasets=(WINE, WINE)), ValueError, "dataset 'wine' is the name of another too"),
        (
            lambda: replace(STUDY, methods=(FOREST, FOREST)),
            ValueError,
            r"method\[1\].name='forest' is the .*d\[0\]",
        ),
        (lambda: replace(STUDY, metrics=("r2",)), ValueError, r"metrics\[0\]='r2' is for regression"),
        (lambda: replace(STUDY, protocol="cv"), TypeError, "protocol='cv' is none"),
        (lambda: replace(STUDY, protocol=FreshSamples(twonorm_task())), ValueError, "FreshSamples makes its own data"),
    ],
)
def test_what_is_wrong_is_said_when_it_is_made(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_a_regression_has_regressors_and_no_classes():
    study = replace(STUDY, task="regression", metrics=("r2",), protocol=Resamples())
    assert study.task == "regression"
    for protocol in (CycledFolds(stratified=True), Resamples(stratified=True)):
        with pytest.raises(ValueError, match=r"protocol.stratified=True needs classes"):
            replace(study, protocol=protocol)
    with pytest.raises(ValueError, match=r"method\[0\].id='mb' is for classification, but the study is for regression"):
        replace(study, methods=(MethodSpec("mb", "covey:mb"),))
    with pytest.raises(ValueError, match="dataset 'wine' is for classification, but the study is for regression"):
        replace(study, datasets=(replace(WINE, task="classification"),))
