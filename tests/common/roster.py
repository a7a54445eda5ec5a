"""Every estimator of the project, with what it promises; the common tests run through all of them.

A new estimator is added here, once, and is from then on held to the contract of the whole project.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sklearn.base import clone, is_classifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import covey
from covey.analysis.filters import MDLDiscretizer, SelectAttributes
from covey.datasets import IrrelevantFeatures
from covey.table import Indicators

# Why a check of scikit-learn's is expected to fail, by what makes it fail.
RANDOM_DRAWS = {
    "check_sample_weight_equivalence_on_dense_data": (
        "random draws over weighted rows and over repeated rows agree in distribution, not draw by draw; "
        "scikit-learn expects the same of its own bagging and boosting"
    )
}

# With weights of classes that differ by a factor of ten million.
PERFECT_MEMBERS = {
    "check_class_weight_classifiers": (
        "a member that gets all training rows right does so whatever they weigh, and in boosting outvotes all others"
    )
}

WITHIN_TOLERANCE = {
    "check_sample_weight_equivalence_on_dense_data": (
        "decision values over weighted rows and over repeated rows agree within tol, which is 1e-3 by default"
    )
}

LEFT_OUT = {
    "check_sample_weight_equivalence_on_dense_data": (
        "probabilities follow from leaving out a row, with all its weight or one of its copies"
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

TUNED = {
    "check_sample_weight_equivalence_on_dense_data": (
        "the search for the kernel ends where it is flat, at parameters that differ in the last digits over weighted "
        "and over repeated rows"
    )
}

TABLE_BY_TABLE = dict.fromkeys(
    ["check_methods_subset_invariance", "check_methods_sample_order_invariance"],
    "a row's irrelevant bits belong to the table it comes in, or they would be an identifier",
)


@dataclass(frozen=True)
class Entry:
    """An estimator and its promises."""

    name: str
    estimator: Any
    expected_failures: dict[str, str] = field(default_factory=dict)  # of scikit-learn's checks, with the reason
    row_order: bool = False  # whether shuffled training rows give the same predictions
    class_labels: bool = True  # whether permuted class labels give the same predictions, permuted
    seeded: bool = True  # whether another seed gives other members
    by_itself: bool = True  # whether a row is predicted alike alone and among others
    is_variant: bool = False  # whether another entry stands for its class and mechanism: left to the slow tests

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


_variant = partial(Entry, is_variant=True)
Ensemble = covey.EnsembleClassifier

STRATEGIES: dict[str, dict[str, Any]] = {
    "bootstrap": {"draw": covey.Bootstrap()},
    "bootstrap-subspace": {"draw": covey.Bootstrap(), "subspace": covey.RandomSubspace(0.75)},
    "wagging": {"draw": covey.Wagging()},
    "adaboost": {"reweight": covey.AdaBoost()},
    "wagging-adaboost": {"draw": covey.Wagging(), "reweight": covey.AdaBoost(), "chain_length": 4},
}


def _classifiers() -> Iterable[Entry]:
    for strategy, params in STRATEGIES.items():
        make = _variant if strategy in ("bootstrap-subspace", "wagging", "adaboost") else Entry
        failures = RANDOM_DRAWS if strategy.startswith("bootstrap") else RANDOM_DRAWS | PERFECT_MEMBERS
        yield make(f"{strategy}-tree", Ensemble(DecisionTreeClassifier(), 6, **params), failures)
    logistic = Ensemble(LogisticRegression(max_iter=1000), 6, **STRATEGIES["bootstrap-subspace"])
    yield _variant("bootstrap-subspace-logistic", logistic, RANDOM_DRAWS)
    bayes = Ensemble(GaussianNB(), 6, **STRATEGIES["wagging-adaboost"])
    yield Entry("wagging-adaboost-bayes", bayes, RANDOM_DRAWS)
    # Nearest neighbours take no weights: every strategy reaches them as a resample.
    # three neighbours of three classes: scikit-learn takes the first class
    model = Ensemble(KNeighborsClassifier(3), 6, **STRATEGIES["wagging-adaboost"])
    yield _variant("wagging-adaboost-neighbours", model, RANDOM_DRAWS, class_labels=False)
    yield Entry("default", Ensemble(n_estimators=10), RANDOM_DRAWS)
    model = Ensemble(GaussianNB(), 10, subspace=covey.RandomSubspace(0.75, replacement=True))
    yield _variant("subspace-bayes", model, row_order=True)
    model = Ensemble(n_estimators=9, draw=covey.Bootstrap(0.7, replacement=False), combine=covey.MeanProbability())
    yield Entry("probability-tree", model, RANDOM_DRAWS | PERFECT_MEMBERS)
    model = Ensemble(n_estimators=5, draw=covey.Wagging(resolution=None), combine=covey.MajorityVote())
    yield _variant("majority-exact-wagging", model, RANDOM_DRAWS | PERFECT_MEMBERS)
    model = Ensemble(HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=2), 2, draw=covey.Bootstrap())
    yield Entry("histogram", model, RANDOM_DRAWS)
    inner = Ensemble(GaussianNB(), 3, reweight=covey.AdaBoost())
    yield Entry("nested", Ensemble(inner, 4, draw=covey.Wagging()), RANDOM_DRAWS)


def _trees() -> Iterable[Entry]:
    # Of two classes with as many cases in a leaf a tree takes the first.
    yield Entry("c45", covey.C45Classifier(), row_order=True, class_labels=False, seeded=False)
    yield Entry("c45-sas", covey.C45Classifier(attribute_probability=0.5), row_order=True, class_labels=False)
    binary = covey.C45Classifier(nominal_splits="binary", pruning=False)
    yield _variant("c45-binary", binary, row_order=True, class_labels=False, seeded=False)
    yield Entry("random-tree", covey.RandomTreeClassifier(), row_order=True, class_labels=False)
    patches = Ensemble(covey.C45Classifier(), 5, **STRATEGIES["bootstrap-subspace"])
    yield _variant("bootstrap-subspace-c45", patches, RANDOM_DRAWS)


def _published() -> Iterable[Entry]:
    yield Entry("wag", covey.WaggingClassifier(n_estimators=5), RANDOM_DRAWS)
    # Trees that are neither perfect nor useless leave a chain of boosting nothing to draw.
    failures = RANDOM_DRAWS | PERFECT_MEMBERS
    yield Entry("boost", covey.BoostingClassifier(n_estimators=5), failures, row_order=True, seeded=False)
    yield Entry("multiboost", covey.MultiBoostClassifier(n_estimators=6), failures)
    # Of two classes with as many cases in a leaf C4.5 takes the first.
    yield Entry("sasc", covey.StochasticCommitteeClassifier(n_estimators=5), row_order=True, class_labels=False)
    yield Entry("random-committee", covey.RandomCommitteeClassifier(n_estimators=5), row_order=True)


def _spheres() -> Iterable[Entry]:
    yield Entry("sphere-cover", covey.SphereCoverClassifier())
    yield _variant("sphere-cover-auto", covey.SphereCoverClassifier("auto", cv=3))
    yield Entry("sphere-cover-greedy", covey.SphereCoverClassifier(cover="greedy", max_enemies=1), seeded=False)
    manhattan = covey.SphereCoverClassifier(metric="manhattan", scale=False)
    yield _variant("sphere-cover-manhattan", manhattan)
    yield Entry("alpha-rse", covey.SphereEnsembleClassifier(6, cv=3))
    yield Entry("alphabeta-rse", covey.BorderSphereEnsembleClassifier(6, min_sphere_size=1), RANDOM_DRAWS)
    yield Entry("alpha-rsse", covey.SubspaceSphereEnsembleClassifier(6, min_sphere_size=1, cv=3), RANDOM_DRAWS)
    boosted = Ensemble(covey.SphereCoverClassifier(), 6, **STRATEGIES["wagging-adaboost"])
    yield _variant("wagging-adaboost-spheres", boosted, RANDOM_DRAWS | PERFECT_MEMBERS)
    patches = Ensemble(
        covey.SphereCoverClassifier(),
        6,
        draw=covey.Bootstrap(),
        subspace=covey.RandomSubspace(0.75),
        reweight=covey.BorderResampling(),
    )
    yield _variant("bootstrap-subspace-border-spheres", patches, RANDOM_DRAWS | PERFECT_MEMBERS)


def _neighbors() -> Iterable[Entry]:
    yield Entry("nn", covey.MixedNeighborsClassifier(), row_order=True, seeded=False)
    yield _variant("knn-auto", covey.MixedNeighborsClassifier("auto", max_neighbors=5), seeded=False)
    yield _variant("nn-unscaled", covey.MixedNeighborsClassifier(scale=False), row_order=True, seeded=False)
    yield Entry("fss", covey.SelectedNeighborsClassifier(), seeded=False)
    yield _variant("bss", covey.SelectedNeighborsClassifier("backward"), seeded=False)
    yield Entry("mfs1", covey.FeatureSubsetNeighborsClassifier(6))
    yield Entry("mfs2", covey.FeatureSubsetNeighborsClassifier(6, replacement=False, subset_size=0.75))
    by_row = covey.FeatureSubsetNeighborsClassifier(6, resample="query")
    yield _variant("mfs1-query", by_row, ROW_BY_ROW, by_itself=False)
    patches = Ensemble(covey.MixedNeighborsClassifier(), 6, **STRATEGIES["bootstrap-subspace"])
    yield _variant("bootstrap-subspace-nn", patches, RANDOM_DRAWS)
    boosted = Ensemble(covey.MixedNeighborsClassifier(), 6, **STRATEGIES["wagging-adaboost"])
    yield _variant("wagging-adaboost-nn", boosted, RANDOM_DRAWS | PERFECT_MEMBERS)
    bagged = Ensemble(covey.FeatureSubsetNeighborsClassifier(3, replacement=False), 3, draw=covey.Bootstrap())
    yield _variant("bootstrap-mfs2", bagged, RANDOM_DRAWS)


def _regressors() -> Iterable[Entry]:
    bagged = covey.EnsembleRegressor(DecisionTreeRegressor(), 10, draw=covey.Bootstrap())
    yield Entry("bootstrap-tree-regressor", bagged, RANDOM_DRAWS)
    linear = covey.EnsembleRegressor(LinearRegression(), 10, draw=covey.Bootstrap())
    yield _variant("bootstrap-linear-regressor", linear, RANDOM_DRAWS)
    yield _variant(
        "wagging-tree-regressor", covey.EnsembleRegressor(n_estimators=10, draw=covey.Wagging()), RANDOM_DRAWS
    )
    model = covey.EnsembleRegressor(LinearRegression(), 10, subspace=covey.RandomSubspace(0.75))
    yield _variant("subspace-linear-regressor", model, row_order=True)
    yield Entry("mfs-regressor", covey.FeatureSubsetNeighborsRegressor(6))
    plain = covey.FeatureSubsetNeighborsRegressor(6, replacement=False, subset_size=0.75, weighting="uniform")
    yield _variant("mfs-regressor-uniform", plain)


def _linear() -> Iterable[Entry]:
    yield Entry("least-squares", covey.LeastSquaresRegressor(), row_order=True, seeded=False)
    yield Entry("logistic", covey.LogisticClassifier(), row_order=True, seeded=False)
    patches = covey.EnsembleRegressor(
        covey.LeastSquaresRegressor(), 10, draw=covey.Bootstrap(0.7), subspace=covey.RandomSubspace(0.75)
    )
    yield _variant("bootstrap-subspace-least-squares", patches, RANDOM_DRAWS)
    plain = Ensemble(
        covey.LogisticClassifier(), 6, subspace=covey.RandomSubspace(0.75), combine=covey.MeanProbability()
    )
    yield _variant("subspace-logistic-mean", plain, row_order=True)
    yield Entry("linear-svm", covey.LinearSVMClassifier(), WITHIN_TOLERANCE, seeded=False)
    exact = covey.LinearSVMClassifier(C=0.5, scale=False, tol=1e-10)
    yield _variant("linear-svm-exact", exact, row_order=True, seeded=False)
    machines = Ensemble(covey.LinearSVMClassifier(), 6, subspace=covey.RandomSubspace(0.75), **STRATEGIES["adaboost"])
    yield _variant("subspace-adaboost-svm", machines, RANDOM_DRAWS)


def _machines() -> Iterable[Entry]:
    yield Entry("svm", covey.SVMClassifier(), LEFT_OUT, seeded=False)
    yield _variant("svm-linear", covey.SVMClassifier(kernel="linear", C=0.5), LEFT_OUT, seeded=False)
    # The last digits of a matrix product depend on the number of rows.
    yield Entry("svm-regressor", covey.SVMRegressor(), WITHIN_TOLERANCE, seeded=False, by_itself=False)
    machines = Ensemble(covey.SVMClassifier(), 6, **STRATEGIES["bootstrap-subspace"], combine=covey.MeanProbability())
    yield _variant("bootstrap-subspace-machines", machines, RANDOM_DRAWS)
    smooth = covey.EnsembleRegressor(covey.SVMRegressor(), 6, draw=covey.Bootstrap())
    yield _variant("bootstrap-machines-regressor", smooth, RANDOM_DRAWS, by_itself=False)


def _gaussian_processes() -> Iterable[Entry]:
    yield Entry("gaussian-process", covey.GaussianProcessClassifier(), TUNED, seeded=False)
    yield Entry("gaussian-process-regressor", covey.GaussianProcessRegressor(), TUNED, seeded=False)
    kernel = {"length_scale": 2.0, "amplitude": 1.0, "noise": 0.1, "linear": 0.5}
    given = covey.GaussianProcessRegressor(**kernel)
    yield _variant("gaussian-process-given", given, row_order=True, seeded=False)
    given = covey.GaussianProcessClassifier(**kernel)
    yield _variant("gaussian-process-classifier-given", given, row_order=True, seeded=False)
    few = covey.GaussianProcessRegressor(tuning_rows=30, max_rows=50)
    yield _variant("gaussian-process-few-rows", few, RANDOM_DRAWS)
    bagged = Ensemble(covey.GaussianProcessClassifier(), 4, **STRATEGIES["bootstrap-subspace"])
    yield _variant("bootstrap-subspace-gaussian-process", bagged, RANDOM_DRAWS)


def _rotations() -> Iterable[Entry]:
    yield Entry("rotation-forest", covey.RotationForestClassifier(n_estimators=6), RANDOM_DRAWS)
    yield _variant("rotation-forest-bayes", covey.RotationForestClassifier(GaussianNB(), 6, group_size=2), RANDOM_DRAWS)
    boosted = Ensemble(GaussianNB(), 6, subspace=covey.Rotation(), reweight=covey.AdaBoost())
    yield _variant("rotation-adaboost-bayes", boosted, RANDOM_DRAWS)
    forest = covey.RotationForestClassifier(DecisionTreeClassifier(), 2)
    model = Ensemble(forest, 3, **STRATEGIES["bootstrap-subspace"])
    yield _variant("nested-rotation", model, RANDOM_DRAWS)
    yield Entry("rotation-forest-regressor", covey.RotationForestRegressor(n_estimators=6), RANDOM_DRAWS)


def _weighted_subspaces() -> Iterable[Entry]:
    yield Entry("rssl", covey.RandomSubspaceClassifier(n_estimators=6, subspace_size=0.75), row_order=True)
    yield _variant("adaptive-rssl", covey.RandomSubspaceClassifier(n_estimators=6, bootstrap=0.7), RANDOM_DRAWS)
    by_vote = {"bootstrap": False, "combine": "vote", "subspace_size": 0.75}
    yield _variant("rassel", covey.RandomSubspaceClassifier(n_estimators=6, weighting="relevance", **by_vote))
    erassel = covey.RandomSubspaceClassifier(n_estimators=6, weighting="evolving", subspace_size=0.5, bootstrap=True)
    yield Entry("erassel", erassel, RANDOM_DRAWS)
    trees = covey.RandomSubspaceClassifier(
        DecisionTreeClassifier(max_depth=3),
        6,
        weighting="evolving",
        credit="conditional",
        subspace_size=0.5,
        n_chains=2,
    )
    yield _variant("erassel-conditional-tree", trees, RANDOM_DRAWS)
    yield Entry("rssl-regressor", covey.RandomSubspaceRegressor(n_estimators=6, subspace_size=0.75), row_order=True)
    yield _variant(
        "rassel-regressor", covey.RandomSubspaceRegressor(n_estimators=6, weighting="relevance"), RANDOM_DRAWS
    )
    yield Entry("erassel-regressor", covey.RandomSubspaceRegressor(n_estimators=6, weighting="evolving"), RANDOM_DRAWS)


def _pairs() -> Iterable[Entry]:
    # Which of two classes is the positive one goes by their order, and with it what is drawn.
    yield Entry("triskel-w2", covey.TriskelClassifier(n_rounds=2, bias=0.5), RANDOM_DRAWS, class_labels=False)
    by_class = covey.TriskelClassifier(n_rounds=1, covering="separate", bias=0.5, multiclass="triskel-m")
    # Its votes are the final ones, which another draw of cases need not change.
    yield _variant("triskel-m1", by_class, RANDOM_DRAWS, class_labels=False, seeded=False)
    weighed = covey.TriskelClassifier(LogisticRegression(max_iter=1000), 1, bias=0.3, biasing="weight")
    yield _variant("triskel-logistic-weight", weighed, seeded=False, class_labels=False)
    boosted = covey.OneVsOneClassifier(covey.BoostingClassifier(GaussianNB(), 3, restart=False))
    yield Entry("one-vs-one-boosting", boosted, seeded=False, class_labels=False)


def _combinations() -> Iterable[Entry]:
    tree, near = DecisionTreeClassifier(max_depth=3), covey.MixedNeighborsClassifier()
    members = [("tree", tree), ("near", near), ("c4.5", covey.C45Classifier())]
    # Folds are drawn by the order of classes and rows; the weights that they make need not change a prediction.
    yield Entry("covey", covey.CoveyClassifier(members, cv=3), RANDOM_DRAWS, class_labels=False, seeded=False)
    greedy = covey.CoveyClassifier(members, weighting="greedy", pooling="arithmetic", cv=2)
    yield _variant("covey-greedy", greedy, RANDOM_DRAWS, class_labels=False, seeded=False)
    numbers = [("tree", DecisionTreeRegressor(max_depth=3)), ("line", covey.LeastSquaresRegressor())]
    yield Entry("covey-regressor", covey.CoveyRegressor(numbers, cv=3))


ROSTER: list[Entry] = [
    *_classifiers(),
    *_trees(),
    *_published(),
    *_spheres(),
    *_neighbors(),
    *_regressors(),
    *_linear(),
    *_machines(),
    *_gaussian_processes(),
    *_rotations(),
    *_weighted_subspaces(),
    *_pairs(),
    *_combinations(),
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


VARIANTS = frozenset(entry.name for entry in ROSTER if entry.is_variant)
