"""Methods over several datasets: mean ranks, how often each is the best, and which differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._rounding import write_number
from covey._text import counted, listed, spelt_out
from covey.analysis.ranking.methods import Floats, Ranking
from covey.analysis.ranking.metrics import MetricWords
from covey.analysis.scores import read_scores

if TYPE_CHECKING:
    import pandas as pd

    from covey.analysis.significance import RankComparison, Records
    from covey.analysis.tables import ResultTable

# With fewer datasets no test of mean ranks says anything that could be relied on.
FEWEST_DATASETS = 5
# A method that lacks scores on more than this share of the datasets is left out, so that datasets need not be.
MOST_LACKING = 0.5
RANK_FORMAT = ".2f"
# What sentences call methods whose mean ranks are not told apart: a test that finds no difference shows no equality.
NOT_SHOWN = "not shown to differ"
AMONG_BEST = "best or not behind"


@dataclass(frozen=True, eq=False)
class Overall:
    """Methods over several datasets."""

    metric: str
    larger_is_better: bool
    alpha: float  #: the significance level of tests
    #: the mean scores that are compared, none missing; methods in the order given, of shape (n_datasets, n_methods)
    scores: pd.DataFrame
    mean_ranks: Floats  #: 1 is best, of shape (n_methods,)
    #: on how many of the datasets a method has the best mean score; those that tie all win, of shape (n_methods,)
    wins: NDArray[np.int64]
    #: on how many it is the best or not shown to be behind; -1 where nothing was tested, of shape (n_methods,)
    among_best: NDArray[np.int64]
    #: the median over the datasets of the time for training; NaN where it is not known, of shape (n_methods,)
    seconds: Floats
    comparison: RankComparison | None  #: the test of pairs; None if there are too few datasets or methods
    records: Records | None  #: wins, draws and losses of pairs; None with fewer than two datasets or methods
    left_out: Mapping[str, str]  #: datasets and methods that are not compared, and why
    rankings: Mapping[str, Ranking]  #: the ranking on each dataset, those left out too
    words: MetricWords  #: what the metric is called

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that are compared, in the order given."""
        return tuple(self.scores.columns)

    @property
    def datasets(self) -> tuple[str, ...]:
        """The datasets that they are compared on."""
        return tuple(self.scores.index)

    @property
    def order(self) -> list[int]:
        """Positions of the methods, the best mean rank first; those that tie in the order given."""
        return [int(place) for place in np.argsort(self.mean_ranks, kind="stable")]

    @property
    def best(self) -> str:
        """The method with the best mean rank.

        Raises
        ------
        ValueError
            There is nothing to compare.
        """
        if not self.scores.size:
            raise ValueError("no dataset has scores of all methods, so none is the best; see left_out.")
        return self.methods[self.order[0]]

    @property
    def tied(self) -> tuple[str, ...]:
        """The methods that have the best mean rank: the best, and others if they share it."""
        if not self.scores.size:
            return ()
        least = self.mean_ranks.min()
        return tuple(self.methods[place] for place in self.order if np.isclose(self.mean_ranks[place], least))

    @property
    def baselines(self) -> tuple[str, ...]:
        """The methods that learn nothing, which others are held against."""
        return next((ranking.baselines for ranking in self.rankings.values()), ())

    @property
    def best_rank(self) -> str:
        """The best mean rank as it is written everywhere."""
        return write_number(float(self.mean_ranks.min()), RANK_FORMAT)

    @property
    def differ(self) -> bool:
        """Whether the test of all methods at once, and that of some pair, find a difference."""
        test = self.comparison
        return bool(test is not None and test.friedman.p_value_corrected <= self.alpha and test.significant.any())

    @property
    def level(self) -> tuple[str, ...]:
        """The methods that were tested and not shown to differ from the best in mean rank, best first.

        Baselines do not count.
        """
        if self.comparison is None:
            return ()
        apart = {self.best, *self.worse, *self.baselines}
        return tuple(self.methods[place] for place in self.order if self.methods[place] not in apart)

    @property
    def worse(self) -> tuple[str, ...]:
        """The methods that differ significantly from the best in mean rank, best first."""
        if self.comparison is None or not self.differ:
            return ()
        from_best = self.comparison.significant[self.comparison.methods.index(self.best)]
        return tuple(self.methods[place] for place in self.order if from_best[place])

    @property
    def why_untested(self) -> str:
        """Why there is no test of mean ranks, or ""."""
        if self.comparison is not None:
            return ""
        if len(self.methods) < 2:
            return "there is nothing to compare"
        return (
            f"{counted(len(self.datasets), 'dataset')} {'is' if len(self.datasets) == 1 else 'are'} too few for a test "
            f"of mean ranks, which needs {FEWEST_DATASETS} or more"
        )

    def table(self) -> ResultTable:
        """Return a row for each method, the best mean rank first."""
        import pandas as pd

        from covey.analysis.tables import ResultTable

        order, n = self.order, len(self.datasets)
        columns: dict[str, Any] = {"mean rank": self.mean_ranks[order]}
        if self.words.percent:
            columns[f"mean {self.words.name}"] = self.scores.to_numpy().mean(axis=0)[order]
        columns["wins"] = self.wins[order]
        if (self.among_best >= 0).all():
            columns[AMONG_BEST] = self.among_best[order]
        columns["fit (s)"] = self.seconds[order]
        frame = pd.DataFrame(columns, index=pd.Index([self.methods[place] for place in order], name="method"))
        bold = pd.DataFrame(False, index=frame.index, columns=frame.columns)
        bold.iloc[:, 0] = np.isclose(self.mean_ranks[order], self.mean_ranks.min() if len(order) else nan)
        return ResultTable(
            frame,
            caption=f"Methods over {counted(n, 'dataset')} by {self.words.name}",
            formats={"mean rank": RANK_FORMAT, "fit (s)": ".3g"}
            | ({f"mean {self.words.name}": ".1%"} if self.words.percent else {}),
            bold=bold,
            notes=(
                "mean rank: on each dataset the best method has rank 1; ties share the mean of their ranks.",
                "wins: datasets on which a method has the best mean score; of methods that tie all win."
                + (
                    f" {AMONG_BEST}: datasets on which it is the best or not shown to be behind the best."
                    if AMONG_BEST in columns
                    else ""
                ),
                "fit (s): seconds to train, the median over the datasets.",
            ),
        )

    def score_table(self) -> ResultTable:
        """Return all scores, a row for each dataset and a column for each method, the best bold; the mean below.

        There is no mean where scores are missing, or of a metric whose scale depends on the dataset.
        """
        import pandas as pd

        from covey.analysis.tables import ResultTable

        scale, digits = (100.0 if self.words.percent else 1.0), self._decimals()
        means = {name: {row.method: row.mean for row in ranking.rows} for name, ranking in self.rankings.items()}
        names = [*self.methods, *(name for name in self.left_out if name not in self.rankings)]
        frame = pd.DataFrame.from_dict(means, orient="index").reindex(index=list(means), columns=names).astype(float)
        frame *= scale
        if len(frame) > 1 and not self.left_out and self.words.most <= 1 and self.words.least >= 0:
            frame.loc["mean"] = frame.mean()
        bold = [_is_best(row, self.larger_is_better) for row in frame.to_numpy()]
        unit = " in percent" if self.words.percent else ""
        frame.index.name = "dataset"
        return ResultTable(
            frame,
            caption=f"Mean {self.words.name}{unit} of each method on each dataset",
            default_format=f".{digits}f",
            bold=pd.DataFrame(bold, index=frame.index, columns=frame.columns, dtype=bool),
            notes=(
                "The best of each row, before rounding, is bold; "
                f"{'larger' if self.larger_is_better else 'smaller'} is better.",
            ),
        )

    def _decimals(self) -> int:
        decimals = [max(ranking.decimals, 0) for ranking in self.rankings.values() if ranking.rows]
        return min(max(int(np.median(decimals)), 1), 4) if decimals else 2

    def summary(self) -> tuple[str, ...]:
        """Return what the ranking says in sentences: the best, how sure that is, what is not compared."""
        from covey.analysis.ranking.sentences import summarize_overall

        return summarize_overall(self)

    def __str__(self) -> str:
        return "\n".join([*([str(self.table())] if self.scores.size else []), *map(spelt_out, self.summary())])

    __repr__ = __str__


def compare_rankings(rankings: Mapping[str, Ranking], methods: list[str]) -> Overall:
    """Rank methods by their ranks on each of some datasets, one or more, all by the same metric and level.

    Methods that lack scores on more than half of the datasets are left out, and then datasets on which some method
    lacks them. All pairs are compared by Nemenyi's test, two methods alone by Wilcoxon's; with fewer than 5 datasets
    there is no test.
    """
    import pandas as pd

    first = next(iter(rankings.values()))
    words, larger = first.words, first.larger_is_better
    means = {name: {row.method: row.mean for row in ranking.rows} for name, ranking in rankings.items()}
    every = pd.DataFrame.from_dict(means, orient="index").reindex(index=list(rankings), columns=methods)
    scores, left_out = _complete(every.astype(np.float64))
    ranks, wins = _ranks(scores, larger)
    used = [rankings[name] for name in scores.index]
    tested = bool(used) and all(not ranking.why_untested for ranking in used)
    among = [sum(ranking.row(name).verdict != "behind" for ranking in used) for name in scores.columns]
    times = [[ranking.row(name).fit_seconds for ranking in used] for name in scores.columns]
    comparison, records = _tests(scores, words, larger, first.alpha)
    return Overall(
        metric=words.metric,
        larger_is_better=larger,
        alpha=first.alpha,
        scores=scores,
        mean_ranks=ranks,
        wins=wins,
        among_best=np.array(among if tested else [-1] * len(among), dtype=np.int64),
        seconds=np.array([float(np.median(seconds)) if seconds else nan for seconds in times]),
        comparison=comparison,
        records=records,
        left_out=left_out,
        rankings=dict(rankings),
        words=words,
    )


def _complete(scores: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, str]]:
    """Leave out methods that lack many scores, then datasets that lack some; return what is left, and why not all."""
    left_out: dict[str, str] = {}
    lacks = scores.isna()
    for method in scores.columns[lacks.mean() > MOST_LACKING]:
        count = int(lacks[method].sum())
        left_out[str(method)] = f"it has no score on {count} of {counted(len(scores), 'dataset')}"
    kept = scores.loc[:, lacks.mean() <= MOST_LACKING]
    for dataset in kept.index[kept.isna().any(axis=1)]:
        without = [str(method) for method in kept.columns[kept.loc[dataset].isna()]]
        left_out[str(dataset)] = f"no score of {listed(without, 3)}"
    return kept.dropna(axis=0), left_out


def _ranks(scores: pd.DataFrame, larger_is_better: bool) -> tuple[Floats, NDArray[np.int64]]:
    """Return mean ranks, and on how many datasets each method is the best."""
    n_datasets, n_methods = scores.shape
    if not n_datasets or n_methods < 2:
        alone = np.ones(n_methods) if n_datasets else np.full(n_methods, nan)
        return alone, np.full(n_methods, n_datasets)
    ranks = read_scores(scores, least_datasets=1).ranks(larger_is_better=larger_is_better)
    best = ranks == ranks.min(axis=1, keepdims=True)
    return ranks.mean(axis=0), best.sum(axis=0)


def _is_best(scores: Floats, larger_is_better: bool) -> NDArray[np.bool_]:
    """Return which of some scores are the best, as wins are counted; none if there is one score or none."""
    known = np.isfinite(scores)
    best = np.zeros(len(scores), dtype=bool)
    if known.sum() > 1:
        ranks = read_scores(scores[None, known], least_datasets=1).ranks(larger_is_better=larger_is_better)[0]
        best[known] = ranks == ranks.min()
    return best


def _tests(
    scores: pd.DataFrame, words: MetricWords, larger_is_better: bool, alpha: float
) -> tuple[RankComparison | None, Records | None]:
    from covey.analysis.significance import nemenyi, wilcoxon_holm, win_draw_loss

    n_datasets, n_methods = scores.shape
    if n_methods < 2 or n_datasets < 2:
        return None, None
    records = win_draw_loss(scores, larger_is_better=larger_is_better)
    if n_datasets < FEWEST_DATASETS:
        return None, records
    # Signed ranks compare differences between datasets, so that scores must be on one scale.
    on_one_scale = words.most == 1
    test = wilcoxon_holm if n_methods == 2 and on_one_scale else nemenyi
    return test(scores, larger_is_better=larger_is_better, alpha=alpha), records
