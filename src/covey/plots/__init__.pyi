from .calibration import (
    ReliabilityDiagram as ReliabilityDiagram,
    draw_reliability as draw_reliability,
    reliability as reliability,
)
from .columns import (
    ColumnWeights as ColumnWeights,
    column_weights as column_weights,
    draw_column_weights as draw_column_weights,
    plot_feature_weights as plot_feature_weights,
)
from .combination import (
    MemberWeights as MemberWeights,
    draw_member_weights as draw_member_weights,
    member_weights as member_weights,
)
from .confusion import (
    ConfusionMap as ConfusionMap,
    confusion_map as confusion_map,
    draw_confusion as draw_confusion,
)
from .cover import CoverMap as CoverMap, Spheres as Spheres, cover_map as cover_map, draw_cover as draw_cover
from .critical_difference import (
    CriticalDifferenceDiagram as CriticalDifferenceDiagram,
    critical_difference_diagram as critical_difference_diagram,
    draw_critical_difference as draw_critical_difference,
)
from .curves_of_methods import (
    MethodCurve as MethodCurve,
    MethodCurves as MethodCurves,
    draw_method_curves as draw_method_curves,
    method_curves as method_curves,
)
from .detection import (
    ClassCurves as ClassCurves,
    class_curves as class_curves,
    draw_class_curves as draw_class_curves,
)
from .hierarchy import (
    MULTISTRATEGY as MULTISTRATEGY,
    HierarchyDiagram as HierarchyDiagram,
    draw_hierarchy as draw_hierarchy,
    hierarchy_diagram as hierarchy_diagram,
)
from .importance import (
    ColumnImportances as ColumnImportances,
    Dependence as Dependence,
    column_importances as column_importances,
    dependence as dependence,
    draw_dependence as draw_dependence,
    draw_importances as draw_importances,
)
from .members import (
    KappaErrorDiagram as KappaErrorDiagram,
    MarginDistribution as MarginDistribution,
    StagedError as StagedError,
    draw_kappa_error as draw_kappa_error,
    draw_margins as draw_margins,
    draw_staged_error as draw_staged_error,
    kappa_error_diagram as kappa_error_diagram,
    margin_distribution as margin_distribution,
    staged_error as staged_error,
)
from .parameter import (
    BiasVarianceCurves as BiasVarianceCurves,
    ParameterCurves as ParameterCurves,
    bias_variance_curves as bias_variance_curves,
    draw_bias_variance_curves as draw_bias_variance_curves,
    draw_parameter_curves as draw_parameter_curves,
    parameter_curves as parameter_curves,
)
from .points import (
    AccuracyTime as AccuracyTime,
    MethodScatter as MethodScatter,
    accuracy_time as accuracy_time,
    draw_accuracy_time as draw_accuracy_time,
    draw_method_scatter as draw_method_scatter,
    method_scatter as method_scatter,
)
from .posterior import (
    PosteriorDiagram as PosteriorDiagram,
    draw_posterior as draw_posterior,
    posterior_diagram as posterior_diagram,
)
from .ranking import ranking_intervals as ranking_intervals
from .records import RecordMap as RecordMap, draw_record_map as draw_record_map, record_map as record_map
from .residual import (
    ResidualBars as ResidualBars,
    Residuals as Residuals,
    draw_residual_bars as draw_residual_bars,
    draw_residuals as draw_residuals,
    residual_bars as residual_bars,
    residuals as residuals,
)
from .roc import (
    BiasCurveDiagram as BiasCurveDiagram,
    RocSpaceDiagram as RocSpaceDiagram,
    bias_curve_diagram as bias_curve_diagram,
    draw_bias_curves as draw_bias_curves,
    draw_roc_spaces as draw_roc_spaces,
    plot_bias_curves as plot_bias_curves,
    plot_roc_spaces as plot_roc_spaces,
    roc_space_diagram as roc_space_diagram,
)
from .rows import (
    MethodIntervals as MethodIntervals,
    ScoreBoxes as ScoreBoxes,
    draw_method_intervals as draw_method_intervals,
    draw_score_boxes as draw_score_boxes,
    method_intervals as method_intervals,
    score_boxes as score_boxes,
)
from .separators import (
    Separator as Separator,
    SeparatorMap as SeparatorMap,
    draw_separators as draw_separators,
    plot_separators as plot_separators,
    separator_map as separator_map,
)
from .style import save_figure as save_figure
from .subspaces import (
    SizeErrors as SizeErrors,
    WeightCurves as WeightCurves,
    draw_size_errors as draw_size_errors,
    draw_weight_curves as draw_weight_curves,
    plot_size_curve as plot_size_curve,
    plot_weight_path as plot_weight_path,
    size_errors as size_errors,
    weight_curves as weight_curves,
)
from .tree import TreeLayout as TreeLayout, draw_tree as draw_tree, tree_layout as tree_layout
