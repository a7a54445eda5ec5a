"""What tables show as plain values, for --json and --csv."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from covey.comparison import Comparison
    from covey.datasets import Dataset
    from covey.report import Ranking
    from covey.reproduce import Reproduction
    from covey.study import Results


def comparison_record(comparison: Comparison, model: Path | None) -> dict[str, Any]:
    """Return what a comparison found, with where its files are."""
    return {
        **results_record(comparison.results),
        "notes": comparison.notes,
        "not_tried": comparison.left_out,
        "report": comparison.report,
        "store": comparison.results.store,
        "model": model,
    }


def results_record(results: Results) -> dict[str, Any]:
    """Return what a study found: remarks, the ranking by each metric on each dataset, and what failed."""
    record = results.record
    several = len(record.datasets) > 1
    return {
        "study": record.name,
        "task": record.task,
        "seed": record.seed,
        "protocol": record.protocol,
        "metrics": record.metrics,
        "remarks": record.remarks,
        "fits": dict(results.counts()),
        "rankings": [
            _ranking_record(results.ranking(data.name, metric)) for data in record.datasets for metric in record.metrics
        ],
        "overall": [_overall_record(results, metric) for metric in record.metrics] if several else [],
        "failures": results.failures().to_dict("records"),
    }


def _ranking_record(ranking: Ranking) -> dict[str, Any]:
    return {
        "dataset": ranking.dataset,
        "metric": ranking.metric.removeprefix("neg_"),  # values have their natural signs
        "scorer": ranking.metric,
        "larger_is_better": ranking.larger_is_better,
        "best": ranking.best if ranking.rows else None,
        "summary": ranking.summary(),
        "methods": [
            {"place": place, **asdict(row), "scores": row.scores.tolist()}
            for place, row in enumerate(ranking.rows, start=1)
        ],
        "not_ranked": ranking.failed,
    }


def _overall_record(results: Results, metric: str) -> dict[str, Any]:
    overall = results.overall(metric)
    methods = [{"method": overall.methods[place], "mean_rank": overall.mean_ranks[place]} for place in overall.order]
    return {"metric": metric, "methods": methods, "left_out": overall.left_out}


def ranking_frame(results: Results) -> pd.DataFrame:
    """Return a row for each method on each dataset by each metric, best first."""
    import pandas as pd

    from covey.analysis.ranking.methods import RankedMethod

    rows = []
    for ranking in results_record(results)["rankings"]:
        place = {"dataset": ranking["dataset"], "metric": ranking["metric"]}
        rows += [{**place, **method} for method in ranking["methods"]]
    told = [field.name for field in fields(RankedMethod) if field.name != "scores"]
    return pd.DataFrame(rows, columns=["dataset", "metric", "place", *told])


def status_record(results: Results) -> dict[str, Any]:
    """Return how many fits of each method on each dataset are done, failed and missing."""
    from covey.study.store import Store

    finished: Mapping[str, str] = {}
    if Path(results.store).exists():
        with Store.open(results.store, write=False) as kept:
            finished = kept.finished(results.keys)
    states = {
        (data.name, method.name): Counter[str]()
        for data in results.record.datasets
        for method in results.record.methods
    }
    for key, labels in results.keys.items():
        states[labels["dataset"], labels["method"]][finished.get(key, "missing")] += 1

    def counts(some: Counter[str]) -> dict[str, int]:
        return {state: some[state] for state in ("done", "failed", "missing")}

    return {
        "study": results.record.name,
        "store": results.store,
        "fits": len(results.keys),
        **counts(sum(states.values(), Counter())),
        "methods": [
            {"dataset": dataset, "method": method, **counts(some)} for (dataset, method), some in states.items()
        ],
    }


def reproduction_record(made: Reproduction) -> dict[str, Any]:
    """Return what became of a paper's claims, which datasets were missing, and where the report is."""
    told = ("id", "text", "published")
    return {
        "paper": made.paper.id,
        "quick": made.found.quick,
        "claims": [
            {**{name: getattr(claim, name) for name in told}, **asdict(verdict)} for claim, verdict in made.verdicts
        ],
        "missing": made.found.missing,
        "report": made.report,
    }


def dataset_record(dataset: Dataset) -> dict[str, Any]:
    """Return the facts of a dataset and its columns."""
    counts = dataset.target.value_counts()
    return {
        "name": dataset.name,
        "from": dataset.provenance.location,
        "sha256": dataset.provenance.sha256,
        "rows": dataset.n_rows,
        "missing": dataset.n_missing,
        "target": dataset.target.name,
        "task": dataset.task,
        "classes": {str(label): int(counts[label]) for label in dataset.classes},
        "licence": dataset.licence,
        "notes": dataset.provenance.notes,
        "columns": [_column_record(str(name), values) for name, values in dataset.frame.items()],
    }


def _column_record(name: str, values: pd.Series[Any]) -> dict[str, Any]:
    kind = "category" if values.dtype == "category" else "number"
    record: dict[str, Any] = {"name": name, "kind": kind, "missing": int(values.isna().sum())}
    if kind == "category":
        return record | {"categories": list(values.cat.categories)}
    return record | {"least": values.min(), "most": values.max()}
