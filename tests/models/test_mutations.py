"""Whatever is changed in a model file, it is refused or its model says something sensible."""

import pytest

from covey.models.declaration import known
from models.fuzzing import HARMLESS, REFUSED, run, write_specimens
from models.specimens import classes_in, document_of, names


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("specimens")
    write_specimens(made)
    return made


def test_every_class_is_in_a_specimen(folder):
    assert set().union(*(classes_in(document_of(folder / f"{name}.covey")) for name in names())) >= known().keys()


def test_forged_files_are_refused_or_harmless(folder):
    tally = run(folder, seed=0, count=400)
    assert tally.faults == []
    assert tally.counts[REFUSED] + tally.counts[HARMLESS] == 400
