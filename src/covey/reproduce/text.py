"""Text of a reproduction: sentences that the page and the terminal share, and all of it for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, get_args

from covey._text import counted
from covey.reproduce.experiments import REMEDY, published_study
from covey.reproduce.paper import Lacking, Status
from covey.study import Store
from covey.study.protocols import CycledFolds

if TYPE_CHECKING:
    from covey.reproduce.paper import Claim, Experiment, Found, Paper, Verdict, View
    from covey.reproduce.run import Reproduction
    from covey.study import Results

STATUSES: tuple[Status, ...] = get_args(Status)
# So many experiments are told of one by one.
MOST_RUNS = 4
# So many datasets are named.
MOST_DATASETS = 8
WIDTH = 96


def to_text(made: Reproduction) -> str:
    """Return the summary of a reproduction, in lines of 96 characters at most; figures of claims that did not hold."""
    head = _wrapped(runs_in_words(made.paper, made.found), quick_in_words(made.paper, made.found))
    close = close_in_words([view for view, _ in made.views], made.found)
    parts = (
        [f"{made.paper.title} ({made.found.kind})", *head],
        _wrapped(*close.values()),
        _verdict_lines(made),
        _missing_lines(made),
        [f"Report: {made.report}"],
    )
    return "\n\n".join("\n".join(part) for part in parts if part)


def _verdict_lines(made: Reproduction) -> list[str]:
    if not made.verdicts:
        return []
    first = max(len(claim.id) for claim, _ in made.verdicts) + 2
    second = max(len(verdict.status) for _, verdict in made.verdicts) + 2
    margin = " " * (first + second)
    lines = [*_wrapped(f"{claims_in_words(made.paper, made.verdicts)} The report has the figures of all."), ""]
    for claim, verdict in made.verdicts:
        text = _wrapped(claim.text, width=WIDTH - len(margin))
        lines.append(f"{claim.id:<{first}}{verdict.status:<{second}}{text[0]}")
        lines += [margin + line for line in text[1:]]
        if verdict.status != "held":
            lines += [f"{margin}  {line}" for line in _wrapped(verdict.found, width=WIDTH - len(margin) - 2)]
    return lines


def _missing_lines(made: Reproduction) -> list[str]:
    lines, missing = _wrapped(*incomplete_in_words(made.found)), made.found.missing
    if missing:
        lines += _wrapped(f"{counted(len(missing), 'dataset')} could not be found. {REMEDY}:")
        width = max(map(len, missing))
        lines += [f"  {name:<{width}}  {how}" for name, how in missing.items()]
    return lines


def _wrapped(*texts: str, width: int = WIDTH) -> list[str]:
    return [line for text in texts for line in wrap(text, width, break_on_hyphens=False)]


def claims_in_words(paper: Paper, verdicts: Sequence[tuple[Claim, Verdict]]) -> str:
    """Say how many claims held."""
    if not verdicts:
        return "No claim of the paper was judged."
    often = Counter(verdict.status for _, verdict in verdicts)
    held, failed, open_ = (often[status] for status in STATUSES)
    of_all = f"Of {counted(len(paper.claims), 'claim')} of the paper"
    judged = of_all if len(verdicts) == len(paper.claims) else f"{of_all} this run bears on {len(verdicts)}:"
    text = f"{judged} {held} held on our data and {failed} did not"
    return text + (f"; {open_} cannot be tested here." if open_ else ".")


def quick_in_words(paper: Paper, results: Found) -> str:
    """Say that a run is small, and how it differs from the paper's; "" for a full one."""
    if not results:
        return ""
    if not results.quick:
        return _fewer_in_words(paper, results)
    how = {one.title or one.id: _less(paper, one) for one in paper.experiments if one.id in results}
    if not any(how.values()):
        return "This is a quick run, which has all that the full one has."
    parts = next(iter(how.values())) or [f"{title}: {', '.join(some)}" for title, some in how.items() if some]
    return (
        f"This is a quick run ({'; '.join(parts)}): differences that are small, or that show only in large ensembles, "
        "may be missed, and fewer of them are significant than in the paper."
    )


def _fewer_in_words(paper: Paper, results: Found) -> str:
    """Say how many repeats a run has instead of the paper's; "" if as many."""
    if results.is_full:
        return ""
    often: dict[tuple[int, int], list[str]] = {}
    for one in (one for one in paper.experiments if one.id in results):
        ours, all_ = int(results[one.id].record.protocol.get("n_repeats", 1)), published_study(paper.id, one).protocol
        if ours < all_.n_repeats:
            often.setdefault((ours, all_.n_repeats), []).append(one.title or one.id)
    if not often:
        return ""
    parts = [f"{ours} of {count} for {', '.join(titles)}" for (ours, count), titles in often.items()]
    return (
        f"This run has fewer repeats than the paper, on all datasets: {'; '.join(parts)}. Small differences may come "
        "out otherwise with more of them, and fewer are significant than in the paper."
    )


def _less(paper: Paper, experiment: Experiment) -> list[str]:
    """Say what an experiment of a quick run has less of than the paper's."""
    quick, study = experiment.quick, published_study(paper.id, experiment)
    parts = []
    if quick.n_repeats < study.protocol.n_repeats:
        parts.append(f"{quick.n_repeats} instead of {study.protocol.n_repeats} repeats")
    if isinstance(study.protocol, CycledFolds) and (quick.n_folds or study.protocol.n_folds) < study.protocol.n_folds:
        parts.append(f"{quick.n_folds} instead of {study.protocol.n_folds} folds")
    parts += [
        f"{value} members" if name == "n_estimators" else f"{name} = {value}" for name, value in quick.params.items()
    ]
    lacking = [one.name for one in study.methods if quick.methods and one.name not in quick.methods]
    without = (*quick.without, *lacking)
    return [*parts, *([f"without {', '.join(without)}"] if without else [])]


def runs_in_words(paper: Paper, results: Found) -> str:
    """Say what each experiment was carried out on."""
    parts = []
    for experiment in (one for one in paper.experiments if one.id in results):
        record = results[experiment.id].record
        methods = counted(len(record.methods), "method")
        datasets = counted(len(published_study(paper.id, experiment).datasets), "dataset")
        what = f"{methods} on {len(record.datasets)} of {datasets} by {record.protocol_text}"
        parts.append(f"{experiment.title or experiment.id} ({what})")
    if len(parts) > MOST_RUNS:
        fits = sum(len(run.keys) for run in results.values())
        return f"Carried out: {len(parts)} experiments of {fits} fits in all, which the report has under Method."
    return f"Carried out: {', '.join(parts)}." if parts else "Nothing could be carried out."


def close_in_words(views: Iterable[View], results: Found) -> dict[View, str]:
    """Return what views tell of how close they are to the published, those that do."""
    return {view: tell(view, results) for view in views if view.tell is not None and set(view.needs) <= set(results)}


def tell(view: View, results: Found) -> str:
    """Return what a view tells of how close it is to the published; "" of one that tells nothing."""
    try:
        return view.tell(results) if view.tell is not None else ""
    except Lacking as lack:
        return str(lack)


def tell_views(views: Iterable[View], *ids: str) -> Callable[[Found], str]:
    """Return what some views tell together."""
    return lambda results: " ".join(tell(view, results) for view in views if view.id in ids)


def incomplete_in_words(results: Found) -> list[str]:
    """Say which cells failed or are missing."""
    lines = []
    for id, run in results.items():
        often = status_of(run)
        if often["failed"] or often["missing"]:
            total = sum(often.values())
            lines.append(
                f"{id}: {often['failed']} of {total} fits failed and {often['missing']} were not carried out, "
                f"{_where(run)}; tables and verdicts leave out the repeats, or else the datasets, of a method on which "
                "any is lacking."
            )
    return lines


def _where(run: Results) -> str:
    """Say on which datasets fits are lacking, if they are few."""
    with Store.open(run.store, write=False) as kept:
        finished = kept.finished(run.keys)
    there = dict.fromkeys(str(labels["dataset"]) for key, labels in run.keys.items() if finished.get(key) != "done")
    return f"on {', '.join(there)}" if len(there) <= MOST_DATASETS else f"on {counted(len(there), 'dataset')}"


def missing_in_words(results: Found) -> str:
    """Say how many datasets are not there, and what that means; "" if all are."""
    if not results.missing:
        return ""
    return (
        f"{counted(len(results.missing), 'dataset')} of the paper could not be found: verdicts rest on the others, and "
        "fewer differences are significant."
    )


def status_of(run: Results) -> Counter[str]:
    """Return how many cells are done, failed and missing."""
    with Store.open(run.store, write=False) as kept:
        finished = kept.finished(run.keys)
    return Counter(finished.get(key, "missing") for key in run.keys)
