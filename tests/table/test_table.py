from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

from covey.table import as_table
from covey.table.schema import check_finite
from covey.table.table import categorical_mask, extend_rows

FRAMES = pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
nan = np.nan


def known(table):
    return [None if categories is None else categories.tolist() for categories in table.categories]


def assert_reads(X, matrix, categories, categorical_features="from_dtype"):
    table = as_table(X, categorical_features)
    np.testing.assert_array_equal(table.matrix, matrix)
    assert known(table) == categories
    assert table.matrix.dtype == np.float64
    assert table.matrix.flags.c_contiguous
    np.testing.assert_array_equal(table.categorical, [labels is not None for labels in categories])
    np.testing.assert_array_equal(table.schema.encode(X), matrix)


@FRAMES
def test_all_frames_read_alike(make):
    frame = make(
        {
            "n": [3, None, 1],
            "flag": [True, None, False],
            "x": [0.5, None, -1.0],
            "text": ["b", None, "a"],
            "full": [1, 2, 3],
            "yes": [True, False, True],
        }
    )
    expected = [[3, 1, 0.5, 1, 1, 1], [nan, nan, nan, nan, 2, 0], [1, 0, -1, 0, 3, 1]]
    assert_reads(frame, expected, [None, None, None, ["a", "b"], None, None])
    assert as_table(frame).names == ("n", "flag", "x", "text", "full", "yes")


@pytest.mark.parametrize(
    ("values", "codes", "categories"),
    [
        (pd.array([2, None], dtype="Int64"), [2, nan], None),
        (pd.array([1.5, None], dtype="Float64"), [1.5, nan], None),
        (pd.array([True, None], dtype="boolean"), [1, nan], None),
        (pd.array(["x", None], dtype="string"), [0, nan], ["x"]),
        (pd.array(["x", None], dtype="str"), [0, nan], ["x"]),
        (pd.array([2, None], dtype="int64[pyarrow]"), [2, nan], None),
        (pd.array([True, None], dtype="bool[pyarrow]"), [1, nan], None),
        (pd.array(["x", None], dtype="string[pyarrow]"), [0, nan], ["x"]),
        (pd.array([0, 3], dtype="Sparse[int]"), [0, 3], None),
        (pd.Categorical(["b", None], categories=["c", "b", "a"]), [1, nan], ["c", "b", "a"]),
        (pd.Categorical(["b", "a"], categories=["b", "a"], ordered=True), [0, 1], ["b", "a"]),
        (pd.Categorical([3, None], categories=[5, 3, 1]), [1, nan], [5, 3, 1]),
        (pd.Categorical([0.5, 2]), [0, 1], [0.5, 2]),
        (pd.Categorical([True, None, False][:2], categories=[False, True]), [1, nan], [0, 1]),
        (pd.Categorical([None, None]), [nan, nan], []),
        (pd.Categorical([1, "a"], categories=[2.0, "a", 1]), [2, 1], ["2", "a", "1"]),
        (pd.Series([2, None], dtype="Int64").astype("category"), [0, nan], [2]),
        (pd.Series(["v", None], dtype="string").astype("category"), [0, nan], ["v"]),
        (pl.Series(["b", None], dtype=pl.Enum(["c", "b"])), [1, nan], ["c", "b"]),
        (pl.Series([None, None], dtype=pl.Enum(["c", "b"])), [nan, nan], ["c", "b"]),
        (pl.Series([None, None], dtype=pl.Enum([])), [nan, nan], []),
        (pl.Series(["b", None], dtype=pl.Categorical), [0, nan], ["b"]),
        (pl.Series(["b", "a"], dtype=pl.Categorical), [1, 0], ["a", "b"]),
        (pl.Series([None, None], dtype=pl.Categorical), [nan, nan], []),
        (pl.Series([None, None], dtype=pl.String), [nan, nan], []),
        (pl.Series([None, None]), [nan, nan], None),
        (pl.Series([Decimal("1.5"), None]), [1.5, nan], None),
        (pa.array([None, "y"]).dictionary_encode(), [nan, 0], ["y"]),
        (pa.DictionaryArray.from_arrays(pa.array([1, 0]), ["y", "x"]), [0, 1], ["x", "y"]),
        (pa.array([3, None]).dictionary_encode(), [0, nan], [3]),
        (np.array([None, None]), [nan, nan], None),
        (np.array(["1", 2], dtype=object), [0, 1], ["1", "2"]),
    ],
    ids=lambda value: f"{type(value).__module__.split('.')[0]}-{getattr(value, 'dtype', '')}",
)
@pytest.mark.parametrize("alone", [True, False])
def test_columns_of_every_type(values, codes, categories, alone):
    make = {"polars": pl.DataFrame, "pyarrow": pa.table}.get(type(values).__module__.split(".")[0], pd.DataFrame)
    if alone:
        assert_reads(make({"a": values}), np.transpose([codes]), [categories])
    else:
        X = make({"x": [0.5, 1.5], "a": values, "flag": [True, False]})
        assert_reads(X, np.transpose([[0.5, 1.5], codes, [1, 0]]), [None, categories, None])


@pytest.mark.parametrize("chosen", [[1], [-2], ["b"], [False, True, False], np.array([1]), (1,), [1, 1]], ids=repr)
def test_columns_chosen_by_position_name_or_mask(chosen):
    X = pd.DataFrame({"a": [1.0, 2, 3], "b": [7, 5, 7], "c": [True, False, True]})
    assert_reads(X, [[1, 1, 1], [2, 0, 0], [3, 1, 1]], [None, [5, 7], None], chosen)


def test_none_and_nothing_choose_no_column():
    X = pd.DataFrame({"a": pd.Categorical([3, 1])})
    assert_reads(X, [[3], [1]], [None], None)
    assert_reads(X, [[3], [1]], [None], [])
    with pytest.raises(ValueError, match=r"column 'b' is to be numeric but holds text.*name the column"):
        as_table(pd.DataFrame({"b": ["x"]}), None)


def test_chosen_columns_keep_the_categories_their_type_declares():
    X = pd.DataFrame({"a": pd.Categorical(["b"], categories=["c", "b"]), "n": [4]})
    assert_reads(X, [[1, 0]], [["c", "b"], [4]], ["a", "n"])


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ("a", "categorical_features='a' is not understood; give 'from_dtype', None, or a list"),
        ([2], r"names the columns \[2\], but X has 2 columns"),
        ([-3], r"names the columns \[-3\]"),
        ([True], "is a mask of length 1, but X has 2 columns"),
        ([[0]], r"categorical_features=\[\[0\]\] is not understood"),
        (0, "categorical_features=0 is not understood"),
        ([1.0], "is not understood; .* a list of positions, of names or of booleans"),
        (np.array(["a", 1], dtype=object), "is not understood"),
        (["a", "z"], r"unknown columns \['z'\]; X has \['a', 'b'\]"),
    ],
    ids=repr,
)
def test_choices_that_cannot_be_made(chosen, message):
    with pytest.raises(ValueError, match=message):
        as_table(pd.DataFrame({"a": [1], "b": [2]}), chosen)


def test_names_need_named_columns():
    with pytest.raises(ValueError, match="X has no column names; give positions or a mask"):
        as_table(np.ones((2, 2)), ["x0"])


def test_a_mask_is_copied():
    mask = np.array([True, False])
    categorical_mask(mask, ["a", "b"])[0] = False
    assert mask[0]


def test_what_fits_is_the_same_object(numbers):
    numbers[:, 2] = [0, 1, 2, 1, nan, 0]
    numbers.flags.writeable = False
    for chosen in (None, "from_dtype", [2], [False, False, True]):
        table = as_table(numbers, chosen)
        assert table.matrix is numbers
        assert table.schema.encode(numbers) is numbers


def test_the_input_is_never_written_to(numbers):
    numbers[:, 2] = [5, 6, 7, 6, nan, 5]
    before = numbers.copy()
    table = as_table(numbers, [2])
    assert not np.shares_memory(table.matrix, numbers)
    np.testing.assert_array_equal(table.matrix[:, 2], [0, 1, 2, 1, nan, 0])
    table.schema.encode(numbers)
    np.testing.assert_array_equal(numbers, before)


def test_a_table_is_taken_as_it_is(numbers):
    table = as_table(numbers)
    assert as_table(table) is table
    assert table.schema.encode(table) is table.matrix


def test_a_table_of_another_schema_is_refused():
    schema = as_table(pd.DataFrame({"a": ["x", "y"]})).schema
    for other in (pd.DataFrame({"a": ["x", "z"]}), pd.DataFrame({"b": ["x", "y"]}), np.ones((2, 3))):
        with pytest.raises(ValueError, match="columns or categories are not those seen in training"):
            schema.encode(as_table(other))
    np.testing.assert_array_equal(schema.encode(as_table(pd.DataFrame({"a": ["y", "x"]}))), [[1], [0]])


@pytest.mark.parametrize("infinite", [np.inf, -np.inf])
@pytest.mark.parametrize("make", [np.array, pd.DataFrame, lambda rows: np.array(rows, dtype=object)])
def test_infinite_values_are_refused_by_column(infinite, make):
    rows = [[1.0, 2.0, nan], [1.0, infinite, 4.0]]
    with pytest.raises(ValueError, match=r"Input X contains infinity in column '(x1|1)'; replace"):
        as_table(make(rows))
    with pytest.raises(ValueError, match="Input X contains infinity"):
        as_table(np.ones((2, 3))).schema.encode(make(rows))


@pytest.mark.parametrize("values", [[1e308] * 3, [1e308, 1e308, -1e308, -1e308], [-1.7e308, -1.7e308, nan]])
def test_huge_values_are_not_infinite(values):
    X = np.transpose([values])
    assert as_table(X).matrix is X
    check_finite(X, ["a"])


def test_an_infinite_category_is_one():
    assert_reads(np.array([[np.inf], [1.0]]), [[1], [0]], [[1, np.inf]], [0])


@FRAMES
def test_unknown_categories_count_as_missing(make):
    schema = as_table(make({"text": ["b", "a"], "n": [4, 2]}), ["text", "n"]).schema
    codes = schema.encode(make({"text": ["z", "b", None], "n": [2, 3, None]}))
    np.testing.assert_array_equal(codes, [[nan, 0], [1, nan], [nan, nan]])


@pytest.mark.parametrize(
    ("train", "new", "expected"),
    [
        (["b", "a"], pd.Categorical(["a", "q", "b"]), [0, nan, 1]),
        (["b", "a"], np.array([None, None, None]), [nan, nan, nan]),
        (["1", "2", "x"], [2, 1.0, 7], [1, 0, nan]),
        (pd.Categorical([True, False]), [True, False, True], [1, 0, 1]),
        (pd.Categorical([True, False]), np.array([True, None, False], dtype=object), [1, nan, 0]),
        (pd.Categorical([3, 1], categories=[3, 1]), ["1", "3", "9"], [1, 0, nan]),
        (pd.Categorical([2.0, "a"], categories=[2.0, "a"]), np.array([2, 2.0, "a"], dtype=object), [0, 0, 1]),
        (pd.Categorical([None, None]), ["u", "v", None], [nan, nan, nan]),
        (pd.array([None, None], dtype="str"), ["u", "v", None], [nan, nan, nan]),
        ([1.5, 2.5], np.array([None, None, None]), [nan, nan, nan]),
        ([1.5, 2.5], pd.Categorical([2, 1, None]), [2, 1, nan]),
        ([1.5, 2.5], [True, False, True], [1, 0, 1]),
        ([1.5, 2.5], pd.array([None, None, None], dtype="str"), [nan, nan, nan]),
    ],
    ids=repr,
)
def test_columns_of_another_type_than_in_training(train, new, expected):
    schema = as_table(pd.DataFrame({"a": train})).schema
    np.testing.assert_array_equal(schema.encode(pd.DataFrame({"a": new}))[:, 0], expected)


def test_text_where_training_had_numbers_is_refused():
    numeric, categorical = as_table(pd.DataFrame({"a": [1, 2]})), as_table(pd.DataFrame({"a": [1, 2]}), ["a"])
    with pytest.raises(ValueError, match=r"column 'a' is to be numeric but holds text such as '1'"):
        numeric.schema.encode(pd.DataFrame({"a": ["1"]}))
    with pytest.raises(ValueError, match="column 'a' had numbers as categories in training and now holds text"):
        categorical.schema.encode(pd.DataFrame({"a": ["one"]}))


@pytest.mark.parametrize(
    ("new", "message"),
    [
        (pd.DataFrame({"b": [1], "a": [2]}), "they are in another order"),
        (pd.DataFrame({"a": [1], "c": [2]}), r"unknown: \['c'\]; missing: \['b'\]"),
        (pd.DataFrame({"a": [1]}), "X has 1 features, but 2 were seen in training"),
        (np.ones((1, 3)), "X has 3 features, but 2 were seen in training"),
    ],
)
def test_other_columns_than_in_training_are_refused(new, message):
    schema = as_table(pd.DataFrame({"a": [1], "b": [2]})).schema
    for read in (schema.encode, lambda X: extend_rows(X, schema)):
        with pytest.raises(ValueError, match=message):
            read(new)


def test_rows_without_names_are_taken_in_order():
    named, unnamed = pd.DataFrame({"a": [1.0], "b": [2.0]}), np.array([[1.0, 2.0]])
    np.testing.assert_array_equal(as_table(named).schema.encode(unnamed), unnamed)
    np.testing.assert_array_equal(as_table(unnamed).schema.encode(named), unnamed)
    assert as_table(unnamed).names == ("x0", "x1")
    assert not as_table(unnamed).schema.named


def test_check_is_called_on_rows_only():
    calls = []
    schema = as_table(np.ones((1, 2))).schema
    schema.encode(np.ones((1, 2)), check=lambda: calls.append(1))
    with pytest.raises(ValueError, match="Expected 2D"):
        schema.encode(np.ones(2), check=lambda: calls.append(1))
    assert calls == [1]


words = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=3)
gaps = st.none()
kinds = {
    "float": (st.floats(allow_infinity=False, allow_nan=True), lambda cells: np.array(cells, dtype=float)),
    "int": (st.integers(-(2**40), 2**40), list),
    "bool": (st.booleans(), list),
    "text": (words | gaps, lambda cells: pd.array(cells, dtype="str")),
    "nullable": (st.integers(-5, 5) | gaps, lambda cells: pd.array(cells, dtype="Int64")),
    "object": (words | gaps | st.integers() | st.booleans(), lambda cells: pd.Series(cells, dtype=object)),
    "category": (words | gaps, pd.Categorical),
    "numbers": (st.integers(-5, 5) | gaps, pd.Categorical),
}


@st.composite
def frames(draw):
    chosen = draw(st.lists(st.sampled_from(sorted(kinds)), min_size=1, max_size=5))
    n_rows = draw(st.integers(1, 6))
    data = {}
    for position, kind in enumerate(chosen):
        cells, build = kinds[kind]
        data[f"{kind}{position}"] = build(draw(st.lists(cells, min_size=n_rows, max_size=n_rows)))
    return pd.DataFrame(data)


@pytest.mark.slow
@given(frames(), st.data())
@settings(derandomize=True, deadline=None, max_examples=200)
def test_the_training_rows_are_encoded_as_in_training(frame, data):
    names = data.draw(st.sets(st.sampled_from(list(frame.columns))))
    text = {name for name in frame if name.startswith(("text", "object", "category"))}
    for chosen in ("from_dtype", sorted(names | text)):
        table = as_table(frame, chosen)
        np.testing.assert_array_equal(table.schema.encode(frame), table.matrix)
        one = data.draw(st.integers(0, len(frame) - 1))
        np.testing.assert_array_equal(table.schema.encode(frame.iloc[[one]]), table.matrix[[one]])
        for codes, categories in zip(table.matrix.T, table.categories, strict=True):
            if categories is not None:
                seen = codes[~np.isnan(codes)]
                assert ((seen >= 0) & (seen < len(categories)) & (seen == np.round(seen))).all()
        np.testing.assert_array_equal(np.isnan(table.matrix), frame.isna())


@given(frames())
@settings(derandomize=True, deadline=None, max_examples=60)
def test_pandas_polars_and_pyarrow_agree(frame):
    frame = frame[[name for name in frame if not name.startswith(("object", "numbers", "category"))]]
    if frame.shape[1] == 0:
        return
    expected = as_table(frame)
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    for other in (arrow, pl.from_arrow(arrow)):
        table = as_table(other)
        np.testing.assert_array_equal(table.matrix, expected.matrix)
        assert table.schema == expected.schema


EXTENDED = pd.DataFrame({"x": [1.0, 2.0], "c": ["a", "b"], "n": pd.Categorical([3, 1])})


def test_new_categories_come_after_the_others_which_keep_their_codes():
    before = as_table(EXTENDED)
    table = extend_rows(EXTENDED.assign(c=["z", "a"], n=pd.Categorical([2, 3])), before.schema)
    assert table.schema.categories[1].tolist() == ["a", "b", "z"]
    assert table.schema.categories[2].tolist() == [1.0, 3.0, 2.0]
    np.testing.assert_array_equal(table.matrix, [[1.0, 2.0, 2.0], [2.0, 0.0, 1.0]])
    assert before.schema.categories[1].tolist() == ["a", "b"]


def test_without_new_categories_the_schema_is_the_same():
    before = as_table(EXTENDED)
    assert extend_rows(EXTENDED, before.schema).schema is before.schema
    assert extend_rows(EXTENDED.assign(c=None), before.schema).schema is before.schema
    assert extend_rows(before, before.schema).schema is before.schema


def test_numbers_become_text_where_text_is():
    table = extend_rows([[1.0, 7, 1]], as_table([[1.0, "a", 3], [2.0, "b", 1]]).schema)
    assert table.schema.categories[1].tolist() == ["a", "b", "7"]
