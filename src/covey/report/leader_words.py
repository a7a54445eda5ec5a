"""What bias, variance and diversity of the leaders say, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey._rounding import write_number
from covey._text import listed
from covey.report.metric_words import number_spec

if TYPE_CHECKING:
    from covey.report.leaders import BiasVariance, Leaders, Members

# From this share of the error up, a part of it is most of it.
MOST = 2 / 3

BIAS = "mostly bias: predictions are wrong in the same way whatever part of the data is learnt from"
VARIANCE = "mostly variance: predictions change with the part of the data that is learnt from"
BOTH = "bias and variance in similar parts"


def explain(leaders: Leaders) -> tuple[str, ...]:
    """Return a paragraph on where the errors of the leaders come from, and one on the members of ensembles."""
    members = [_vote(one.method, one.members, leaders.regression) for one in leaders.leaders if one.members is not None]
    return tuple(" ".join(part) for part in (_sources(leaders), members) if part)


def _sources(leaders: Leaders) -> list[str]:
    """Say whether methods err by bias or by variance, those of a kind in one sentence."""
    groups: dict[str, list[str]] = {}
    for one in leaders.leaders:
        if one.bias_variance is not None:
            told = f"{one.method} ({_error(one.bias_variance.error, leaders.regression)})"
            groups.setdefault(_source(one.bias_variance), []).append(told)
    what = "squared error" if leaders.regression else "error"
    sentences = []
    for source, names in groups.items():
        if source:
            verb = "is" if len(names) == 1 else "are"
            sentences.append(f"The {what}{'' if len(names) == 1 else 's'} of {listed(names)} {verb} {source}.")
        else:
            sentences.append(f"There is no error of {listed(names)}.")
    if BIAS in groups:
        sentences.append("Noise in the data that no method can predict is a part of the bias.")
    return sentences


def _source(found: BiasVariance) -> str:
    if found.error <= 0:
        return ""
    share = found.bias / found.error
    return BIAS if share >= MOST else VARIANCE if share <= 1 - MOST else BOTH


def _vote(method: str, found: Members, regression: bool) -> str:
    """Say what an ensemble gains from its members' differences."""
    single, whole = _error(found.member_error, regression), _error(found.ensemble_error, regression)
    if regression:
        if found.ensemble_error >= found.member_error:
            return (
                f"Single members of {method} have a squared error of {single}, and their mean does no better: {whole}."
            )
        share = write_number(found.ambiguity / found.member_error, ".0%")
        return (
            f"Single members of {method} have a squared error of {single}. They differ so much that their mean errs by "
            f"{whole}: {share} of the error cancels out."
        )
    if found.ensemble_error >= found.member_error:
        return f"Members of {method} err in {single} of cases, and together they do no better: {whole}."
    apart = _error(found.disagreement, regression)
    return (
        f"Members of {method} err in {single} of cases, but in different ones (in {apart} just one of two is right), "
        f"so that together they err in {whole}."
    )


def _error(value: float, regression: bool) -> str:
    return write_number(value, number_spec([value]) if regression else ".1%")
