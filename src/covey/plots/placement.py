"""Where to write names beside points, such that nothing overlaps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Places that are tried: directions from the point, and distances to its label in heights of the label. To the right
# is best, then above and below, as on maps.
DIRECTIONS = np.deg2rad([0, 45, -45, 90, -90, 180, 135, -135, 22, -22, 67, -67, 112, -112, 157, -157])
DISTANCES = np.array([0.55, 0.85, 1.2, 1.7, 2.3, 3, 3.8, 4.8, 6, 7.5, 9.5, 12, 15, 19])
# What it costs, against a distance of one height: to cover a label or leave the page, a mark, a line; to cross a name
# or mark with the line that leads to another.
LABEL, MARK, LINE, CROSSING = 1e6, 1e4, 1.0, 5.0
# How often all labels may change their places.
ROUNDS = 30


def place_labels(points: Floats, sizes: Floats, page: Floats, marks: Floats, lines: Floats) -> Floats:
    """Return where to write the labels of points, each near its own.

    Labels are placed one by one, those of crowded points first, at the place that costs least; then each in turn moves
    to a better place given all others, until none does. Nothing is random.

    Parameters
    ----------
    points, sizes : ndarray of float64 of shape (n_points, 2)
        Where the points are, and the width and height of their labels, all in the same unit.
    page : ndarray of float64 of shape (4,)
        The left, lower, right and upper end of the room.
    marks : ndarray of float64 of shape (n_marks, 4)
        The boxes of marks, those of the points among them, as the page's.
    lines : ndarray of float64 of shape (n_places, 2)
        Places along the lines of the figure.

    Returns
    -------
    ndarray of float64 of shape (n_points, 2)
        The lower left corners of the labels.
    """
    tried = [candidates(point, size) for point, size in zip(points, sizes, strict=True)]
    fixed = [_fixed_costs(point, boxes, page, marks, lines) for point, boxes in zip(points, tried, strict=True)]
    distance = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
    crowd = np.count_nonzero(distance < 3 * sizes.max(axis=1)[:, None], axis=1)
    order = np.lexsort((points[:, 0], -crowd)).tolist()
    chosen: dict[int, int] = {}
    for _ in range(ROUNDS):
        before = dict(chosen)
        for label in order:
            others = [(tried[other][place], points[other]) for other, place in chosen.items() if other != label]
            cost = fixed[label] + _mutual_costs(tried[label], points[label], others)
            chosen[label] = int(cost.argmin())
        if chosen == before:
            break
    return np.array([tried[label][chosen[label], :2] for label in range(len(points))])


def candidates(point: Floats, size: Floats) -> Floats:
    """Return the boxes that a label may take around its point, of shape (n_candidates, 4), the best first."""
    distance, direction = (part.ravel() for part in np.meshgrid(DISTANCES, DIRECTIONS, indexing="ij"))
    toward = np.stack([np.cos(direction), np.sin(direction)], axis=1)
    # The label's nearest side, or its corner, is at the distance: its middle is half a label further.
    middle = point + toward * distance[:, None] * size[1] + np.sign(toward.round(9)) * size / 2 * _slide(toward)
    return np.concatenate([middle - size / 2, middle + size / 2], axis=1)


def _slide(toward: Floats) -> Floats:
    """Return how far, as a share of half a label, to go along each side: less when the other direction leads away."""
    return np.minimum(1.0, 1.5 * np.abs(toward))


def _fixed_costs(point: Floats, boxes: Floats, page: Floats, marks: Floats, lines: Floats) -> Floats:
    """Return what each place costs whatever the other labels do."""
    height = boxes[0, 3] - boxes[0, 1]
    near = np.repeat(DISTANCES, len(DIRECTIONS)) + np.tile(0.02 * np.arange(len(DIRECTIONS)), len(DISTANCES))
    outside = np.maximum(page[:2] - boxes[:, :2], 0).sum(axis=1) + np.maximum(boxes[:, 2:] - page[2:], 0).sum(axis=1)
    covered = (_overlap(boxes, marks) > 0).sum(axis=1)
    # A line that leads through the mark of another point seems to come from there.
    others = marks[~((marks[:, :2] < point) & (point < marks[:, 2:])).all(axis=1)]
    crossed = _crossings(np.repeat(point[None], len(boxes), axis=0), boxes, others).sum(axis=1)
    on_lines = _overlap(boxes, np.concatenate([lines - 0.1 * height, lines + 0.1 * height], axis=1)) > 0
    return np.asarray(
        near
        + LABEL * outside / height
        + MARK * covered
        + CROSSING * crossed
        + LINE * np.minimum(on_lines.sum(axis=1), 10) / 3
    )


def _mutual_costs(boxes: Floats, point: Floats, others: list[tuple[Floats, Floats]]) -> Floats:
    """Return what each place costs given the places of other labels."""
    if not others:
        return np.zeros(len(boxes))
    height = boxes[0, 3] - boxes[0, 1]
    theirs = np.array([box for box, _ in others])
    gap = 0.08 * height
    wider = theirs + np.array([-gap, -gap, gap, gap])
    covered = _overlap(boxes, wider).sum(axis=1) / height**2
    own = _crossings(np.repeat(point[None], len(boxes), axis=0), boxes, theirs)
    foreign = np.concatenate([_crossings(at[None], box[None], boxes) for box, at in others])
    return np.asarray(LABEL * covered + CROSSING * (own.sum(axis=1) + foreign.sum(axis=0)))


def _overlap(boxes: Floats, others: Floats) -> Floats:
    """Return the area that each box has in common with each other one, of shape (n_boxes, n_others)."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    return np.asarray(np.maximum(high - low, 0).prod(axis=2))


def nearest(point: Floats, boxes: Floats) -> Floats:
    """Return the place of each box that is nearest to a point, where the line that leads to it ends."""
    return np.clip(point, boxes[..., :2], boxes[..., 2:])


def _crossings(points: Floats, boxes: Floats, others: Floats) -> NDArray[np.bool_]:
    """Return whether the line from each point to its box meets each other box, of shape (n_points, n_others)."""
    ends = nearest(points, boxes)
    steps = points + np.linspace(0.1, 0.9, 9)[:, None, None] * (ends - points)
    inside = (steps[:, :, None] > others[:, :2]) & (steps[:, :, None] < others[:, 2:])
    return np.asarray(inside.all(axis=3).any(axis=0))
