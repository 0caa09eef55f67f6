"""The pictures of the gallery: those that its scripts make, and words for the small ones."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from picture_words import GALLERY, join_lines_of_words, one_line
from sphinx_gallery.scrapers import figure_rst


def setup(app: Any) -> dict[str, bool]:
    """Sphinx's entry."""
    app.connect("source-read", join_words)
    app.connect("doctree-read", lambda _, document: describe_thumbnails(document))
    return {"parallel_read_safe": True}


def figure_scraper(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Save what a script calls ``figure``, whichever way that was made, when its last block ran."""
    figure = block_vars["example_globals"].pop("figure", None)
    if figure is None:
        return ""
    path = next(block_vars["image_path_iterator"])
    figure.savefig(path, dpi=120)
    words = one_line(GALLERY[Path(block_vars["src_file"]).stem])
    return str(figure_rst([path], gallery_conf["src_dir"], words))


def join_words(app: Any, name: str, source: list[str]) -> None:
    """The words of a page's pictures on one line each."""
    source[0] = join_lines_of_words(source[0])


def describe_thumbnails(document: nodes.document) -> None:
    """A small picture says what its script is about, as the text for the mouse before it does."""
    about = ""
    for node in document.findall():
        if isinstance(node, nodes.raw):
            found = re.search(r'tooltip="([^"]*)"', node.astext())
            about = html.unescape(found[1]) if found else about
        elif isinstance(node, nodes.image) and not node.get("alt"):
            node["alt"] = about
