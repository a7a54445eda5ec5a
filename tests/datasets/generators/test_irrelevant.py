import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from covey.datasets import IrrelevantFeatures, add_irrelevant, make_twonorm


@pytest.fixture
def frame():
    return pd.DataFrame(
        {
            "length": [1.5, np.nan, 2.5],
            "count": np.array([1, 2, 3], dtype=np.int32),
            "colour": pd.Categorical(["red", None, "blue"]),
            "word": ["a", "b", "c"],
        },
        index=[7, 3, 5],
    )


def test_bits_are_fair_and_independent_of_everything(assert_share):
    X, y = make_twonorm(20_000, n_features=3, random_state=0)
    corrupted = add_irrelevant(X, 12, random_state=1)
    np.testing.assert_array_equal(corrupted[:, :3], X)
    bits = corrupted[:, 3:]
    assert set(np.unique(bits)) == {0.0, 1.0}
    for bit in bits.T:
        assert_share(bit, 0.5)
    correlation = np.corrcoef(np.column_stack([bits, X, y]), rowvar=False)[:12]
    np.fill_diagonal(correlation, 0)
    assert np.abs(correlation).max() < 5 / np.sqrt(20_000)


def test_frame_keeps_its_columns_dtypes_and_index(frame):
    before = frame.copy()
    corrupted = add_irrelevant(frame, 2, random_state=0)
    pd.testing.assert_frame_equal(corrupted[before.columns], before)
    pd.testing.assert_frame_equal(frame, before)
    pd.testing.assert_frame_equal(add_irrelevant(frame, 0), before)
    assert list(corrupted.columns[4:]) == ["irrelevant1", "irrelevant2"]
    assert all(dtype == pd.CategoricalDtype([0, 1]) for dtype in corrupted.dtypes.iloc[4:])
    assert not corrupted.iloc[:, 4:].isna().any(axis=None)


@pytest.mark.parametrize("dtype", [np.float32, np.int64, bool, object])
def test_array_keeps_its_dtype_and_gets_the_bits_of_a_frame(dtype):
    X = np.ones((10, 2), dtype=dtype)
    corrupted = add_irrelevant(X, 5, random_state=3)
    assert corrupted.dtype == dtype
    from_frame = add_irrelevant(pd.DataFrame(X, columns=["a", "b"]), 5, random_state=3)
    np.testing.assert_array_equal(from_frame.to_numpy(dtype=float), corrupted.astype(float))


def test_bad_arguments(frame):
    with pytest.raises(ValueError, match="n_features=-1 is too small"):
        IrrelevantFeatures(-1).fit(frame)
    with pytest.raises(ValueError, match="such as 'irrelevant1'; give another prefix"):
        add_irrelevant(add_irrelevant(frame, 1), 1)
    assert add_irrelevant(add_irrelevant(frame, 1), 1, prefix="noise").columns[-1] == "noise1"


def test_fitted_table_gets_the_bits_of_seed_and_shape():
    X, _ = make_twonorm(30, n_features=4, random_state=0)
    transformer = IrrelevantFeatures(6, random_state=5)
    corrupted = transformer.fit_transform(X)
    np.testing.assert_array_equal(corrupted, add_irrelevant(X, 6, random_state=5))
    np.testing.assert_array_equal(corrupted, transformer.transform(X))
    other = clone(transformer).fit_transform(X + 1)
    np.testing.assert_array_equal(corrupted[:, 4:], other[:, 4:])


def test_new_tables_get_bits_of_their_own(assert_share):
    X, _ = make_twonorm(4000, n_features=2, random_state=0)
    transformer = IrrelevantFeatures(5, random_state=5).fit(X)
    fitted = transformer.transform(X)[:, 2:]
    shifted = transformer.transform(X + 1)[:, 2:]
    duplicates = transformer.transform(X[::-1])[::-1, 2:]
    unseeded, other = (IrrelevantFeatures(5).fit_transform(X)[:, 2:] for _ in range(2))
    for first, second in ((fitted, shifted), (fitted, duplicates), (shifted, duplicates), (unseeded, other)):
        assert_share(first == second, 0.5)
    np.testing.assert_array_equal(shifted, transformer.transform(X + 1)[:, 2:])


def test_names_follow_the_given_columns(frame):
    transformer = IrrelevantFeatures(2, random_state=0).fit(frame)
    assert transformer.get_feature_names_out().tolist() == [*frame.columns, "irrelevant1", "irrelevant2"]
    assert transformer.transform(frame).columns.tolist() == transformer.get_feature_names_out().tolist()
    unnamed = IrrelevantFeatures(1, prefix="coin").fit(np.zeros((2, 2)))
    assert unnamed.get_feature_names_out().tolist() == ["x0", "x1", "coin1"]


def test_irrelevant_features_hurt_nearest_neighbours_as_published():
    """Table 5, iris: the error of nearest neighbours rises from 4.7 % to 22.7 % with ten irrelevant features."""
    X, y = load_iris(return_X_y=True)
    neighbours = make_pipeline(MinMaxScaler(), KNeighborsClassifier(9))

    def error(n_features, seed=None):
        return 1 - cross_val_score(neighbours, add_irrelevant(X, n_features, random_state=seed), y, cv=10).mean()

    assert error(0) == pytest.approx(0.047, abs=0.02)
    assert np.mean([error(10, seed) for seed in range(5)]) == pytest.approx(0.227, abs=0.1)


def test_pipeline_predicts_the_same_twice():
    X, y = make_twonorm(200, random_state=0)
    pipeline = make_pipeline(IrrelevantFeatures(50, random_state=0), KNeighborsClassifier(1)).fit(X[:100], y[:100])
    assert pipeline.score(X[:100], y[:100]) == 1.0
    np.testing.assert_array_equal(pipeline.predict(X[100:]), pipeline.predict(X[100:]))
