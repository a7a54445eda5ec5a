"""A grown decision tree as flat arrays."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from covey.learners.presort import Presort
from covey.models.fields import Array, Field

IntVector = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Tree:
    """The nodes of a tree. Node 0 is the root; a node's children lie side by side and have larger numbers than it.

    Parameters
    ----------
    attribute : ndarray of int32 of shape (n_nodes,)
        The column a node tests, -1 at a leaf.
    threshold : ndarray of float64 of shape (n_nodes,)
        Of a test on a number: values up to it go to the first child, larger ones to the second. Else NaN.
    first_child, n_children : ndarray of int32 of shape (n_nodes,)
        The children of a node; 0 children at a leaf.
    n_branches : ndarray of int32 of shape (n_nodes,)
        The branches of a test: one per child, and one per category that no training case had there. A case that
        follows a branch without a child stops at the node itself.
    first_code, n_codes : ndarray of int32 of shape (n_nodes,)
        Where a test on categories has its entries in ``code`` and ``code_child``.
    code, code_child : ndarray of int32
        A category, as its code, and the node it leads to; sorted by code within a test.
    weight : ndarray of float64 of shape (n_nodes, n_classes)
        The weight of the training cases of each class that reached a node, fractions included.
    """

    attribute: IntVector
    threshold: NDArray[np.float64]
    first_child: IntVector
    n_children: IntVector
    n_branches: IntVector
    first_code: IntVector
    n_codes: IntVector
    code: IntVector
    code_child: IntVector
    weight: NDArray[np.float64]

    _state: ClassVar[dict[str, Field]] = {
        "attribute": Array(np.int32, "nodes", low=-1),
        "threshold": Array(np.float64, "nodes", low=-np.inf, high=np.inf, nan=True),
        "first_child": Array(np.int32, "nodes"),
        "n_children": Array(np.int32, "nodes", low=0),
        "n_branches": Array(np.int32, "nodes", low=0),
        "first_code": Array(np.int32, "nodes"),
        "n_codes": Array(np.int32, "nodes", low=0),
        "code": Array(np.int32, "codes"),
        "code_child": Array(np.int32, "codes"),
        "weight": Array(np.float64, "nodes", "classes", low=0.0),
    }

    @classmethod
    def from_kernels(cls, links: IntVector, weight: NDArray[np.float64], codes: IntVector, data: Presort) -> Self:
        """Return a tree from what the kernels make, which know ranks rather than values."""
        attribute, cut, first_child, n_children, n_branches, first_code, n_codes = np.ascontiguousarray(links.T)
        numeric = np.flatnonzero((attribute >= 0) & (n_codes == 0))
        threshold = np.full(len(links), np.nan)
        threshold[numeric] = data.distinct[data.offset[data.place[attribute[numeric]]] + cut[numeric]]
        code, code_child = np.ascontiguousarray(codes.T)
        return cls(
            attribute, threshold, first_child, n_children, n_branches, first_code, n_codes, code, code_child, weight
        )

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, state[field.name])
        self._check_state()

    def _check_state(self) -> None:
        """Raise ValueError if a node leads outside the tree, where compiled code would follow, or has no fit weight."""
        inner, nominal = np.flatnonzero(self.n_children), np.flatnonzero(self.n_codes)
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        lengths = {"code": len(self.code), "code_child": len(self.code)}
        sound = (
            all(
                array.dtype == (np.float64 if name in ("threshold", "weight") else np.int32)
                and array.ndim == (2 if name == "weight" else 1)
                and array.flags.c_contiguous
                and len(array) == lengths.get(name, self.n_nodes)
                for name, array in arrays.items()
            )
            and self.n_nodes > 0
            and bool((self.n_children >= 0).all() and (self.n_codes >= 0).all())
            and bool(((self.attribute >= 0) == (self.n_children > 0)).all())
            and bool((self.first_child[inner] > inner).all())
            and bool((self.first_child[inner].astype(np.int64) + self.n_children[inner] <= self.n_nodes).all())
            and np.array_equal(np.sort(_runs(self.first_child[inner], self.n_children[inner])), range(1, self.n_nodes))
            and bool((self.n_children[np.setdiff1d(inner, nominal)] == 2).all())
            and bool((self.first_code[nominal] >= 0).all())
            and bool((self.first_code[nominal].astype(np.int64) + self.n_codes[nominal] <= len(self.code)).all())
            and self._codes_lead_to_children(nominal)
        )
        if not sound:
            raise ValueError("The tree's nodes lead outside it; it is damaged or forged.")
        heaviest = float(self.weight.max(initial=0.0))
        if not ((self.weight >= 0).all() and math.isfinite(heaviest * self.weight.size)):
            raise ValueError("The tree has a weight that is negative or not finite; it is damaged or forged.")

    def _codes_lead_to_children(self, nominal: NDArray[np.intp]) -> bool:
        counts = self.n_codes[nominal]
        entries = _runs(self.first_code[nominal], counts)
        first = np.repeat(self.first_child[nominal], counts)
        within = self.code_child[entries] - first
        return bool(((within >= 0) & (within < np.repeat(self.n_children[nominal], counts))).all())

    @property
    def n_nodes(self) -> int:
        """Number of nodes that a training case reached."""
        return len(self.attribute)

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Mask of the leaves among the nodes."""
        return np.asarray(self.attribute < 0)

    @property
    def n_empty(self) -> int:
        """Number of branches that no training case took; each is a leaf of its own in C4.5's way of counting."""
        return int((self.n_branches - self.n_children).sum())

    @property
    def n_leaves(self) -> int:
        """Number of leaves, those of empty branches included."""
        return int(np.count_nonzero(self.is_leaf)) + self.n_empty

    @property
    def size(self) -> int:
        """Number of nodes, those of empty branches included: C4.5's size of a tree."""
        return self.n_nodes + self.n_empty

    @cached_property
    def parent(self) -> IntVector:
        """The parent of each node, -1 for the root."""
        parent = np.full(self.n_nodes, -1, dtype=np.int32)
        inner = np.flatnonzero(self.n_children)
        counts = self.n_children[inner]
        parent[_runs(self.first_child[inner], counts)] = np.repeat(inner, counts)
        return parent

    @cached_property
    def depth(self) -> IntVector:
        """How many tests lead to each node."""
        depth = np.zeros(self.n_nodes, dtype=np.int32)
        for node, parent in enumerate(self.parent[1:].tolist(), start=1):
            depth[node] = depth[parent] + 1
        return depth

    @cached_property
    def majority(self) -> NDArray[np.intp]:
        """The code of each node's heaviest class, the first of equals; of the parent's where no case came."""
        majority = self.weight.argmax(axis=1)
        for node in self._weightless:
            majority[node] = majority[self.parent[node]]
        return np.asarray(majority)

    def children(self, node: int) -> range:
        """Return the children of a node."""
        first = int(self.first_child[node])
        return range(first, first + int(self.n_children[node]))

    def codes_to(self, node: int) -> NDArray[Any]:
        """Return the categories by which a node is reached from its parent, as codes; empty under a numeric test."""
        parent = int(self.parent[node])
        entries = slice(int(self.first_code[parent]), int(self.first_code[parent] + self.n_codes[parent]))
        return np.asarray(self.code[entries][self.code_child[entries] == node])

    # Predictions

    @cached_property
    def _probability(self) -> NDArray[np.float64]:
        total = self._total[:, None]
        probability: NDArray[np.float64] = np.full_like(self.weight, 1.0 / max(1, self.weight.shape[1]))
        np.divide(self.weight, total, out=probability, where=total > 0)
        for node in self._weightless:
            probability[node] = probability[self.parent[node]]
        return probability

    @cached_property
    def _weightless(self) -> list[int]:
        """The nodes below the root that no training case reached: raising may leave such a leaf."""
        weightless: list[int] = (np.flatnonzero(~(self._total[1:] > 0)) + 1).tolist()
        return weightless

    @cached_property
    def _total(self) -> NDArray[np.float64]:
        """The weight of the training cases at each node."""
        return np.ascontiguousarray(self.weight.sum(axis=1))

    @cached_property
    def _draws(self) -> NDArray[np.bool_]:
        """Mask of the nodes that fractions of a case enter whose value for the parent's test is missing."""
        weight = self._total[1:]
        of_all = np.bincount(self.parent[1:], weight, minlength=self.n_nodes)[self.parent[1:]]
        share = np.divide(weight, of_all, out=np.zeros_like(weight), where=of_all > 0)
        return np.append(False, share > 1e-6)

    @cached_property
    def _arrays(self) -> tuple[NDArray[Any], ...]:
        """What prediction kernels take; a leaf has no threshold, whatever a file says: it leads to itself."""
        return (
            self.attribute,
            np.where(self.is_leaf, np.nan, self.threshold),
            self.first_child,
            self.n_children,
            self.first_code,
            self.n_codes,
            self.code,
            self.code_child,
            self._total,
        )

    @cached_property
    def _links(self) -> NDArray[np.int64]:
        """Each node in one word, as `covey.kernels.descend` takes it; none where categories are tested."""
        if len(self.code):
            return np.empty(0, dtype=np.int64)
        child = np.where(self.is_leaf, np.arange(self.n_nodes), self.first_child)
        return np.asarray(child << 32 | self.is_leaf.astype(np.int64) << 31 | np.maximum(self.attribute, 0))

    @cached_property
    def _last_attribute(self) -> int:
        return int(self.attribute.max())

    def _check_width(self, rows: NDArray[np.float64]) -> None:
        if rows.shape[1] <= self._last_attribute:
            raise ValueError(f"The tree tests column {self._last_attribute}, but rows have {rows.shape[1]} columns.")

    def predict_shares(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the class probabilities of each row."""
        shares, second = np.zeros((2, len(rows), self._probability.shape[1]))
        self.add_votes(rows, True, np.arange(shares.shape[1]), False, 1.0, 0.0, shares, second)
        return shares

    def add_votes(
        self,
        rows: NDArray[np.float64],
        has_missing: bool,
        known: NDArray[np.int64],
        by_class: bool,
        vote: float,
        second_vote: float,
        scores: NDArray[np.float64],
        second: NDArray[np.float64],
    ) -> None:
        """Add votes to scores of classes and to second scores; see `covey.kernels.descend.add_votes`."""
        from covey.kernels.descend import add_votes

        self._check_width(rows)
        votes = by_class, vote, second_vote, has_missing
        add_votes(self._arrays, self._links, self._probability, self.majority, known, *votes, rows, scores, second)

    def predict_codes(self, rows: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the code of the most probable class of each row."""
        leaf = self._ends_of(rows)
        codes: NDArray[np.intp] = self.majority[leaf]
        in_parts = np.flatnonzero(leaf < 0)
        if len(in_parts):
            codes[in_parts] = self.predict_shares(rows[in_parts]).argmax(axis=1)
        return codes

    def leaves_of(self, rows: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the node where each row, or its largest fraction, ends."""
        leaf = self._ends_of(rows)
        return np.where(leaf < 0, -1 - leaf, leaf)

    def _ends_of(self, rows: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the node where each row ends; ``-1 - node`` where it is that of the largest fraction."""
        from covey.kernels.descend import leaf_of_rows

        self._check_width(rows)
        leaf = np.empty(len(rows), dtype=np.int64)
        leaf_of_rows(self._arrays, self._links, rows, leaf)
        return leaf

    def paths_of(self, rows: NDArray[np.float64]) -> csr_matrix:
        """Return which nodes each row, or a fraction of it, passes."""
        self._check_width(rows)
        row, node = np.arange(len(rows)), np.zeros(len(rows), dtype=np.intp)
        is_leaf = self.is_leaf
        passed: list[tuple[NDArray[np.intp], NDArray[np.intp]]] = []
        while len(row):
            passed.append((row, node))
            inner = ~is_leaf[node]
            row, node = self._following(rows, row[inner], node[inner])
        place = tuple(np.concatenate(indices) for indices in zip(*passed, strict=True))
        return csr_matrix((np.ones(len(place[0]), dtype=np.int64), place), shape=(len(rows), self.n_nodes))

    def _following(
        self, rows: NDArray[np.float64], row: NDArray[np.intp], node: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the row and the node of every step that follows from being at an inner node."""
        value = rows[row, self.attribute[node]]
        numeric, missing = self.n_codes[node] == 0, np.isnan(value)
        child = np.asarray(self.first_child[node] + (value > self.threshold[node]), dtype=np.intp)
        for i in np.flatnonzero(~numeric & ~missing):
            entries = slice(self.first_code[node[i]], self.first_code[node[i]] + self.n_codes[node[i]])
            match = np.flatnonzero(self.code[entries] == value[i])
            child[i] = self.code_child[entries][match[0]] if len(match) else -1
        counts = np.where(missing, self.n_children[node], 1)
        child = _runs(np.where(missing, self.first_child[node], child), counts)
        kept = (child >= 0) & (~np.repeat(missing, counts) | self._draws[child])
        return np.repeat(row, counts)[kept], child[kept]

    def importances(self, n_features: int) -> NDArray[np.float64]:
        """Return the share of each column in the reduction of entropy; all 0 for a tree without tests."""
        total = self.weight.sum(axis=1)
        disorder = _xlogx(total) - _xlogx(self.weight).sum(axis=1)
        gain = disorder.copy()
        np.subtract.at(gain, self.parent[1:], disorder[1:])
        inner = ~self.is_leaf
        reduction = np.bincount(self.attribute[inner], np.maximum(gain[inner], 0.0), minlength=n_features)
        return np.asarray(reduction / reduction.sum() if reduction.sum() > 0 else reduction)


def _runs(starts: NDArray[Any], counts: NDArray[Any]) -> NDArray[np.intp]:
    """Return the numbers from each start on, as many as it has, one run after the other."""
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.asarray(np.repeat(starts, counts) + within, dtype=np.intp)


def _xlogx(weight: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(weight * np.log(np.maximum(weight, np.finfo(float).tiny)))
