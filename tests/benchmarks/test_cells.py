from typing import NamedTuple

import pytest
from cells import Task, fill_in, found_only, read_cells, write_cells

from covey.datasets import DatasetNotFoundError


class Cell(NamedTuple):
    name: str
    size: int
    score: float

    @property
    def key(self):
        return self[:2]


CELLS = [Cell("a, b", 1, 0.1 + 0.2), Cell("c", 2, 1.0)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "new" / "cells.csv"


def work(name, sizes, fails=False):
    if fails:
        raise KeyboardInterrupt
    return [Cell(name, size, size / 2) for size in sizes]


def task(name, sizes=(1,), fails=False):
    return Task(tuple((name, size) for size in sizes), work, (name, sizes, fails))


def test_what_is_written_is_read(path):
    assert read_cells(path, Cell) == []
    write_cells(path, Cell, CELLS)
    assert path.read_text() == 'name,size,score\n"a, b",1,0.30000000000000004\nc,2,1.0\n'
    assert read_cells(path, Cell) == CELLS
    assert [file.name for file in path.parent.iterdir()] == ["cells.csv"]


def test_a_line_that_was_cut_off_is_left_out(path):
    write_cells(path, Cell, CELLS)
    path.write_text(path.read_text()[:-2])
    assert read_cells(path, Cell) == CELLS[:1]
    path.write_text("name,si")
    assert read_cells(path, Cell) == []


def test_a_file_of_other_cells_is_refused_and_kept(path):
    path.parent.mkdir()
    path.write_text("name,score\nc,1.0\n")
    with pytest.raises(ValueError, match=r"cells\.csv has the columns name, score, not name, size, score"):
        fill_in(path, Cell, [task("a")], 1, "tasks")
    assert path.read_text() == "name,score\nc,1.0\n"


def test_only_what_is_missing_is_done(path):
    fill_in(path, Cell, [task("a"), task("b")], 1, "tasks")
    cells = fill_in(path, Cell, [task("a", fails=True)._replace(keys=(("a", 1),)), task("c", (1, 2))], 1, "tasks")
    assert cells == [Cell("a", 1, 0.5), Cell("c", 1, 0.5), Cell("c", 2, 1.0)]
    assert len(read_cells(path, Cell)) == 4


def test_an_interrupted_run_goes_on(path):
    with pytest.raises(KeyboardInterrupt):
        fill_in(path, Cell, [task("a", (1, 2)), task("b", fails=True), task("c")], 1, "tasks")
    assert read_cells(path, Cell) == work("a", (1, 2))
    path.write_text(path.read_text()[:-2])  # cut off amid the cells of a task
    cells = fill_in(path, Cell, [task("a", (1, 2)), task("b"), task("c")], 1, "tasks")
    assert cells == read_cells(path, Cell) == [*work("a", (1, 2)), *work("b", (1,)), *work("c", (1,))]


def test_datasets_that_are_not_there_are_left_out(capsys):
    def load(name):
        if name == "b":
            raise DatasetNotFoundError("not there")

    assert found_only(["a", "b", "c"], load) == ["a", "c"]
    assert capsys.readouterr().out == "b is not in a directory that COVEY_DATA names; left out\n"
