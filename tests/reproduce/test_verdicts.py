from __future__ import annotations

import numpy as np

from covey.reproduce.verdicts import too_few, untested, verdict


def test_a_claim_holds_or_fails_and_says_what_was_found():
    assert verdict(np.bool_(True), "3 wins") == verdict(True, "3 wins")
    assert (verdict(True, "3 wins").status, verdict(False, "3 wins").found) == ("held", "3 wins.")
    assert verdict(False, "").status == "failed"


def test_what_cannot_be_tested_says_why():
    assert (untested("no data").status, untested("no data").found) == ("not testable", "no data.")
    assert too_few(1).found.startswith("1 dataset on which")
