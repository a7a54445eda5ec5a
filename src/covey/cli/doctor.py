"""``covey doctor``: whether everything that covey needs is here, and what to do about what is not."""

from __future__ import annotations

import typer

from covey.cli.errors import FAILED


def doctor() -> None:
    """Look whether covey can work here: versions, optional packages, compiled kernels, data, cores and memory.

    Says what to do about each problem. The exit code is 0 unless covey cannot work at all.
    """
    from covey.cli.checkup import CHECKS
    from covey.cli.terminal import out, say, table

    styles = {"ok": "green", "note": "yellow", "problem": "bold red"} if out().is_terminal else {}
    findings = []
    for title, check in CHECKS:
        say(title, style="bold")
        found = check()
        rows = [[one.name, one.value] for one in found]
        grid = table(["", ""], rows)
        grid.show_header, grid.box = False, None
        for place, one in enumerate(found):
            grid.rows[place].style = styles.get(one.state, "") if one.state != "ok" else ""
        out().print(grid)
        findings += found
        say()
    advice = [one for one in findings if one.remedy]
    for one in advice:
        say(f"{one.state}: {one.name}: {one.remedy}", style=styles.get(one.state, ""))
    fatal = [one for one in findings if one.fatal]
    say("covey cannot work here; see the problems above." if fatal else "covey can work here.")
    if fatal:
        raise typer.Exit(FAILED)
