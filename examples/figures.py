"""Compare the multi-strategy paper's systems on embedded data, and draw every figure of covey.plots.

Run by ``make figures``. Writes SVG files, and tables in Markdown and LaTeX.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.model_selection import (
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    train_test_split,
)
from sklearn.svm import SVC

from covey import (
    CoveyClassifier,
    RandomSubspaceRegressor,
    SphereCoverClassifier,
    SphereEnsembleClassifier,
    SubspaceSphereEnsembleClassifier,
    method,
    plots,
)
from covey.analysis import (
    bayesian_signed_rank,
    bias_curves,
    domingos,
    first_agreement,
    friedman,
    measure_diversity,
    nested_spaces,
    predict_gain,
    roc_point,
    round_points,
    score_table,
    win_draw_loss,
)
from covey.datasets import load, make_layered_cake
from covey.study import BootstrapSamples, repeat_predictions

DATASETS = (
    "breast_cancer",
    "digits",
    "iris",
    "led-24",
    "ringnorm",
    "threenorm",
    "twonorm",
    "waveform-21",
    "wine",
)
SYSTEMS = ("c4.5", "wag", "boost", "sasc", "mb", "boostsasc", "wagsasc", "mbsasc")
ENSEMBLES = ("wag", "boost", "sasc", "mbsasc")


def system(name: str, n_members: int, seed: int) -> Any:
    """Return one of the paper's systems."""
    options = {} if name == "c4.5" else {"n_estimators": n_members}
    return method(name, random_state=seed, **options)


def compare(n_members: int, n_folds: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the mean error of each system on each dataset in per cent, and the seconds it took."""
    errors = pd.DataFrame(
        index=pd.Index(DATASETS, name="dataset"), columns=list(SYSTEMS), dtype=float
    )
    seconds = errors.copy()
    for dataset in DATASETS:
        X, y = load(dataset).to_xy()
        folds = StratifiedKFold(n_folds, shuffle=True, random_state=0)
        for name in SYSTEMS:
            began = time.process_time()
            accuracy = cross_val_score(system(name, n_members, 0), X, y, cv=folds)
            seconds.loc[dataset, name] = (time.process_time() - began) / n_folds
            errors.loc[dataset, name] = 100 * (1 - accuracy.mean())
        print(
            f"  {dataset}: "
            + ", ".join(f"{name} {errors.loc[dataset, name]:.1f}" for name in SYSTEMS),
            flush=True,
        )
    return errors, seconds


def figures_of_scores(
    errors: pd.DataFrame, seconds: pd.DataFrame
) -> Iterator[tuple[str, Any]]:
    """Yield figures that compare methods, each with the name of its file."""
    comparison = friedman(errors, larger_is_better=False).nemenyi(alpha=0.1)
    records = win_draw_loss(errors.round(4), larger_is_better=False)
    print(f"\n{comparison}\n\n{records}\n")
    yield "ranks", comparison.plot()
    hierarchy = plots.hierarchy_diagram(
        records, errors.mean().to_dict(), measure="error in per cent", digits=2
    )
    yield "hierarchy", plots.draw_hierarchy(hierarchy)
    yield "records", records.plot()
    scatter = plots.method_scatter(
        errors, "mbsasc", "boost", larger_is_better=False, measure="error in per cent"
    )
    yield "scatter", plots.draw_method_scatter(scatter)
    posterior = bayesian_signed_rank(
        errors["mbsasc"], errors["boost"], larger_is_better=False, rope=0.5
    )
    yield "posterior", posterior.plot(names=("mbsasc", "boost"))
    yield (
        "boxes",
        plots.draw_score_boxes(
            plots.score_boxes(errors, metric="error in per cent", larger_is_better=False)
        ),
    )
    times = plots.accuracy_time(
        errors.mean(),
        seconds.mean(),
        list(SYSTEMS),
        metric="error in per cent",
        larger_is_better=False,
    )
    yield "time", plots.draw_accuracy_time(times)


def figures_of_members(n_members: int) -> Iterator[tuple[str, Any]]:
    """Yield figures of how the members of ensembles differ."""
    X, y = load("breast_cancer").to_xy()
    X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0, stratify=y)
    votes = {}
    for name in ENSEMBLES:
        model = system(name, n_members, 0).fit(X_train, y_train)
        votes[name] = (model.member_predictions(X_test), y_test, model.estimator_weights_)
        print(f"  {name}: {measure_diversity(*votes[name])}")
    pairs = {name: (labels, truth) for name, (labels, truth, _) in votes.items()}
    yield "kappa-error", plots.draw_kappa_error(plots.kappa_error_diagram(pairs))
    yield "margins", plots.draw_margins(plots.margin_distribution(votes))
    yield "staged", plots.draw_staged_error(plots.staged_error(votes))


def figures_of_combinations() -> Iterator[tuple[str, Any]]:
    """Yield figures of why members have their weights, and of how far probabilities can be trusted."""
    X, y = load("breast_cancer").to_xy()
    members = ["c4.5", "knn", "logistic regression", "alpha-rsse", "mfs1", "boost"]
    model = CoveyClassifier(members, random_state=0).fit(X, y)
    yield "member-weights", model.plot()
    alone = cross_val_predict(method("c4.5"), X, y, cv=5, method="predict_proba")
    probabilities = {"combination": model.oof_predictions_, "c4.5": alone}
    yield "reliability", plots.draw_reliability(plots.reliability(y, probabilities))
    yield "roc-curves", plots.draw_method_curves(plots.method_curves(y, probabilities))


def figures_of_parameters(n_repeats: int) -> Iterator[tuple[str, Any]]:
    """Yield figures of what a parameter does to sphere covers."""
    X, y = load("breast_cancer").to_xy()
    sizes = list(range(1, 13))
    models = {
        "single cover": lambda size: SphereCoverClassifier(size, random_state=0),
        "25 covers": lambda size: SphereEnsembleClassifier(
            25, min_sphere_size=size, random_state=0
        ),
    }
    scores = {
        name: [cross_val_score(make(size), X, y, cv=5).mean() for size in sizes]
        for name, make in models.items()
    }
    curves = plots.parameter_curves(
        sizes, scores, parameter="alpha", metric="accuracy", larger_is_better=True
    )
    yield "alpha", plots.draw_parameter_curves(curves)
    X, y = load("wine").to_xy()
    widths = list(range(1, 14, 2))
    losses = []
    for width in widths:
        model = SubspaceSphereEnsembleClassifier(25, min_sphere_size=1, subspace_size=width)
        runs = repeat_predictions(
            model, BootstrapSamples(n_repeats, sample_size=60), X, y, random_state=0
        )
        losses.append(domingos(runs.predictions, runs.y))
        print(f"  {width} columns: {losses[-1]}")
    yield (
        "bias-variance",
        plots.draw_bias_variance_curves(plots.bias_variance_curves(widths, losses)),
    )


def figures_of_columns(n_members: int) -> Iterator[tuple[str, Any]]:
    """Yield figures of what ensembles over random columns learn about the columns."""
    X, y = load("diabetes").to_xy()
    options = {"n_estimators": n_members, "random_state": 0}
    models = {
        "evolving": RandomSubspaceRegressor(weighting="evolving", **options).fit(X, y),
        "relevance": RandomSubspaceRegressor(
            weighting="relevance", subspace_size="third", **options
        ).fit(X, y),
    }
    yield "weight-path", plots.plot_weight_path(models["evolving"])
    yield "feature-weights", plots.plot_feature_weights(models)
    yield "size-curve", plots.plot_size_curve(models["evolving"])


def biased_separator(X: Any, y: Any, label: int, bias: float) -> Any:
    """Return a linear separator that names a class only when sure, since a share of its cases was left out."""
    of_class, others = np.flatnonzero(y == label), np.flatnonzero(y != label)
    kept = np.random.default_rng(0).permutation(of_class)[
        : max(1, round((1 - bias) * len(of_class)))
    ]
    rows = np.concatenate([others, kept])
    return SVC(kernel="linear", C=1).fit(X[rows], y[rows])


def figures_of_bias() -> Iterator[tuple[str, Any]]:
    """Yield figures of biased separators of the layered cake in ROC space."""
    X, y = make_layered_cake(300, noise=0.1, random_state=0)
    base = SVC(kernel="linear", C=1).fit(X, y).predict(X)
    biases = (0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9)
    plus, minus = (
        {bias: biased_separator(X, y, label, bias).predict(X) for bias in biases}
        for label in (1, 0)
    )
    curves = bias_curves(y, base, plus, minus)
    yield "bias-curves", plots.plot_bias_curves(curves)
    best, hard, pairs = curves.best_pair(), np.ones(len(y), dtype=bool), []
    for strengths in ((best.strength_plus, best.strength_minus), (0.3, 0.3)):
        members = [
            biased_separator(X[hard], y[hard], label, bias)
            for label, bias in zip((1, 0), strengths, strict=True)
        ]
        pairs.append(tuple(member.predict(X) for member in members))
        hard &= pairs[-1][0] != pairs[-1][1]
    arbiter = SVC(kernel="linear", C=1).fit(X[hard], y[hard])
    ensemble = roc_point(y, first_agreement(pairs, arbiter.predict(X)))
    prediction = predict_gain(curves)
    print(f"  {prediction}\n  {prediction.check(ensemble.accuracy)}")
    # Separators that were biased by leaving cases out turn a little, so that the spaces are about right.
    spaces = nested_spaces(round_points(y, pairs), strict=False)
    yield (
        "roc-spaces",
        plots.plot_roc_spaces(spaces, points={"h": curves.base, "ensemble": ensemble}),
    )


def main() -> None:
    """Run the comparisons and write what they show."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("build/figures"))
    parser.add_argument("--members", type=int, default=30)
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=30)
    parser.add_argument("--format", default="svg", choices=["svg", "pdf", "png"])
    arguments = parser.parse_args()
    mpl.use("Agg")
    arguments.out.mkdir(parents=True, exist_ok=True)
    errors, seconds = compare(arguments.members, arguments.folds)
    table = score_table(errors, larger_is_better=False, caption="Errors in per cent")
    (arguments.out / "errors.md").write_text(table.to_markdown(), encoding="utf-8")
    (arguments.out / "errors.tex").write_text(
        table.to_latex(label="tab:errors"), encoding="utf-8"
    )
    for figures in (
        figures_of_scores(errors, seconds),
        figures_of_members(arguments.members),
        figures_of_combinations(),
        figures_of_parameters(arguments.repeats),
        figures_of_columns(10 * arguments.members),
        figures_of_bias(),
    ):
        for name, ax in figures:
            plots.save_figure(ax, arguments.out / f"{name}.{arguments.format}")
            plt.close("all")
    print(f"\n{table}\nwrote {arguments.out}")


if __name__ == "__main__":
    main()
