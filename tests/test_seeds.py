from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.seeds import child, generator, seed_sequence

states = st.integers(0, 2**64)
places = st.lists(st.integers(0, 1000), max_size=3)


def words(seed):
    return tuple(seed.generate_state(4).tolist())


@given(states)
@settings(derandomize=True, deadline=None)
def test_an_integer_always_gives_the_same_sequence(number):
    assert words(seed_sequence(number)) == words(np.random.SeedSequence(number))


def test_other_seeds_and_generators():
    for number in (np.int64(7), np.uint8(7), np.int32(7)):
        assert words(seed_sequence(number)) == words(seed_sequence(7))
    assert words(seed_sequence(None)) != words(seed_sequence(None))
    seed, rng = np.random.SeedSequence(3).spawn(2)[1], np.random.default_rng(0)
    assert seed_sequence(seed) is seed
    assert generator(rng) is rng
    assert generator(4).random() == np.random.default_rng(4).random() != generator(5).random()


@pytest.mark.parametrize("make", [np.random.RandomState, np.random.default_rng])
def test_a_generator_decides_the_sequence_and_is_advanced(make):
    state, again = make(5), make(5)
    first = words(seed_sequence(state))
    assert words(seed_sequence(again)) == first
    assert words(seed_sequence(state)) != first
    assert words(seed_sequence(make(6))) != first


@pytest.mark.parametrize("wrong", [-1, True, np.True_, "7", 1.0, [1], np.int64(-3), object], ids=repr)
def test_anything_else_is_refused(wrong):
    with pytest.raises(ValueError, match=r"random_state=.* cannot seed a generator; give a non-negative integer"):
        seed_sequence(wrong)
    with pytest.raises(ValueError, match="random_state="):
        generator(wrong)


@given(states, places)
@settings(derandomize=True, deadline=None)
def test_a_child_is_found_by_its_place(number, place):
    seed = seed_sequence(number)
    expected = words(child(seed, *place))
    seed.spawn(3)
    for other in range(3):
        child(seed, other)
    assert words(child(seed, *place)) == expected
    assert words(child(seed_sequence(number), *place)) == expected


def test_a_child_is_the_one_numpy_would_spawn():
    seed = np.random.SeedSequence(9)
    assert [words(child(seed, place)) for place in range(3)] == [
        words(one) for one in np.random.SeedSequence(9).spawn(3)
    ]


@given(states, places, places)
@settings(derandomize=True, deadline=None)
def test_a_grandchild_is_a_child_of_a_child(number, outer, inner):
    seed = seed_sequence(number)
    assert words(child(child(seed, *outer), *inner)) == words(child(seed, *outer, *inner))


def test_distinct_places_and_seeds_have_distinct_streams():
    found = {
        words(child(seed_sequence(number), *place))
        for number in range(3)
        for depth in range(4)
        for place in product(range(4), repeat=depth)
    }
    assert len(found) == 3 * (1 + 4 + 16 + 64)


def test_neighbouring_streams_are_uncorrelated():
    seed = seed_sequence(1)
    one, other = (np.random.default_rng(child(seed, place)).normal(size=4000) for place in (0, 1))
    assert abs(np.corrcoef(one, other)[0, 1]) < 4 / np.sqrt(4000)
