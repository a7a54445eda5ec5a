"""Names come from files: quotes, markup of all kinds, other alphabets, paths and three hundred letters do no harm."""

from __future__ import annotations

import sys
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from covey._text import spelt_out
from covey.analysis.tables.formats import csv_cell
from covey.report import write_report
from covey.study import DataSpec, MethodSpec, Results, Store, read_study, run_study
from faults.driving import NAIVE, contents, study_of

NAMES = [
    'it\'s "quoted" \\ twice',
    "<script>alert(1)</script>",
    "</title></style><img src=x onerror=alert(2)>",
    '" onmouseover="alert(3)',
    "&lt;b&gt; &amp;amp; &#0;",
    "naïve Größe 数据 🦔 \u202e rtl",
    "../../etc/passwd",
    "/absolute/path",
    "C:\\temp\\new",
    "CON",
    "[bold red]markup[/bold red] [/] [link=file:///etc]",
    "'; DROP TABLE cells; --",
    "%s {0} {{ 7 * 7 }} {% raw %} $HOME `id` ${x}",
    "-rf --help",
    "=1+1 @SUM(A1)",
    "$\\alpha_1^{2$ # ~",
    "x" * 300,
]
METHOD = "sklearn.naive_bayes.GaussianNB"


class Page(HTMLParser):
    """The text of a page, and what could run in it."""

    def __init__(self):
        super().__init__()
        self.text, self.tags, self.handlers, self.links = [], set(), [], []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        self.links += [value for name, value in attrs if name in ("href", "src", "xlink:href", "action")]

    def handle_data(self, data):
        self.text.append(data)


def write_data(path, columns=("a", "b", "y"), labels=("no", "yes"), seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(40, 2)), columns=list(columns[:2]))
    frame[columns[2]] = np.where(frame.iloc[:, 0] > 0, *labels)
    frame.to_csv(path, index=False) if path.suffix == ".csv" else frame.to_parquet(path, index=False)


def ending(*columns):
    """Semicolons in a header pass for delimiters in a CSV file."""
    return "parquet" if any(";" in column for column in columns) else "csv"


def read_page(path):
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    return page


def assert_harmless(page):
    assert not page.handlers
    assert "img" not in page.tags
    assert "iframe" not in page.tags
    outside = [link for link in page.links if link and not link.startswith(("#", "data:", "blob:"))]
    assert not outside


def test_methods_and_studies_may_have_any_name(tmp_path):
    out, store = tmp_path / "out", tmp_path / "out" / "s.store"
    out.mkdir()
    methods = [MethodSpec(name, METHOD, {"var_smoothing": 1e-9 * (place + 1)}) for place, name in enumerate(NAMES)]
    run_study(study_of(methods, name=NAMES[1]), store)
    for name in NAMES:
        run_study(study_of([NAIVE], name=name), store)
    results = run_study(study_of(methods, name=NAMES[1]), store)
    assert results.scores().columns.tolist() == NAMES
    assert results.scores().notna().all(axis=None)
    with Store.open(store, write=False) as kept:
        assert sorted(kept.studies()) == sorted(NAMES)
    for name in NAMES:
        assert Results.in_store(store, name).record.name == name
        assert name in repr(Results.in_store(store, name)) or repr(name) in repr(Results.in_store(store, name))
    frame = Results.in_store(store, NAMES[1]).frame()
    assert frame.method.unique().tolist() == NAMES
    page = read_page(write_report(Results.in_store(store, NAMES[1]), out / "report.html"))
    assert_harmless(page)
    text = "".join(page.text)
    assert [name for name in NAMES if spelt_out(name) not in text] == []
    assert set(contents(tmp_path)) <= {"out", *(f"out/{name}" for name in ("report.html", *files_of("s.store")))}


def test_datasets_columns_and_classes_may_have_any_name(tmp_path):
    out, data = tmp_path / "out", tmp_path / "data"
    out.mkdir()
    data.mkdir()
    specs = []
    for place, name in enumerate(NAMES):
        columns = [NAMES[place - 1], f"{name}\n two lines", name]
        file = data / f"{name.replace('/', '')[:100]}.{ending(*columns)}"
        write_data(file, columns, [f"{name} no", f"{name}\nyes"], place)
        specs.append(DataSpec(name, str(file), name))
    before = contents(data)
    results = run_study(study_of([NAIVE], specs), out / "s.store")
    assert results.scores().index.tolist() == NAMES
    assert results.scores().notna().all(axis=None)
    record = Results.in_store(out / "s.store").record
    assert [one.target for one in record.datasets] == NAMES
    assert all(set(one.classes) == {f"{one.name} no", f"{one.name}\nyes"} for one in record.datasets)
    page = read_page(write_report(Results.in_store(out / "s.store"), out / "report.html"))
    assert_harmless(page)
    text = "".join(page.text)
    assert [name for name in NAMES if spelt_out(name) not in text] == []
    assert contents(data) == before
    assert set(contents(out)) <= {"report.html", *files_of("s.store")}


def files_of(store):
    return [store + ending for ending in ("", "-wal", "-shm", ".lock")]


@pytest.mark.parametrize("name", ["two\nlines", "a\ttab", "a\0null", "\x1b[31mred", "", "  ", "\x7f", "\udcff.csv"])
def test_names_that_no_table_can_show_are_refused(name):
    for make in (
        lambda: DataSpec(name, "iris"),
        lambda: MethodSpec(name, METHOD, {}),
        lambda: study_of(name=name),
    ):
        with pytest.raises(ValueError, match=r"name=.*(control character|empty|no UTF-8)"):
            make()


@pytest.mark.parametrize(
    "name",
    ["a?mode=memory&b.store", "a#b.store", "a%41 b.store", "Größe 数据.store", "-s.store", "it's.store", "s.store;x"],
)
def test_a_store_may_have_any_file_name(tmp_path, name):
    study = study_of([NAIVE])
    run_study(study, tmp_path / name)
    assert set(contents(tmp_path)) <= set(files_of(name))
    assert len(Results.in_store(tmp_path / name).frame()) == 3


TOML = """
name = {study}
seed = 0
[protocol]
kind = "cross-validation"
n_folds = 2
n_repeats = 1
"""


def toml(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def on_terminal(name):
    """A name with what would turn the rest of its line around spelt out."""
    return name.replace("\u202e", "\\u202e")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has its own idea of file names")
def test_the_command_line_takes_and_shows_any_name(room):
    data = room.folder / "data"
    data.mkdir()
    parts = [TOML.format(study=toml(NAMES[1]))]
    for place, name in enumerate(NAMES):
        columns = [NAMES[place - 1], "b", name]
        file = data / f"{place} {name.replace('/', '')[:100]}.{ending(*columns)}"
        write_data(file, columns, seed=place)
        parts.append(f"[[dataset]]\nname = {toml(name)}\nsource = {toml(str(file))}\ntarget = {toml(name)}\n")
    for place, name in enumerate(NAMES[:8] + NAMES[10:11]):
        params = f"{{ var_smoothing = {1e-9 * (place + 1)} }}"
        parts.append(f"[[method]]\nname = {toml(name)}\nestimator = '{METHOD}'\nparams = {params}\n")
    file, store = room.folder / "study.toml", room.out / "s.store"
    file.write_text("".join(parts), encoding="utf-8")
    assert read_study(file).datasets[0].name == NAMES[0]
    before = contents(data)
    for command in (
        ["study", "check", file],
        ["study", "run", file, "--store", store, "--workers", "2"],
        ["study", "status", file, "--store", store],
        ["study", "results", file, "--store", store, "--csv", room.out / "fits.csv", "--latex", room.out / "t.tex"],
        ["report", store, "--out", room.out / "report.html"],
    ):
        ended = room.covey(*command)
        assert ended.returncode == 0, ended.stderr
        assert "Traceback" not in ended.stderr
        if command[1] in ("status", "results"):
            assert [name for name in NAMES if on_terminal(name) not in ended.stdout] == []
    assert pd.read_csv(room.out / "fits.csv").dataset.unique().tolist() == list(map(csv_cell, NAMES))
    page = read_page(room.out / "report.html")
    assert_harmless(page)
    assert contents(data) == before
    assert set(contents(room.out)) <= {"fits.csv", "t.tex", "report.html", *files_of("s.store")}
    assert sorted(path.name for path in room.folder.iterdir()) == ["cwd", "data", "home", "out", "study.toml", "tmp"]
    elsewhere = [name for path in room.elsewhere for name, content in contents(path).items() if content]
    # Matplotlib, which draws the figures, keeps a list of fonts for its next time.
    assert all(name.startswith(".cache/matplotlib/") for name in elsewhere)
