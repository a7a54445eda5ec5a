"""Generators by the names that the papers' data sets have in studies, each with the size its paper used."""

from __future__ import annotations

from functools import partial

from covey.datasets.generators.cart import make_led, make_waveform
from covey.datasets.generators.gaussians import make_ringnorm, make_threenorm, make_twonorm
from covey.datasets.generators.layered_cake import make_layered_cake
from covey.datasets.generators.simulated import make_simulated_logistic, make_simulated_regression
from covey.datasets.generators.task import Sample

# All take n_samples, random_state and as_frame as keywords.
GENERATORS: dict[str, partial[Sample]] = {
    "twonorm": partial(make_twonorm, n_samples=300),
    "threenorm": partial(make_threenorm, n_samples=300),
    "ringnorm": partial(make_ringnorm, n_samples=300),
    "ringnorm-near": partial(make_ringnorm, n_samples=300, distance=1.0),
    "waveform-21": partial(make_waveform, n_samples=5000),
    "waveform-40": partial(make_waveform, n_samples=5000, n_noise_features=19),
    "led-24": partial(make_led, n_samples=200),
    "layered-cake": partial(make_layered_cake, n_samples=300),
    "sim-regression": partial(make_simulated_regression, n_samples=300),
    "sim-regression-collinear": partial(make_simulated_regression, n_samples=300, design="collinear"),
    "sim-logistic": partial(make_simulated_logistic, n_samples=300),
    "sim-logistic-collinear": partial(make_simulated_logistic, n_samples=300, design="collinear"),
}
