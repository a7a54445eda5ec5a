from .bias_curves import (
    BiasCurveDiagram as BiasCurveDiagram,
    bias_curve_diagram as bias_curve_diagram,
    draw_bias_curves as draw_bias_curves,
    plot_bias_curves as plot_bias_curves,
)
from .bias_variance import (
    BiasVarianceCurves as BiasVarianceCurves,
    bias_variance_curves as bias_variance_curves,
    draw_bias_variance_curves as draw_bias_variance_curves,
)
from .boxes import ScoreBoxes as ScoreBoxes, draw_score_boxes as draw_score_boxes, score_boxes as score_boxes
from .cover import CoverMap as CoverMap, Spheres as Spheres, cover_map as cover_map, draw_cover as draw_cover
from .critical_difference import (
    CriticalDifferenceDiagram as CriticalDifferenceDiagram,
    critical_difference_diagram as critical_difference_diagram,
    draw_critical_difference as draw_critical_difference,
)
from .feature_weights import (
    ColumnWeights as ColumnWeights,
    column_weights as column_weights,
    draw_column_weights as draw_column_weights,
    plot_feature_weights as plot_feature_weights,
)
from .hierarchy import (
    MULTISTRATEGY as MULTISTRATEGY,
    HierarchyDiagram as HierarchyDiagram,
    draw_hierarchy as draw_hierarchy,
    hierarchy_diagram as hierarchy_diagram,
)
from .intervals import (
    MethodIntervals as MethodIntervals,
    draw_method_intervals as draw_method_intervals,
    method_intervals as method_intervals,
)
from .kappa_error import (
    KappaErrorDiagram as KappaErrorDiagram,
    draw_kappa_error as draw_kappa_error,
    kappa_error_diagram as kappa_error_diagram,
)
from .margins import (
    MarginDistribution as MarginDistribution,
    draw_margins as draw_margins,
    margin_distribution as margin_distribution,
)
from .parameter import (
    ParameterCurves as ParameterCurves,
    draw_parameter_curves as draw_parameter_curves,
    parameter_curves as parameter_curves,
)
from .records import RecordMap as RecordMap, draw_record_map as draw_record_map, record_map as record_map
from .roc_spaces import (
    RocSpaceDiagram as RocSpaceDiagram,
    draw_roc_spaces as draw_roc_spaces,
    plot_roc_spaces as plot_roc_spaces,
    roc_space_diagram as roc_space_diagram,
)
from .save import save_figure as save_figure
from .scatter import (
    MethodScatter as MethodScatter,
    draw_method_scatter as draw_method_scatter,
    method_scatter as method_scatter,
)
from .separators import (
    Separator as Separator,
    SeparatorMap as SeparatorMap,
    draw_separators as draw_separators,
    plot_separators as plot_separators,
    separator_map as separator_map,
)
from .size_curve import (
    SizeErrors as SizeErrors,
    draw_size_errors as draw_size_errors,
    plot_size_curve as plot_size_curve,
    size_errors as size_errors,
)
from .staged import StagedError as StagedError, draw_staged_error as draw_staged_error, staged_error as staged_error
from .time_accuracy import (
    AccuracyTime as AccuracyTime,
    accuracy_time as accuracy_time,
    draw_accuracy_time as draw_accuracy_time,
)
from .tree import TreeLayout as TreeLayout, draw_tree as draw_tree, tree_layout as tree_layout
from .weight_path import (
    WeightCurves as WeightCurves,
    draw_weight_curves as draw_weight_curves,
    plot_weight_path as plot_weight_path,
    weight_curves as weight_curves,
)
