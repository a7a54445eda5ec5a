import numpy as np

from covey.learners.sampling import class_by_class, some_of_each


def test_rows_class_by_class_whatever_the_codes():
    codes = np.random.default_rng(1).integers(0, 3, 40)
    first = class_by_class(codes, np.ones(40), np.random.default_rng(5))
    other = class_by_class(2 - codes, np.ones(40), np.random.default_rng(5))
    np.testing.assert_array_equal(first, other)
    assert np.count_nonzero(np.diff(codes[first])) == 2


def test_some_rows_are_the_same_share_of_each_class():
    codes = np.repeat([0, 1, 2], [600, 300, 100])
    weight = np.ones(1000)
    weight[:100] = 0
    rows = some_of_each(codes, weight, 90, np.random.default_rng(0))
    assert (np.diff(rows) > 0).all()
    assert (weight[rows] > 0).all()
    assert np.bincount(codes[rows]).tolist() == [50, 30, 10]
    assert some_of_each(codes, weight, 5000, np.random.default_rng(0)).tolist() == list(range(100, 1000))
