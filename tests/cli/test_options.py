import pytest

from covey.cli.options import examples, read_memory, running
from covey.study.record import usable_cores


@pytest.mark.parametrize(
    ("text", "size"),
    [("2GB", 2 * 10**9), ("1.5g", 15 * 10**8), ("500 MB", 5 * 10**8), ("1GiB", 2**30), ("4096", 4096), (None, None)],
)
def test_sizes(text, size):
    assert read_memory(text) == size


@pytest.mark.parametrize("text", ["", "lots", "-1GB", "0", "2GBB", "nan"])
def test_no_sizes(text):
    with pytest.raises(ValueError, match=r"--memory .* is no size"):
        read_memory(text)


@pytest.mark.parametrize(("workers", "expected"), [(3, 3), (None, usable_cores())])
def test_settings_of_a_run(workers, expected):
    with running(workers, None, 2.0, "1KB", True, True) as settings:
        assert settings.pop("progress") is not None
    limits = {"timeout": 2.0, "memory": 1000, "retry_failed": True}
    assert settings == {"n_workers": expected, "cluster": None, **limits}


def test_examples_keep_their_lines():
    assert examples(["covey a", "covey b"]) == "\b\nExamples:\n  covey a\n  covey b"
