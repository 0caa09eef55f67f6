"""The picture of a gallery script: what it calls ``figure``, whichever way that was made."""

from __future__ import annotations

from typing import Any

from sphinx_gallery.scrapers import figure_rst


def figure_scraper(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Save the figure of a script when its last block has run."""
    figure = block_vars["example_globals"].pop("figure", None)
    if figure is None:
        return ""
    path = next(block_vars["image_path_iterator"])
    figure.savefig(path, dpi=120)
    return str(figure_rst([path], gallery_conf["src_dir"]))
