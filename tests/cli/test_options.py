import pytest

from covey.cli.options import examples, n_workers, read_memory, where


@pytest.mark.parametrize(
    ("text", "size"),
    [("2GB", 2**31), ("1.5g", 3 * 2**29), ("500 MB", 500 * 2**20), ("1GiB", 2**30), ("4096", 4096), (None, None)],
)
def test_sizes(text, size):
    assert read_memory(text) == size


@pytest.mark.parametrize("text", ["", "lots", "-1GB", "0", "2GBB", "nan"])
def test_no_sizes(text):
    with pytest.raises(ValueError, match=r"--memory .* is no size"):
        read_memory(text)


def test_workers():
    assert n_workers(3) == 3
    assert n_workers(None) >= 1
    assert where(1, None) == "1 process"
    assert where(2, "local") == "2 processes of a local Dask cluster"
    assert where(None, "tcp://head:8786") == "Dask at tcp://head:8786"


def test_examples_keep_their_lines():
    assert examples(["covey a", "covey b"]) == "\b\nExamples:\n  covey a\n  covey b"
