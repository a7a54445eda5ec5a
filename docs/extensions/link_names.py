"""A Sphinx extension that links names in code type, such as ``MultiBoostClassifier``, to their pages in the API."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from inspect import getattr_static
from pkgutil import resolve_name
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.nodes import make_refnode

# The page on which every known name is linked; elsewhere words that may mean something else are not.
API = "api"
NAME = re.compile(r"([A-Za-z_][\w.]*)(\(.*\))?", re.DOTALL)
KINDS = ("class", "function", "exception", "data")


@cache
def names_of(app: Sphinx) -> dict[str, list[str]]:
    """Return the full names of documented things by their last part; pages are resolved when all have been read."""
    found = defaultdict(list)
    for full, entry in app.env.domaindata["py"]["objects"].items():
        if entry.objtype in KINDS:
            found[full.rpartition(".")[2]].append(full)
    return dict(found)


def find_page(app: Sphinx, name: str) -> tuple[str, str, str] | None:
    """Return the page, the anchor and the full name of what is documented under that name, or None."""
    known = names_of(app).get(name.rpartition(".")[2], [])
    fitting = [full for full in known if full == name or full.endswith(f".{name}")]
    if not fitting:
        return None
    full = min(fitting, key=len)  # of several, such as a class of a package and of its module, what users import
    entry = app.env.domaindata["py"]["objects"][full]
    return entry.docname, entry.node_id, full


def link_literals(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Turn literals that are names of the API into references."""
    for literal in list(doctree.findall(nodes.literal)):
        named = NAME.fullmatch(literal.astext())
        if named is None or isinstance(literal.parent, nodes.reference | nodes.title):
            continue
        name, called = named.groups()
        if not (docname == API or called or "_" in name or "." in name or name[0].isupper()):
            continue
        page = find_page(app, name)
        if page is not None and page[0] != docname:
            literal.replace_self(make_refnode(app.builder, docname, page[0], page[1], literal.deepcopy(), page[2]))


def link_unresolved(app: Sphinx, env: Any, node: Any, content: nodes.Element) -> nodes.Element | None:
    """Resolve a reference of a docstring by the name alone."""
    page = find_page(app, node.get("reftarget", "")) if node.get("refdomain") == "py" else None
    return page and make_refnode(app.builder, node["refdoc"], page[0], page[1], content, page[2])


def properties_of(fullname: str, attributes: list[str]) -> list[str]:
    """Return those attributes of a class that are properties with a text of their own, for its page."""
    owner = resolve_name(fullname)
    found = {name: getattr_static(owner, name, None) for name in attributes}
    return [name for name, value in found.items() if getattr(value, "fget", None) is not None and value.__doc__]


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect to Sphinx."""
    app.connect("doctree-resolved", link_literals)
    app.connect("missing-reference", link_unresolved)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
