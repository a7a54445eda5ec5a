"""The systems of the paper, the steps up its hierarchy, and its experiments with how they are made smaller."""

from __future__ import annotations

from covey.reproduce.paper import Experiment, Quick

SINGLE = ("c4.5", "c4.5sas")
ENSEMBLES = ("boost", "wag", "sasc", "mb", "boostsasc", "wagsasc", "mbsasc")
SYSTEMS = (*SINGLE, *ENSEMBLES)
SMALL, BAGGING = "boost-small", "bagging"

Step = tuple[str, str]

# From one strategy to two, and from two to three: from what, to what.
TO_TWO: tuple[Step, ...] = (
    ("boost", "mb"),
    ("wag", "mb"),
    ("boost", "boostsasc"),
    ("sasc", "boostsasc"),
    ("wag", "wagsasc"),
    ("sasc", "wagsasc"),
)
TO_THREE: tuple[Step, ...] = (("mb", "mbsasc"), ("boostsasc", "mbsasc"), ("wagsasc", "mbsasc"))
ADD_BOOST: tuple[Step, ...] = (("wag", "mb"), ("sasc", "boostsasc"), ("wagsasc", "mbsasc"))
ADD_WAG_TO_BOOST: tuple[Step, ...] = (("boost", "mb"), ("boostsasc", "mbsasc"))
ADD_SASC: tuple[Step, ...] = (("boost", "boostsasc"), ("wag", "wagsasc"), ("mb", "mbsasc"))
ADD_WAG_OR_SASC: tuple[Step, ...] = (*ADD_WAG_TO_BOOST, ("sasc", "wagsasc"), *ADD_SASC)

# They take longer than all others together.
LARGE = ("adult", "letter", "nettalk-letter", "nettalk-phoneme", "nettalk-stress")
# As many members as a few minutes allow: their number shifts ratios, which more repeats would only steady.
QUICK = Quick(2, {"n_estimators": 36}, without=LARGE, of={SMALL: {"n_estimators": 6}})
SERVES = (*map(str, range(1, 7)), *(f"figure {number}" for number in range(2, 7)))

EXPERIMENTS = (
    Experiment("systems", SERVES, QUICK, methods=SYSTEMS, title="the nine systems"),
    Experiment("others", (), QUICK, "systems", (SMALL, BAGGING), "bagging and small boosted ensembles"),
)
