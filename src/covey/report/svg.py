"""Drawings made small, safe and fit to stand with others in one page.

Only what draws is kept: shapes, text, clips, patterns and embedded pictures. Scripts, event handlers, links, styles
that would reach the rest of a page and references to other files are left out, whoever wrote them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from xml.etree import ElementTree

from covey._text import spelt_out

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
# Figures are laid out for DejaVu Sans. Verdana, of Windows and Apple's systems, is as wide, and others are narrower.
FONTS = "'DejaVu Sans', Verdana, Arial, Helvetica, sans-serif"

_SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use", "image"}
_HOLDERS = {"g", "defs", "clipPath", "pattern", "text", "tspan", "linearGradient", "radialGradient", "stop"}
_KEPT = _SHAPES | _HOLDERS
_LOOKS = {
    *("fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray"),
    *("stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "font", "font-family"),
    *("font-size", "font-style", "font-weight", "font-variant", "font-stretch", "text-anchor", "letter-spacing"),
}
_OWN_LOOKS = {"opacity", "clip-rule", "image-rendering", "stop-color", "stop-opacity", "paint-order"}
_PLACES = {
    *("d", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "ry", "dx", "dy", "width", "height", "points"),
    *("viewBox", "transform", "patternTransform", "gradientTransform", "offset"),
}
_WORDS = {"clip-path", "preserveAspectRatio", "patternUnits", "patternContentUnits", "clipPathUnits"}
_ATTRIBUTES = {*_LOOKS, *_OWN_LOOKS, *_PLACES, *_WORDS, "gradientUnits"}
_LOCAL = re.compile(r"url\(\s*#([^)\s]+)\s*\)")
_LONG = re.compile(r"-?\d+\.\d{3,}")
_COMMAND = re.compile(r"\s*([MmLlHhVvCcSsQqTtAaZz])\s*")
_NO_TURN = re.compile(r"rotate\(-?0(?:\.0*)?[ ,][^)]*\)")
_PICTURE = re.compile(r"data:image/(?:png|jpeg);base64,[A-Za-z0-9+/=\s]+")
_VALUE = re.compile(r"[\w#.,%()'\" +-]*")


def clean_svg(source: str, prefix: str, *, title: str = "", description: str = "") -> str:
    """Return a drawing with nothing in it but the drawing.

    Parameters
    ----------
    source : str
        A whole SVG file.
    prefix : str
        What its ids start with: numbers follow. Those that nothing refers to are dropped.
    title, description : str
        What it shows, for those who do not see it.

    Returns
    -------
    str
        An svg element that can stand in an HTML page and in a file of its own. Cleaned again, it stays the same.
        Coordinates have two decimals, hundredths of a point.
    """
    try:
        root = ElementTree.fromstring(spelt_out(source, keep="\n\r\t"))
    except ElementTree.ParseError as error:
        raise ValueError(f"svg={source[:60]!r} is not an SVG drawing ({error}); give what to_svg returns.") from error
    if root.tag != f"{{{SVG}}}svg":
        raise ValueError(f"svg={source[:60]!r} is a {root.tag!r}, not a drawing; give what to_svg returns.")
    writer = _Writer(prefix, _targets(root))
    head = {"xmlns": SVG, "xmlns:xlink": XLINK, **writer.attributes(root)}
    head |= {"font-family": FONTS, "stroke-linejoin": "round"}
    words = ""
    if title or description:
        named = [f"{prefix}{kind}" for kind, text in (("title", title), ("desc", description)) if text]
        head |= {"role": "img", "aria-labelledby": " ".join(named)}
        words = _worded("title", prefix, title) + _worded("desc", prefix, description)
    return f"<svg{_written(head)}>{words}{writer.inside(root)}</svg>"


def _worded(kind: str, prefix: str, text: str) -> str:
    return f'<{kind} id="{escape(prefix)}{kind}">{escape(spelt_out(text))}</{kind}>' if text else ""


def _targets(root: ElementTree.Element) -> dict[str, str]:
    """Return the ids that something in a drawing refers to, and a number for each."""
    wanted = set()
    for element in root.iter():
        for name, value in element.items():
            if name.endswith("href") and value.startswith("#"):
                wanted.add(value[1:])
            elif "url" in value:
                wanted.update(_LOCAL.findall(value))
    there = dict.fromkeys(name for element in root.iter() if (name := element.get("id", "")) in wanted)
    return {name: str(number) for number, name in enumerate(there, 1)}


def _written(attributes: dict[str, str]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())


class _Writer:
    """Writes elements, with a prefix for the ids that are referred to."""

    def __init__(self, prefix: str, targets: dict[str, str]) -> None:
        self.names = {name: f"{prefix}{number}" for name, number in targets.items()}

    def inside(self, element: ElementTree.Element, given: str = "") -> str:
        """Write what is in an element, but for a style that it has given already."""
        worded = element.tag.rpartition("}")[2] in ("text", "tspan")
        parts = [escape(element.text or "", quote=False)] if worded else []
        for child in element:
            parts.append(self.element(child, given))
            if worded:
                parts.append(escape(child.tail or "", quote=False))
        return "".join(parts)

    def element(self, element: ElementTree.Element, given: str) -> str:
        namespace, _, name = str(element.tag).rpartition("}")
        if namespace != f"{{{SVG}" or name not in _KEPT:
            return ""
        attributes = self.attributes(element)
        if name in ("use", "image") and "xlink:href" not in attributes:
            return ""
        if attributes.get("style") == given:
            attributes.pop("style", None)
        if name == "g" and (shared := self.shared_style(element)) and "style" not in attributes:
            attributes["style"] = shared
            return f"<g{_written(attributes)}>{self.inside(element, shared)}</g>"
        content = self.inside(element)
        if name in ("g", "defs") and not (attributes and content):
            return f"<defs>{content}</defs>" if name == "defs" and content else content
        return f"<{name}{_written(attributes)}>{content}</{name}>" if content else f"<{name}{_written(attributes)}/>"

    def shared_style(self, group: ElementTree.Element) -> str:
        """Return the style that all elements of a group have, if a group can give it to them."""
        styles = {style_of(child.get("style", "")) for child in group}
        if len(group) < 2 or len(styles) > 1 or any(child.tag != f"{{{SVG}}}use" for child in group):
            return ""
        (style,) = styles
        return style if all(part.partition(":")[0] in _LOOKS for part in style.split(";")) else ""

    def attributes(self, element: ElementTree.Element) -> dict[str, str]:
        kept: dict[str, str] = {}
        for key, value in element.items():
            name = key.rpartition("}")[2]
            if name == "href":
                self.refer(element, value, kept)
            elif name == "style":
                kept["style"] = self.renamed(style_of(value))
            elif key == "id":
                kept["id"] = self.names.get(value, "")
            elif key in _ATTRIBUTES:
                kept[key] = self.renamed(_shortened(key, value))
        return {name: value for name, value in kept.items() if value}

    def refer(self, element: ElementTree.Element, value: str, kept: dict[str, str]) -> None:
        """Keep a reference to a part of the same drawing, and a picture that is written out."""
        name = element.tag.rpartition("}")[2]
        if value.startswith("#") and name in ("use", "linearGradient", "radialGradient", "pattern"):
            kept["xlink:href"] = f"#{self.names[value[1:]]}" if value[1:] in self.names else ""
        elif name == "image" and _PICTURE.fullmatch(value):
            kept["xlink:href"] = "".join(value.split())

    def renamed(self, value: str) -> str:
        """Return a value with its references in the same drawing, or nothing if it has others."""
        if "url" not in value.lower():
            return value
        found = _LOCAL.findall(value)
        if value.lower().count("url") > len(found) or not all(name in self.names for name in found):
            return ""
        return _LOCAL.sub(lambda found: f"url(#{self.names[found[1]]})", value)


@lru_cache(maxsize=4096)
def style_of(style: str) -> str:
    """Return the parts of a style that say how shapes and letters look."""
    kept = []
    for part in style.split(";"):
        name, _, value = (piece.strip() for piece in part.partition(":"))
        if name == "font-family" and value.startswith("'DejaVu Sans', "):
            continue
        if name in _LOOKS | _OWN_LOOKS and _VALUE.fullmatch(value):
            kept.append(f"{name}:{value}")
    return ";".join(kept)


def _shortened(name: str, value: str) -> str:
    if name not in _PLACES:
        return value
    if name.endswith("ransform"):
        return _LONG.sub(lambda found: _rounded(found[0], 5), _NO_TURN.sub("", value)).strip()
    value = _LONG.sub(lambda found: _rounded(found[0], 2), value)
    return _COMMAND.sub(r"\1", " ".join(value.split())) if name == "d" else value


def _rounded(number: str, decimals: int) -> str:
    text = f"{float(number):.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
