"""Every estimator of the project, with what it promises; the common tests run through all of them.

A new estimator is added here, once, and is from then on held to the contract of the whole project.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sklearn.base import clone, is_classifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from covey import (
    AdaBoost,
    BoostingClassifier,
    Bootstrap,
    BorderResampling,
    BorderSphereEnsembleClassifier,
    C45Classifier,
    EnsembleClassifier,
    EnsembleRegressor,
    FeatureSubsetNeighborsClassifier,
    LeastSquaresRegressor,
    LinearSVMClassifier,
    LogisticClassifier,
    MajorityVote,
    MeanProbability,
    MixedNeighborsClassifier,
    MultiBoostClassifier,
    OneVsOneClassifier,
    RandomCommitteeClassifier,
    RandomSubspace,
    RandomSubspaceClassifier,
    RandomSubspaceRegressor,
    RandomTreeClassifier,
    RotationForestClassifier,
    RotationForestRegressor,
    SelectedNeighborsClassifier,
    SphereCoverClassifier,
    SphereEnsembleClassifier,
    StochasticCommitteeClassifier,
    SubspaceSphereEnsembleClassifier,
    TriskelClassifier,
    Wagging,
    WaggingClassifier,
)
from covey.analysis.filters import MDLDiscretizer, SelectAttributes
from covey.datasets import IrrelevantFeatures
from covey.strategies.rotation import Rotation
from covey.table import Indicators

# Why a check of scikit-learn's is expected to fail, by what makes it fail.
RANDOM_DRAWS = {
    "check_sample_weight_equivalence_on_dense_data": (
        "random draws over weighted rows and over repeated rows agree in distribution, not draw by draw; "
        "scikit-learn expects the same of its own bagging and boosting"
    )
}

WITHIN_TOLERANCE = {
    "check_sample_weight_equivalence_on_dense_data": (
        "decision values over weighted rows and over repeated rows agree within tol, which is 1e-3 by default"
    )
}

ROW_BY_ROW = dict.fromkeys(
    ["check_methods_subset_invariance", "check_methods_sample_order_invariance"],
    "columns are drawn by a row's place in the table, afresh for each as published",
) | {
    "check_sample_weight_equivalence_on_dense_data": (
        "repeated rows have other places than weighted ones, for which other columns are drawn in leave-one-out"
    )
}

TABLE_BY_TABLE = dict.fromkeys(
    ["check_methods_subset_invariance", "check_methods_sample_order_invariance"],
    "a row's irrelevant bits belong to the table it comes in, or they would be an identifier",
)


@dataclass(frozen=True)
class Entry:
    """An estimator and its promises.

    Parameters
    ----------
    name : str
    estimator : estimator
    expected_failures : dict
        Checks of scikit-learn's that must fail, with the reason.
    row_order : bool
        Whether shuffled training rows give the same predictions.
    class_labels : bool
        Whether permuted class labels give the same predictions, permuted.
    seeded : bool
        Whether another seed gives other members.
    by_itself : bool
        Whether a row is predicted alike alone and among others.
    """

    name: str
    estimator: Any
    expected_failures: dict[str, str] = field(default_factory=dict)
    row_order: bool = False
    class_labels: bool = True
    seeded: bool = True
    by_itself: bool = True

    def new(self, **params: Any) -> Any:
        """Return a fresh clone with a fixed seed, if it takes one, and other parameters set."""
        seed = {"random_state": 0} if "random_state" in self.params else {}
        return clone(self.estimator).set_params(**seed, **params)

    @property
    def params(self) -> dict[str, Any]:
        return self.estimator.get_params(deep=False)

    @property
    def is_classifier(self) -> bool:
        return is_classifier(self.estimator)

    def __str__(self) -> str:
        return self.name


STRATEGIES: dict[str, dict[str, Any]] = {
    "bootstrap": {"draw": Bootstrap()},
    "bootstrap-subspace": {"draw": Bootstrap(), "subspace": RandomSubspace(0.75)},
    "wagging": {"draw": Wagging()},
    "adaboost": {"reweight": AdaBoost()},
    "wagging-adaboost": {"draw": Wagging(), "reweight": AdaBoost(), "chain_length": 4},
}


def _classifiers() -> Iterable[Entry]:
    for strategy, params in STRATEGIES.items():
        yield Entry(f"{strategy}-tree", EnsembleClassifier(DecisionTreeClassifier(), 6, **params), RANDOM_DRAWS)
    logistic = EnsembleClassifier(LogisticRegression(max_iter=1000), 6, **STRATEGIES["bootstrap-subspace"])
    yield Entry("bootstrap-subspace-logistic", logistic, RANDOM_DRAWS)
    bayes = EnsembleClassifier(GaussianNB(), 6, **STRATEGIES["wagging-adaboost"])
    yield Entry("wagging-adaboost-bayes", bayes, RANDOM_DRAWS)
    # Nearest neighbours take no weights: every strategy reaches them as a resample.
    yield Entry(
        "wagging-adaboost-neighbours",
        EnsembleClassifier(KNeighborsClassifier(3), 6, **STRATEGIES["wagging-adaboost"]),
        RANDOM_DRAWS,
        class_labels=False,  # three neighbours of three classes: scikit-learn takes the first class
    )
    yield Entry("default", EnsembleClassifier(n_estimators=10), RANDOM_DRAWS)
    yield Entry(
        "subspace-bayes",
        EnsembleClassifier(GaussianNB(), 10, subspace=RandomSubspace(0.75, replacement=True)),
        row_order=True,
    )
    yield Entry(
        "probability-tree",
        EnsembleClassifier(n_estimators=9, draw=Bootstrap(0.7, replacement=False), combine=MeanProbability()),
        RANDOM_DRAWS,
    )
    yield Entry(
        "majority-exact-wagging",
        EnsembleClassifier(n_estimators=5, draw=Wagging(resolution=None), combine=MajorityVote()),
        RANDOM_DRAWS,
    )
    yield Entry(
        "histogram",
        EnsembleClassifier(HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=2), 2, draw=Bootstrap()),
        RANDOM_DRAWS,
    )
    inner = EnsembleClassifier(GaussianNB(), 3, reweight=AdaBoost())
    yield Entry("nested", EnsembleClassifier(inner, 4, draw=Wagging()), RANDOM_DRAWS)


def _trees() -> Iterable[Entry]:
    # Of two classes with as many cases in a leaf a tree takes the first.
    yield Entry("c45", C45Classifier(), row_order=True, class_labels=False, seeded=False)
    yield Entry("c45-sas", C45Classifier(attribute_probability=0.5), row_order=True, class_labels=False)
    binary = C45Classifier(nominal_splits="binary", pruning=False)
    yield Entry("c45-binary", binary, row_order=True, class_labels=False, seeded=False)
    yield Entry("random-tree", RandomTreeClassifier(), row_order=True, class_labels=False)
    patches = EnsembleClassifier(C45Classifier(), 5, draw=Bootstrap(), subspace=RandomSubspace(0.75))
    yield Entry("bootstrap-subspace-c45", patches, RANDOM_DRAWS)


def _published() -> Iterable[Entry]:
    yield Entry("wag", WaggingClassifier(n_estimators=5), RANDOM_DRAWS)
    # Trees that are neither perfect nor useless leave a chain of boosting nothing to draw.
    yield Entry("boost", BoostingClassifier(n_estimators=5), RANDOM_DRAWS, row_order=True, seeded=False)
    yield Entry("multiboost", MultiBoostClassifier(n_estimators=6), RANDOM_DRAWS)
    # Of two classes with as many cases in a leaf C4.5 takes the first.
    yield Entry("sasc", StochasticCommitteeClassifier(n_estimators=5), row_order=True, class_labels=False)
    yield Entry("random-committee", RandomCommitteeClassifier(n_estimators=5), row_order=True)


def _spheres() -> Iterable[Entry]:
    yield Entry("sphere-cover", SphereCoverClassifier())
    yield Entry("sphere-cover-auto", SphereCoverClassifier("auto", cv=3))
    yield Entry("sphere-cover-greedy", SphereCoverClassifier(cover="greedy", max_enemies=1), seeded=False)
    manhattan = SphereCoverClassifier(metric="manhattan", scale=False)
    yield Entry("sphere-cover-manhattan", manhattan)
    yield Entry("alpha-rse", SphereEnsembleClassifier(6, cv=3))
    yield Entry("alphabeta-rse", BorderSphereEnsembleClassifier(6, min_sphere_size=1), RANDOM_DRAWS)
    yield Entry("alpha-rsse", SubspaceSphereEnsembleClassifier(6, min_sphere_size=1, cv=3), RANDOM_DRAWS)
    boosted = EnsembleClassifier(SphereCoverClassifier(), 6, **STRATEGIES["wagging-adaboost"])
    yield Entry("wagging-adaboost-spheres", boosted, RANDOM_DRAWS)
    patches = EnsembleClassifier(
        SphereCoverClassifier(), 6, draw=Bootstrap(), subspace=RandomSubspace(0.75), reweight=BorderResampling()
    )
    yield Entry("bootstrap-subspace-border-spheres", patches, RANDOM_DRAWS)


def _neighbors() -> Iterable[Entry]:
    yield Entry("nn", MixedNeighborsClassifier(), row_order=True, seeded=False)
    yield Entry("knn-auto", MixedNeighborsClassifier("auto", max_neighbors=5), seeded=False)
    yield Entry("nn-unscaled", MixedNeighborsClassifier(scale=False), row_order=True, seeded=False)
    yield Entry("fss", SelectedNeighborsClassifier(), seeded=False)
    yield Entry("bss", SelectedNeighborsClassifier("backward"), seeded=False)
    yield Entry("mfs1", FeatureSubsetNeighborsClassifier(6))
    yield Entry("mfs2", FeatureSubsetNeighborsClassifier(6, replacement=False, subset_size=0.75))
    by_row = FeatureSubsetNeighborsClassifier(6, resample="query")
    yield Entry("mfs1-query", by_row, ROW_BY_ROW, by_itself=False)
    patches = EnsembleClassifier(MixedNeighborsClassifier(), 6, draw=Bootstrap(), subspace=RandomSubspace(0.75))
    yield Entry("bootstrap-subspace-nn", patches, RANDOM_DRAWS)
    boosted = EnsembleClassifier(MixedNeighborsClassifier(), 6, **STRATEGIES["wagging-adaboost"])
    yield Entry("wagging-adaboost-nn", boosted, RANDOM_DRAWS)
    bagged = EnsembleClassifier(FeatureSubsetNeighborsClassifier(3, replacement=False), 3, draw=Bootstrap())
    yield Entry("bootstrap-mfs2", bagged, RANDOM_DRAWS)


def _regressors() -> Iterable[Entry]:
    bases = {"tree": DecisionTreeRegressor(), "linear": LinearRegression()}
    for base, estimator in bases.items():
        yield Entry(f"bootstrap-{base}-regressor", EnsembleRegressor(estimator, 10, draw=Bootstrap()), RANDOM_DRAWS)
    yield Entry("wagging-tree-regressor", EnsembleRegressor(n_estimators=10, draw=Wagging()), RANDOM_DRAWS)
    yield Entry(
        "subspace-linear-regressor",
        EnsembleRegressor(LinearRegression(), 10, subspace=RandomSubspace(0.75)),
        row_order=True,
    )


def _linear() -> Iterable[Entry]:
    yield Entry("least-squares", LeastSquaresRegressor(), row_order=True, seeded=False)
    yield Entry("logistic", LogisticClassifier(), row_order=True, seeded=False)
    patches = EnsembleRegressor(LeastSquaresRegressor(), 10, draw=Bootstrap(0.7), subspace=RandomSubspace(0.75))
    yield Entry("bootstrap-subspace-least-squares", patches, RANDOM_DRAWS)
    plain = EnsembleClassifier(LogisticClassifier(), 6, subspace=RandomSubspace(0.75), combine=MeanProbability())
    yield Entry("subspace-logistic-mean", plain, row_order=True)
    yield Entry("linear-svm", LinearSVMClassifier(), WITHIN_TOLERANCE, seeded=False)
    exact = LinearSVMClassifier(C=0.5, scale=False, tol=1e-10)
    yield Entry("linear-svm-exact", exact, row_order=True, seeded=False)
    machines = EnsembleClassifier(LinearSVMClassifier(), 6, subspace=RandomSubspace(0.75), **STRATEGIES["adaboost"])
    yield Entry("subspace-adaboost-svm", machines, RANDOM_DRAWS)


def _rotations() -> Iterable[Entry]:
    yield Entry("rotation-forest", RotationForestClassifier(n_estimators=6), RANDOM_DRAWS)
    yield Entry("rotation-forest-bayes", RotationForestClassifier(GaussianNB(), 6, group_size=2), RANDOM_DRAWS)
    boosted = EnsembleClassifier(GaussianNB(), 6, subspace=Rotation(), reweight=AdaBoost())
    yield Entry("rotation-adaboost-bayes", boosted, RANDOM_DRAWS)
    forest = RotationForestClassifier(DecisionTreeClassifier(), 2)
    yield Entry(
        "nested-rotation",
        EnsembleClassifier(forest, 3, draw=Bootstrap(), subspace=RandomSubspace(0.75)),
        RANDOM_DRAWS,
    )
    yield Entry("rotation-forest-regressor", RotationForestRegressor(n_estimators=6), RANDOM_DRAWS)


def _weighted_subspaces() -> Iterable[Entry]:
    yield Entry("rssl", RandomSubspaceClassifier(n_estimators=6, subspace_size=0.75), row_order=True)
    yield Entry("adaptive-rssl", RandomSubspaceClassifier(n_estimators=6, bootstrap=0.7), RANDOM_DRAWS)
    by_vote = {"bootstrap": False, "combine": "vote", "subspace_size": 0.75}
    yield Entry("rassel", RandomSubspaceClassifier(n_estimators=6, weighting="relevance", **by_vote))
    erassel = RandomSubspaceClassifier(n_estimators=6, weighting="evolving", subspace_size=0.5, bootstrap=True)
    yield Entry("erassel", erassel, RANDOM_DRAWS)
    trees = RandomSubspaceClassifier(
        DecisionTreeClassifier(max_depth=3),
        6,
        weighting="evolving",
        credit="conditional",
        subspace_size=0.5,
        n_chains=2,
    )
    yield Entry("erassel-conditional-tree", trees, RANDOM_DRAWS)
    yield Entry("rssl-regressor", RandomSubspaceRegressor(n_estimators=6, subspace_size=0.75), row_order=True)
    yield Entry("rassel-regressor", RandomSubspaceRegressor(n_estimators=6, weighting="relevance"), RANDOM_DRAWS)
    yield Entry("erassel-regressor", RandomSubspaceRegressor(n_estimators=6, weighting="evolving"), RANDOM_DRAWS)


def _pairs() -> Iterable[Entry]:
    # Which of two classes is the positive one goes by their order, and with it what is drawn.
    yield Entry("triskel-w2", TriskelClassifier(n_rounds=2, bias=0.5), class_labels=False)
    by_class = TriskelClassifier(n_rounds=1, covering="separate", bias=0.5, multiclass="triskel-m")
    # Its votes are the final ones, which another draw of cases need not change.
    yield Entry("triskel-m1", by_class, RANDOM_DRAWS, class_labels=False, seeded=False)
    weighed = TriskelClassifier(LogisticRegression(max_iter=1000), 1, bias=0.3, biasing="weight")
    yield Entry("triskel-logistic-weight", weighed, seeded=False, class_labels=False)
    boosted = OneVsOneClassifier(BoostingClassifier(GaussianNB(), 3, restart=False))
    yield Entry("one-vs-one-boosting", boosted, seeded=False, class_labels=False)


ROSTER: list[Entry] = [
    *_classifiers(),
    *_trees(),
    *_published(),
    *_spheres(),
    *_neighbors(),
    *_regressors(),
    *_linear(),
    *_rotations(),
    *_weighted_subspaces(),
    *_pairs(),
]
TRANSFORMERS = [
    Entry("irrelevant-features", IrrelevantFeatures(3, random_state=0), TABLE_BY_TABLE),
    Entry("indicators", Indicators()),
    Entry("mdl-discretizer", MDLDiscretizer()),
    Entry("select-attributes", SelectAttributes(k=1)),
]


def opinions(model: Any, X: Any) -> Any:
    """Return all that a model has to say: its members' predictions if it has members, else its own."""
    return model.member_predictions(X) if hasattr(model, "member_predictions") else model.predict(X)


# Settings of classes that another entry stands for, and mechanisms that several others have: left to the slow tests.
VARIANTS = frozenset(
    {
        "bootstrap-subspace-tree",
        "wagging-tree",
        "adaboost-tree",
        "bootstrap-subspace-logistic",
        "wagging-adaboost-neighbours",
        "subspace-bayes",
        "majority-exact-wagging",
        "c45-binary",
        "bootstrap-subspace-c45",
        "sphere-cover-auto",
        "sphere-cover-manhattan",
        "wagging-adaboost-spheres",
        "bootstrap-subspace-border-spheres",
        "knn-auto",
        "nn-unscaled",
        "bss",
        "mfs1-query",
        "bootstrap-subspace-nn",
        "wagging-adaboost-nn",
        "bootstrap-mfs2",
        "bootstrap-linear-regressor",
        "wagging-tree-regressor",
        "subspace-linear-regressor",
        "bootstrap-subspace-least-squares",
        "subspace-logistic-mean",
        "linear-svm-exact",
        "subspace-adaboost-svm",
        "rotation-forest-bayes",
        "rotation-adaboost-bayes",
        "nested-rotation",
        "adaptive-rssl",
        "rassel",
        "erassel-conditional-tree",
        "rassel-regressor",
        "triskel-m1",
        "triskel-logistic-weight",
    }
)
