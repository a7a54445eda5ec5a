"""How Sphinx builds the documentation."""

import os

import matplotlib as mpl

import covey

mpl.use("Agg")
# Examples run in this process; their figures and scores must not depend on files or cores of the machine.
os.environ.pop("COVEY_DATA", None)

project = "covey"
release = covey.__version__
extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc", "myst_parser", "sphinx_gallery.gen_gallery"]
autosummary_generate = True
numpydoc_show_class_members = False
html_theme = "furo"
html_title = f"covey {release}"
html_static_path = ["_static"]
# Docstrings inherited from scikit-learn refer to scikit-learn's own pages.
suppress_warnings = ["ref.ref"]

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


def setup(app):
    app.add_css_file("gallery.css")
