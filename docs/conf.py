"""How Sphinx builds the documentation."""

import covey

project = "covey"
release = covey.__version__
extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc", "myst_parser"]
autosummary_generate = True
numpydoc_show_class_members = False
html_theme = "furo"
html_title = f"covey {release}"
# Docstrings inherited from scikit-learn refer to scikit-learn's own pages.
suppress_warnings = ["ref.ref"]
