"""Irrelevant boolean features, to see how well a learner bears them."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags, check_array
from sklearn.utils.validation import check_is_fitted, validate_data

from covey._arguments import check_count
from covey.datasets.generators.task import numbered_names
from covey.seeds import RandomState, child, generator, seed_sequence


def add_irrelevant(
    X: Any, n_features: int = 10, *, random_state: RandomState = None, prefix: str = "irrelevant"
) -> Any:
    """Append fair coin tosses to a table as new columns [1]_.

    The tosses are independent of each other, of the other columns and of any target. As in the paper, give the whole
    table before it is split: two parts treated apart with the same integer seed would share their tosses row by row.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_columns) or DataFrame
        The table, which is left as it is.
    n_features : int
        Number of features to append; 10, 20 and 30 in the paper.
    random_state : int, None, RandomState, Generator or SeedSequence
        Where the randomness comes from.
    prefix : str
        How the names of a frame's new columns begin; a number from one follows.

    Returns
    -------
    ndarray or DataFrame
        What was given, with ``n_features`` more columns. In an array they hold zeros and ones of the array's dtype, in
        a frame they have the category dtype with the categories 0 and 1; the dtypes of the other columns are kept.

    References
    ----------
    .. [1] S. D. Bay, "Nearest neighbor classification from multiple feature subsets", 1999, section 4.4.
    """
    check_count("n_features", n_features, 0)
    X = _checked_table(X)
    bits = generator(random_state).integers(2, size=(len(X), n_features), dtype=np.int8)
    return _append(X, bits, prefix)


class IrrelevantFeatures(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Append fair coin tosses as new columns, in a pipeline.

    The transformer of `add_irrelevant`, for data that reach the pipeline already split. The table seen in ``fit`` gets
    tosses that depend on ``random_state`` and its shape alone. Every other table gets tosses of its own, found from
    ``random_state`` and the whole contents of the table: training and test cases never share tosses by their place or
    because they are duplicates, and the same table always gets the same ones.

    It follows that a case's tosses depend on the table it comes in: transformed alone, or with the rows in another
    order, it gets other tosses, and a model behind this transformer may predict otherwise.

    Parameters
    ----------
    n_features : int
        Number of features to append.
    random_state : int, None, RandomState, Generator or SeedSequence
        Where the randomness comes from; read in ``fit``.
    prefix : str
        How the names of the new columns begin; a number from one follows.

    Attributes
    ----------
    n_features_in_ : int
        Number of columns seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the columns seen in ``fit``, when all are strings.
    """

    def __init__(self, n_features: int = 10, *, random_state: RandomState = None, prefix: str = "irrelevant") -> None:
        self.n_features = n_features
        self.random_state = random_state
        self.prefix = prefix

    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the seed of the tosses and remember which table was seen; `y` is ignored."""
        check_count("n_features", self.n_features, 0)
        table = _checked_table(X)
        validate_data(self, X, skip_check_array=True)
        self._seed = seed_sequence(self.random_state)
        self._fitted_digest = _digest(table)
        return self

    def transform(self, X: Any) -> Any:
        """Return the table, an array or a frame, with ``n_features`` more columns."""
        check_is_fitted(self)
        table = _checked_table(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        digest = _digest(table)
        seed = self._seed if digest == self._fitted_digest else child(self._seed, *digest)
        return add_irrelevant(table, self.n_features, random_state=seed, prefix=self.prefix)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the given columns, then those of the new ones."""
        names = super().get_feature_names_out(input_features)
        return np.concatenate([names, np.asarray(numbered_names(self.n_features, self.prefix), dtype=object)])

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_seed")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _checked_table(X: Any) -> Any:
    """Return a pandas frame as it is, anything else as a two-dimensional array with its dtype kept."""
    if isinstance(X, pd.DataFrame):
        return X
    return check_array(X, dtype=None, ensure_all_finite=False)


def _append(X: Any, bits: NDArray[np.int8], prefix: str) -> Any:
    """Append columns of bits to an array or a frame."""
    if not isinstance(X, pd.DataFrame):
        return np.hstack([X, bits.astype(X.dtype)])
    names = numbered_names(bits.shape[1], prefix)
    taken = [name for name in names if name in X.columns]
    if taken:
        raise ValueError(
            f"prefix={prefix!r} gives names that X already has, such as {taken[0]!r}; give another prefix."
        )
    columns = pd.DataFrame(bits, columns=names, index=X.index).astype(pd.CategoricalDtype([0, 1]))
    return pd.concat([X, columns], axis=1)


def _digest(X: Any) -> tuple[int, ...]:
    """Return four 32-bit words that identify the contents of a table, rows in their order."""
    rows = pd.util.hash_pandas_object(pd.DataFrame(X), index=False).to_numpy()
    return tuple(np.frombuffer(blake2b(rows.tobytes(), digest_size=16).digest(), dtype=np.uint32).tolist())
