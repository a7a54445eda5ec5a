"""Figures: for each a function that makes its data and one that draws it.

Names are resolved when they are first used (PEP 562); matplotlib is loaded when something is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey._lazy import lazy_names

if TYPE_CHECKING:
    from covey.plots.bias_curves import BiasCurveDiagram, bias_curve_diagram, draw_bias_curves, plot_bias_curves
    from covey.plots.bias_variance import BiasVarianceCurves, bias_variance_curves, draw_bias_variance_curves
    from covey.plots.boxes import ScoreBoxes, draw_score_boxes, score_boxes
    from covey.plots.cover import CoverMap, Spheres, cover_map, draw_cover
    from covey.plots.critical_difference import (
        CriticalDifferenceDiagram,
        critical_difference_diagram,
        draw_critical_difference,
    )
    from covey.plots.feature_weights import (
        ColumnWeights,
        column_weights,
        draw_column_weights,
        plot_feature_weights,
    )
    from covey.plots.hierarchy import MULTISTRATEGY, HierarchyDiagram, draw_hierarchy, hierarchy_diagram
    from covey.plots.intervals import MethodIntervals, draw_method_intervals, method_intervals
    from covey.plots.kappa_error import KappaErrorDiagram, draw_kappa_error, kappa_error_diagram
    from covey.plots.margins import MarginDistribution, draw_margins, margin_distribution
    from covey.plots.parameter import ParameterCurves, draw_parameter_curves, parameter_curves
    from covey.plots.records import RecordMap, draw_record_map, record_map
    from covey.plots.roc_spaces import RocSpaceDiagram, draw_roc_spaces, plot_roc_spaces, roc_space_diagram
    from covey.plots.save import save_figure
    from covey.plots.scatter import MethodScatter, draw_method_scatter, method_scatter
    from covey.plots.separators import Separator, SeparatorMap, draw_separators, plot_separators, separator_map
    from covey.plots.size_curve import SizeErrors, draw_size_errors, plot_size_curve, size_errors
    from covey.plots.staged import StagedError, draw_staged_error, staged_error
    from covey.plots.time_accuracy import AccuracyTime, accuracy_time, draw_accuracy_time
    from covey.plots.tree import TreeLayout, draw_tree, tree_layout
    from covey.plots.weight_path import WeightCurves, draw_weight_curves, plot_weight_path, weight_curves

_HOMES = {
    "BiasCurveDiagram": "bias_curves",
    "bias_curve_diagram": "bias_curves",
    "draw_bias_curves": "bias_curves",
    "plot_bias_curves": "bias_curves",
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
    "ColumnWeights": "feature_weights",
    "draw_column_weights": "feature_weights",
    "column_weights": "feature_weights",
    "plot_feature_weights": "feature_weights",
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
    "RocSpaceDiagram": "roc_spaces",
    "draw_roc_spaces": "roc_spaces",
    "plot_roc_spaces": "roc_spaces",
    "roc_space_diagram": "roc_spaces",
    "save_figure": "save",
    "MethodScatter": "scatter",
    "draw_method_scatter": "scatter",
    "method_scatter": "scatter",
    "Separator": "separators",
    "SeparatorMap": "separators",
    "draw_separators": "separators",
    "plot_separators": "separators",
    "separator_map": "separators",
    "SizeErrors": "size_curve",
    "draw_size_errors": "size_curve",
    "plot_size_curve": "size_curve",
    "size_errors": "size_curve",
    "StagedError": "staged",
    "draw_staged_error": "staged",
    "staged_error": "staged",
    "AccuracyTime": "time_accuracy",
    "accuracy_time": "time_accuracy",
    "draw_accuracy_time": "time_accuracy",
    "TreeLayout": "tree",
    "draw_tree": "tree",
    "tree_layout": "tree",
    "WeightCurves": "weight_path",
    "draw_weight_curves": "weight_path",
    "plot_weight_path": "weight_path",
    "weight_curves": "weight_path",
}

__all__ = [
    "MULTISTRATEGY",
    "AccuracyTime",
    "BiasCurveDiagram",
    "BiasVarianceCurves",
    "ColumnWeights",
    "CoverMap",
    "CriticalDifferenceDiagram",
    "HierarchyDiagram",
    "KappaErrorDiagram",
    "MarginDistribution",
    "MethodIntervals",
    "MethodScatter",
    "ParameterCurves",
    "RecordMap",
    "RocSpaceDiagram",
    "ScoreBoxes",
    "Separator",
    "SeparatorMap",
    "SizeErrors",
    "Spheres",
    "StagedError",
    "TreeLayout",
    "WeightCurves",
    "accuracy_time",
    "bias_curve_diagram",
    "bias_variance_curves",
    "column_weights",
    "cover_map",
    "critical_difference_diagram",
    "draw_accuracy_time",
    "draw_bias_curves",
    "draw_bias_variance_curves",
    "draw_column_weights",
    "draw_cover",
    "draw_critical_difference",
    "draw_hierarchy",
    "draw_kappa_error",
    "draw_margins",
    "draw_method_intervals",
    "draw_method_scatter",
    "draw_parameter_curves",
    "draw_record_map",
    "draw_roc_spaces",
    "draw_score_boxes",
    "draw_separators",
    "draw_size_errors",
    "draw_staged_error",
    "draw_tree",
    "draw_weight_curves",
    "hierarchy_diagram",
    "kappa_error_diagram",
    "margin_distribution",
    "method_intervals",
    "method_scatter",
    "parameter_curves",
    "plot_bias_curves",
    "plot_feature_weights",
    "plot_roc_spaces",
    "plot_separators",
    "plot_size_curve",
    "plot_weight_path",
    "record_map",
    "roc_space_diagram",
    "save_figure",
    "score_boxes",
    "separator_map",
    "size_errors",
    "staged_error",
    "tree_layout",
    "weight_curves",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
