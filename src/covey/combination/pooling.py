"""Pools: the outputs of several members made one, with temperatures and weights that suit out-of-fold rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar

from covey.models.fields import Array, Field, Number, Text, require

Floats = NDArray[np.float64]
Weighting = Literal["optimal", "greedy", "uniform"]
Rule = Literal["geometric", "arithmetic", "mean"]

# Measured on small sets of classes and of numbers: docs/decisions/combination.md.
PRIOR = 3.0  # how many rows' worth of belief there is that members deserve equal weights
PRIOR_OF_NUMBERS = 0.5
SMOOTHING = 0.01  # the share of the class frequencies in every member's probabilities
DOUBT = 0.5  # how many rows' worth of class frequencies there is in the pooled probabilities
GREEDY_STEPS = 50
_COOLEST, _HOTTEST = np.log(0.02), np.log(20.0)
_LEAST = 1e-12


@dataclass(frozen=True, eq=False)
class Pool:
    """What makes one output of those of several members.

    Probabilities are smoothed with the class frequencies, raised to a power of each member's own (its temperature's
    inverse), and multiplied with the members' weights as exponents (geometric) or averaged (arithmetic); numbers are
    averaged.
    """

    rule: Rule
    weights: Floats  # of members, adding up to 1
    exponents: Floats  # of members' probabilities; ones for numbers
    frequencies: Floats  # of classes; empty for numbers
    sharpness: float = 1.0  # the power of the pooled probabilities
    doubt: float = 0.0  # the share of the class frequencies in the pooled probabilities
    low: float = -np.inf  # numbers below it, and above the next, are taken for these
    high: float = np.inf

    _state: ClassVar[dict[str, Field]] = {
        "rule": Text("geometric", "arithmetic", "mean"),
        "weights": Array(np.float64, "members", low=0.0, high=1.0),
        "exponents": Array(np.float64, "members", low=0.0, high=1e3),
        "frequencies": Array(np.float64, "classes", low=0.0, high=1.0),
        "sharpness": Number(0.0, 1e3),
        "doubt": Number(0.0, 1.0),
        "low": Number(infinite=True),
        "high": Number(infinite=True),
    }

    def _check_state(self) -> None:
        require(abs(float(self.weights.sum()) - 1.0) < 1e-6, "has weights that do not add up to 1")
        known = float(self.frequencies.sum()) if len(self.frequencies) else 1.0
        require(abs(known - 1.0) < 1e-6, "has class frequencies that do not add up to 1")
        require((self.rule == "mean") == (len(self.frequencies) == 0), "has another rule than its classes ask for")

    def tempered(self, outputs: Floats) -> Floats:
        """Return the logarithms of members' probabilities, (members, rows, classes), smoothed and tempered."""
        return np.stack(
            [_temper(log_probabilities(p, self.frequencies), e) for p, e in zip(outputs, self.exponents, strict=True)]
        )

    def __call__(self, outputs: Floats) -> Floats:
        """Return one output of those of all members: (members, rows, classes) or (members, rows)."""
        if self.rule == "mean":
            return _mix(self.weights, np.clip(outputs, self.low, self.high))
        logs = self.tempered(outputs)
        pooled = _mix(self.weights, logs) if self.rule == "geometric" else np.log(_mix(self.weights, np.exp(logs)))
        shares = np.exp(_temper(pooled, self.sharpness))
        return np.asarray((1.0 - self.doubt) * shares + self.doubt * self.frequencies)


def influences(pool: Pool, outputs: Floats) -> Floats:
    """Return each member's share in what the pool says: its weight, times how much its output differs by class."""
    if pool.rule == "mean" or not outputs.shape[1]:
        return pool.weights
    logs = pool.tempered(outputs)
    spread = (logs if pool.rule == "geometric" else np.exp(logs)).std(axis=2).mean(axis=1)
    parts = pool.weights * spread
    return np.asarray(parts / parts.sum()) if parts.sum() > 0.0 else pool.weights


def log_probabilities(probabilities: Floats, frequencies: Floats) -> Floats:
    """Return logarithms of probabilities into which some of the class frequencies are mixed, so that none is 0."""
    mixed = (probabilities + SMOOTHING * frequencies) / (1.0 + SMOOTHING)
    return np.asarray(np.log(np.maximum(mixed, _LEAST)))


def _mix(weights: Floats, outputs: Floats) -> Floats:
    """Return a weighted sum, the same for a row alone and among others, which a product of matrices need not be."""
    mixed = np.zeros(outputs.shape[1:])
    for weight, output in zip(weights.tolist(), outputs, strict=True):
        mixed += weight * output
    return mixed


def _temper(logs: Floats, exponent: float) -> Floats:
    """Return the logarithms of probabilities raised to a power, adding up to 1 again."""
    powers = exponent * logs
    powers -= powers.max(axis=-1, keepdims=True)
    return np.asarray(powers - np.log(np.exp(powers).sum(axis=-1, keepdims=True)))


def log_loss(logs: Floats, y: NDArray[np.intp], weight: Floats) -> float:
    """Return the weighted mean log loss of logarithms of probabilities; the weights add up to 1."""
    return float(-(weight @ logs[np.arange(len(y)), y]))


def pool_classes(
    outputs: Floats, y: NDArray[np.intp], weight: Floats, frequencies: Floats, weighting: Weighting, rule: str
) -> Pool:
    """Return the pool of members' out-of-fold probabilities, (members, rows, classes), with the least log loss.

    Weights are drawn towards equal ones by a prior that is worth some rows. With the rule "auto" the better of the
    geometric and the arithmetic mean is taken.
    """
    n_members, n_rows = len(outputs), len(y)
    even = np.full(n_members, 1.0 / n_members)
    pool = Pool("geometric", even, np.ones(n_members), frequencies)
    if not n_rows:
        return replace(pool, rule="arithmetic" if rule == "arithmetic" else "geometric")
    logs = [log_probabilities(output, frequencies) for output in outputs]
    pool = replace(pool, exponents=np.array([best_exponent(log, y, weight) for log in logs]))
    tempered = pool.tempered(outputs)
    pools: list[tuple[float, int, Pool]] = []
    for kind in ("geometric", "arithmetic") if rule == "auto" else (rule,):
        loss = _geometric_loss(tempered, y, weight) if kind == "geometric" else _arithmetic_loss(tempered, y, weight)
        total, weights = 1.0, even
        if weighting == "optimal":
            total, weights = best_weights(loss, n_members, PRIOR / n_rows, free=kind == "geometric")
        elif weighting == "greedy":
            weights = greedy_weights(loss, n_members)
        chosen = replace(pool, rule=kind, weights=weights, sharpness=1.0)
        pooled = np.log(np.maximum(chosen(outputs), _LEAST))
        sharpness = total if weighting == "optimal" and kind == "geometric" else best_exponent(pooled, y, weight)
        chosen = replace(chosen, sharpness=sharpness, doubt=DOUBT / n_rows)
        pools.append((log_loss(np.log(np.maximum(chosen(outputs), _LEAST)), y, weight), len(pools), chosen))
    return min(pools)[2]


def pool_numbers(outputs: Floats, y: Floats, weight: Floats, weighting: Weighting) -> Pool:
    """Return the pool of members' out-of-fold numbers, (members, rows), with the least squared error.

    No member may go further beyond the numbers that there are than half of their range: where rows are unlike any
    other, some would go anywhere.
    """
    n_members, n_rows = len(outputs), len(y)
    room = 0.5 * (y.max() - y.min()) if n_rows else 0.0
    bounds = {"low": float(y.min() - room), "high": float(y.max() + room)} if n_rows else {}
    pool = Pool("mean", np.full(n_members, 1.0 / n_members), np.ones(n_members), np.empty(0), **bounds)
    if not n_rows or weighting == "uniform":
        return pool
    errors = np.clip(outputs, pool.low, pool.high) - y
    products = (errors * weight) @ errors.T
    least = float(np.diag(products).min())
    if least <= 0.0:  # some member makes no error at all
        perfect = np.diag(products) <= 0.0
        return replace(pool, weights=perfect / perfect.sum())

    def loss(weights: Floats) -> tuple[float, Floats]:
        slopes = products @ weights / least
        return 0.5 * float(weights @ slopes), slopes

    if weighting == "greedy":
        return replace(pool, weights=greedy_weights(loss, n_members))
    return replace(pool, weights=best_weights(loss, n_members, PRIOR_OF_NUMBERS / n_rows, free=False)[1])


Loss = Callable[[Floats], tuple[float, Floats]]


def _geometric_loss(logs: Floats, y: NDArray[np.intp], weight: Floats) -> Loss:
    """Return the log loss of weighted products and its gradient, as a function of the weights."""
    true = np.ascontiguousarray(logs[:, np.arange(len(y)), y])

    def loss(weights: Floats) -> tuple[float, Floats]:
        sums = np.tensordot(weights, logs, 1)
        top = sums.max(axis=1, keepdims=True)
        shares = np.exp(sums - top)
        totals = shares.sum(axis=1, keepdims=True)
        value = weight @ (np.log(totals) + top)[:, 0] - weights @ (true @ weight)
        shares *= weight[:, None] / totals
        return float(value), logs.reshape(len(logs), -1) @ shares.ravel() - true @ weight

    return loss


def _arithmetic_loss(logs: Floats, y: NDArray[np.intp], weight: Floats) -> Loss:
    """Return the log loss of weighted means and its gradient, as a function of the weights."""
    true = np.exp(logs[:, np.arange(len(y)), y])

    def loss(weights: Floats) -> tuple[float, Floats]:
        means = np.maximum(weights @ true, _LEAST)
        return float(-(weight @ np.log(means))), -(true @ (weight / means))

    return loss


def best_exponent(logs: Floats, y: NDArray[np.intp], weight: Floats) -> float:
    """Return the power of probabilities with the least log loss; 1 is worth a row's belief."""
    scale = 1.0 / len(y)

    def loss(log_exponent: float) -> float:
        return log_loss(_temper(logs, np.exp(log_exponent)), y, weight) + scale * log_exponent**2

    best = minimize_scalar(loss, bounds=(_COOLEST, _HOTTEST), method="bounded", options={"xatol": 1e-3})
    return float(np.exp(best.x))


def best_weights(loss: Loss, n_members: int, prior: float, *, free: bool) -> tuple[float, Floats]:
    """Return the sum of the best weights, 1 unless it is free, and the weights themselves, adding up to 1."""

    def penalised(logs: Floats) -> tuple[float, Floats]:
        weights = np.exp(logs)
        total = weights.sum()
        weights = weights if free else weights / total
        value, slopes = loss(weights)
        gradient = weights * slopes if free else weights * (slopes - weights @ slopes)
        shares = np.exp(logs) / total
        value -= prior * (logs - np.log(total)).sum()
        gradient = gradient - prior * (1.0 - n_members * shares)
        if free:  # a sum of 1 is worth a third of the prior's rows
            value += prior / 3.0 * np.log(total) ** 2
            gradient = gradient + 2.0 * prior / 3.0 * np.log(total) * shares
        return value, gradient

    start = np.full(n_members, -np.log(n_members))
    best = minimize(penalised, start, jac=True, method="L-BFGS-B", bounds=[(-15.0, 5.0)] * n_members)
    weights = np.exp(best.x)
    return float(weights.sum()) if free else 1.0, weights / weights.sum()


def greedy_weights(loss: Loss, n_members: int) -> Floats:
    """Return weights by adding the member that helps most, again and again (Caruana and others 2004)."""
    counts = np.zeros(n_members)
    for step in range(1, GREEDY_STEPS + 1):
        counts[int(np.argmin([loss((counts + one) / step)[0] for one in np.eye(n_members)]))] += 1.0
    return np.asarray(counts / counts.sum())
