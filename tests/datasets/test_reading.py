import gzip
import hashlib
import io
import tracemalloc
from contextlib import contextmanager

import pytest

from covey.datasets import reading
from covey.datasets.errors import DataFormatError
from covey.datasets.reading import Contents, read_contents


class Endless:
    """An open file without an end: reading it all would never return."""

    name = "endless.arff"

    def read(self, size=-1):
        assert size > 0
        return b"x" * size


def test_plain_and_gzip_give_the_same_data_and_the_digest_of_the_stored_bytes(tmp_path):
    packed = gzip.compress(b"a,b\n1,2\n", mtime=0)
    (tmp_path / "t.csv").write_bytes(b"a,b\n1,2\n")
    (tmp_path / "t.txt").write_bytes(packed)  # told by content, not by name
    plain, unpacked = read_contents(tmp_path / "t.csv"), read_contents(str(tmp_path / "t.txt"))
    assert plain.data == unpacked.data == b"a,b\n1,2\n"
    assert plain.sha256 == hashlib.sha256(b"a,b\n1,2\n").hexdigest()
    assert unpacked.sha256 == hashlib.sha256(packed).hexdigest()


@pytest.mark.parametrize("file", [io.BytesIO("é".encode()), io.StringIO("é")])
def test_open_files(file):
    contents = read_contents(file)
    assert contents.text() == "é"
    assert contents.where == "<open file>"


def test_reading_stops_at_the_limit():
    with pytest.raises(DataFormatError, match=r"endless.arff: the file holds more than max_bytes=1000 bytes"):
        read_contents(Endless(), max_bytes=1000)
    assert read_contents(io.BytesIO(b"x" * 1000), max_bytes=1000).data == b"x" * 1000
    # A small file may unpack to anything.
    assert len(read_contents(io.BytesIO(gzip.compress(b"x" * (1 << 22), mtime=0))).data) == 1 << 22


@contextmanager
def little_memory(most):
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


def test_a_gzip_bomb_is_not_unpacked(tmp_path):
    path = tmp_path / "bomb.arff.gz"
    path.write_bytes(gzip.compress(b" " * (1 << 25)))
    with little_memory(1 << 23), pytest.raises(DataFormatError, match="more than max_bytes=1000000"):
        read_contents(path, max_bytes=1_000_000)


@pytest.mark.parametrize("members", [1, 1000])
def test_what_unpacks_to_far_more_than_its_size_is_refused_early(monkeypatch, members):
    monkeypatch.setattr(reading, "_UNSUSPECTED_BYTES", 1 << 22)
    bomb = gzip.compress(b" " * (1 << 22), mtime=0) * members + gzip.compress(b" " * (1 << 20), mtime=0)
    problem = r"unpacks to more than 200 times its size, \d+ bytes so far.* unpack it"
    with little_memory(1 << 24), pytest.raises(DataFormatError, match=problem):
        read_contents(io.BytesIO(bomb))


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: data[:12] + b"\xff\xff" + data[14:]])
def test_damaged_gzip(tmp_path, damage):
    path = tmp_path / "t.arff.gz"
    path.write_bytes(damage(gzip.compress(bytes(range(256)) * 20, mtime=0)))
    with pytest.raises(DataFormatError, match="cut short or corrupt"):
        read_contents(path)


@pytest.mark.parametrize("data", [b"", b"  \n\t\n", gzip.compress(b"", mtime=0)])
def test_empty_files(data):
    with pytest.raises(DataFormatError, match="the file is empty"):
        read_contents(io.BytesIO(data))


def test_missing_file_and_directory(tmp_path):
    with pytest.raises(FileNotFoundError, match="does not exist"):
        read_contents(tmp_path / "none.arff")
    with pytest.raises(FileNotFoundError, match="is a directory"):
        read_contents(tmp_path)


@pytest.mark.parametrize("limit", [0, -1, True, 1.5, "1"])
def test_bad_limits(limit):
    with pytest.raises(ValueError, match="max_bytes must be a positive whole number"):
        read_contents(io.BytesIO(b"x"), max_bytes=limit)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfa", "a"),
        ("naïve".encode(), "naïve"),
        (b"na\xefve\x85", "naïve…"),  # Windows
        (b"na\xefve\x81", "naïve\x81"),  # which has no such letter
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
    ],
)
def test_text(data, text):
    contents = Contents("t", data, "")
    assert contents.text() == text
    assert "".join(contents.lines()) == text


def test_what_is_no_text():
    with pytest.raises(DataFormatError, match="NUL bytes"):
        Contents("t", b"\x7fELF\0\0", "").text()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_characters_with_a_byte_order_mark(encoding):
    stored = "\ufeffnaïve\n".encode(encoding)
    contents = read_contents(io.BytesIO(gzip.compress(stored)))
    assert contents.text() == "naïve\n"
    assert read_contents(io.BytesIO(stored)).sha256 == hashlib.sha256(stored).hexdigest()
    with pytest.raises(DataFormatError, match=r"the file starts as UTF-.* but is not"):
        read_contents(io.BytesIO(stored[:-1]))
