"""Figures: for each a function that makes its data and one that draws it.

Names are resolved when they are first used (PEP 562); matplotlib is loaded when something is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey._lazy import lazy_names

if TYPE_CHECKING:
    from covey.plots.bias_variance import BiasVarianceCurves, bias_variance_curves, draw_bias_variance_curves
    from covey.plots.boxes import ScoreBoxes, draw_score_boxes, score_boxes
    from covey.plots.cover import CoverMap, Spheres, cover_map, draw_cover
    from covey.plots.critical_difference import (
        CriticalDifferenceDiagram,
        critical_difference_diagram,
        draw_critical_difference,
    )
    from covey.plots.hierarchy import MULTISTRATEGY, HierarchyDiagram, draw_hierarchy, hierarchy_diagram
    from covey.plots.intervals import MethodIntervals, draw_method_intervals, method_intervals
    from covey.plots.kappa_error import KappaErrorDiagram, draw_kappa_error, kappa_error_diagram
    from covey.plots.margins import MarginDistribution, draw_margins, margin_distribution
    from covey.plots.parameter import ParameterCurves, draw_parameter_curves, parameter_curves
    from covey.plots.records import RecordMap, draw_record_map, record_map
    from covey.plots.save import save_figure
    from covey.plots.scatter import MethodScatter, draw_method_scatter, method_scatter
    from covey.plots.staged import StagedError, draw_staged_error, staged_error
    from covey.plots.time_accuracy import AccuracyTime, accuracy_time, draw_accuracy_time
    from covey.plots.tree import TreeLayout, draw_tree, tree_layout

_HOMES = {
    "BiasVarianceCurves": "bias_variance",
    "bias_variance_curves": "bias_variance",
    "draw_bias_variance_curves": "bias_variance",
    "ScoreBoxes": "boxes",
    "draw_score_boxes": "boxes",
    "score_boxes": "boxes",
    "CoverMap": "cover",
    "Spheres": "cover",
    "cover_map": "cover",
    "draw_cover": "cover",
    "CriticalDifferenceDiagram": "critical_difference",
    "critical_difference_diagram": "critical_difference",
    "draw_critical_difference": "critical_difference",
    "HierarchyDiagram": "hierarchy",
    "MULTISTRATEGY": "hierarchy",
    "draw_hierarchy": "hierarchy",
    "hierarchy_diagram": "hierarchy",
    "MethodIntervals": "intervals",
    "draw_method_intervals": "intervals",
    "method_intervals": "intervals",
    "KappaErrorDiagram": "kappa_error",
    "draw_kappa_error": "kappa_error",
    "kappa_error_diagram": "kappa_error",
    "MarginDistribution": "margins",
    "draw_margins": "margins",
    "margin_distribution": "margins",
    "ParameterCurves": "parameter",
    "draw_parameter_curves": "parameter",
    "parameter_curves": "parameter",
    "RecordMap": "records",
    "draw_record_map": "records",
    "record_map": "records",
    "save_figure": "save",
    "MethodScatter": "scatter",
    "draw_method_scatter": "scatter",
    "method_scatter": "scatter",
    "StagedError": "staged",
    "draw_staged_error": "staged",
    "staged_error": "staged",
    "AccuracyTime": "time_accuracy",
    "accuracy_time": "time_accuracy",
    "draw_accuracy_time": "time_accuracy",
    "TreeLayout": "tree",
    "draw_tree": "tree",
    "tree_layout": "tree",
}

__all__ = [
    "MULTISTRATEGY",
    "AccuracyTime",
    "BiasVarianceCurves",
    "CoverMap",
    "CriticalDifferenceDiagram",
    "HierarchyDiagram",
    "KappaErrorDiagram",
    "MarginDistribution",
    "MethodIntervals",
    "MethodScatter",
    "ParameterCurves",
    "RecordMap",
    "ScoreBoxes",
    "Spheres",
    "StagedError",
    "TreeLayout",
    "accuracy_time",
    "bias_variance_curves",
    "cover_map",
    "critical_difference_diagram",
    "draw_accuracy_time",
    "draw_bias_variance_curves",
    "draw_cover",
    "draw_critical_difference",
    "draw_hierarchy",
    "draw_kappa_error",
    "draw_margins",
    "draw_method_intervals",
    "draw_method_scatter",
    "draw_parameter_curves",
    "draw_record_map",
    "draw_score_boxes",
    "draw_staged_error",
    "draw_tree",
    "hierarchy_diagram",
    "kappa_error_diagram",
    "margin_distribution",
    "method_intervals",
    "method_scatter",
    "parameter_curves",
    "record_map",
    "save_figure",
    "score_boxes",
    "staged_error",
    "tree_layout",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
