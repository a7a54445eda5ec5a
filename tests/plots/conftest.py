"""Figures of tests are pictures in memory, and closed afterwards."""

from __future__ import annotations

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt

mpl.use("Agg")


@pytest.fixture(autouse=True)
def no_figure_left_open():
    yield
    plt.close("all")
