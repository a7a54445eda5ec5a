"""Files that were made to do harm: each kind of attack that has been tried, and its like."""

import json
import os
import struct
import tracemalloc
import zipfile
from contextlib import contextmanager
from functools import partial

import numpy as np
import pytest
import skops.io
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier, StackingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from covey import C45Classifier, FeatureSubsetNeighborsClassifier, MixedNeighborsClassifier, load_model, save_model
from covey.models import needed_trust, read_about
from models.files import X, Y, ensemble, forge_array, parts_of, rewrite, write_parts


@pytest.fixture
def saved(path):
    """The file of a small model, to be changed."""
    return save_model(LogisticRegression().fit(X, Y), path)


def refused(path, problem="The file is damaged or forged"):
    with pytest.raises(ValueError, match=problem):
        load_model(path)


# Running code


def writing_chain(target):
    """Return a pipeline of scikit-learn's own parts that writes a file of any content when it predicts."""
    stack = StackingClassifier([("a", LogisticRegression()), ("b", LogisticRegression())], cv=2).fit(X, Y)
    stack.estimators_ = [np.array(b"import os; os.system('harm')", "S28")]
    stack.stack_method_ = ["tofile"]
    path = FunctionTransformer(partial(str, os.fsencode(target), "utf-8"))
    return Pipeline([("text", FunctionTransformer(str)), ("path", path), ("write", stack)])


def test_a_chain_of_parts_that_writes_a_file_asks_for_trust(saved, tmp_path, stranger):
    target = tmp_path / "site.pth"
    parts = parts_of(saved)
    document = json.loads(parts["model.json"]) | {"model": {"foreign": 0}, "foreign": [{"skops": 0}]}
    parts |= {"model.json": json.dumps(document), "foreign/objects.skops": skops.io.dumps([writing_chain(target)])}
    write_parts(saved, parts)
    assert needed_trust(saved) == ("functools", "sklearn")
    refused(saved, "run the code of these packages on whatever the file says")
    with pytest.raises(ValueError, match=r"parts of functools, which covey cannot check"):
        load_model(saved, trust=["sklearn"])
    assert not target.exists()


def node_of(name, params=None, state=None):
    return {"class": name, "params": params or {}, "state": state}


@pytest.mark.parametrize(
    "name",
    [
        "sklearn.FunctionTransformer",
        "sklearn.StackingClassifier",
        "sklearn.SVC",
        "sklearn.GridSearchCV",
        "FunctionTransformer",
        "os.system",
        "builtins.eval",
        "covey.models.files.Path",
        "sklearn.preprocessing.StandardScaler",
        "../../harm",
        "",
        None,
        3,
        ["C45Classifier"],
    ],
)
@pytest.mark.parametrize("inside", [False, True])
def test_no_other_class_is_made(name, inside, saved):
    forged = node_of(name)
    if inside:
        forged = node_of("sklearn.Pipeline", {"steps": [{"tuple": ["a", {"model": forged}]}]})
    rewrite(saved, lambda document: document.update(model=forged))
    refused(saved, "is of a class that no file can hold")


UNDECLARED = ("__class__", "__dict__", "predict", "_check_state", "_state", "extra_", "estimators_")
UNKNOWN = ("memory_", "__init__", "self", "steps__0")
SUBSETS = FeatureSubsetNeighborsClassifier(3, resample="query", random_state=0)


@pytest.mark.parametrize(
    ("model", "where", "value", "problem"),
    [
        *((C45Classifier(), ("state", name), 1, "attributes that are not declared") for name in UNDECLARED),
        *((C45Classifier(), ("params", name), 1, "parameters that its class does not have") for name in UNKNOWN),
        # A later fit would load the cache, and these many threads or columns would end the process.
        (make_pipeline(StandardScaler(), LogisticRegression()), ("params", "memory"), "harm", "has a cache"),
        (MixedNeighborsClassifier(), ("params", "n_jobs"), 1_000_000, "asks for none or too many n_jobs"),
        (SUBSETS, ("state", "subset_size_"), 10**12, "draws more columns than there are"),
    ],
    ids=lambda value: value[-1] if isinstance(value, tuple) else "",
)
def test_attributes_and_parameters_are_those_declared(model, where, value, problem, path):
    save_model(model.fit(X, Y), path)
    rewrite(path, lambda document: document["model"][where[0]].update({where[1]: value}))
    refused(path, problem)


@pytest.mark.parametrize(
    "value",
    [
        {"partial": ["os.system"]},
        {"function": "os.system"},
        {"model": {"foreign": 0}},
        {"model": {"foreign": -1}},
        {"tuple": 3},
        {"set": [[]]},
        {"dict": [[[], 1]]},
        {"dict": [[1]]},
        {"seed": {"sequence": {"entropy": 1, "spawn_key": [], "pool_size": 100_000, "n_children_spawned": 0}}},
        {"seed": {"pcg64": [1, 2, 3, 4]}},
        {"seed": {"mt19937": [0] * 625 + [9], "gauss": 0.0}},
        {"array": ["float64", 0, 10**15]},
        {"array": ["object", 0, 1]},
        {"array": ["float64", -8, 4]},
        {"float": "1e5"},
        {},
        {"tuple": [], "list": []},
        [[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]],
    ],
    ids=lambda value: json.dumps(value)[:30],
)
def test_parameters_are_plain_values(value, path):
    save_model(C45Classifier().fit(X, Y), path)
    rewrite(path, lambda document: document["model"]["params"].update(random_state=value))
    refused(path)


def test_a_pickled_array_is_never_unpickled(saved):
    parts = parts_of(saved)
    header = b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"
    header += b" " * (118 - len(header) - 1) + b"\n"
    content = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + b"cos\nsystem\n(S'harm'\ntR."
    write_parts(saved, parts | {"arrays/float64.npy": content})
    refused(saved, "is no pool of arrays")


# Crashing the process


def at(*steps):
    def find(model):
        for step in steps:
            model = model[step]
        return model

    return find


def set_to(value, place=0):
    def change(array):
        array.reshape(-1)[place] = value

    return change


BOOSTING = HistGradientBoostingClassifier(max_iter=1, min_samples_leaf=2)
TREE = ("state", "tree_")
FOREST_TREE = ("state", "estimators_", 0, *TREE)


@pytest.mark.parametrize(
    ("model", "where", "value"),
    [
        (DecisionTreeClassifier(), (*TREE, "left_child"), -100_000_000),
        (DecisionTreeClassifier(), (*TREE, "left_child"), 10**6),
        (DecisionTreeClassifier(), (*TREE, "right_child"), -5),
        (DecisionTreeClassifier(), (*TREE, "right_child"), -1),
        (DecisionTreeClassifier(), (*TREE, "right_child"), 0),
        (DecisionTreeClassifier(), (*TREE, "right_child"), 1),
        (DecisionTreeClassifier(), (*TREE, "feature"), 5),
        (DecisionTreeClassifier(), (*TREE, "feature"), -7),
        (DecisionTreeClassifier(), (*TREE, "value"), np.nan),
        (DecisionTreeClassifier(), (*TREE, "value"), 3.0),
        (RandomForestClassifier(2), (*FOREST_TREE, "left_child"), 10**6),
        (C45Classifier(), (*TREE, "first_child"), 10**6),
        (C45Classifier(), (*TREE, "first_child"), 0),
        (C45Classifier(), (*TREE, "attribute"), 5),
        (C45Classifier(), (*TREE, "n_children"), 3),
        (BOOSTING, ("state", "_predictors", 0, 0, "left"), 10**6),
        (BOOSTING, ("state", "_predictors", 0, 0, "right"), 0),
        (BOOSTING, ("state", "_predictors", 0, 0, "feature_idx"), 5),
        (BOOSTING, ("state", "_predictors", 0, 0, "feature_idx"), -1),
        (BOOSTING, ("state", "_predictors", 0, 0, "is_categorical"), 1),
        (KNeighborsClassifier(), ("state", "_y"), 7),
        (KNeighborsClassifier(), ("state", "_fit_X"), np.inf),
    ],
    ids=lambda value: value[-1] if isinstance(value, tuple) else str(value)[:20],
)
def test_values_that_lead_compiled_code_astray_are_refused(model, where, value, path):
    save_model(model.fit(X, Y), path)
    load_model(path).predict(X)
    forge_array(path, at(*where), set_to(value))
    refused(path)


@pytest.mark.parametrize(
    ("model", "where", "shape"),
    [
        (DecisionTreeClassifier(), (*TREE, "left_child"), []),
        (DecisionTreeClassifier(), (*TREE, "left_child"), [1]),
        (DecisionTreeClassifier(), (*TREE, "value"), [1, 1, 2]),
        (KNeighborsClassifier(), ("state", "_fit_X"), [0, 5]),
        (KNeighborsClassifier(), ("state", "_fit_X"), [60, 4]),
        (LogisticRegression(), ("state", "coef_"), [1, 4]),
        (make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression()), ("params", "steps", 0), None),
        (C45Classifier(), (*TREE, "weight"), [3, 1]),
    ],
    ids=lambda value: str(value)[:30],
)
def test_shapes_that_do_not_fit_are_refused(model, where, shape, path):
    save_model(model.fit(X, Y), path)

    def change(document):
        place = at(*where)(document["model"])
        if shape is None:
            place.clear()
        else:
            place[2:] = shape

    rewrite(path, change)
    refused(path)


@pytest.mark.parametrize(
    ("model", "counts"),
    [
        (DecisionTreeClassifier(), [1]),
        (RandomForestClassifier(2), [1, 40_000_000]),
        (HistGradientBoostingClassifier(max_iter=2), [1, 4, 40_000_000]),
        (LogisticRegression(), [1, 4, 40_000_000]),
        (KNeighborsClassifier(), [1, 4, 40_000_000]),
        (C45Classifier(), [1, 4, 40_000_000]),
        (ensemble(C45Classifier()), [1, 4, 40_000_000]),
        (ensemble(DecisionTreeClassifier()), [1, 4, 40_000_000]),
    ],
    ids=str,
)
def test_columns_that_a_model_does_not_have_are_refused(model, counts, path):
    save_model(model.fit(X, Y), path)
    for count in counts:
        rewrite(path, lambda document, count=count: document["model"]["state"].update(n_features_in_=count))
        with pytest.raises(ValueError, match="The file is damaged or forged"):
            load_model(path)


def test_members_of_other_columns_or_classes_are_refused(path):
    for member in (DecisionTreeClassifier(), C45Classifier(), LogisticRegression()):
        narrow = ensemble(member).fit(X[:, :3], Y)
        save_model(ensemble(member).fit(X, Y), path)
        forged = ensemble(member).fit(X, Y)
        forged.estimators_[1] = narrow.estimators_[1]
        save_model(forged, path)
        assert needed_trust(path) != ()  # it is not written as what it is not
        three = ensemble(member).fit(X, np.arange(60) % 3)
        forged.estimators_[1] = three.estimators_[1]
        save_model(forged, path)
        assert needed_trust(path) != ()


# Exhausting memory or time


@contextmanager
def little_memory():
    """Expect that no more than 16 MiB are taken."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()


def write_bomb(path, name, parts=(), fill=b"\0"):
    """Write a file whose part of that name is 32 MiB long and compressed to nearly nothing."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for part, content in dict(parts).items():
            if part != name:
                file.writestr(part, content)
        with file.open(name, "w") as entry:
            for _ in range(32):
                entry.write(fill * 2**20)
    assert path.stat().st_size < 2**18
    return path


@pytest.mark.parametrize("name", ["model.json", "arrays/float64.npy", "foreign/objects.skops"])
def test_a_file_that_unpacks_to_far_more_is_refused(name, saved):
    write_bomb(saved, name, parts_of(saved))
    for read in (load_model, needed_trust, read_about):
        with little_memory(), pytest.raises(ValueError, match="is compressed or encrypted, which no model is"):
            read(saved)


def test_a_payload_that_unpacks_to_far_more_is_not_looked_into(path):
    save_model(SVC().fit(X, Y), path)
    inner = write_bomb(path.with_name("inner"), "schema.json", fill=b" ")
    write_parts(path, parts_of(path) | {"foreign/objects.skops": inner.read_bytes()})
    for read in (load_model, needed_trust):
        with little_memory(), pytest.raises(ValueError, match="is compressed, which no model is"):
            read(path)


def test_lists_within_lists_that_are_shared_do_not_multiply(path):
    """A small file of skops in which each list holds the one before ten times never ended."""
    model = {"__class__": "SVC", "__module__": "sklearn.svm", "__loader__": "ObjectNode"}
    nodes = {"__class__": "list", "__module__": "builtins", "__loader__": "ListNode", "content": [model], "__id__": 0}
    schema = nodes
    for level in range(1, 58):
        again = [{"__class__": "list", "__module__": "builtins", "__loader__": "CachedNode", "__id__": level - 1}] * 9
        schema = {**nodes, "content": [schema, *again], "__id__": level}
    inner = path.with_name("inner")
    write_parts(inner, {"schema.json": json.dumps({**schema, "protocol": 2, "_skops_version": "0.16"})})
    save_model(SVC().fit(X, Y), path)
    write_parts(path, parts_of(path) | {"foreign/objects.skops": inner.read_bytes()})
    assert needed_trust(path) == ("sklearn",)
    refused(path, "which covey cannot check")


def test_the_same_array_in_many_places_is_not_looked_at_again_and_again(path):
    rows = np.tile(X, (200, 1))
    save_model(MixedNeighborsClassifier().fit(rows, np.tile(Y, 200)), path)

    def change(document):
        codes = document["model"]["state"]["_cases"]["codes"]
        document["model"]["params"]["n_neighbors"] = [{"array": codes}] * 3000

    rewrite(path, change)
    with little_memory(), pytest.raises(ValueError, match="far more memory or time than the size of its file allows"):
        load_model(path)


def test_a_label_that_is_long_does_not_make_all_of_them_long(path):
    save_model(C45Classifier().fit(X, np.array(["a", "b"])[Y]), path)
    rewrite(path, lambda document: document["model"]["state"].update(classes_={"text": ["x" * 10**6, *["y"] * 10_000]}))
    with little_memory(), pytest.raises(ValueError, match="far more memory or time than the size of its file allows"):
        load_model(path)


def test_a_directory_of_a_million_parts_is_not_read(saved):
    parts = parts_of(saved)
    write_parts(saved, parts | {f"foreign/{place}": "" for place in range(2000)})
    refused(saved, "holds more than 1024 parts")


def test_parts_that_overlap_are_refused(saved):
    content = bytearray(saved.read_bytes())
    first = content.index(b"PK\x01\x02")
    second = content.index(b"PK\x01\x02", first + 4)
    content[first + 20 : first + 28] = struct.pack("<2L", 10**6, 10**6)
    assert second > first
    saved.write_bytes(content)
    refused(saved, "holds parts that overlap")


@pytest.mark.parametrize("name", ["../harm", "/etc/passwd", "harm.py", "arrays/object.npy", "arrays/float64.npy/x"])
def test_parts_of_other_names_are_refused(name, saved):
    write_parts(saved, parts_of(saved) | {name: b"harm"})
    refused(saved, "holds parts that no model has")


def test_two_parts_of_the_same_name_are_refused(saved):
    with zipfile.ZipFile(saved, "a") as file, pytest.warns(UserWarning, match="Duplicate name"):
        file.writestr("model.json", "{}")
    for read in (load_model, read_about):
        with pytest.raises(ValueError, match="holds two parts of the same name"):
            read(saved)


def test_a_damaged_part_is_refused(saved):
    content = bytearray(saved.read_bytes())
    content[content.index(b"\x93NUMPY") + 130] ^= 1
    saved.write_bytes(content)
    refused(saved, "Bad CRC-32")
