"""Parts of scikit-learn that have no public name, gathered here to see at a glance what a new release may move."""

from __future__ import annotations

from sklearn.utils import _safe_indexing as safe_indexing
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metadata_routing import _raise_for_params as refuse_params
from sklearn.utils.validation import _check_method_params as take_params, _check_sample_weight as check_sample_weight

__all__ = ["Interval", "StrOptions", "check_sample_weight", "refuse_params", "safe_indexing", "take_params"]
