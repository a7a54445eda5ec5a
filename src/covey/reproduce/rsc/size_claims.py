"""Claims about single covers, the least size of spheres alpha, and the number of members."""

from __future__ import annotations

import numpy as np

from covey._rounding import write_number
from covey._text import counted
from covey.reproduce.paper import Found, Verdict
from covey.reproduce.rsc.judging import two
from covey.reproduce.rsc.size_views import BORDER, SINGLE, by_alpha, by_size
from covey.reproduce.verdicts import untested, verdict

# What is near the best, in percentage points; and how often the ensemble must be better to be said to be.
NEAR, MOSTLY = 1.0, 0.9
OVERLAPPING = ("pima-diabetes", "heart")


def ensemble_beats_its_members(found: Found) -> Verdict:
    """RSC-01."""
    gains = {
        name: frame[BORDER] - frame[SINGLE]
        for name in (one.name for one in found["alpha"].record.datasets)
        if len(frame := by_alpha(found["alpha"], name))
    }
    if not gains:
        return untested("no dataset was carried out")
    every = np.concatenate([gain.to_numpy() for gain in gains.values()])
    wins = int((every > 0).sum())
    each = ", ".join(f"{name} {write_number(gain.mean(), '+.2f')}" for name, gain in gains.items())
    where = f"{wins} of {len(every)} values of alpha on {counted(len(gains), 'dataset')}"
    text = f"better at {where}; mean gain in points: {each}"
    return verdict(wins >= MOSTLY * len(every), text)


def same_alpha_is_best(found: Found) -> Verdict:
    """RSC-02."""
    parts, near = [], []
    for name in (one.name for one in found["alpha"].record.datasets):
        frame = by_alpha(found["alpha"], name)
        if frame.empty:
            continue
        single, ensemble = (int(frame.index[int(frame[column].argmax())]) for column in (SINGLE, BORDER))
        loss = float(frame[BORDER].max() - frame[BORDER][single])
        near.append(loss <= NEAR)
        parts.append(
            f"{name}: {single} for one, {ensemble} for the ensemble, which loses {two(loss)} points by the first"
        )
    if not parts:
        return untested("no dataset was carried out")
    return verdict(all(near), f"best alphas: {'; '.join(parts)}")


def subspace_goes_on_improving(found: Found) -> Verdict:
    """RSC-11."""
    scores = by_size(found).dropna()
    most = max(map(int, scores.columns), default=0)
    if most <= 100 or scores.empty:
        return untested("no ensemble of more than 100 members was carried out")
    before, after = scores[100].mean(), scores[most].mean()
    rises = int((scores[most] > scores[100]).sum())
    text = (
        f"mean accuracy on {counted(len(scores), 'dataset')}: {two(before)} with 100 members, {two(after)} with "
        f"{most}; higher on {rises}"
    )
    return verdict(after >= before, text)


def dropping_small_spheres_helps(found: Found) -> Verdict:
    """RSC-23."""
    parts, gains = [], []
    for name in OVERLAPPING:
        frame = by_alpha(found["alpha"], name) if name in {one.name for one in found["alpha"].record.datasets} else None
        if frame is None or 1 not in frame.index or len(frame) < 2:
            continue
        larger = frame[SINGLE].drop(1)
        gains.append(float(larger.max() - frame[SINGLE][1]))
        parts.append(
            f"{name}: {two(frame[SINGLE][1])} with all spheres, {two(larger.max())} at alpha {larger.idxmax()}"
        )
    if not parts:
        return untested("no dataset with overlapping classes was carried out")
    return verdict(min(gains) > 0, f"accuracy of single covers: {'; '.join(parts)}")


def covers_are_smaller_than_data(found: Found) -> Verdict:
    """RSC-24: counted here, for a store keeps no spheres."""
    from covey.datasets import DatasetNotFoundError, load
    from covey.learners import SphereCoverClassifier

    parts, falls = [], []
    for record in found["alpha"].record.datasets:
        try:
            data = load(record.source)
        except (DatasetNotFoundError, OSError):
            continue
        counts = [
            len(SphereCoverClassifier(alpha, random_state=0).fit(data.frame, data.target).radii_)
            for alpha in (1, 3, 10)
        ]
        falls.append(data.n_rows > counts[0] > counts[1] > counts[2])
        parts.append(f"{record.name}: {data.n_rows} cases, {counts[0]}, {counts[1]} and {counts[2]} spheres")
    if not parts:
        return untested("the data are no longer there, and a store keeps no spheres")
    return verdict(all(falls), f"one cover at alpha 1, 3 and 10; {'; '.join(parts)}")
