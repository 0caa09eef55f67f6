"""The site's settings. ``make docs`` builds it; a warning, such as a dead link, is an error."""

import sys
from importlib.util import find_spec
from pathlib import Path

import cpe_opt

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

project = "cpe_opt"
author = "The cpe_opt founders"
copyright = f"2026, {author}"  # noqa: A001 (Sphinx's name for it)
version = release = cpe_opt.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "attribute_entries",
    "gallery_figures",
    "generated_pages",
    "notebook_pictures",
]
exclude_patterns = [
    "_build",
    "**/README.md",
    "command_examples.md",  # pieces of generated/commands.md
    "gallery/*.py",
    "gallery/*.ipynb",
]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

# What is documented here must be found; other packages' names are not links, as nothing is loaded
# from elsewhere, not even when the site is built.
nitpicky = True
nitpick_ignore_regex = [(r"py:.*", r"(?!cpe_opt).*")]
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
add_module_names = False

html_theme = "furo"
html_title = f"cpe_opt {version}"
templates_path = ["_templates"]
# Formulas are set by MathJax from this folder of a package: nothing is loaded from elsewhere. Its
# parts are named, since all in one file would bring a menu, whose speech comes from elsewhere.
_MATHJAX = find_spec("sphinx-mathjax-offline")
assert _MATHJAX is not None
html_static_path = [
    "_static",
    *(str(Path(place) / "static") for place in _MATHJAX.submodule_search_locations or ()),
]
mathjax_path = "mathjax/startup.js"
_PARTS = ("input/tex", "output/chtml", "a11y/assistive-mml")
mathjax3_config = {"loader": {"load": _PARTS}}
html_favicon = "_static/icon.svg"
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}

sphinx_gallery_conf = {
    "examples_dirs": ["../examples/gallery"],
    "gallery_dirs": ["gallery"],
    "image_scrapers": ("gallery_figures.figure_scraper",),
    "filename_pattern": r"\.py$",
    "download_all_examples": False,
    "write_computation_times": False,
    "show_memory": False,
    "show_signature": False,
    "capture_repr": (),
    "default_thumb_file": str(HERE / "_static" / "icon.svg"),
    "min_reported_time": 1e9,
    "abort_on_example_error": True,
    "within_subsection_order": "FileNameSortKey",
}
