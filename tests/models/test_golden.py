"""Files that were written once are read for ever.

Golden files are never rewritten. A change of the format adds a folder, written by ``python -m models.golden``, and the
files of the older ones stay and have to be read as before.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from covey import load_model
from covey.models import needed_trust
from models.golden import read_cases
from models.specimens import answers, names

FOLDERS = sorted((Path(__file__).parent.parent / "golden").iterdir())
CASES = {f"{folder.name}-{name}": case for folder in FOLDERS for name, case in read_cases(folder).items()}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_golden_file_says_what_it_said(case):
    assert needed_trust(case.path) == ()
    said = answers(load_model(case.path), case.rows)
    assert said.keys() == case.answers.keys()
    for method, expected in case.answers.items():
        if isinstance(expected, pd.DataFrame):
            pd.testing.assert_frame_equal(said[method], expected, check_exact=False, rtol=1e-12, check_dtype=False)
        elif expected.dtype.kind == "f":
            np.testing.assert_allclose(said[method], expected, rtol=1e-12, atol=1e-12)
        else:
            np.testing.assert_array_equal(said[method], expected)


def test_every_specimen_has_a_golden_file():
    assert {case.path.stem for case in CASES.values()} >= set(names())
