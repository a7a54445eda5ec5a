"""The sections of a page on how every number of a study was obtained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import floor
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from covey._text import clip, counted
from covey.analysis.ranking.metrics import describe_metric
from covey.report.page import Block, Details, Listing, Prose, Section, TableBlock
from covey.report.result_sections import MANY_ROWS, describe_method
from covey.study.results import splits_of

if TYPE_CHECKING:
    from covey.study.record import DataRecord, StudyRecord
    from covey.study.results import Results

_PROTOCOLS = {
    "cross-validation": (
        "The rows are divided at random into folds of equal size. Each fold is predicted by a model that was trained "
        "on the others, so that every row is predicted once per repeat, never by a model that has seen it."
    ),
    "resamples": (
        "The rows are divided at random, again and again, into a part for training and a part for testing. A model is "
        "trained on the one and predicts the other."
    ),
    "fixed-split": (
        "The data are divided once into a part for training and a part for testing. With one split nothing can be said "
        "about how much a score depends on the choice of rows."
    ),
    "bootstrap": (
        "A test part is set aside once. Each model is trained on rows drawn with replacement from the rest, and "
        "predicts the whole test part, which shows bias and variance. Since all fits share their test rows, there are "
        "no intervals and no tests."
    ),
}
_INTERVALS = (
    "Mean ± t × sqrt((1/J + n_test/n_train) × s²), where J is the number of fits, s² the variance of their scores, and "
    "t the quantile of Student's distribution with J - 1 degrees of freedom. The training sets of different fits share "
    "rows; the usual interval with s²/J alone would be too narrow (Nadeau and Bengio, 2003, Machine Learning 52, "
    "239-281). Intervals are cut at the ends of the metric's scale."
)
_PAIRS = (
    "Each method is compared with the best one by the Bayesian correlated t-test on the differences of their scores on "
    "the same splits (Corani and Benavoli, 2015, Machine Learning 100, 285-304), corrected for the overlap of training "
    "sets. It gives the probability that the two differ by no more than has a practical meaning ({rope}), and that the "
    "best is better by more. A method ties with the best if the first is {sure:g}% or more, it is behind if the second "
    "is, and otherwise too close to call: more repeats or more data may tell. Each verdict is about one method: of "
    "many equally good ones about one in twenty, on very small tables one in fourteen, is called behind by chance."
)
_RANKS = (
    "Methods are ranked on each dataset, and mean ranks are compared by Friedman's test in the version of Iman and "
    "Davenport (1980), then pair by pair by Nemenyi's test, or by Wilcoxon's signed-rank test if there are two methods "
    "and the metric means the same on all datasets (Demšar, 2006, Journal of Machine Learning Research 7, 1-30). With "
    "fewer than 5 datasets no test is made."
)
_CHOICE = (
    "A faster method is pointed out if it ties with the best, or is too close to call and within one standard error of "
    "it (after Breiman, Friedman, Olshen and Stone, 1984, Classification and Regression Trees), and takes at most half "
    "the time."
)
_BIAS = {
    "classification": (
        "Of the three best methods, by the definitions of Kohavi and Wolpert (1996), from the predictions that every "
        "row got in every repeat; corrected for the number of repeats."
    ),
    "regression": (
        "Of the three best methods, by squared error (Geman, Bienenstock and Doursat, 1992), from the predictions that "
        "every row got in every repeat; corrected for the number of repeats."
    ),
}
_DIVERSITY = {
    "classification": (
        "Of those of the three best methods that are ensembles, from the votes of their members on test rows: mean "
        "error of the members, disagreement (Skalak, 1996) and kappa (Cohen, 1960) of pairs, and pairs in a "
        "kappa-error diagram (Margineantu and Dietterich, 1997). Means over the first 10 fits at most."
    ),
    "regression": (
        "Of those of the three best methods that are ensembles, the decomposition of Krogh and Vedelsby (1995): the "
        "error of the mean is the mean error of the members less their ambiguity. Means over the first 10 fits at most."
    ),
}
_ERRORS = (
    "Where the best method errs is found from the predictions of test rows that were kept, those of all fits together: "
    "a row counts once for each repeat. Curves and areas rank rows of different fits by the probabilities that each "
    "fit gave. Of two classes, the one that the metric counts is to be found, or else the rarer. A row's hardness is "
    "the share of repeats that were wrong, then the mean probability of its true class, or the mean size of its error."
)
_EXPLAINED = (
    "The best method, trained on the first training part with the same seed. Importance: the mean loss of the score of "
    "up to 1,000 of its test rows over up to 5 shuffles of a column (Breiman, 2001, Machine Learning 45, 5-32). "
    "Partial dependence: the mean prediction of up to 300 of them if all had some value in a column (Friedman, 2001, "
    "Annals of Statistics 29, 1189-1232). Learning curve: scores of the same folds with an eighth, a quarter and a "
    "half of the training rows. These are worked out after the comparison as far as its time allows."
)
_SOFTWARE_FIRST = ("covey", "python")
# How many characters of parameters the table has; its downloads hold no more.
LONGEST_PARAMS = 300
# How many classes that are too rare are named.
MOST_RARE = 3
# How many messages of a method are shown, those of most fits, and how many characters of each.
MOST_MESSAGES, LONGEST_MESSAGE = 3, 300


def method_sections(results: Results, alpha: float, *, prefix: str = "", heading: str = "") -> tuple[Section, ...]:
    """Return how a study's numbers were obtained; names of downloads begin with the prefix, headlines as told."""
    return (
        Section(f"{heading}How it was done", _protocol(results)),
        Section(f"{heading}Metrics", (_metrics(results.record),)),
        Section(f"{heading}Tests and measures", (_tests(results, alpha),)),
        Section(f"{heading}Methods and parameters", _methods(results, prefix)),
        Section(f"{heading}Software and machine", (_software(results.record),)),
    )


def _protocol(results: Results) -> tuple[Block, ...]:
    record, counts, frame = results.record, results.counts(), results.frame()
    status = [f"{count} {status}" for status in ("done", "failed", "missing") if (count := counts.get(status, 0))]
    warned = frame["warnings"].fillna(0) if "warnings" in frame else frame["fit"] * 0
    n_warned = int((warned > 0).sum())
    items = [
        ("Study", record.name),
        ("Protocol", record.protocol_text),
        ("Seed", f"{record.seed}; the same seed gives the same splits and the same models"),
        ("Fits", ", ".join(status) or "none"),
        ("Warnings", f"{counted(int(warned.sum()), 'warning')} in {counted(n_warned, 'fit')}" if n_warned else "none"),
        ("Last run", record.started.replace("T", " ").replace("+00:00", " UTC")),
        ("Store", f"{PurePath(results.store).name}: scores, times, predictions and votes of every fit"),
    ]
    items += [("Ran on", record.workers)] if record.workers else []
    told = _PROTOCOLS.get(str(record.protocol["kind"]), "")
    same = "All methods are trained and tested on the same splits."
    prepared = (
        "A method that cannot take categories gets an indicator for each, of more than 255 for the most frequent, and "
        "one that cannot take missing values gets medians in their place, both found from the training rows alone. "
        "Other parameters are as listed below; nothing was tuned unless a method does so itself."
    )
    divided = " ".join(part for part in (told, stratified_words(record), same) if part)
    return Prose((divided, prepared)), Listing(tuple(items))


def _metrics(record: StudyRecord) -> Listing:
    items = []
    for metric in record.metrics:
        words = describe_metric(metric, record.task)
        better = "Larger is better. " if words.larger_is_better else "Smaller is better. "
        better = "" if "is better" in words.meaning else better
        meaning = f"{words.meaning[:1].upper()}{words.meaning[1:]}. " if words.meaning else ""
        term = words.name if words.name == metric else f"{words.name} ({metric})"
        items.append((term, f"{meaning}{better}Found for each fit on its test rows, then averaged."))
    return Listing(tuple(items))


def _tests(results: Results, alpha: float) -> Listing:
    record = results.record
    rankings = [results.ranking(data.name, alpha=alpha) for data in record.datasets]
    tested = any(not ranking.why_untested for ranking in rankings)
    items = []
    if tested:
        items.append(("Confidence intervals", _INTERVALS))
        if any(len(ranking.rows) > 1 for ranking in rankings):
            told = _PAIRS.format(sure=100 * (1 - alpha), rope=rankings[0].words.rope_text)
            items.append(("Comparisons with the best", told))
            items.append(("Sensible choices", _CHOICE))
    else:
        items.append(("Intervals and tests", f"There are none: {rankings[0].why_untested}."))
    if len(record.datasets) > 1:
        items.append(("Comparison over datasets", _RANKS))
    if record.protocol.get("n_repeats", 1) > 1 and record.protocol["kind"] in ("cross-validation", "bootstrap"):
        items.append(("Bias and variance", _BIAS[record.task]))
    items.append(("Members of ensembles", _DIVERSITY[record.task]))
    items.append(("Where the best method errs", _ERRORS))
    items.append(("What the best method looks at", _EXPLAINED))
    items.append(("Times", "Seconds on the clock of one process with one thread; medians over the fits."))
    return Listing(tuple(items))


def _methods(results: Results, prefix: str) -> tuple[Block, ...]:
    import pandas as pd

    from covey.analysis.tables import ResultTable

    record, frame = results.record, results.frame()
    counts = frame.groupby("method")["warnings"].sum().to_dict() if "warnings" in frame else {}
    rows = [
        {
            "what it is": describe_method(method),
            "estimator": method.path,
            "parameters": params_text(method.params) or "defaults",
            "warnings": int(counts.get(method.name, 0)),
        }
        for method in record.methods
    ]
    table = ResultTable(
        pd.DataFrame(rows, index=pd.Index([method.name for method in record.methods], name="method")),
        caption="What was compared",
        notes=("Parameters that are not named have their defaults in the versions below.",),
    )
    block = TableBlock(table, f"{prefix}methods", filterable=len(rows) > MANY_ROWS)
    warned = tuple((method, _messages(texts)) for method, texts in results.warnings.items())
    return (block, Details("What methods warned of", (Listing(warned),))) if warned else (block,)


def _messages(texts: Counter[str]) -> str:
    shown = [
        f"“{clip(text, LONGEST_MESSAGE)}” (in {counted(n, 'fit')})" for text, n in texts.most_common(MOST_MESSAGES)
    ]
    more = len(texts) - MOST_MESSAGES
    return "; ".join(shown) + (f"; and {counted(more, 'other message')}" if more > 0 else "")


def params_text(params: Mapping[str, Any]) -> str:
    """Write parameters in a line: "n_estimators = 50, learner = DecisionTree(max_depth = 3)"."""
    text = ", ".join(f"{name} = {_value_text(value)}" for name, value in params.items())
    return clip(text, LONGEST_PARAMS)


def _value_text(value: Any) -> str:
    if isinstance(value, Mapping):
        named = next((value[key] for key in ("estimator", "strategy", "id") if key in value), None)
        if named is not None:
            return f"{str(named).rpartition('.')[2]}({params_text(value.get('params', {}))})"
        return f"{{{params_text(value)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value_text, value))}]"
    return repr(value)


def _software(record: StudyRecord) -> Listing:
    items = [("Software", _versions(record.software))]
    items += [(name[:1].upper() + name[1:], text) for name, text in record.machine.items() if text]
    for run in record.earlier:
        machine = ", ".join(text for text in run["machine"].values() if text)
        begun = str(run["started"]).partition("T")[0]
        items.append((f"Some fits are of a run on {begun}", f"{_versions(run['software'])}; {machine}"))
    return Listing(tuple(items))


def _versions(software: Mapping[str, str]) -> str:
    order = [name for name in _SOFTWARE_FIRST if name in software]
    order += sorted(name for name in software if name not in order)
    return ", ".join(f"{name} {software[name]}" for name in order)


def stratified_words(record: StudyRecord) -> str:
    """Say that each class has its share in every part, and name the classes that are too rare; "" if not stratified."""
    if not record.protocol.get("stratified"):
        return ""
    several = len(record.datasets) > 1
    rare = [
        f"{label!r}{f' of {data.name}' if several else ''} has {counted(count, 'row')}, {why}"
        for data in record.datasets
        for label, count in sorted(data.classes.items(), key=lambda item: item[1])
        if (why := _why_rare(record.protocol, data, count))
    ]
    if not rare:
        return "Each class has its share in every part."
    more = len(rare) - MOST_RARE
    rest = f"; and so {counted(more, 'more class', 'more classes')}" if more > 0 else ""
    return f"Each class has its share in every part, where it has rows enough. But {'; '.join(rare[:MOST_RARE])}{rest}."


def _why_rare(protocol: Mapping[str, Any], data: DataRecord, count: int) -> str:
    """Say why a class with so many rows is not in every part, or ""."""
    if protocol["kind"] == "cross-validation":
        n_folds = int(protocol["n_folds"])
        if count >= n_folds:
            return ""
        effect = "where it is tested it was not there to be learnt" if count == 1 else "not every fold tests it"
        return f"fewer than the {n_folds} folds: {effect}"
    splits = splits_of(protocol, data.n_rows)
    # A class has its share of a part, rounded up or down.
    if min(floor(count * part / data.n_rows) for part in (splits.n_train, splits.n_test)) >= 1:
        return ""
    return "so few that in some splits there is none to learn from, or none to test"
