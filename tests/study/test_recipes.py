from __future__ import annotations

import datetime

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.study.recipes import (
    PIPELINE,
    default_name,
    dotted,
    import_paths,
    plain_params,
    read_recipe,
    shown,
)

SVC = {"estimator": "sklearn.svm.SVC"}
SEEDED = {"estimator": "sklearn.svm.SVC", "params": {"random_state": 1}}
SCALER = {"estimator": "sklearn.preprocessing.StandardScaler"}


def test_all_spellings_come_to_one():
    plain = {"estimator": "sklearn.svm.SVC", "params": {}}
    assert read_recipe({"id": "mb", "params": {"estimator": SVC}}) == ("covey:mb", {"estimator": plain})
    assert read_recipe({"estimator": "covey:mb"}) == read_recipe({"id": "mb"}) == ("covey:mb", {})
    path, params = read_recipe({"pipeline": [SCALER, {"id": "c4.5"}]})
    assert path == PIPELINE
    assert params["steps"][1] == {"estimator": "covey:c4.5", "params": {}}
    nested = {"estimator": {"pipeline": [SCALER, SVC]}}
    written_out = {"estimator": {"estimator": PIPELINE, "params": {"steps": (SCALER, plain)}}}
    assert plain_params("covey.EnsembleClassifier", nested) == plain_params("covey.EnsembleClassifier", written_out)


def test_a_table_of_something_else_stays_as_it_is():
    weights = {"yes": 1.0, "no": 2, "id": 3.5, "pipeline": 1}
    assert plain_params("sklearn.svm.SVC", {"class_weight": weights}) == {"class_weight": weights}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5) | st.just(SVC),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)
NAMES = st.text(max_size=5).filter(lambda name: name not in ("id", "estimator", "pipeline"))


@given(st.dictionaries(NAMES, VALUES, max_size=4))
@settings(deadline=None, max_examples=100)
def test_a_plain_recipe_is_the_same_when_it_is_read_again(params):
    once = plain_params("sklearn.svm.SVC", params)
    assert plain_params("sklearn.svm.SVC", once) == once


def test_what_is_given_is_not_kept():
    layers = [1, {"a": [2]}]
    params = plain_params("sklearn.svm.SVC", {"x": layers})
    layers[1]["a"].append(3)
    assert params == {"x": [1, {"a": [2]}]}


def test_every_import_path_is_found_with_its_key():
    path, params = read_recipe(
        {
            "estimator": "a.Voting",
            "params": {
                "estimators": [
                    ["first", {"estimator": "b.First"}],
                    ["second", {"id": "mb", "params": {"estimator": SVC}}],
                ],
                "more words": {"deep": {"estimator": "c.Deep"}},
                "last": {"pipeline": [{"estimator": "d.Step", "params": {"x": {"estimator": "e.Inner"}}}]},
            },
        },
        "method[2].",
    )
    assert dict(import_paths(path, params, "method[2].")) == {
        "method[2].estimator": "a.Voting",
        "method[2].params.estimators[0][1].estimator": "b.First",
        "method[2].params.estimators[1][1].params.estimator.estimator": "sklearn.svm.SVC",
        'method[2].params."more words".deep.estimator': "c.Deep",
        "method[2].params.last.pipeline[0].estimator": "d.Step",
        "method[2].params.last.pipeline[0].params.x.estimator": "e.Inner",
    }


def test_a_method_is_called_after_what_it_is():
    assert default_name("covey:mbsasc", {}) == "mbsasc"
    assert default_name("sklearn.svm.SVC", {}) == "SVC"
    assert default_name(*read_recipe({"pipeline": [SCALER, {"id": "mb"}]})) == "StandardScaler + mb"


def test_keys_are_written_as_in_a_file():
    assert dotted("method[0].", "params", "max_depth") == "method[0].params.max_depth"
    assert dotted("", 'a "b"', "größe") == r'"a \"b\""."größe"'
    assert len(shown("x" * 1000)) == 80


@pytest.mark.parametrize(
    ("table", "error", "message"),
    [
        ({}, ValueError, r"method\[0\] has no estimator; give one of 'estimator', 'id', 'pipeline'"),
        ({"id": "mb", **SVC}, ValueError, r"method\[0\] has estimator and id; give one"),
        ({"estimater": "sklearn.svm.SVC"}, ValueError, r"method\[0\].estimater is an unknown key; .*'estimator'"),
        ({"id": 3}, TypeError, r"method\[0\].id=3 must be text, such as 'mbsasc'"),
        ({"estimator": ["a"]}, TypeError, r"method\[0\].estimator=\['a'\] must be text"),
        ({"id": "mbsas"}, ValueError, r"method\[0\].id='mbsas' is no published system; did you mean 'mbsasc'"),
        ({"estimator": "mbsasc"}, ValueError, "is the id of a published system; write id = 'mbsasc'"),
        ({"estimator": "SVC"}, ValueError, r"method\[0\].estimator='SVC' is no import path"),
        ({"estimator": ""}, ValueError, "is no import path"),
        ({"estimator": "sklearn..svm.SVC"}, ValueError, "is no import path"),
        ({"estimator": "sklearn.svm.SVC()"}, ValueError, "is no import path"),
        ({"estimator": "__import__('os').system"}, ValueError, "is no import path"),
        ({"estimator": "sklearn.utils._joblib.Parallel"}, ValueError, "has a private part, '_joblib'"),
        ({"estimator": "covey.__builtins__.eval"}, ValueError, "has a private part, '__builtins__'"),
        ({"pipeline": []}, TypeError, r"method\[0\].pipeline=\[\] must be an array of tables"),
        ({"pipeline": "SVC"}, TypeError, r"method\[0\].pipeline='SVC' must be an array"),
        ({"pipeline": ["SVC"]}, TypeError, r"method\[0\].pipeline\[0\]='SVC' must be a table"),
        ({"pipeline": [SVC], "params": {}}, ValueError, r"method\[0\].params={} belongs to no step"),
        ({"pipeline": [{"name": "x", **SVC}]}, ValueError, r"method\[0\].pipeline\[0\].name is an unknown key"),
        ({"estimator": PIPELINE}, TypeError, r"method\[0\].pipeline={} must be an array"),
        ({"estimator": PIPELINE, "params": {"steps": [SVC], "verbose": True}}, TypeError, "must be an array"),
        ({**SVC, "params": [1]}, TypeError, r"method\[0\].params=\[1\] must be a table"),
        (
            {**SVC, "params": {"C": datetime.date(2020, 1, 1)}},
            TypeError,
            r"method\[0\].params.C=.* is a date; give text",
        ),
        ({**SVC, "params": {"C": [1, np.float64(2)]}}, TypeError, r"method\[0\].params.C\[1\]=.* is a float64"),
        ({**SVC, "params": {"class_weight": {0: 1}}}, TypeError, "table whose keys are text"),
        ({**SVC, "params": {"kernel": {"estimator": 3}}}, TypeError, r"params.kernel.estimator=3 must be text"),
        ({**SVC, "params": {"a": {**SVC, "x": 1}}}, ValueError, r"method\[0\].params.a.x is an unknown key"),
    ],
)
def test_what_is_no_recipe_is_refused(table, error, message):
    with pytest.raises(error, match=message):
        read_recipe(table, "method[0].")


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ({**SVC, "params": {"random_state": 0}}, "params.random_state=0"),
        ({"id": "mb", "params": {"estimator__random_state": 0}}, "params.estimator__random_state=0"),
        (
            {"id": "mb", "params": {"estimator": {**SVC, "params": {"random_state": 1}}}},
            "params.estimator.params.random",
        ),
        ({"pipeline": [SEEDED]}, r"pipeline\[0\].params.random_state=1"),
        ({"estimator": "lightgbm.LGBMClassifier", "params": {"seed": 2}}, "params.seed=2"),
        ({"estimator": "catboost.CatBoostClassifier", "params": {"random_seed": 2}}, "params.random_seed=2"),
    ],
)
def test_randomness_is_left_to_the_study(table, key):
    with pytest.raises(ValueError, match=rf"^{key}.* would be set anew for every fit; .* seed of the study"):
        read_recipe(table)


def test_nothing_is_kept_on_disk():
    with pytest.raises(ValueError, match=r"params.memory='cache' would keep pickles on disk"):
        read_recipe({"estimator": "sklearn.pipeline.Pipeline", "params": {"memory": "cache"}})


@pytest.mark.parametrize(
    "wrap", [lambda x: [x], lambda x: {"a": x}, lambda x: {"pipeline": [x]}, lambda x: {**SVC, "params": {"a": x}}]
)
def test_what_is_nested_without_end_is_refused(wrap):
    value = SVC
    for _ in range(1500):
        value = wrap(value)
    with pytest.raises(ValueError, match="is nested too deeply"):
        read_recipe({**SVC, "params": {"a": value}})
