from .combine import (
    Combine as Combine,
    MajorityVote as MajorityVote,
    MeanProbability as MeanProbability,
    MeanValue as MeanValue,
    WeightedVote as WeightedVote,
)
from .draw import Bootstrap as Bootstrap, Draw as Draw, Everything as Everything, Wagging as Wagging
from .evolving import EvolvingSubspace as EvolvingSubspace
from .ledger import Ledger as Ledger, Round as Round
from .reweight import (
    AdaBoost as AdaBoost,
    BorderResampling as BorderResampling,
    Lesson as Lesson,
    Reweight as Reweight,
    Step as Step,
)
from .rotation import Rotation as Rotation
from .subspace import RandomSubspace as RandomSubspace, Subspace as Subspace, WeightedSubspace as WeightedSubspace
