"""Numbers as text, against hand-worked cases and exact fractions."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey._rounding import as_decimal, check_format, is_number, round_half_up, write_number

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (3.125, 2, "3.13"),  # Python: 3.12
        (2.675, 2, "2.68"),  # Python: 2.67, as the float is a little less
        (0.5, 0, "1"),
        (1.5, 0, "2"),
        (2.5, 0, "3"),
        (-2.675, 2, "-2.68"),
        (2.674999, 2, "2.67"),
        (-0.001, 2, "0.00"),
        (-0.0, 1, "0.0"),
        (1e22, 1, "10000000000000000000000.0"),
        (5e-324, 3, "0.000"),
        (7, 2, "7.00"),
        (np.float32(0.15), 1, "0.2"),  # 0.15000000596 as a double
        (Decimal("0.125"), 2, "0.13"),
        (Fraction(1, 8), 2, "0.13"),
    ],
)
def test_halves_go_up_as_decimals(value, decimals, text):
    assert f"{round_half_up(value, decimals):f}" == text
    assert write_number(value, f".{decimals}f") == text


@settings(deadline=None, max_examples=200)
@given(st.integers(-(10**9), 10**9), st.integers(0, 6), st.integers(0, 6))
def test_rounding_is_exact_for_decimals(digits, places, decimals):
    value = float(f"{digits}e-{places}")
    exact = Fraction(digits, 10**places) * 10**decimals
    whole = int(abs(exact) + Fraction(1, 2)) * (1 if exact > 0 else -1)
    assert round_half_up(value, decimals) == Decimal(whole).scaleb(-decimals)


@settings(deadline=None, max_examples=100)
@given(FINITE, st.integers(0, 20))
def test_rounding_is_odd_and_within_half_a_unit(value, decimals):
    rounded = round_half_up(value, decimals)
    assert round_half_up(-value, decimals) == -rounded
    assert abs(Fraction(rounded) - Fraction(as_decimal(value))) <= Fraction(1, 2 * 10**decimals)
    assert float(as_decimal(value)) == value


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [
        (0.0275, "p", "0.0275"),
        (0.00009999, "p", "<0.0001"),
        (0.0001, "p", "0.0001"),
        (0.0, "p", "<0.0001"),
        (0.00025, "p", "0.0003"),
        (1.0, "p", "1.0000"),
        (-0.3, "p", "-0.3000"),  # no p-value, and it must not look like one
        (0.1225, "%", "12.3%"),
        (0.12345, ".2%", "12.35%"),
        (-0.5, ".0%", "-50%"),
        (1, "%", "100.0%"),
        (1234567.891, ",.2f", "1,234,567.89"),
        (1234.5, ",d", "1,235"),
        (12, "d", "12"),
        (0.25, "+.1f", "+0.3"),
        (-0.25, "+.1f", "-0.3"),
        (0.0, "+.1f", "+0.0"),
        (2.5, "f", "2.500000"),
        (3.125, ".3g", "3.13"),
        (31250.0, ".3g", "3.13e+04"),
        (0.00012345, ".4g", "0.0001235"),
        (100, ".3g", "100"),
        (9.995, ".3g", "10"),
        (0.0, ".3g", "0"),
        (-0.0, ".2e", "0.00e+00"),
        (0.00003125, ".2e", "3.13e-05"),
        (9.995, ".2e", "1.00e+01"),
        (float("inf"), ".2f", "∞"),
        (float("-inf"), "p", "-∞"),
        (np.inf, None, "∞"),
        (0.1, None, "0.1"),
        (np.float32(0.1), None, "0.1"),
        (np.int64(-3), None, "-3"),
    ],
)
def test_a_number_in_a_format(value, spec, text):
    if spec is not None:
        check_format(spec, "format")
    assert write_number(value, spec) == text


@settings(deadline=None, max_examples=200)
@given(st.floats(-1e300, 1e300), st.sampled_from([".0f", ".1f", ".3f", ",.2f", "+.1f", ".1e", ".4g", "g", "%", ".2%"]))
def test_a_format_is_python_s_but_for_halves(value, spec):
    ours, theirs = write_number(value, spec), format(value, ".1%" if spec == "%" else spec)
    read = [Fraction(text.replace(",", "").removesuffix("%")) for text in (ours, theirs)]
    scale = 100 if spec.endswith("%") else 1
    exact = Fraction(as_decimal(value)) * scale
    # Where they differ, it is by a tie or by what the float's binary value is off from its shortest decimal.
    slack = abs(Fraction(value) * scale - exact) * 2
    assert abs(read[0] - exact) <= abs(read[1] - exact) + slack
    assert len(ours) == len(theirs) or read[0] != read[1] or read[0] == 0


@pytest.mark.parametrize("spec", ["", "x", "10.2f", ">.2f", ".2", ".2d", ".100f", "s", "p ", "0.2f", "%%", ".3f "])
def test_what_is_no_format_is_refused(spec):
    with pytest.raises(ValueError, match=r"default_format='.*' is no format of a number; give one such as '\.2f'"):
        check_format(spec, "default_format")


def test_what_is_a_number():
    assert all(map(is_number, [1, 1.5, np.int8(1), np.float32(1), Decimal(1), Fraction(1, 2), np.nan]))
    assert not any(map(is_number, [True, np.True_, "1", None, 1j]))
    with pytest.raises(TypeError, match=r"default_format=3 must be text such as '\.3f'"):
        check_format(3, "default_format")
