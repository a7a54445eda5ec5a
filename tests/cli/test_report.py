import pytest

from covey.study import read_study, run_study


@pytest.fixture
def store(study, tmp_path):
    folder = tmp_path / "found"
    folder.mkdir()
    run_study(read_study(study), folder / "results.store")
    return folder / "results.store"


def test_a_report_beside_the_store(covey, store):
    found = covey("report", store)
    assert found.code == 0, found.err
    assert found.out == "Report, to open in a browser: found/report.html\n"
    assert "a [red]study[/red]" in store.with_name("report.html").read_text()


def test_a_folder_stands_for_its_store_and_its_report_is_made_anew_by_force(covey, store):
    report = store.with_name("report.html")
    report.write_text("old")
    found = covey("report", store.parent)
    assert (found.code, report.read_text()) == (2, "old")
    assert "found/report.html is there already; name another --out, or add --force." in found.err
    assert covey("report", store.parent, "--force").out == "Report, to open in a browser: found/report.html\n"
    assert report.read_text() != "old"


def test_a_study_file_stands_for_the_store_beside_it(covey, store, study):
    store.rename(study.with_suffix(".store"))
    assert covey("report", study).out == "Report, to open in a browser: study.html\n"
    assert covey("report", study).code == 2  # it is there now


def test_a_file_of_ones_own(covey, store, tmp_path):
    (tmp_path / "r.html").write_text("precious")
    found = covey("report", store, "--out", "r.html")
    assert (found.code, (tmp_path / "r.html").read_text()) == (2, "precious")
    assert covey("report", store, "--out", "r.html", "--force").code == 0


def test_a_study_that_is_not_there(covey, store):
    found = covey("report", store, "--study", "[red]other")
    assert found.code == 2
    assert "has no study '[red]other'; it has 'a [red]study[/red]'." in found.err


def test_no_store(covey, tmp_path):
    assert "There is no store none" in covey("report", "none").err
    (tmp_path / "empty").mkdir()
    assert "There is no store in the folder empty" in covey("report", "empty").err
    foreign = tmp_path / "x.store"
    foreign.write_bytes(b"x" * 5000)
    found = covey("report", foreign)
    assert found.code == 1
    assert "no file of covey" in found.err


def test_several_stores(covey, store):
    store.with_name("other.store").write_bytes(b"")
    found = covey("report", store.parent)
    assert found.code == 2
    assert "several stores (other.store, results.store)" in found.err
