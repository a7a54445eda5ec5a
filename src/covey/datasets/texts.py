"""Free text as columns of numbers that need no state: hashed character n-grams."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from sklearn.feature_extraction.text import HashingVectorizer

N_COLUMNS = 128
NGRAMS = tuple(f"n-gram {place}" for place in range(1, N_COLUMNS + 1))
"""What the columns of a text are called, after its name."""


def ngrams_of(column: pd.Series[Any]) -> pd.DataFrame:
    """Return the columns of a text; where it is missing they are 0."""
    codes, texts = pd.factorize(column.astype(object))
    counts = _vectorizer().transform(map(str, texts)).toarray() if len(texts) else np.empty((0, N_COLUMNS))
    counts = np.vstack([counts, np.zeros(N_COLUMNS)])  # the last row serves the code -1 of missing values
    return pd.DataFrame(counts[codes], columns=list(NGRAMS), index=column.index)


@cache
def _vectorizer() -> HashingVectorizer:
    from sklearn.feature_extraction.text import HashingVectorizer

    return HashingVectorizer(analyzer="char_wb", ngram_range=(3, 4), n_features=N_COLUMNS)
