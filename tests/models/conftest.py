from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def path(tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    return folder / "model.covey"


@pytest.fixture
def stranger(tmp_path):
    """Be somebody else, who has another key."""

    @contextmanager
    def other():
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_CONFIG_HOME", str(tmp_path / "somebody-else"))
            yield

    return other


@pytest.fixture
def mixed():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {
            "x": np.where(rng.random(40) < 0.2, np.nan, rng.normal(size=40)),
            "colour": pd.Categorical(rng.choice(["red", "blue"], 40), categories=["unused", "blue", "red"]),
            "size": pd.Categorical(rng.choice([7, 3], 40), categories=[7, 3]),
            "text": rng.choice(["ä", "b", None], 40),
        }
    )
    return frame, rng.choice(["yes", "no"], 40)
