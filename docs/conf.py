"""How Sphinx builds the documentation."""

import sys
from pathlib import Path

import covey

sys.path.insert(0, str(Path(__file__).parent / "extensions"))
from link_names import properties_of

project = "covey"
release = covey.__version__
extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc", "myst_parser", "link_names", "mathml"]
exclude_patterns = ["extensions"]
templates_path = ["_templates"]
autosummary_generate = True
autosummary_context = {"properties_of": properties_of}
# Docstrings say what arguments are; the annotations make signatures unreadable.
autodoc_typehints = "none"
numpydoc_show_class_members = False
default_role = "py:obj"
myst_heading_anchors = 3
html_theme = "furo"
html_title = f"covey {release}"
html_static_path = ["_static"]
html_css_files = ["covey.css"]
html_math_renderer = "mathml"
html_show_copyright = False
html_show_sourcelink = False
# Docstrings inherited from scikit-learn refer to scikit-learn's own pages; the function above is no value to compare.
suppress_warnings = ["ref.ref", "config.cache"]
