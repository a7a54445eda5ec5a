"""What came of a reproduction, in sentences that the page and the terminal share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, get_args

from covey._text import counted
from covey.reproduce.experiments import published_study
from covey.reproduce.paper import Status
from covey.study.protocols import CycledFolds

if TYPE_CHECKING:
    from covey.reproduce.paper import Claim, Experiment, Found, Paper, Verdict, View
    from covey.study import Results

STATUSES: tuple[Status, ...] = get_args(Status)
# So many experiments are told of one by one.
MOST_RUNS = 4


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


def quick_in_words(paper: Paper, found: Found) -> str:
    """Say that a run is small, and how it differs from the paper's; "" for a full one."""
    if not found.quick or not found:
        return ""
    smaller = [one for one in paper.experiments if one.id in found]
    how = {one.title or one.id: _less(paper, one) for one in smaller}
    if not any(how.values()):
        return "This is a quick run, which has all that the full one has."
    parts = next(iter(how.values())) or [f"{title}: {', '.join(some)}" for title, some in how.items() if some]
    return (
        f"This is a quick run ({'; '.join(parts)}): differences that are small, or that show only in large ensembles, "
        "may be missed, and fewer of them are significant than in the paper."
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


def runs_in_words(paper: Paper, found: Found) -> str:
    """Say what each experiment was carried out on."""
    parts = []
    for experiment in paper.experiments:
        if experiment.id not in found:
            continue
        record = found[experiment.id].record
        methods = counted(len(record.methods), "method")
        datasets = counted(len(published_study(paper.id, experiment).datasets), "dataset")
        what = f"{methods} on {len(record.datasets)} of {datasets} by {record.protocol_text}"
        parts.append(f"{experiment.title or experiment.id} ({what})")
    if len(parts) > MOST_RUNS:
        fits = sum(len(results.keys) for results in found.values())
        return f"Carried out: {len(parts)} experiments of {fits} fits in all, which the report has under Method."
    return f"Carried out: {', '.join(parts)}." if parts else "Nothing could be carried out."


def close_in_words(views: Iterable[View], found: Found) -> dict[View, str]:
    """Return what views tell of how close they are to the published, those that do."""
    return {view: view.tell(found) for view in views if view.tell is not None and set(view.needs) <= set(found)}


def incomplete_in_words(found: Found) -> list[str]:
    """Say which cells failed or are missing."""
    lines = []
    for id, results in found.items():
        often = status_of(results)
        if often["failed"] or often["missing"]:
            total = sum(often.values())
            lines.append(
                f"{id}: {often['failed']} of {total} fits failed and {often['missing']} were not carried out; tables "
                "and verdicts leave out the datasets of a method on which any is lacking."
            )
    return lines


def missing_in_words(found: Found) -> str:
    """Say how many datasets are not there, and what that means; "" if all are."""
    if not found.missing:
        return ""
    return (
        f"{counted(len(found.missing), 'dataset')} of the paper could not be found: verdicts rest on the others, and "
        "fewer differences are significant."
    )


def status_of(results: Results) -> Counter[str]:
    """Return how many cells are done, failed and missing."""
    from covey.study import Store

    with Store.open(results.store, write=False) as kept:
        found = kept.finished(results.keys)
    return Counter(found.get(key, "missing") for key in results.keys)
