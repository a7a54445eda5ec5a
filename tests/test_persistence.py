import io
import json
import pickle
import zipfile
from functools import partial

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from covey import (
    AdaBoost,
    Bootstrap,
    EnsembleClassifier,
    EnsembleRegressor,
    MeanProbability,
    RandomSubspace,
    Wagging,
    WeightedSubspace,
    load_model,
    save_model,
)
from covey.persistence import _is_sound

X, Y = make_classification(60, n_features=5, random_state=0)
TREE = "sklearn.tree._tree.Tree"


class Constant(ClassifierMixin, BaseEstimator):
    """A learner of no package that covey knows."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


STRANGER = f"{Constant.__module__}.Constant"


class Trap:
    """Counts how often it is built."""

    built = 0

    def __init__(self, *args):
        Trap.built += 1

    def __reduce__(self):
        return Trap, ("harm",)


class Unwritable:
    def __reduce__(self):
        raise TypeError("no way")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.covey"


@pytest.fixture
def mixed():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {
            "x": np.where(rng.random(40) < 0.2, np.nan, rng.normal(size=40)),
            "colour": pd.Categorical(rng.choice(["red", "blue"], 40), categories=["unused", "blue", "red"]),
            "size": pd.Categorical(rng.choice([7, 3], 40), categories=[7, 3]),
            "text": rng.choice(["ä", "b", None], 40),
        }
    )
    return frame, rng.choice(["yes", "no"], 40)


def ensemble(estimator, **options):
    return EnsembleClassifier(estimator, n_estimators=3, random_state=1, **options)


def read_schema(path):
    with zipfile.ZipFile(path) as file:
        return json.loads(file.read("schema.json"))


def rewrite(path, schema=None, arrays=lambda name, content: content):
    """Write a file anew with another schema or other arrays."""
    with zipfile.ZipFile(path) as file:
        content = {name: file.read(name) for name in file.namelist()}
    if schema is not None:
        content["schema.json"] = json.dumps(schema).encode()
    with zipfile.ZipFile(path, "w") as file:
        for name, data in content.items():
            file.writestr(name, data if name == "schema.json" else arrays(name, data))


def nodes_of(schema):
    """Give all nodes of a schema, from the outside in."""
    todo = [schema]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            if "__class__" in node:
                yield node
            todo += node.values()
        elif isinstance(node, list):
            todo += node


def forge_nodes(change):
    """Return what changes those arrays of a file that hold the nodes of a tree."""

    def forge(name, content):
        if not name.endswith(".npy"):
            return content
        values = np.load(io.BytesIO(content))
        if not {"left_child", "left"} & set(values.dtype.names or ()):
            return content
        change(values)
        forged = io.BytesIO()
        np.save(forged, values)
        return forged.getvalue()

    return forge


def plant(path, **node):
    """Put a node in the place of one of a harmless model's attributes."""
    save_model(LogisticRegression().fit(X, Y), path)
    schema = read_schema(path)
    model = schema["content"]["model"]
    model["content"]["content"]["classes_"] = node
    rewrite(path, schema)


def arguments(*values):
    texts = [
        {
            "__class__": "str",
            "__module__": "builtins",
            "__loader__": "JsonNode",
            "content": json.dumps(value),
            "is_json": True,
        }
        for value in values
    ]
    return {"__class__": "tuple", "__module__": "builtins", "__loader__": "TupleNode", "content": texts}


@pytest.mark.parametrize(
    "model",
    [
        ensemble(None),
        ensemble(DecisionTreeClassifier(max_depth=2), draw=Wagging(), reweight=AdaBoost(), chain_length=2),
        ensemble(LogisticRegression(), subspace=RandomSubspace()),
        ensemble(GaussianNB(), combine=MeanProbability()),
        ensemble(HistGradientBoostingClassifier(max_iter=2)),
        ensemble(RandomForestClassifier(3)),
        ensemble(make_pipeline(StandardScaler(), LogisticRegression())),
        ensemble(ensemble(DecisionTreeClassifier(max_depth=1), reweight=AdaBoost())),
        ensemble(None, draw=Bootstrap(), subspace=WeightedSubspace([1, 2, 3, 4, 5]), oob_score=False),
        EnsembleClassifier(n_estimators=3, random_state=np.random.default_rng(1)),
        RandomForestClassifier(3, random_state=0),
        MLPClassifier((3,), max_iter=5000, random_state=0),
        GaussianProcessClassifier(),
    ],
    ids=lambda model: f"{type(model).__name__}-{type(getattr(model, 'estimator', None)).__name__}",
)
def test_a_classifier_predicts_the_same_from_a_file(model, path):
    model.fit(X, Y)
    assert save_model(model, path) == path
    loaded = load_model(path)
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert type(loaded) is type(model)


@pytest.mark.parametrize(
    "estimator", [None, DecisionTreeRegressor(max_depth=2), Ridge(), HistGradientBoostingRegressor(max_iter=2)]
)
def test_a_regressor_predicts_the_same_from_a_file(estimator, path):
    model = EnsembleRegressor(estimator, n_estimators=3, random_state=1).fit(X, X[:, 0])
    loaded = load_model(str(save_model(model, str(path))))
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(loaded.member_predictions(X), model.member_predictions(X))


@pytest.mark.parametrize(
    "estimator", [None, HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=2)], ids=["tree", "boosting"]
)
def test_categories_are_kept(estimator, mixed, path):
    frame, y = mixed
    model = ensemble(estimator).fit(frame, y)
    loaded = load_model(save_model(model, path))
    assert loaded.schema_ == model.schema_
    assert [known if known is None else known.tolist() for known in loaded.schema_.categories] == [
        None,
        ["unused", "blue", "red"],
        [7, 3],
        ["b", "ä"],
    ]
    np.testing.assert_array_equal(loaded.predict_proba(frame), model.predict_proba(frame))
    strange = frame.assign(text="new")
    with pytest.warns(UserWarning, match="Column 'text': none of its 40 values"):
        assert loaded.predict(strange).tolist() == model.predict(strange).tolist()


def test_a_loaded_model_can_be_saved_and_grown_again(path):
    loaded = load_model(save_model(ensemble(None, warm_start=True).fit(X, Y), path))
    grown = load_model(save_model(loaded.set_params(n_estimators=5).fit(X, Y), path))
    expected = EnsembleClassifier(n_estimators=5, random_state=1).fit(X, Y)
    np.testing.assert_array_equal(grown.predict_proba(X), expected.predict_proba(X))


@pytest.mark.parametrize(
    "content",
    [b"", b"junk", pickle.dumps({"model": 1}), b"PK\x03\x04 nearly a zip file"],
    ids=["empty", "junk", "pickle", "zip"],
)
def test_other_files_are_refused(content, path):
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"model\.covey is not a model written by covey\.save_model"):
        load_model(path)


@pytest.mark.parametrize(
    "schema", [None, "[]", "{}", "nothing", '{"protocol": 2}', '{"__loader__": "Strange"}', "[" * 100_000]
)
def test_other_zip_files_are_refused(schema, path):
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("readme.txt", "hello")
        if schema is not None:
            file.writestr("schema.json", schema)
    with pytest.raises(ValueError, match=r"is not a model written by covey\.save_model"):
        load_model(path)


def test_other_files_of_skops_are_refused(path):
    for content in (LogisticRegression().fit(X, Y), {"format": 1}, [1]):
        skops.io.dump(content, path)
        with pytest.raises(ValueError, match=r"is not a model written by covey\.save_model"):
            load_model(path)


def test_a_truncated_file_is_refused(path):
    save_model(ensemble(None).fit(X, Y), path)
    whole = path.read_bytes()
    for share in (0.01, 0.5, 0.99):
        path.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(ValueError, match=r"is not a model written by covey\.save_model"):
            load_model(path)


def test_a_damaged_array_is_refused(path):
    save_model(ensemble(GaussianNB()).fit(X, Y), path)
    rewrite(path, arrays=lambda name, content: content[:40])
    with pytest.raises(ValueError, match=r"model\.covey"):
        load_model(path)


def test_a_pickled_array_is_never_unpickled(path):
    save_model(LogisticRegression().fit(X, Y), path)
    harm = io.BytesIO()
    np.save(harm, np.array([Trap()], dtype=object), allow_pickle=True)
    built = Trap.built
    rewrite(path, arrays=lambda name, content: harm.getvalue())
    with pytest.raises(ValueError, match=r"model\.covey"):
        load_model(path)
    assert Trap.built == built


def test_a_missing_file_and_a_directory(path, tmp_path):
    with pytest.raises(FileNotFoundError):
        load_model(path)
    with pytest.raises(IsADirectoryError):
        load_model(tmp_path)


@pytest.mark.parametrize("number", [0, 2, None, "1"])
def test_another_format_is_refused(number, path):
    skops.io.dump({"format": number, "model": LogisticRegression().fit(X, Y)}, path)
    with pytest.raises(ValueError, match=rf"has format {number!r}, but this version of covey reads format 1"):
        load_model(path)


def test_a_strange_type_needs_trust(path):
    model = ensemble(Constant()).fit(X, Y)
    save_model(model, path)
    with pytest.raises(ValueError, match=rf"holds types that are not trusted: {STRANGER}\. If you know"):
        load_model(path)
    with pytest.raises(ValueError, match="not trusted"):
        load_model(path, trusted=["other.Type"])


def test_a_strange_type_that_is_trusted_is_loaded(path, monkeypatch):
    monkeypatch.setitem(
        __import__("sys").modules, Constant.__module__, __import__("types").SimpleNamespace(Constant=Constant)
    )
    model = ensemble(Constant()).fit(X, Y)
    loaded = load_model(save_model(model, path), trusted=[STRANGER])
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))


@pytest.mark.parametrize(
    "model", [KNeighborsClassifier(algorithm="kd_tree"), GradientBoostingClassifier(n_estimators=2)]
)
def test_compiled_parts_that_cannot_be_checked_need_trust(model, path):
    save_model(ensemble(model).fit(X, Y), path)
    with pytest.raises(ValueError, match="If you know where the file comes from"):
        load_model(path)
    trusted = [TREE, "sklearn.neighbors._kd_tree.KDTree", "sklearn.metrics._dist_metrics.EuclideanDistance64"]
    load_model(path, trusted=trusted)


@pytest.mark.parametrize("loader", ["FunctionNode", "TypeNode"])
@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("os", "system"),
        ("builtins", "eval"),
        ("builtins", "exec"),
        ("subprocess", "Popen"),
        ("covey.persistence", "load_model"),
        ("covey.persistence", "Path"),
        ("covey.table.table", "as_table"),
        ("covey.table.schema", "Table"),
        ("covey.__main__", "main"),
        ("sklearn.datasets", "load_files"),
        ("sklearn.gaussian_process.kernels", "ABCMeta"),
        ("sklearn.datasets._covtype", "GzipFile"),
        ("sklearn.datasets._base", "Path"),
        ("sklearn.utils._testing", "TempMemmap"),
        ("sklearn.no_such_module", "Thing"),
    ],
)
def test_functions_and_types_that_are_no_parts_of_models_are_refused(module, name, loader, path):
    plant(path, __class__=name, __module__=module, __loader__=loader)
    with pytest.raises(ValueError, match=rf"not trusted: {module}\.{name}"):
        load_model(path)


def test_no_constructor_of_another_package_is_called_by_a_name_that_scikit_learn_imports(path, tmp_path):
    victim = tmp_path / "precious"
    victim.write_text("data")
    plant(
        path,
        __class__="GzipFile",
        __module__="sklearn.datasets._covtype",
        __loader__="ConstructorFromReduceNode",
        content=arguments(str(victim), "wb"),
    )
    with pytest.raises(ValueError, match="not trusted"):
        load_model(path)
    assert victim.read_text() == "data"


def test_a_method_of_an_estimator_is_refused(path):
    skops.io.dump({"format": 1, "model": GaussianNB().fit(X, Y).fit}, path)
    with pytest.raises(ValueError, match=r"not trusted: sklearn\.naive_bayes\.GaussianNB\.fit"):
        load_model(path)


def point_beyond(field, value):
    def change(nodes):
        nodes[field][0] = value

    return change


@pytest.mark.parametrize(
    ("estimator", "change"),
    [
        (DecisionTreeClassifier(), point_beyond("left_child", 10**6)),
        (DecisionTreeClassifier(), point_beyond("right_child", -5)),
        (DecisionTreeClassifier(), point_beyond("right_child", 0)),
        (DecisionTreeClassifier(), point_beyond("feature", 5)),
        (DecisionTreeClassifier(), point_beyond("feature", -7)),
        (HistGradientBoostingClassifier(max_iter=1), point_beyond("left", 10**6)),
        (HistGradientBoostingClassifier(max_iter=1), point_beyond("right", 0)),
        (HistGradientBoostingClassifier(max_iter=1), point_beyond("feature_idx", 5)),
        (HistGradientBoostingClassifier(max_iter=1), point_beyond("feature_idx", -1)),
        (HistGradientBoostingClassifier(max_iter=1), point_beyond("is_categorical", 1)),
    ],
)
def test_a_forged_tree_is_refused(estimator, change, path):
    save_model(EnsembleClassifier(estimator, n_estimators=1, random_state=0).fit(X, Y), path)
    rewrite(path, arrays=lambda name, content: content)
    load_model(path)
    rewrite(path, arrays=forge_nodes(change))
    with pytest.raises(ValueError, match="a decision tree whose nodes point outside it; the file is damaged or forged"):
        load_model(path)


def test_a_tree_gains_nothing_by_claiming_more_nodes_than_it_has(path):
    model = DecisionTreeClassifier().fit(X, Y)
    save_model(model, path)
    schema = read_schema(path)
    tree = next(node for node in nodes_of(schema) if node["__class__"] == "Tree")
    count = tree["content"]["content"]["node_count"]
    del count["__id__"]  # by which it would be taken from an equal number read before
    count["content"] = "1000000000000"
    rewrite(path, schema)
    try:
        loaded = load_model(path)
    except ValueError as error:  # scikit-learn before 1.9 believes the number
        assert "nodes point outside it" in str(error)  # noqa: PT017
    else:
        assert loaded.tree_.node_count == model.tree_.node_count


def test_the_nodes_of_a_tree_are_not_looked_at_beyond_its_capacity():
    assert _is_sound(type("Tree", (), {"node_count": 3, "capacity": 2})(), n_features=5) is False


def test_the_columns_of_a_tree_are_those_of_every_estimator_that_holds_it(path):
    wide, narrow = DecisionTreeClassifier(max_depth=1).fit(X, Y), DecisionTreeClassifier().fit(X[:, :1], Y)
    assert wide.tree_.feature[0] > 0
    narrow.tree_ = wide.tree_
    for pair in ([wide, narrow], [narrow, wide]):
        save_model(pair, path)
        with pytest.raises(ValueError, match="a decision tree whose nodes point outside it"):
            load_model(path)


def test_a_tree_whose_estimator_does_not_count_columns_is_refused(path):
    model = ensemble(None).fit(X, Y)
    del model.estimators_[0].n_features_in_
    save_model(model, path)
    with pytest.raises(ValueError, match="a decision tree whose nodes point outside it"):
        load_model(path)


def test_forged_categories_are_refused(mixed, path):
    frame, y = mixed
    codes = np.column_stack([frame["colour"].cat.codes, frame["size"].cat.codes]).astype(float)
    model = HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=2, categorical_features=[0]).fit(codes, y)
    load_model(save_model(model, path))
    model._bin_mapper.bin_thresholds_[0] = np.array([1.0, 4000.0])
    save_model(model, path)
    with pytest.raises(ValueError, match="damaged or forged"):
        load_model(path)


@pytest.mark.parametrize("before", [None, b"an older model"])
def test_a_failed_save_leaves_the_file_as_it_was(before, path):
    if before is not None:
        path.write_bytes(before)
    model = ensemble(None).fit(X, Y)
    model.estimators_[1].extra = Unwritable()
    with pytest.raises(TypeError, match="no way"):
        save_model(model, path)
    assert [file.name for file in path.parent.iterdir()] == ([] if before is None else [path.name])
    if before is not None:
        assert path.read_bytes() == before


def test_the_file_is_written_elsewhere_first(path, monkeypatch):
    def fail(self, target):
        raise OSError("disk trouble")

    path.write_bytes(b"an older model")
    monkeypatch.setattr(type(path), "replace", fail)
    with pytest.raises(OSError, match="disk trouble"):
        save_model(GaussianNB().fit(X, Y), path)
    assert path.read_bytes() == b"an older model"
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_save_replaces_the_file_and_leaves_no_other(path):
    save_model(LogisticRegression().fit(X, Y), path)
    save_model(GaussianNB().fit(X, Y), path)
    assert isinstance(load_model(path), GaussianNB)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_function_without_a_name_is_refused_when_saving(path):
    class Local(GaussianNB):
        pass

    def nameless(X, y):
        return np.ones(X.shape[1])

    for model in (
        ensemble(GaussianNB(), subspace=WeightedSubspace(lambda X, y: nameless(X, y))),
        ensemble(GaussianNB(), subspace=WeightedSubspace(partial(nameless))),
        ensemble(Local()),
    ):
        with pytest.raises(ValueError, match=r"<locals>.*, which cannot be found again from a file"):
            save_model(model, path)
    assert not path.exists()


def test_a_file_of_the_users_with_a_similar_name_is_left_alone(path):
    other = path.with_name(f"{path.name}.part")
    other.write_text("mine")
    save_model(GaussianNB(), path)
    assert other.read_text() == "mine"


def test_a_missing_directory_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"There is no directory .*nowhere to save model.covey in"):
        save_model(GaussianNB(), tmp_path / "nowhere" / "model.covey")
