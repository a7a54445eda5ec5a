"""A real browser for tests: Chromium without a window, asked questions in JavaScript about a copy of a page.

The copy's security policy lets the question run beside the page's own script and is otherwise kept. Pages are shown in
a frame, which can be as narrow as a phone; Chromium's windows cannot.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

from waiting import PATIENCE

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

PROBE = """
const seen = {errors: [], violations: []};
addEventListener("error", (event) => seen.errors.push(String(event.message)));
addEventListener("unhandledrejection", (event) => seen.errors.push(String(event.reason)));
addEventListener("securitypolicyviolation", (event) => {
  seen.violations.push(event.violatedDirective + " " + event.blockedURI);
});
const pause = (ms = 60) => new Promise((done) => setTimeout(done, ms));
const one = (selector) => document.querySelector(selector);
const many = (selector) => [...document.querySelectorAll(selector)];
const shown = () => many("article.chapter").filter((one) => one.getBoundingClientRect().height > 0)
    .map((one) => one.id);
const type = (field, text) => { field.value = text; field.dispatchEvent(new Event("input", {bubbles: true})); };
addEventListener("load", async () => {
  let answer = null;
  await pause(120);
  try { answer = await (async () => { QUESTION })(); } catch (error) { seen.errors.push("question: " + error); }
  parent.postMessage(JSON.stringify({answer, ...seen}), "*");
});
"""

FRAME = """<!DOCTYPE html><meta charset="utf-8"><body style="margin:0"><pre id="answer"></pre>
<iframe src="SOURCE" style="border:0;display:block;width:WIDTHpx;height:HEIGHTpx"></iframe>
<script>
addEventListener("message", (event) => { document.getElementById("answer").textContent = event.data; });
</script>
"""


def find_browser() -> str | None:
    """The program that COVEY_BROWSER names, or the first browser found."""
    given = os.environ.get("COVEY_BROWSER")
    return shutil.which(given) if given else next(filter(None, map(shutil.which, NAMES)), None)


@dataclass
class Answer:
    """What a question found, the errors and violations of the security policy on the way, and what the console said."""

    answer: Any
    errors: list[str]
    violations: list[str]
    console: list[str]


@dataclass
class Browser:
    """A browser that keeps its files in a folder."""

    program: str
    folder: Path

    def run(self, page: Path, *options: str, address: str = "") -> tuple[str, list[str]]:
        """Open a page, and return what the browser writes, and what the page's console says."""
        command = [
            *(self.program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"),
            *("--disable-background-networking", "--disable-dev-shm-usage", "--enable-logging=stderr"),
            *(f"--user-data-dir={self.folder / 'profile'}", *options, page.as_uri() + address),
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        return done.stdout, re.findall(r"CONSOLE[^\]]*\] (.*)", done.stderr)

    def ask(
        self,
        html: str,
        question: str,
        *,
        width: int = 1200,
        height: int = 900,
        dark: bool = False,
        address: str = "",
        policy: bool = True,
        script: bool = True,
    ) -> Answer:
        """Show a page and return what the body of an asynchronous function returns in it.

        Without ``policy`` the page has no security policy, without ``script`` none of its own script.
        """
        probe = PROBE.replace("QUESTION", question)
        if not script:
            html = re.sub(r"<script>.*?</script>", "", html, flags=re.DOTALL)
        if policy:
            digest = base64.b64encode(hashlib.sha256(probe.encode()).digest()).decode()
            html = html.replace("script-src ", f"script-src 'sha256-{digest}' ", 1)
        else:
            html = re.sub(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "", html)
        # The probe comes before anything that a page might get wrong, and after the policy.
        html = html.replace('<meta name="viewport"', f'<script>{probe}</script><meta name="viewport"', 1)
        copy, frame = self.folder / "copy.html", self.folder / "frame.html"
        copy.write_text(html, encoding="utf-8")
        source = FRAME.replace("SOURCE", copy.as_uri() + address).replace("WIDTH", str(width))
        frame.write_text(source.replace("HEIGHT", str(height)), encoding="utf-8")
        colours = [f"--blink-settings=preferredColorScheme={0 if dark else 1}"]
        # Time in the page runs as fast as it can; on a busy machine much of it may pass before there is an answer.
        written, console = self.run(frame, "--virtual-time-budget=1000000", *colours, "--dump-dom")
        found = re.search(r'<pre id="answer">(.+?)</pre>', written, flags=re.DOTALL)
        assert found, f"The page gave no answer: {console} {written[:400]}"
        return Answer(**json.loads(unescape(found[1])), console=console)

    def print_pages(self, html: str) -> int:
        """Print a page to PDF and return the number of sheets."""
        page, pdf = self.folder / "print.html", self.folder / "print.pdf"
        page.write_text(html, encoding="utf-8")
        self.run(page, "--virtual-time-budget=1000000", f"--print-to-pdf={pdf}")
        return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf.read_bytes()))
