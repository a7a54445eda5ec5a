import pytest

from covey.cli.options import examples, n_workers, read_memory, where
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


def test_workers():
    assert n_workers(3) == 3
    assert n_workers(None) == usable_cores() >= 1
    assert where(1, None) == "1 process"
    assert where(2, "local") == "2 processes of a local Dask cluster"
    assert where(None, "tcp://head:8786") == "a Dask cluster"


def test_examples_keep_their_lines():
    assert examples(["covey a", "covey b"]) == "\b\nExamples:\n  covey a\n  covey b"
