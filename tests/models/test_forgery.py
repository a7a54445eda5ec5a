"""Files that were made to do harm."""

import numpy as np
import pytest
import skops.io
from covey.persistence import _is_sound
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from covey import (
    EnsembleClassifier,
    SphereCoverClassifier,
    load_model,
    save_model,
)
from persistence.files import (
    TREE,
    X,
    Y,
    arguments,
    ensemble,
    forge_nodes,
    nodes_of,
    plant,
    read_schema,
    rewrite,
)


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
        (HistGradientBoostingClassifier(max_iter=1, min_samples_leaf=2), point_beyond("left", 10**6)),
        (HistGradientBoostingClassifier(max_iter=1, min_samples_leaf=2), point_beyond("right", 0)),
        (HistGradientBoostingClassifier(max_iter=1, min_samples_leaf=2), point_beyond("feature_idx", 5)),
        (HistGradientBoostingClassifier(max_iter=1, min_samples_leaf=2), point_beyond("feature_idx", -1)),
        (HistGradientBoostingClassifier(max_iter=1, min_samples_leaf=2), point_beyond("is_categorical", 1)),
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


def test_spheres_that_do_not_fit_together(path):
    for name, forged in (("radii_", np.ones(1)), ("centers_", np.ones((4, 9))), ("sphere_classes_", np.zeros(0))):
        model = SphereCoverClassifier(random_state=0).fit(X, Y)
        setattr(model, name, forged)
        save_model(model, path)
        with pytest.raises(ValueError, match="spheres that do not fit together"):
            load_model(path)
