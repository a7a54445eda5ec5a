"""How many cases any two members differ in, counted 64 cases at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Words = NDArray[np.uint64]

# A few bits per case and member are held at a time: 65,536 cases of 500 members take 4 MB for each bit of a code.
BLOCK = 65_536


def differing_cases(codes: NDArray[Any]) -> Counts:
    """Return the number of cases that each two members say different things of, of shape (n_members, n_members).

    Codes are cut into bits, and 64 cases of one bit go into a word. Two members differ in a case if any bit of it does,
    so the bits that differ are or-ed and counted: log K steps for K classes, and exact whole numbers.

    Parameters
    ----------
    codes : ndarray of unsigned int or bool of shape (n_members, n_cases)
        What each member says of each case.
    """
    if codes.dtype == np.bool_:
        codes = codes.view(np.uint8)
    n_members, n_cases = codes.shape
    n_bits = max(int(codes.max()).bit_length(), 1)
    counts = np.zeros((n_members, n_members), dtype=np.int64)
    for start in range(0, n_cases, BLOCK):
        planes = _bit_planes(codes[:, start : start + BLOCK], n_bits)
        for member in range(n_members - 1):
            counts[member, member + 1 :] += _count_from(planes, member)
    return counts + counts.T


def _bit_planes(codes: NDArray[Any], n_bits: int) -> Words:
    """Return words of shape (n_bits, n_members, n_words); the last word is filled up with zeros."""
    n_members, n_cases = codes.shape
    planes = np.zeros((n_bits, n_members, -(-n_cases // 64)), dtype=np.uint64)
    octets = planes.view(np.uint8)
    for bit in range(n_bits):
        packed = np.packbits((codes >> bit) & 1, axis=1)
        octets[bit, :, : packed.shape[1]] = packed
    return planes


def _count_from(planes: Words, member: int) -> Counts:
    """Return how many cases a member and each later one differ in."""
    differ = planes[0, member + 1 :] ^ planes[0, member]
    for plane in planes[1:]:
        differ |= plane[member + 1 :] ^ plane[member]
    counts: Counts = np.bitwise_count(differ).sum(axis=1, dtype=np.int64)
    return counts
