"""Sphinx settings of the documentation site. scripts/docs.py puts this file beside the pages that it prepares."""
import os
import re

project = "Stiction"
author = "The Stiction authors"
copyright = author  # noqa: A001, Sphinx's name for it
release = version = os.environ.get("STICTION_VERSION", "")

extensions = ["myst_parser", "sphinx.ext.mathjax"]  # mathjax: marks formulas; KaTeX in math.js sets them
python = os.environ.get("STICTION_PYTHON")
if python:
    import sys

    sys.path.insert(0, python)
    extensions += ["sphinx.ext.autodoc"]
    autodoc_default_options = {"members": True, "undoc-members": True, "imported-members": True}
    autodoc_member_order = "groupwise"
root_doc = "index"
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
mathjax_path = "math.js"
highlight_language = "none"

html_theme = "furo"
html_title = f"Stiction {release}"
html_static_path = ["static"]
html_css_files = ["katex/katex.min.css", "site.css"]
html_js_files = ["katex/katex.min.js", "katex/auto-render.js"]
html_show_sphinx = False
html_copy_source = False
html_show_search_summary = False  # it would be fetched, which browsers refuse for files
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f6feb", "color-brand-content": "#1f6feb"},
    "dark_css_variables": {"color-brand-primary": "#6ea8ff", "color-brand-content": "#6ea8ff"},
}


def setup(app):
    """Docstrings are plain text: |v| and * in their formulas are no markup."""
    def plain(_app, _what, _name, _object, _options, lines):
        lines[:] = [re.sub(r"([|*])|(?<=\w)_(?=\W|$)", lambda m: "\\" + m[0], line) for line in lines]

    if python:
        app.connect("autodoc-process-docstring", plain)
