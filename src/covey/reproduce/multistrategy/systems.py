"""The systems of the paper, and the steps up its hierarchy."""

from __future__ import annotations

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
STEPS = (*TO_TWO, *TO_THREE)

ADD_BOOST: tuple[Step, ...] = (("wag", "mb"), ("sasc", "boostsasc"), ("wagsasc", "mbsasc"))
ADD_WAG_TO_BOOST: tuple[Step, ...] = (("boost", "mb"), ("boostsasc", "mbsasc"))
ADD_SASC: tuple[Step, ...] = (("boost", "boostsasc"), ("wag", "wagsasc"), ("mb", "mbsasc"))
ADD_WAG_OR_SASC: tuple[Step, ...] = (*ADD_WAG_TO_BOOST, ("sasc", "wagsasc"), *ADD_SASC)
