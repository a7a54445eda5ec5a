from .measure import (
    Diversity as Diversity,
    coincident_failure_diversity as coincident_failure_diversity,
    difficulty as difficulty,
    entropy_measure as entropy_measure,
    generalized_diversity as generalized_diversity,
    interrater_kappa as interrater_kappa,
    kohavi_wolpert_variance as kohavi_wolpert_variance,
    measure_diversity as measure_diversity,
)
from .pairs import (
    KappaError as KappaError,
    Pairs as Pairs,
    kappa_error_points as kappa_error_points,
    pairwise as pairwise,
)
from .votes import (
    Margins as Margins,
    ensemble_error as ensemble_error,
    individual_error as individual_error,
    margins as margins,
    vote_entropy as vote_entropy,
    weighted_variance as weighted_variance,
)
