"""The version of a release in the source, the changelog and the citation."""

from __future__ import annotations

from pathlib import Path

import pytest
import versions

ROOT = Path(__file__).parents[2]
CHANGELOG = "# Changelog\n\n## 0.2.0 (2026-01-31)\n\n### Data\n\n## 0.1.0 (2025-01-31)\n"
CITATION = "cff-version: 1.2.0\nversion: 0.2.0\ndate-released: 2026-01-31\n"


@pytest.mark.parametrize(
    ("version", "changelog", "citation", "wrong"),
    [
        ("0.2.0", CHANGELOG, CITATION, []),
        ("0.2.0.dev0", CHANGELOG, CITATION, ["not that of a release", "CHANGELOG", "CITATION"]),
        ("0.2.1", CHANGELOG, CITATION, ["newest heading is of 0.2.0", "CITATION.cff is of version 0.2.0"]),
        ("0.2.0", CHANGELOG.replace("2026-01-31", "not yet released"), CITATION, ["'0.2.0 \\(not yet released\\)'"]),
        ("0.2.0", CHANGELOG, CITATION.replace("2026", "2025"), ["dated 2025-01-31, CHANGELOG.md 2026-01-31"]),
        ("0.2.0", CHANGELOG, "cff-version: 1.2.0\n", ["of version none", "dated nothing"]),
    ],
)
def test_the_places_of_a_version(version, changelog, citation, wrong):
    found = versions.check_versions(version, changelog, citation)
    assert len(found) == len(wrong)
    for line, part in zip(found, wrong, strict=True):
        assert part.replace("\\", "") in line


def test_the_version_of_the_source():
    import covey

    assert versions.version_of(ROOT) == covey.__version__
