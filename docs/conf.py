"""How Sphinx builds the documentation."""

import os
import sys
from pathlib import Path

import matplotlib as mpl

import covey

sys.path.insert(0, str(Path(__file__).parent / "extensions"))
from link_names import properties_of

mpl.use("Agg")
# Examples run in this process; their figures and scores must not depend on files or cores of the machine.
os.environ.pop("COVEY_DATA", None)

project = "covey"
release = covey.__version__
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "link_names",
    "mathml",
]
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
html_css_files = ["covey.css", "gallery.css"]
html_math_renderer = "mathml"
html_show_copyright = False
html_show_sourcelink = False
# Docstrings inherited from scikit-learn refer to scikit-learn's own pages; the function above is no value to compare.
suppress_warnings = ["ref.ref", "config.cache"]

FOLDERS = ("start", "trees", "spheres", "neighbours", "subspaces", "triskel", "combination", "science", "studies")
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "auto_examples",
    "filename_pattern": r"/plot_",
    "ignore_pattern": r"figures\.py$",
    "subsection_order": [f"../examples/{name}" for name in FOLDERS],
    "within_subsection_order": "FileNameSortKey",
    "image_scrapers": ("matplotlib",),
    "reset_modules": ("matplotlib",),
    # What a drawing function returns is seen already.
    "ignore_repr_types": r"matplotlib|numpy\.ndarray",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "thumbnail_size": (400, 280),
}
