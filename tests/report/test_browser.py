"""Pages in a real browser: what the script and the style do, and what hostile names do not."""

from __future__ import annotations

import re

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from covey.analysis.tables import ResultTable
from covey.report.drawing import to_svg
from covey.report.page import Page, Section, TableBlock
from covey.report.rendering import render_page
from covey.report.study_page import study_page
from report.browser import Browser, find_browser
from report.pages import METHODS, hostile, raw_svg, study
from report.studies import near, study_of
from report.test_study_page import votes

mpl.use("Agg")

PROGRAM = find_browser()
pytestmark = pytest.mark.skipif(
    PROGRAM is None, reason="no Chromium: install it, or name a browser by the environment variable COVEY_BROWSER"
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    return Browser(PROGRAM, tmp_path_factory.mktemp("browser"))


@pytest.fixture(scope="module")
def html():
    return render_page(study(10))


@pytest.fixture
def ask(browser):
    """Ask a page that makes no errors and breaks no rule of its policy."""

    def answer_of(*arguments, **options):
        found = browser.ask(*arguments, **options)
        assert (found.errors, found.violations, found.console) == ([], [], [])
        return found.answer

    return answer_of


def test_one_chapter_at_a_time_by_the_address(ask, html):
    answer = ask(
        html,
        """
        const steps = [[shown(), document.title]];
        const length = history.length;
        one('#contents a[href="#dataset-3"]').click(); await pause();
        steps.push([shown(), document.title, scrollY, document.activeElement.id, one("[aria-current]").textContent]);
        scrollTo(0, 300); await pause();
        one('#contents a[href="#dataset-5/spread"]').click(); await pause();
        const top = document.getElementById("dataset-5/spread").getBoundingClientRect().top;
        steps.push([shown(), location.hash, top >= 50 && top < 110]);
        history.back(); await pause(200); steps.push([shown(), location.hash, scrollY]);
        history.back(); await pause(200); steps.push([shown(), location.hash]);
        history.forward(); await pause(200); steps.push([shown(), location.hash]);
        one("article:not([hidden]) .turn .on").click(); await pause(); steps.push([shown(), history.length - length]);
        location.hash = "#nothing-of-the-kind"; await pause(); steps.push([shown()]);
        return steps;
        """,
        height=300,
    )
    assert answer == [
        [["overview"], "Twelve methods"],
        [["dataset-3"], "dataset 3 · Twelve methods", 0, "dataset-3", "dataset 3"],
        [["dataset-5"], "#dataset-5/spread", True],
        [["dataset-3"], "#dataset-3", 300],
        [["overview"], ""],
        [["dataset-3"], "#dataset-3"],
        [["dataset-4"], 2],
        [["overview"]],
    ]


def test_deep_links_the_skip_link_and_what_the_browser_finds(ask, html):
    answer = ask(
        html,
        """
        const top = document.getElementById("dataset-7/spread").getBoundingClientRect().top;
        const steps = [shown(), top >= 50 && top < 110];
        one(".skip").click(); await pause();
        steps.push([document.activeElement.id, location.hash, shown()]);
        one("#dataset-2").dispatchEvent(new Event("beforematch")); await pause();
        steps.push([location.hash, shown()]);
        history.back(); await pause(200);
        steps.push([location.hash, shown()]);
        return steps;
        """,
        address="#dataset-7/spread",
        height=300,
    )
    here = ["#dataset-7/spread", ["dataset-7"]]
    assert answer == [["dataset-7"], True, ["main", *here], ["#dataset-2", ["dataset-2"]], here]


def test_finding_a_dataset(ask, html):
    answer = ask(
        html,
        """
        const field = one("#contents .find"), steps = [];
        const names = () => many(".group li > a").filter((one) => one.checkVisibility() && !one.closest(".inner"))
            .map((one) => one.textContent);
        for (const text of ["", "SET 1", "9 data", "none such"]) {
          type(field, text); steps.push([names().length, one(".none").checkVisibility()]);
        }
        type(field, "9"); field.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
        await pause();
        return [...steps, shown()];
        """,
    )
    assert answer == [[12, False], [3, False], [3, False], [2, True], ["dataset-9"]]


def test_sorting(ask):
    frame = pd.DataFrame(
        {
            "number": [0.5, np.nan, -2.0, 10.0, 0.5, 1e-9],
            "shown": ["0.912 ± 0.01", "–", "<0.0001", "12 %", "-3", "1,200"],
            "word": ["b", "a10", "Á2", "a9", "", "c"],
        },
        index=pd.Index(list("uvwxyz"), name="label"),
    )
    table = ResultTable(frame, formats={"number": "p"})
    html = render_page(Page("T", "", (), (Section("", (TableBlock(table, name="t"),)),)))
    answer = ask(
        html,
        """
        const order = () => many("tbody tr").map((row) => row.cells[0].textContent).join("");
        const heads = many("thead th"), found = {};
        for (const head of heads.slice(1)) {
          found[head.textContent] = [];
          for (let click = 0; click < 3; click++) {
            head.querySelector("button").click();
            found[head.textContent].push(order() + " " + head.getAttribute("aria-sort"));
          }
        }
        heads[1].querySelector("button").click(); heads[3].querySelector("button").click();
        found.marks = heads.map((head) => head.getAttribute("aria-sort"));
        heads[0].querySelector("button").focus();
        found.focus = [document.activeElement.tagName, document.activeElement.type];
        return found;
        """,
    )
    assert answer["number"] == ["wzuyxv ascending", "xuyzwv descending", "uvwxyz none"]
    assert answer["shown"] == ["ywuxzv ascending", "zxuwyv descending", "uvwxyz none"]
    assert answer["word"] == ["wxvuzy ascending", "zuvxwy descending", "uvwxyz none"]
    assert answer["marks"] == ["none", "none", "none", "ascending"]
    assert answer["focus"] == ["BUTTON", "button"]


def test_filtering_and_downloads(ask, html):
    answer = ask(
        html,
        """
        const figure = one("figure.table"), field = figure.querySelector("input"), found = {rows: []};
        const rows = () => [...figure.querySelectorAll("tbody tr")].filter((row) => row.checkVisibility())
            .map((row) => row.cells[0].textContent);
        for (const text of ["elan", "worse random", "nothing", " "]) {
          type(field, text); found.rows.push([rows(), figure.querySelector(".found").textContent]);
        }
        const files = [];
        found.texts = [];
        window.Blob = function (parts) { found.texts.push(parts.join("")); };
        URL.createObjectURL = () => "#";
        HTMLAnchorElement.prototype.click = function () { files.push(this.download); };
        for (const push of figure.querySelectorAll("button.save")) push.click();
        one('[id="dataset-0"] .save-drawing').click();
        found.files = files;
        return found;
        """,
    )
    rows = [names for names, _ in answer["rows"]]
    assert rows == [["Élan"], ["Random subspace"], [], list(METHODS)]
    assert [count for _, count in answer["rows"]] == ["1 of 12 rows", "1 of 12 rows", "0 of 12 rows", ""]
    assert answer["files"] == ["ranking-all.csv", "ranking-all.tex", "boxes-0.svg"]
    csv, latex, svg = answer["texts"]
    table = study(1).sections[0].blocks[1].table
    assert csv.startswith("method,accuracy,accuracy ±,p,")
    assert len(csv.splitlines()) == 1 + len(METHODS)
    assert latex == table.to_latex(label="tab:ranking-all")
    assert svg.startswith("<svg ")


@pytest.mark.parametrize("policy", [True, False])
def test_hostile_names_do_not_run(ask, policy):
    """Escapes must do without the policy, and the policy must have nothing to do."""
    answer = ask(
        render_page(hostile()),
        """
        for (const link of many("#contents a")) { link.click(); await pause(5); }
        for (const element of many("main *")) element.dispatchEvent(new MouseEvent("mouseover"));
        for (const push of many("thead button")) push.click();
        return [window.hacked ?? null, many("script").length, many("img, iframe, form").length];
        """,
        policy=policy,
    )
    assert answer == [None, 2, 0]  # the page's script and the question's


def test_the_policy_stops_what_escapes_might_miss(browser, html):
    broken = html.replace("All of it.", "<img src=x onerror='window.hacked = 1'><script>window.hacked = 2</script>")
    found = browser.ask(broken, "return window.hacked ?? null")
    assert found.answer is None
    assert len(found.violations) == 3


@pytest.mark.slow
@pytest.mark.parametrize("make", [study, hostile])
def test_nothing_but_tables_scrolls_sideways_on_a_phone(ask, make):
    answer = ask(
        render_page(make() if make is hostile else make(3)),
        """
        const wide = [], still = [];
        for (const one of many("details")) one.open = true;
        for (const chapter of many("article.chapter")) {
          location.hash = "#" + chapter.id; await pause(30);
          if (document.documentElement.scrollWidth > innerWidth) wide.push(chapter.id);
          for (const element of chapter.querySelectorAll("*")) {
            if (element.closest(".scroll > *") || element.closest("svg > *")) continue;
            if (element.getBoundingClientRect().right > innerWidth + 1) wide.push(chapter.id + " " + element.className);
          }
        }
        location.hash = ""; await pause();
        for (const box of many("article:not([hidden]) .scroll")) {
          box.scrollLeft = 150; await pause(20);
          const name = box.querySelector("tbody th").getBoundingClientRect();
          if (box.scrollLeft > 100) still.push(Math.abs(name.left - box.getBoundingClientRect().left) < 2);
        }
        one("button.menu").click(); await pause();
        const list = one("#contents");
        const open = list.checkVisibility() && list.getBoundingClientRect().right <= innerWidth;
        const fits = many("#contents a").every((link) => link.getBoundingClientRect().right <= innerWidth);
        one("#contents a").click(); await pause();
        return {wide, still, width: innerWidth, open, fits, closed: !list.checkVisibility()};
        """,
        width=375,
    )
    assert answer.pop("wide") == []
    still = answer.pop("still")
    assert all(still)
    assert len(still) == (3 if make is study else 0)
    assert answer == {"width": 375, "open": True, "fits": True, "closed": True}


def test_a_phone_shows_method_score_and_verdict_and_says_that_there_is_more(ask, tmp_path):
    scores = {
        "iris": {"random forest": near(0.9, seed=1), "logistic regression": near(0.7), "C4.5": near(0.89, seed=4)}
    }
    question = """
        const table = many("figure.table").find((one) => one.querySelector(".badge"));
        const box = table.querySelector(".scroll"), edge = () => box.getBoundingClientRect().right;
        const hint = table.querySelector(".hint");
        const seen = [...table.querySelectorAll("tbody tr")].map((row) => {
          const cells = [...row.cells].slice(0, 3);
          return cells.every((cell) => cell.getBoundingClientRect().right <= edge() + 1);
        });
        const found = {seen, hinted: hint.checkVisibility(), wide: document.documentElement.scrollWidth > innerWidth};
        box.scrollLeft = 2000; box.dispatchEvent(new Event("scroll"));
        found.still = hint.checkVisibility();
        const letters = many(".full svg text").filter((text) => text.checkVisibility())
            .map((text) => text.getBoundingClientRect().height);
        found.legible = letters.length > 3 && Math.min(...letters) > 9;
        return found;
    """
    html = render_page(study_page(study_of(tmp_path, scores, arrays=votes)))
    answer = ask(html, question, width=390)
    assert answer == {"seen": [True] * 3, "hinted": True, "wide": False, "still": False, "legible": True}
    assert ask(html, question, width=1280)["hinted"] is False


def test_light_and_dark(ask, html):
    question = """
        const ground = () => getComputedStyle(document.body).backgroundColor;
        const paper = () => getComputedStyle(one("#dataset-0 .canvas")).backgroundColor;
        const found = [ground()];
        one("button.theme").click(); found.push(ground(), paper());
        one("button.theme").click(); found.push(ground());
        return found;
    """
    light, dark, white = "rgb(250, 249, 247)", "rgb(21, 24, 27)", "rgb(255, 255, 255)"
    assert ask(html, question, dark=False) == [light, dark, white, light]
    assert ask(html, question, dark=True) == [dark, light, white, dark]


def test_without_its_script_all_chapters_are_there(ask, html):
    answer = ask(
        html,
        """
        const hidden = many(".scripted").every((one) => !one.checkVisibility());
        return [shown().length, hidden, many("thead button").length, one("#contents").checkVisibility()];
        """,
        script=False,
    )
    assert answer == [12, True, 0, True]


def test_a_script_that_fails_leaves_all_chapters(browser, html):
    broken = html.replace('<button type="button" class="theme"', "<button")
    found = browser.ask(broken, "return shown().length")
    assert found.answer == 12
    assert len(found.errors) == 1


@pytest.mark.slow
def test_all_chapters_are_printed_each_on_a_sheet_of_its_own(browser):
    few, more = (browser.print_pages(render_page(study(n, drawings=False))) for n in (2, 6))
    assert few >= 4
    assert more - few == 4


def test_a_cleaned_drawing_looks_like_the_one_it_was(browser):
    from matplotlib import pyplot as plt
    from matplotlib.image import imread

    figure, axes = plt.subplots(1, 2, figsize=(6, 3))
    axes[0].plot([0, 1, 2], [0, 3, 1], marker="o", linestyle="--")
    axes[0].scatter(np.arange(30) / 15, np.arange(30) / 10, s=np.arange(30), alpha=0.5, marker="D")
    axes[0].set_xlim(0, 1.6)
    axes[0].text(0.2, 1, "turned & $x^2$", rotation=40, weight="bold")
    axes[1].imshow(np.eye(5), extent=(0, 2, 0, 2))
    axes[1].bar([0.5, 1.5], [1, 2], hatch="//", alpha=0.5, width=0.4)
    axes[1].set_title("A title  of two blanks")
    pictures = []
    for name, svg in (("raw", raw_svg(figure)), ("clean", to_svg(figure))):
        page, shot = browser.folder / f"{name}.html", browser.folder / f"{name}.png"
        page.write_text(f"<!DOCTYPE html><meta charset=utf-8><body>{re.sub('(?s)^.*?<svg', '<svg', svg)}", "utf-8")
        browser.run(page, f"--screenshot={shot}", "--window-size=700,420")
        pictures.append(imread(shot)[..., :3])
    assert pictures[0].std() > 0.05
    assert np.abs(pictures[0] - pictures[1]).max(axis=2).mean() < 0.002


def test_lines_between_rows_are_whole(ask, html):
    """A cell that stays in place hides no line: lines are on top of cells, all at one height, rows of whole pixels."""
    answer = ask(
        html,
        """
        const rows = many("article:not([hidden]) .table tbody tr").filter((row) => row.checkVisibility());
        const width = (cell, side) => getComputedStyle(cell)["border" + side + "Width"];
        const odd = rows.filter((row) => {
          const heights = [...row.cells].map((cell) => cell.getBoundingClientRect().height);
          return new Set(heights).size > 1 || Math.abs(heights[0] - Math.round(heights[0])) > 0.02;
        }).map((row) => [row.textContent, row.getBoundingClientRect().height]);
        const below = rows.flatMap((row) => [...row.cells]).filter((cell) => width(cell, "Bottom") !== "0px").length;
        const above = rows.filter((row) => row.previousElementSibling)
            .flatMap((row) => [...row.cells]).filter((cell) => width(cell, "Top") !== "1px").length;
        rows[0].hidden = true;
        return [rows.length > 5, odd, below, above, width(rows[1].cells[0], "Top"), width(rows[2].cells[0], "Top")];
        """,
        width=390,
    )
    assert answer == [True, [], 0, 0, "0px", "1px"]
