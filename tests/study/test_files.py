from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings, strategies as st

from covey.study import BootstrapSamples, CycledFolds, DisjointSamples
from covey.study.checks import StudyError, check_study
from covey.study.data import DataSpec, Selection
from covey.study.files import read_study
from covey.study.splits import FixedSplit, Resamples
from study.test_making import DANGEROUS

TOP = 'name = "ours"\nseed = 1\ndatasets = ["wine"]\n'
PROTOCOL = '[protocol]\nkind = "cross-validation"\n'
METHOD = '[[method]]\nid = "mb"\n'
END = PROTOCOL + METHOD
FILE = TOP + "[[dataset]]\nname = 'a'\n"
BEGIN = TOP + PROTOCOL

WHOLE = """
name = "spheres against trees"
seed = 1
task = "classification"            # default
metrics = ["accuracy", "neg_log_loss"]
datasets = ["wine", "breast_cancer"]
[[dataset]]
name = "patients"
source = "patients.csv"
target = "outcome"
drop = ["id"]
[protocol]
kind = "cross-validation"
n_folds = 10
n_repeats = 10
stratified = true
[[method]]
id = "mbsasc"
params = { n_estimators = 50 }
[[method]]
name = "forest"
estimator = "sklearn.ensemble.RandomForestClassifier"
params = { n_estimators = 100 }
[[method]]
name = "bagged naive bayes"
estimator = "covey.EnsembleClassifier"
params = { estimator = { estimator = "sklearn.naive_bayes.GaussianNB" }, draw = { estimator = "covey.Bootstrap" } }
[[method]]
pipeline = [{ estimator = "sklearn.preprocessing.StandardScaler" }, { id = "alpha-rse" }]
"""


@pytest.fixture
def write(tmp_path):
    def write(text: str | bytes) -> Path:
        file = tmp_path / "study.toml"
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    return write


@pytest.fixture
def problems_of(write):
    def problems_of(text: str | bytes, **options) -> list[str]:
        with pytest.raises(StudyError) as caught:
            read_study(write(text), **options)
        assert str(caught.value).startswith(str(write(text)))
        return list(caught.value.problems)

    return problems_of


def test_a_whole_study_is_read(write, tmp_path):
    (tmp_path / "patients.csv").write_text("id,a,outcome\n" + "".join(f"{i},{i},{i % 2}\n" for i in range(10)))
    study = read_study(write(WHOLE))
    assert (study.name, study.seed, study.task) == ("spheres against trees", 1, "classification")
    assert study.metrics == ("accuracy", "neg_log_loss")
    assert [data.name for data in study.datasets] == ["wine", "breast_cancer", "patients"]
    patients = study.datasets[2].load()
    assert (patients.name, list(patients.frame.columns), patients.n_rows) == ("patients", ["a"], 10)
    assert study.protocol == CycledFolds(10, 10, stratified=True)
    assert [method.name for method in study.methods] == [
        "mbsasc",
        "forest",
        "bagged naive bayes",
        "StandardScaler + alpha-rse",
    ]
    assert study.methods[0].path == "covey:mbsasc"
    assert study.methods[1].params == {"n_estimators": 100}
    assert study.file == str(tmp_path / "study.toml")
    check_study(study)


def test_little_has_to_be_said(write):
    study = read_study(write(BEGIN + METHOD))
    assert (study.task, study.metrics, study.protocol) == ("classification", ("accuracy",), CycledFolds())
    text = 'name = "x"\nseed = 0\ntask = "regression"\ndatasets = ["diabetes"]\n' + PROTOCOL
    study = read_study(write(text + '[[method]]\nestimator = "sklearn.svm.SVR"\n'))
    assert (study.task, study.metrics, study.datasets[0].task) == ("regression", ("r2",), "regression")


def test_datasets_may_be_prepared(write):
    tables = (
        '[[dataset]]\nname = "rings"\nsource = "generator:ringnorm"\nn_samples = 40\nseed = 2\nagainst = "1"\n'
        '[[dataset]]\nname = "w"\nsource = "sklearn:wine"\nrows = 150\ncomplete = true\nordinal = true\n'
        'select = { by = "relieff", k = 4 }\n'
    )
    rings, chosen = read_study(write('name = "x"\nseed = 1\n' + tables + END)).datasets
    assert rings == DataSpec("rings", "generator:ringnorm", task="classification", n_samples=40, seed=2, against="1")
    wishes = {"rows": 150, "complete": True, "ordinal": True, "select": Selection("relieff", 4)}
    assert chosen == DataSpec("w", "sklearn:wine", task="classification", **wishes)
    assert (rings.load().n_rows, rings.load().classes, chosen.load().n_features) == (40, ("1", "not 1"), 4)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ('kind = "cross-validation"\nn_folds = 5\nn_repeats = 2', CycledFolds(2, 5)),
        ('kind = "resamples"', Resamples()),
        ('kind = "resamples"\nn_repeats = 3\ntrain_size = 0.5\nstratified = true', Resamples(3, 0.5, True)),
        ('kind = "resamples"\ntrain_size = 50', Resamples(train_size=50)),
        ('kind = "fixed-split"\nn_train = 100', FixedSplit(100)),
        ('kind = "fixed-split"\ntest = [3, 1, 2]', FixedSplit(test=(1, 2, 3))),
        ('kind = "bootstrap"\nn_repeats = 9\nsample_size = 50\ntest_size = 0.2', BootstrapSamples(9, 50, 0.2)),
        (
            'kind = "disjoint-samples"\nn_repeats = 4\ntrain_size = 10\ntest_size = 20',
            DisjointSamples(4, 10, 20),
        ),
    ],
)
def test_every_protocol_has_a_kind(write, table, expected):
    study = read_study(write(f"{TOP}[protocol]\n{table}\n{METHOD}"))
    assert study.protocol == expected
    assert type(study.protocol) is type(expected)


def test_methods_may_be_written_in_tables_or_in_lines(write):
    tables = (
        '[[method]]\nname = "a"\nestimator = "covey.EnsembleClassifier"\n[method.params]\nn_estimators = 5\n'
        '[method.params.estimator]\nestimator = "sklearn.tree.DecisionTreeClassifier"\nparams.max_depth = 2\n'
        '[[method]]\nname = "b"\n[[method.pipeline]]\nestimator = "sklearn.preprocessing.StandardScaler"\n'
        '[[method.pipeline]]\nid = "mb"\n'
    )
    tree = '{ estimator = "sklearn.tree.DecisionTreeClassifier", params = { max_depth = 2 } }'
    params = f"{{ n_estimators = 5, estimator = {tree} }}"
    steps = '[{ estimator = "sklearn.preprocessing.StandardScaler" }, { id = "mb" }]'
    lines = (
        f'method = [{{ name = "a", estimator = "covey.EnsembleClassifier", params = {params} }}, '
        f'{{ name = "b", pipeline = {steps} }}]\n'
    )
    first, second = read_study(write(BEGIN + tables)), read_study(write(TOP + lines + PROTOCOL))
    assert first == second


def test_sources_are_sought_from_the_file(write, tmp_path, monkeypatch):
    (tmp_path / "inner").mkdir()
    (tmp_path / "notes.txt").touch()
    absolute = tmp_path / "elsewhere" / "a.parquet"
    tables = "".join(
        f'[[dataset]]\nname = "{place}"\nsource = "{source}"\n'
        for place, source in enumerate(["a.csv", "inner/../a.csv", "wine", "sklearn:iris", "notes.txt", str(absolute)])
    )
    write('name = "x"\nseed = 1\n' + tables + PROTOCOL + METHOD)
    monkeypatch.chdir(tmp_path / "inner")
    study = read_study(Path("..") / "study.toml")
    names = [data.source for data in study.datasets]
    assert names[2:4] == ["wine", "sklearn:iris"]
    assert names[5] == str(absolute)
    for name in (*names[:2], names[4]):
        assert Path(name).is_absolute()
        assert Path(name).resolve().parent == tmp_path.resolve()


def test_files_as_other_editors_write_them_are_read(write):
    text = TOP + PROTOCOL + METHOD
    study = read_study(write(text))
    assert read_study(write(b"\xef\xbb\xbf" + text.encode())) == study
    assert read_study(write(text.replace("\n", "\r\n"))) == study
    assert read_study(str(write(text))) == study


@pytest.mark.parametrize("path", [*DANGEROUS, "antigravity.anything", "evil_package.Evil", "skleаrn.svm.SVC"])
@pytest.mark.parametrize(
    ("shape", "key"),
    [
        ('estimator = "{}"', "method[1].estimator"),
        ('estimator = "{}"\nparams = {{ command = "touch mark" }}', "method[1].estimator"),
        ('id = "mb"\nparams = {{ estimator = {{ estimator = "{}" }} }}', "method[1].params.estimator.estimator"),
        ('id = "mb"\nparams.a.b = [1, [{{ estimator = "{}" }}]]', "method[1].params.a.b[1][0].estimator"),
        ('pipeline = [{{ id = "mb" }}, {{ estimator = "{}" }}]', "method[1].pipeline[1].estimator"),
    ],
)
def test_nothing_outside_of_known_packages_is_named(problems_of, path, shape, key):
    (said,) = problems_of(BEGIN + METHOD + "[[method]]\n" + shape.format(path))
    assert said.startswith(f"{key}={path!r} is outside of 'covey', 'sklearn', 'lightgbm', 'xgboost', 'catboost'")
    assert f"name {path.partition('.')[0]!r} in trust" in said


@pytest.fixture
def evil_package(tmp_path, monkeypatch):
    """A package that leaves a mark when it is imported."""
    mark = tmp_path / "mark"
    (tmp_path / "evil_package.py").write_text(
        f"open({str(mark)!r}, 'w').close()\n"
        "from sklearn.base import BaseEstimator, ClassifierMixin\n"
        "class Evil(ClassifierMixin, BaseEstimator):\n"
        "    def fit(self, X, y): return self\n"
        "    def predict(self, X): return X[:, 0]\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield mark
    sys.modules.pop("evil_package", None)


def test_reading_imports_nothing_and_checking_only_what_is_trusted(write, problems_of, evil_package):
    text = TOP + PROTOCOL + '[[method]]\nestimator = "evil_package.Evil"\n'
    problems_of(text)
    problems_of(text, trust=["evil", "evil_packages"])
    study = read_study(write(text), trust=["evil_package"])
    assert not evil_package.exists()
    check_study(study)
    assert evil_package.exists()


@pytest.mark.parametrize(
    ("trust", "error", "message"),
    [
        ("mine", TypeError, r"write trust=\['mine'\]"),
        (["my.own"], ValueError, "'my.own' is no package"),
        ([3], ValueError, "3"),
    ],
)
def test_trust_is_a_collection_of_packages(write, trust, error, message):
    with pytest.raises(error, match=message):
        read_study(write(BEGIN + METHOD), trust=trust)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TOP + PROTOCOL, "method is missing; add a [[method]]"),
        (TOP + METHOD, "protocol is missing; add [protocol]"),
        ('seed = 1\ndatasets = ["wine"]\n' + END, "name is missing; add name = "),
        ('name = "x"\ndatasets = ["wine"]\n' + END, "seed is missing; add seed = 1"),
        ('name = "x"\nseed = 1\n' + END, "datasets is missing; add datasets = ['wine']"),
        ('name = "x"\nseed = 1\ndatasets = []\n' + END, "datasets is missing"),
        ("sed = 1\n" + TOP + END, "sed is an unknown key; did you mean 'seed'?"),
        ('"a b" = 1\n' + TOP + END, '"a b" is an unknown key. Known are'),
        (TOP.replace("1", '"1"') + END, "seed='1' must be an integer"),
        (TOP.replace('"ours"', "7") + END, "name=7 must be text"),
        ("task = [1]\n" + TOP + END, "task=[1] is unknown"),
        ('metrics = ["acc"]\n' + TOP + END, "metrics[0]='acc' is no metric for classification"),
        (TOP.replace('["wine"]', '"wine"') + END, "datasets='wine' must be an array of names"),
        (TOP.replace('["wine"]', '["wine", 3]') + END, "datasets[1]=3 must be text"),
        (TOP + '[dataset]\nname = "a"\n' + END, "dataset={'name': 'a'} must be one table or more; write [[d"),
        (FILE + END, "dataset[0].source is missing"),
        (TOP + "[[dataset]]\nsource = 'a'\n" + END, "dataset[0].name is missing"),
        (FILE + "sorce = 'b'\n" + END, "dataset[0].sorce is an unknown key; did you"),
        (FILE + "source = 'b'\ntask = 'c'\n" + END, "dataset[0].task is an unknown"),
        (FILE + "source = 'b'\nselect = { by = 'chi2', k = 5 }\n" + END, "dataset[0].select.by='chi2' is unknown"),
        (FILE + "source = 'b'\nheld = 'b'\n" + END, "dataset[0].held is an unknown key"),
        ("protocol = 'cv'\n" + TOP + METHOD, "protocol='cv' must be a table"),
        (TOP + "[protocol]\nn_folds = 3\n" + METHOD, "protocol.kind is missing; give one of 'cross-validation'"),
        (
            TOP + "[protocol]\nkind = 'crossvalidation'\n" + METHOD,
            "protocol.kind='crossvalidation' is unknown; did you mean",
        ),
        (BEGIN + "n_repeats = 0\n" + METHOD, "protocol.n_repeats=0 is too small"),
        (BEGIN + "n_cycles = 3\n" + METHOD, "protocol.n_cycles is an unknown key"),
        (TOP + "[protocol]\nkind = 'fixed-split'\ntest = [-1]\n" + METHOD, "protocol.test[0]=-1 is too small"),
        (BEGIN + '[method]\nid = "mb"\n', "method={'id': 'mb'} must be one table or more; write [[method]]"),
        ("method = ['mb']\n" + TOP + PROTOCOL, "method=['mb'] must be one table or more"),
        ("method = []\n" + TOP + PROTOCOL, "methods is empty"),
        (BEGIN + METHOD + "name = ''\n", "in method '', method[0].name='' is empty"),
        (BEGIN + METHOD + "name = 3\n", "method[0].name=3 must be text"),
        (BEGIN + METHOD + "parms = {}\n", "method[0].parms is an unknown key; did you mean 'params'?"),
        (BEGIN + "[[method]]\nname = 'x'\n", "in method 'x', method[0] has no estimator"),
        ("name = 'x", "it is no TOML: "),
        ("name = 'x'\nname = 'y'", "it is no TOML: "),
        (b"name = '\xff'", "byte 8 is no UTF-8"),
        ("x = " + "[" * 3000 + "]" * 3000, "it is nested too deeply"),
        (BEGIN + METHOD + "params." + "a." * 3000 + "a = 1\n", "method[0].params.a.a.a"),
    ],
)
def test_one_thing_that_is_wrong_is_said_with_its_key(problems_of, text, expected):
    (said,) = problems_of(text)
    assert said.startswith(expected)


def test_all_that_is_wrong_is_said_at_once(problems_of):
    text = (
        "name = 3\nsed = 1\nmetrics = ['acc']\ndatasets = ['wine', 4]\n"
        "[[dataset]]\nname = 'a'\n[[dataset]]\nname = 'b'\nsource = ''\n"
        "[protocol]\nkind = 'resamples'\ntrain_size = 7.5\n"
        "[[method]]\nid = 'mbs'\n[[method]]\nid = 'mb'\n[[method]]\nname = 'c'\nestimator = 'os.system'\n"
    )
    keys = ["sed is", "seed is missing", "name=3", "metrics[0]='acc'", "datasets[1]=4", "dataset[0].source is"]
    keys += ["dataset[1].source=''", "method[0].id='mbs'", "in method 'c', method[2].est", "protocol.train_size=7.5"]
    said = problems_of(text)
    assert [problem[: len(key)] for problem, key in zip(said, keys, strict=True)] == keys


def test_a_file_that_is_not_there_is_named(tmp_path):
    for path in (tmp_path / "absent.toml", tmp_path):
        with pytest.raises(FileNotFoundError, match="There is no study file"):
            read_study(path)


RESAMPLES = "{ kind = 'resamples' }"
KEYS = st.sampled_from(["name", "seed", "task", "metrics", "datasets", "dataset", "protocol", "method", "params", "id"])
VALUES = st.sampled_from(
    [
        "1",
        "-1",
        "nan",
        "''",
        "'x'",
        "'mb'",
        "[]",
        "['wine']",
        "{}",
        "[{}]",
        RESAMPLES,
        "[{ id = 'mb' }]",
        "1979-05-27",
        "true",
        "[[1]]",
        "[{ estimator = 3 }]",
        "[{ pipeline = [{}] }]",
        "{ kind = 'bootstrap', test = 3 }",
    ]
)


@given(st.dictionaries(KEYS, VALUES, max_size=8))
@example(
    {
        "name": "'x'",
        "seed": "1",
        "datasets": "['wine']",
        "protocol": "{ kind = 'resamples' }",
        "method": "[{ id = 'mb' }]",
    }
)
@settings(deadline=None, max_examples=150)
def test_any_file_is_a_study_or_is_refused_with_a_reason(tmp_path_factory, content):
    file = tmp_path_factory.getbasetemp() / "any.toml"
    file.write_text("\n".join(f"{key} = {value}" for key, value in content.items()))
    try:
        problems = () if read_study(file).seed == 1 else ("the seed is not what it says",)
    except StudyError as error:
        problems = error.problems
    assert all(problem.endswith((".", "?")) and problem[0].isalpha() for problem in problems)
