"""What a method is, in a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.registry import PAPERS, methods
from covey.report.page import Details, Listing

if TYPE_CHECKING:
    from covey.study.record import MethodRecord, StudyRecord

_PUBLISHED = "covey:"


def describe_method(method: MethodRecord) -> str:
    """Say what a method is: a published system by its description and paper, another by its class."""
    if method.path.startswith(_PUBLISHED):
        known = {entry.id: entry for entry in methods()}
        entry = known.get(method.path.removeprefix(_PUBLISHED))
        return method.path if entry is None else f"{entry.description} ({PAPERS[entry.paper]})"
    return _class_of(method.path, method.params)


def method_list(record: StudyRecord) -> Details:
    """Return what the methods of a study are, to be opened on a click."""
    return Details(
        "What these methods are", (Listing(tuple((one.name, describe_method(one)) for one in record.methods)),)
    )


def _class_of(path: str, params: Any) -> str:
    """Name the class of an estimator and its package; of a pipeline, its steps."""
    if path == "pipeline":
        return " after ".join(_class_of(step["estimator"], {}) for step in reversed(params["steps"]))
    package, _, _ = path.partition(".")
    names = {"sklearn": "scikit-learn", "covey": "covey", "lightgbm": "LightGBM", "xgboost": "XGBoost"}
    return f"{path.rpartition('.')[2]} of {names.get(package, package)}"
