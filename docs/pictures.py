"""Draw the pictures of the documentation with covey: ``python docs/pictures.py [NAME ...]``, into docs/pictures."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from sklearn.datasets import make_moons

from covey import (
    C45Classifier,
    CoveyClassifier,
    FeatureSubsetNeighborsClassifier,
    MixedNeighborsClassifier,
    RandomSubspaceRegressor,
    RotationForestClassifier,
    SphereCoverClassifier,
    SVMClassifier,
    TriskelClassifier,
    compare,
    method,
    plots,
)
from covey.datasets import add_irrelevant, load, make_layered_cake

FOLDER = Path(__file__).parent / "pictures"
CLASSES = ("#E69F00", "#0072B2")
REGIONS = ListedColormap([mpl.colors.to_hex(np.array(mpl.colors.to_rgb(colour)) * 0.35 + 0.65) for colour in CLASSES])


def draw_regions(ax: Any, model: Any, X: Any, y: Any, title: str, size: float = 9) -> None:
    """Draw what a fitted model predicts over the plane, the training rows, and a title."""
    low, high = X.min(axis=0) - 0.3, X.max(axis=0) + 0.3
    across, up = np.meshgrid(np.linspace(low[0], high[0], 240), np.linspace(low[1], high[1], 240))
    if model is not None:
        said = model.predict(np.column_stack([across.ravel(), up.ravel()])).reshape(across.shape)
        ax.imshow(said, origin="lower", extent=(low[0], high[0], low[1], high[1]), cmap=REGIONS, vmin=0, vmax=1)
    for label, marker in enumerate("os"):
        rows = X[y == label]
        ax.scatter(*rows.T, s=size, c=CLASSES[label], marker=marker, edgecolors="white", linewidths=0.3)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xticks=[], yticks=[], aspect="auto")
    ax.set_title(title, fontsize=9)


def families() -> Any:
    """Seven families on the same 200 rows of two overlapping classes, with their accuracy on 5,000 others."""
    X, y = make_moons(200, noise=0.3, random_state=1)
    X_new, y_new = make_moons(5000, noise=0.3, random_state=2)
    models = {
        "one C4.5 tree": C45Classifier(),
        "multiboosted trees": method("mbsasc", random_state=0),
        "rotation forest": RotationForestClassifier(random_state=0),
        "sphere covers": method("alpha-rse", random_state=0),
        "neighbours, feature subsets": FeatureSubsetNeighborsClassifier(random_state=0),
        "biased pairs over SVMs": TriskelClassifier(SVMClassifier(), random_state=0),
        "all together: CoveyClassifier": CoveyClassifier(random_state=0),
    }
    figure, axes = plt.subplots(2, 4, figsize=(10, 5), layout="constrained")
    draw_regions(axes.flat[0], None, X, y, "200 rows of two classes")
    for ax, (name, model) in zip(axes.flat[1:], models.items(), strict=True):
        accuracy = model.fit(X, y).score(X_new, y_new)
        print(f"  {name}: {accuracy:.3f}")
        draw_regions(ax, model, X, y, f"{name}  {100 * accuracy:.1f} %")
    return figure


def tree() -> Any:
    """The C4.5 tree of the iris data."""
    X, y = load("iris").to_xy()
    return C45Classifier().fit(X, y).plot()


def votes() -> Any:
    """The error of the first 1, 2, ... trees of four strategies and of one that has three of them."""
    X, y = load("waveform-21").to_xy()
    train, test = slice(None, 300), slice(300, None)
    said = {}
    for name in ("wag", "boost", "sasc", "mbsasc"):
        model = method(name, random_state=0).fit(X[train], y[train])
        said[name] = (model.member_predictions(X[test]), y[test], model.estimator_weights_)
    return plots.draw_staged_error(plots.staged_error(said))


def cover() -> Any:
    """A cover of two columns of the iris data."""
    X, y = load("iris").to_xy()
    columns = ["petal length (cm)", "petal width (cm)"]
    return plots.draw_cover(plots.cover_map(X, y, SphereCoverClassifier(3, random_state=0), columns=columns))


def subsets() -> Any:
    """Leave-one-out accuracy of neighbours over feature subsets by the size of subsets, with columns of noise."""
    X, y = load("wine").to_xy()
    wide = add_irrelevant(X, 30, random_state=0)
    model = FeatureSubsetNeighborsClassifier(random_state=0).fit(wide, y)
    sizes = list(model.size_curve_)
    one = MixedNeighborsClassifier()
    right = [one.fit(wide.drop(index=row), y.drop(row)).predict(wide.loc[[row]])[0] == y[row] for row in wide.index]
    scores = {
        "100 members": list(model.size_curve_.values()),
        "one neighbour, all columns": [float(np.mean(right))] * len(sizes),
    }
    curves = plots.parameter_curves(
        sizes, scores, parameter="columns of each member", metric="leave-one-out accuracy", larger_is_better=True
    )
    return plots.draw_parameter_curves(curves)


def weights() -> Any:
    """What ERASSEL and RASSEL find out about ten columns and ten of noise."""
    X, y = load("diabetes").to_xy()
    wide = add_irrelevant(X, 10, random_state=0)
    options: dict[str, Any] = {"subspace_size": "sqrt", "random_state": 0}
    models = {
        "ERASSEL": RandomSubspaceRegressor(weighting="evolving", credit="conditional", **options),
        "RASSEL": RandomSubspaceRegressor(weighting="relevance", **options),
    }
    return plots.plot_feature_weights({name: model.fit(wide, y) for name, model in models.items()})


def separators() -> Any:
    """A pair of biased linear machines, their arbiter and their vote on the layered cake."""
    X, y = make_layered_cake(random_state=0, as_frame=True)
    model = TriskelClassifier(n_rounds=1, covering="separate", biasing="oversample", bias="auto", random_state=0)
    return plots.plot_separators(model.fit(X, y), X, y)


def rotation() -> Any:
    """One tree, 100 wagged trees and a rotation forest where the border between classes is oblique."""
    rng = np.random.default_rng(3)
    X, X_new = rng.uniform(-1, 1, (200, 2)), rng.uniform(-1, 1, (5000, 2))
    y, y_new = (np.where(rows[:, 0] > rows[:, 1] + 0.2, 1, 0) for rows in (X, X_new))
    models = {
        "one C4.5 tree": C45Classifier(),
        "100 wagged trees": method("wag", random_state=0),
        "rotation forest": RotationForestClassifier(random_state=0),
    }
    figure, axes = plt.subplots(1, 3, figsize=(9, 3.1), layout="constrained")
    for ax, (name, model) in zip(axes, models.items(), strict=True):
        accuracy = model.fit(X, y).score(X_new, y_new)
        draw_regions(ax, model, X, y, f"{name}  {100 * accuracy:.1f} %")
    return figure


def combination() -> Any:
    """The members of a combination, what they are worth and how they differ."""
    X, y = load("breast_cancer").to_xy()
    return CoveyClassifier(random_state=0).fit(X, y).plot()


def comparison() -> Any:
    """The ranking of the tutorial, kept in build/pictures and taken up again from there."""
    folder = Path("build/pictures")
    folder.mkdir(parents=True, exist_ok=True)
    X, y = load("breast_cancer").to_xy()
    X.iloc[:469, :10].assign(diagnosis=y[:469]).to_csv(folder / "biopsies.csv", index_label="id")
    found = compare(folder / "biopsies.csv", "diagnosis", n_repeats=3, budget="1h", out=folder / "covey-biopsies")
    ranking = found.ranking()
    rows = [row for row in ranking.rows if row.method != "baseline"]
    data = plots.method_intervals(
        [row.mean for row in rows],
        [row.low for row in rows],
        [row.high for row in rows],
        [row.method for row in rows],
        metric="accuracy",
        larger_is_better=True,
        verdicts=[row.verdict for row in rows],
    )
    return plots.draw_method_intervals(data)


PICTURES: dict[str, Callable[[], Any]] = {
    "families.png": families,
    "tree.svg": tree,
    "votes.svg": votes,
    "cover.svg": cover,
    "subsets.svg": subsets,
    "weights.svg": weights,
    "separators.svg": separators,
    "rotation.png": rotation,
    "combination.svg": combination,
    "comparison.svg": comparison,
}


def main() -> None:
    """Draw the pictures that are named, or all."""
    mpl.use("Agg")
    FOLDER.mkdir(exist_ok=True)
    wanted = sys.argv[1:] or [name.partition(".")[0] for name in PICTURES]
    for name, draw in PICTURES.items():
        if name.partition(".")[0] not in wanted:
            continue
        print(name, flush=True)
        drawn = draw()
        if isinstance(drawn, plt.Figure):
            drawn.savefig(FOLDER / name, dpi=160)
        else:
            plots.save_figure(drawn, FOLDER / name)
        plt.close("all")


if __name__ == "__main__":
    main()
