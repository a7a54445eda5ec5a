"""Pages as HTML, read back with Python's own parser."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import sys
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from covey._text import spelt_out
from covey.analysis.tables import ResultTable
from covey.report import rendering
from covey.report.page import Chapter, Details, Figures, Listing, Page, Prose, Section, TableBlock
from covey.report.rendering import LONGEST_SLUG, Names, render_page, slug
from report.pages import HOSTILE, hostile, picture, ranking, study

VOID = {"meta", "input", "br", "img", "link"}


class Reader(HTMLParser):
    """Elements as (tag, attributes, text), in the order in which they begin."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.found, self.open = [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        element = [tag, dict(attributes), ""]
        self.found.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attributes):
        self.found.append([tag, dict(attributes), ""])

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        for element in self.open:
            element[2] += data

    def all(self, tag, **attributes):
        wanted = {name.rstrip("_"): value for name, value in attributes.items()}
        return [one for one in self.found if one[0] == tag and wanted.items() <= one[1].items()]

    def texts(self, tag, **attributes):
        return [text for _, _, text in self.all(tag, **attributes)]


def page_of(*blocks, **parts):
    return Page("Title", "Subtitle", ("Summary.",), (Section("First", blocks),), **parts)


def read(*blocks, **parts):
    return Reader(render_page(page_of(*blocks, **parts)))


@pytest.fixture(scope="module")
def html():
    return render_page(study(12))


@pytest.fixture(scope="module")
def reader(html):
    return Reader(html)


def table_of(frame, **options):
    return TableBlock(ResultTable(frame, caption="A table", **options), name="table")


def test_only_its_own_script_may_run_and_nothing_is_fetched(html, reader):
    (policy,) = (
        meta["content"] for _, meta, _ in reader.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"
    )
    (script,) = reader.texts("script")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    parts = policy.split("; ")
    assert parts[0] == "default-src 'none'"
    assert f"script-src 'sha256-{digest}'" in parts
    assert set(parts[1:]) <= {
        "style-src 'unsafe-inline'",
        f"script-src 'sha256-{digest}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    }
    assert html.index("Content-Security-Policy") < html.index("<style") < html.index("<script")
    for tag, attributes, _ in reader.found:
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, name)
            if name in ("src", "href", "xlink:href", "action", "srcset", "data"):
                assert value.startswith(("#", "data:image/png")), (tag, value)
    style = (files("covey.report") / "templates" / "style.css").read_text("utf-8")
    assert not re.search(r"url\(|@import|https?:", style)


def test_what_readers_of_screens_need(reader):
    (root,) = reader.all("html")
    assert root[1]["lang"] == "en"
    for landmark in ("main", "h1"):
        assert len(reader.all(landmark)) == 1
    assert reader.all("nav", id="contents")[0][1]["aria-label"] == "Chapters"
    assert reader.all("a", class_="skip")[0][1]["href"] == "#main"
    for field in reader.all("input"):
        assert field[1]["aria-label"]
    levels = [int(tag[1]) for tag, _, _ in reader.found if re.fullmatch(r"h\d", tag)]
    assert all(after - before <= 1 for before, after in pairwise(levels))
    svgs = reader.all("svg")
    assert svgs
    assert all(svg[1]["role"] == "img" for svg in svgs)


@pytest.mark.parametrize("make", [study, hostile])
def test_ids_differ_and_every_reference_finds_one(make):
    reader = Reader(render_page(make() if make is hostile else make(3)))
    ids = [attributes["id"] for _, attributes, _ in reader.found if "id" in attributes]
    assert len(set(ids)) == len(ids)
    for _, attributes, _ in reader.found:
        for name, value in attributes.items():
            if name in ("href", "xlink:href") and value.startswith("#"):
                assert value[1:] in ids
            if name in ("aria-labelledby", "aria-controls"):
                assert set(value.split()) <= set(ids)


def test_hostile_names_are_text_everywhere():
    html = render_page(hostile())
    reader, harmless = Reader(html), Reader(render_page(page_of(Prose(("a",)))))
    assert len(reader.all("script")) == 1
    assert reader.texts("script") == harmless.texts("script")
    assert reader.texts("style") == harmless.texts("style")
    assert not {"img", "iframe", "object", "embed", "form", "base", "link", "b"} & {tag for tag, _, _ in reader.found}
    assert not [name for _, attributes, _ in reader.found for name in attributes if name.startswith("on")]
    titles = [text for text in reader.texts("h2") if "Method" not in text]
    assert titles == list(map(spelt_out, HOSTILE))
    for tag in ("p", "dt", "dd", "summary", "figcaption", "th", "td", "desc"):
        texts = {text.strip() for text in reader.texts(tag)}
        assert {spelt_out(name.strip()) for name in HOSTILE} - texts == set(), tag
    for _, attributes, _ in reader.all("button"):
        assert re.fullmatch(r"[a-z0-9-]+\.(csv|tex|svg)|", attributes.get("data-file", ""))


@given(st.text(max_size=30), st.text(max_size=30))
@settings(deadline=None, max_examples=60)
def test_any_text_comes_out_as_it_went_in(title, name):
    html = render_page(Page(title, "", (name,), chapters=(Chapter(name, (), group=title),)))
    html.encode()
    reader = Reader(html)

    assert reader.texts("h1") == [spelt_out(title, keep="\n\t")]
    assert reader.texts("h2") == [spelt_out(name, keep="\n\t")]


def test_what_orders_or_controls_text_is_written_as_escapes():
    name = "a\u202eb\u2066c\u200f\u061c\x1b[1m\x9b\r\x00"
    frame = pd.DataFrame({name: [name]}, index=pd.Index([name], name=name))
    html = render_page(
        Page(name, name, (name,), (Section(name, (Prose((name,)), TableBlock(ResultTable(frame, caption=name), "t"))),))
    )
    assert not set(name) - set("abc[1m") & set(html)
    assert Reader(html).texts("h1") == [r"a\u202eb\u2066c\u200f\u061c\x1b[1m\x9b\r\x00"]


def test_chapters_and_their_list(html, reader):
    assert html == render_page(study(12))
    names = [f"dataset {number}" for number in range(12)]
    assert reader.texts("h2")[-13:] == [*names, "Method"]
    articles = [attributes["id"] for _, attributes, _ in reader.all("article")]
    assert articles == ["overview", *[f"dataset-{number}" for number in range(12)], "method"]
    links = [link[1]["href"][1:] for link in reader.all("a") if link[1]["href"][1:] in articles]
    assert list(dict.fromkeys(links)) == articles
    assert len(reader.all("input", class_="find scripted")) == 1
    assert not Reader(render_page(study(8, drawings=False))).all("input", class_="find scripted")
    alone = Reader(render_page(Page("T", "", (), (Section("", (Prose(("Text.",)),)),))))
    assert not alone.all("nav")
    assert not alone.all("button", class_="menu")
    assert not alone.all("h2")


def test_chapters_of_one_name_or_of_a_name_in_use():
    chapters = tuple(Chapter(name, ()) for name in ("wine", "Wine", "main", "Overview", "contents", "svg1.1"))
    reader = read(chapters=chapters)
    found = [attributes["id"] for _, attributes, _ in reader.all("article")]
    assert found == ["overview", "wine", "wine-2", "main-2", "overview-2", "contents-2", "svg1-1"]
    names = Names()
    assert [names.new(text) for text in ("a", "a-2", "A", "a", "a")] == ["a", "a-2", "a-3", "a-4", "a-5"]
    chapters = (Chapter("a", (), "One"), Chapter("b", (), "One"), Chapter("c", ()), Chapter("d", (), "Two"))
    groups = read(chapters=chapters).texts("p", class_="group-name")
    assert [text.split() for text in groups] == [["One", "2"], ["Two", "1"]]


def test_all_blocks():
    reader = read(
        Prose(("One.", "Two.")),
        Figures((("Label", "0.93", "remark"), ("Long", "MultiBoost over SASC", ""))),
        Listing((("Term", "Meaning"),)),
        Details("More", (Prose(("Inside.",)), Details("Still more", (ranking(),)))),
        picture(),
    )
    assert {"Subtitle", "Summary.", "One.", "Two.", "Inside."} <= set(reader.texts("p"))
    assert reader.texts("dt") == ["Label", "Long", "Term"]
    assert reader.texts("dd") == ["0.93", "remark", "MultiBoost over SASC", "Meaning"]
    assert reader.texts("summary") == ["More", "Still more"]
    assert len(reader.all("table")) == 1
    assert "Scores on wine" in reader.texts("title")
    assert reader.texts("desc") == ["A line on wine."]


def test_cells_of_a_table():
    reader = read(ranking())
    (table,) = reader.all("table")
    assert reader.texts("th", scope="col") == ["method", "accuracy", "p", "share", "verdict", "text"]
    best = reader.all("td")[0]
    assert re.fullmatch(r"0\.\d{3} ± 0\.010", best[2])
    assert 0.9 < float(best[1]["data-v"]) < 1
    assert reader.texts("strong") == [best[2]]
    last = reader.all("td")[-5]
    assert last[1]["data-room"] == " ± 0.010"
    assert best[1]["class"] == "num best"
    assert [text for text in reader.texts("td", class_="num") if "<" in text] == ["<0.0001"] * 6
    tones = [attributes["class"] for _, attributes, _ in reader.all("span") if "badge" in attributes.get("class", "")]
    assert tones == ["badge good", *["badge neutral"] * 3, *["badge bad"] * 8]
    assert reader.texts("p", class_="note") == ["p: corrected resampled t-test."]
    assert table[1]["aria-labelledby"]


def test_numbers_to_sort_by_and_labels_of_several_levels():
    frame = pd.DataFrame({"a": [1, 10**400], "b": [np.inf, -np.inf], "c": [np.nan, -0.5]}, dtype=object)
    reader = read(table_of(frame, formats={"c": ".0f"}))
    assert [cell[1].get("data-v") for cell in reader.all("td")] == ["1.0", "Infinity", None, None, "-Infinity", "-0.5"]
    assert [cell[1].get("data-v") for cell in reader.all("th", scope="row")] == ["0.0", "1.0"]
    assert reader.texts("td")[-2:] == ["−∞", "−1"]
    index = pd.MultiIndex.from_tuples([("a", 1), ("b", 2)], names=["set", "run"])
    reader = read(table_of(pd.DataFrame({"x": [1.5, 2.5]}, index=index)), table_of(pd.DataFrame({"y": []})))
    assert reader.texts("th", scope="row") == ["a", "1", "b", "2"]
    assert len(reader.all("table")) == 2


def test_downloads_hold_what_the_table_gives():
    frame = pd.DataFrame({"a,b": ['</template><script>"', "x\r\ny & z"]}, index=pd.Index(["é", "\n"], name="n"))
    block = TableBlock(ResultTable(frame), name="../Größe/1", filterable=False)
    reader = read(block, block)
    assert reader.texts("template")[:2] == [block.table.to_csv(), block.table.to_latex(label="tab:grosse-1")]
    names = [button[1]["data-file"] for button in reader.all("button", class_="save")]
    assert names == ["grosse-1.csv", "grosse-1.tex", "grosse-1-2.csv", "grosse-1-2.tex"]
    csv = pd.read_csv(io.StringIO(read(ranking()).texts("template")[0]), index_col=0)
    table = ranking().table
    pd.testing.assert_frame_equal(csv.drop(columns="accuracy ±"), table.frame)
    np.testing.assert_array_equal(csv["accuracy ±"], table.spread["accuracy"])


def test_bad_parts_are_refused():
    with pytest.raises(TypeError, match="block='text' is none that a page can show"):
        read("text")
    with pytest.raises(ValueError, match="badges names the column 'nothing', but the table 'table' has"):
        read(TableBlock(ResultTable(pd.DataFrame({"a": [1]})), name="table", badges={"nothing": {}}))


def test_without_jinja2_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    rendering._environment.cache_clear()
    try:
        with pytest.raises(ImportError, match=r"pip install 'covey\[study\]'"):
            read()
    finally:
        rendering._environment.cache_clear()


def luminance(colour):
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """The ratio of the Web Content Accessibility Guidelines 2.2."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_text_can_be_read_in_light_and_dark():
    style = (files("covey.report") / "templates" / "style.css").read_text("utf-8")
    blocks = [
        dict(re.findall(r"--([\w-]+): (#\w{6});", block)) for block in re.findall(r":root[^{]*\{([^}]*)\}", style)
    ]
    light, dark, chosen = blocks
    assert dark == chosen
    for colours in (light, dark):
        pairs = [(text, ground) for text in ("ink", "soft", "accent") for ground in ("ground", "card", "tint")]
        pairs += [(tone, f"{tone}-ground") for tone in ("good", "bad", "neutral")]
        for text, ground in pairs:
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Wine", "wine"),
        ("heart_statlog (2)", "heart-statlog-2"),
        ("../../etc/passwd", "etc-passwd"),
        ("C:\\nul", "c-nul"),
        ("Straße Ünal", "strasse-unal"),
        ("数据", "part"),
        ("", "part"),
        ("x" * 300, "x" * LONGEST_SLUG),
    ],
)
def test_slugs(name, expected):
    assert slug(name) == expected


@given(st.lists(st.text(), max_size=8))
@settings(deadline=None, max_examples=100)
def test_names_are_safe_and_differ(texts):
    names = Names("main")
    found = [names.new(text) for text in texts]
    assert len({*found, "main"}) == len(texts) + 1
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in found)
