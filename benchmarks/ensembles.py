"""covey's chain loop beside scikit-learn's ensembles, over the same base estimator: CPU time and accuracy.

One thread, minimum of several runs taken in turn, ratios printed; run by ``make bench``.
"""

from __future__ import annotations

import argparse
from typing import Any

from measure import least_times
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from covey import AdaBoost, Bootstrap, EnsembleClassifier, MeanProbability, RandomSubspace

TREE = DecisionTreeClassifier()
DEEP = DecisionTreeClassifier(max_depth=6)
T = 50
PAIRS: dict[str, tuple[Any, Any]] = {
    "bagging, trees": (
        EnsembleClassifier(TREE, T, draw=Bootstrap(), combine=MeanProbability(), random_state=0),
        BaggingClassifier(TREE, T, random_state=0),
    ),
    "bagging x subspaces, trees": (
        EnsembleClassifier(
            TREE, T, draw=Bootstrap(), subspace=RandomSubspace(0.5), combine=MeanProbability(), random_state=0
        ),
        BaggingClassifier(TREE, T, max_features=0.5, random_state=0),
    ),
    "AdaBoost, trees of depth 6": (
        EnsembleClassifier(DEEP, T, reweight=AdaBoost(), random_state=0),
        AdaBoostClassifier(DEEP, n_estimators=T, random_state=0),
    ),
    "bagging, naive Bayes": (
        EnsembleClassifier(GaussianNB(), T, draw=Bootstrap(), combine=MeanProbability(), random_state=0),
        BaggingClassifier(GaussianNB(), T, random_state=0),
    ),
    "bagging, logistic regression": (
        EnsembleClassifier(LogisticRegression(), T, draw=Bootstrap(), combine=MeanProbability(), random_state=0),
        BaggingClassifier(LogisticRegression(), T, random_state=0),
    ),
}


def compare(ours: Any, theirs: Any, data: Any, repeats: int) -> tuple[list[float], list[float], list[float]]:
    """Return the least fit and predict times and the accuracies of both, measured in turn."""
    X_train, X_test, y_train, y_test = data
    models = [clone(ours), clone(theirs)]
    fits = least_times([lambda model=model: model.fit(X_train, y_train) for model in models], repeats)
    asks = least_times([lambda model=model: model.predict(X_test) for model in models], repeats)
    return fits, asks, [model.score(X_test, y_test) for model in models]


def main() -> None:
    """Print a line per pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=7400)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    X, y = make_classification(arguments.rows, 20, n_informative=10, n_classes=3, random_state=0)
    data = train_test_split(X, y, test_size=1 / 3, random_state=0)
    print(f"{len(data[0])} x {X.shape[1]} training rows, {T} members, CPU seconds, one thread; ratio = peer / covey\n")
    print(f"{'':30}{'fit':>8}{'peer':>8}{'ratio':>8}{'predict':>10}{'peer':>8}{'ratio':>8}{'accuracy':>11}{'peer':>8}")
    with threadpool_limits(1):
        for name, (ours, theirs) in PAIRS.items():
            fits, asks, scores = compare(ours, theirs, data, arguments.repeats)
            print(
                f"{name:30}{fits[0]:8.2f}{fits[1]:8.2f}{fits[1] / fits[0]:8.2f}"
                f"{asks[0]:10.3f}{asks[1]:8.3f}{asks[1] / asks[0]:8.2f}{scores[0]:11.3f}{scores[1]:8.3f}"
            )


if __name__ == "__main__":
    main()
