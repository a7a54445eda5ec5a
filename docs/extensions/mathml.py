"""A Sphinx extension that writes formulas as MathML, which browsers show by themselves: pages need no network."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


def write_inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line."""
    translator.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def write_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula of its own."""
    translator.body.append(tex2mathml(node.astext(), as_block=True))
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of the renderer."""
    app.add_html_math_renderer("mathml", (write_inline, None), (write_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
