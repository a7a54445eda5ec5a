"""Claims about irrelevant attributes (table 5), pairs of members (figure 1), bagging, and ways to improve MFS."""

from __future__ import annotations

import numpy as np

from covey._text import counted
from covey.analysis.staged import staged_errors
from covey.reproduce.mfs.error_claims import whole
from covey.reproduce.mfs.judging import Record
from covey.reproduce.mfs.member_views import BAGGED, ENSEMBLES, FEATURES, PROTOTYPES, clouds
from covey.reproduce.mfs.noise_views import TOLERANT, noise
from covey.reproduce.mfs.reading import at, complete, error_of, one, signed
from covey.reproduce.paper import Found, Verdict
from covey.reproduce.verdicts import untested, verdict

# What the paper's words are taken to mean, in percentage points: a rise of about 3, and no difference on average.
ABOUT_THREE = (0.0, 6.0)
NO_GAIN = 1.0
NN_VARIANTS = ("nn", "knn", "fss", "bss")
# Members of each size that an ensemble of different sizes has.
OF_EACH_SIZE = 10


def knn_suffers_more(found: Found) -> Verdict:
    """MFS-10."""
    frame = noise(found)[[f"{method} {number}" for method in TOLERANT for number in (0, 30)]].dropna()
    if len(frame) < 2:
        return untested(f"{counted(len(frame), 'dataset')} with irrelevant attributes, which is too few")
    rises = {method: frame[f"{method} 30"] - frame[f"{method} 0"] for method in TOLERANT}
    more = int((rises["knn"] > rises["mfs1"]).sum())
    each = ", ".join(f"{name} {signed(rises['knn'][name])} and {signed(rises['mfs1'][name])}" for name in frame.index)
    return verdict(more >= 0.8 * len(frame), f"rise of knn and mfs1 at 30 in points: {each}; knn's is larger on {more}")


def wine_with_ten(found: Found) -> Verdict:
    """MFS-11."""
    frame = noise(found)[[f"{method} {number}" for method in TOLERANT for number in (0, 10)]].dropna()
    if "wine" not in frame.index:
        return untested("wine was not carried out with irrelevant attributes")
    knn, mfs1 = (at(frame, "wine", f"{method} 10") - at(frame, "wine", f"{method} 0") for method in TOLERANT)
    low, high = ABOUT_THREE
    text = f"rises of {signed(knn)} (knn) and {signed(mfs1)} (mfs1); about 3 is taken for {low:g} to {high:g}"
    return verdict(knn > 20 and low <= mfs1 <= high, text)


def ionosphere_with_thirty(found: Found) -> Verdict:
    """MFS-12."""
    frame, clean = noise(found), whole(found, NN_VARIANTS)
    if "ionosphere" not in frame.index or "ionosphere" not in clean.index:
        return untested("ionosphere was not carried out with all methods of the claim")
    ours = at(frame, "ionosphere", "mfs1 30")
    others = {name: at(clean, "ionosphere", name) for name in NN_VARIANTS}
    text = f"mfs1 with 30 irrelevant attributes {one(ours)}; without any "
    return verdict(
        ours < min(others.values()), text + ", ".join(f"{name} {one(error)}" for name, error in others.items())
    )


def noise_never_helps(found: Found) -> Verdict:
    """MFS-13."""
    frame = noise(found)
    if frame.dropna(how="all").empty:
        return untested("no dataset was carried out with irrelevant attributes")
    below = [
        f"{method} with {number} on {name} ({one(at(frame, name, label))}, {one(at(frame, name, clean))} without)"
        for method in TOLERANT
        for number in (10, 20, 30)
        for label, clean in [(f"{method} {number}", f"{method} 0")]
        for name in map(str, frame.index)
        if round(at(frame, name, label), 1) < round(at(frame, name, clean), 1)
    ]
    tried = int(frame.drop(columns=[f"{method} 0" for method in TOLERANT]).notna().to_numpy().sum())
    text = f"below the clean value: {len(below)} of {tried} figures" + (f", {', '.join(below)}" if below else "")
    return verdict(not below, text)


def features_make_members_diverse(found: Found) -> Verdict:
    """MFS-19."""
    parts = clouds(found)
    if len(parts) < len(ENSEMBLES):
        return untested("the three ensembles of figure 1 were not all carried out on ionosphere")
    kappa = {name: float(pairs.kappa.mean()) for name, pairs in parts.items()}
    error = {name: 100 * float(pairs.error.mean()) for name, pairs in parts.items()}
    diverse = kappa[FEATURES] < kappa[BAGGED] and kappa[PROTOTYPES] < kappa[BAGGED]
    no_worse = error[FEATURES] <= error[BAGGED] + NO_GAIN / 2 and error[PROTOTYPES] > error[BAGGED]
    each = ", ".join(f"{name} {kappa[name]:.2f} and {one(error[name])}" for name in ENSEMBLES)
    text = f"mean kappa and error: {each}; not higher is taken for at most {NO_GAIN / 2:g} points higher"
    return verdict(diverse and no_worse, text)


def bagging_does_not_help(found: Found) -> Verdict:
    """MFS-20."""
    import pandas as pd

    results = found["members"]
    rows = {
        data.name: {name: error_of(results, data.name, name) for name in ("nn", BAGGED)}
        for data in results.record.datasets
    }
    frame = pd.DataFrame.from_dict(rows, orient="index").dropna()
    if len(frame) < 2:
        return untested(f"{counted(len(frame), 'dataset')} with nn and bagged nn, which is too few")
    gain = frame["nn"] - frame[BAGGED]
    record = Record.of(frame, BAGGED, "nn")
    each = ", ".join(f"{name} {signed(value)}" for name, value in gain.items())
    text = f"bagging lowers the error by {each}; mean {signed(gain.mean())}; {record}"
    return verdict(gain.mean() < NO_GAIN and not record.better, text)


def different_sizes_do_not_help(found: Found) -> Verdict:
    """MFS-21, of which the sizes can be tested: a store keeps no accuracy of members on training cases."""
    if "sizes" not in found:
        return untested("subsets of different sizes were not carried out")
    results, plain = found["sizes"], whole(found, ("mfs1",))
    methods = [one.name for one in results.record.methods]
    gains = {}
    for dataset in (data.name for data in results.record.datasets):
        if dataset in plain.index and all((dataset, name) in complete(results) for name in methods):
            gains[dataset] = at(plain, dataset, "mfs1") - _mixed_error(found, dataset, methods)
    if not gains:
        return untested("no dataset was carried out with subsets of all sizes")
    mean = float(np.mean(list(gains.values())))
    each = ", ".join(f"{name} {signed(value)}" for name, value in gains.items())
    text = (
        f"ten members of each of {len(methods)} sizes err less than mfs1 by {each}; mean {signed(mean)} points, no "
        f"gain being taken for less than {NO_GAIN:g}. Weighted votes and pruning cannot be tested: a store keeps no "
        "accuracy of members on training cases"
    )
    return verdict(mean < NO_GAIN, text)


def _mixed_error(found: Found, dataset: str, methods: list[str]) -> float:
    """Return the error in per cent of a vote of ten members of each size, a tie counting for its share."""
    wrong = total = 0.0
    for fits in zip(*(found["sizes"].fits(dataset, name) for name in methods), strict=True):
        votes = np.concatenate([fit["votes"][:, :OF_EACH_SIZE] for fit in fits], axis=1)
        y = fits[0]["y"]
        wrong += len(y) * float(staged_errors(votes, y, classes=fits[0]["classes"]).final)
        total += len(y)
    return 100 * wrong / total
