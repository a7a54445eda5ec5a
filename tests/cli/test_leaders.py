from math import nan

from covey.cli.leaders import Leaders


def leaders(*scores, larger=True):
    made = Leaders(lambda metric: larger)
    for dataset, method, score in scores:
        made.add(dataset, method, "accuracy", score)
    return made


def test_means_of_methods_with_as_many_fits():
    made = leaders(("d", "a", 0.8), ("d", "b", 0.7), ("d", "a", 0.6), ("d", "b", 0.9), ("d", "c", 1.0))
    standing = made.standing("d")
    assert standing.best == (("b", 0.8), ("a", 0.7))
    assert (standing.n_fits, standing.n_compared, standing.n_methods) == (2, 2, 3)


def test_one_that_is_far_ahead_is_not_compared_with_the_others():
    made = leaders(("d", "a", 0.1), ("d", "a", 0.1), ("d", "b", 0.5), ("d", "c", 0.6))
    assert made.standing("d").best == (("c", 0.6), ("b", 0.5))


def test_errors_are_better_when_small():
    assert leaders(("d", "a", 0.1), ("d", "b", 0.2), larger=False).standing("d").best[0] == ("a", 0.1)


def test_undefined_scores_do_not_count():
    made = leaders(("d", "a", nan), ("d", "b", 0.5))
    assert made.standing("d").best == (("b", 0.5),)
    assert leaders(("d", "a", nan)).datasets == ()


def test_as_text():
    assert str(leaders(("d", "a", 0.25)).standing("d")) == "d: a 0.25 (n = 1)"
