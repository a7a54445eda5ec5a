"""
What each strategy adds
=======================

Wagging, boosting and stochastic attribute selection can be combined in eight ways. The hierarchy shows them all, from
one tree at the foot to all three at the top, and on each step whether it helped on more datasets than luck would.
"""

# %%
# Errors on eight samples of four generated problems, each tested on 1,000 new rows.

import pandas as pd

from covey import method
from covey.analysis import win_draw_loss
from covey.datasets import make_ringnorm, make_threenorm, make_twonorm, make_waveform
from covey.plots import (
    draw_hierarchy,
    draw_method_scatter,
    hierarchy_diagram,
    method_scatter,
)

systems = ("c4.5", "wag", "boost", "sasc", "mb", "boostsasc", "wagsasc", "mbsasc")
makers = {
    "ringnorm": make_ringnorm,
    "threenorm": make_threenorm,
    "twonorm": make_twonorm,
    "waveform": make_waveform,
}
errors = {}
for problem, make in makers.items():
    X_new, y_new = make(1000, random_state=99)
    for seed in (0, 1):
        X, y = make(200, random_state=seed)
        for system in systems:
            options = {} if system == "c4.5" else {"n_estimators": 20}
            model = method(system, random_state=0, **options).fit(X, y)
            errors.setdefault(system, {})[f"{problem} {seed + 1}"] = 100 * (
                1 - model.score(X_new, y_new)
            )
errors = pd.DataFrame(errors)

# %%
# The figure in each box is the mean error in per cent.

records = win_draw_loss(errors, larger_is_better=False)
draw_hierarchy(
    hierarchy_diagram(
        records, errors.mean().to_dict(), measure="error in per cent", digits=1
    )
)

# %%
# Two of them against each other: above the line the first errs less.

scatter = method_scatter(
    errors, "mbsasc", "boost", larger_is_better=False, measure="error in per cent"
)
draw_method_scatter(scatter)
