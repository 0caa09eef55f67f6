"""The kept pages of the papers' reproduced figures, as pages of the site."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

KEPT = Path(__file__).parents[1] / "examples" / "reproduced"
_PICTURE = re.compile(r"^!\[([^\]]*)\]\(([^)]+)\)$", re.M)


def write_reproduced(folder: Path, kept: Path = KEPT) -> None:
    """Copy Markdown and pictures; the list of them becomes ``index.md``, with a table of contents.

    Parameters
    ----------
    folder : path
        Made anew.
    kept : path
        Where they are.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    pages = [page for page in sorted(kept.glob("*.md")) if page.name != "README.md"]
    for page in pages:
        text = _link_pictures(page.read_text(encoding="utf-8"))
        (folder / page.name).write_text(text, encoding="utf-8")
    for picture in sorted(kept.glob("*.png")):
        shutil.copyfile(picture, folder / picture.name)
    contents = ["```{toctree}", ":hidden:", *(page.stem for page in pages), "```", ""]
    about = (kept / "README.md").read_text(encoding="utf-8")
    (folder / "index.md").write_text("\n".join([about, *contents]), encoding="utf-8")


def _link_pictures(text: str) -> str:
    """Give pictures a width: these have many parts, and Sphinx links scaled ones to the file."""
    title = text.partition("\n")[0].removeprefix("# ")
    return _PICTURE.sub(
        lambda found: (
            f"```{{image}} {found[2]}\n:alt: '{title}, picture: {found[1]}'\n:width: 100%\n```"
        ),
        text,
    )
