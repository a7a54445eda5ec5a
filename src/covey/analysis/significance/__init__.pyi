from .bayes import (
    CorrelatedPosterior as CorrelatedPosterior,
    Posterior as Posterior,
    SignedRankPosterior as SignedRankPosterior,
    bayesian_correlated_t as bayesian_correlated_t,
    bayesian_signed_rank as bayesian_signed_rank,
)
from .comparison import (
    Friedman as Friedman,
    RankComparison as RankComparison,
)
from .normal_range import critical_difference as critical_difference
from .ranks import (
    bonferroni_dunn as bonferroni_dunn,
    friedman as friedman,
    holm as holm,
    nemenyi as nemenyi,
    wilcoxon_holm as wilcoxon_holm,
)
from .records import (
    Records as Records,
    sign_test as sign_test,
    win_draw_loss as win_draw_loss,
)
from .resampled import (
    ResampledT as ResampledT,
    corrected_t_test as corrected_t_test,
)
