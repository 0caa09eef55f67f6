"""The kept pages of the papers' reproduced figures, as pages of the site."""

from __future__ import annotations

import shutil
from pathlib import Path

KEPT = Path(__file__).parents[1] / "examples" / "reproduced"


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
    for file in [*pages, *sorted(kept.glob("*.png"))]:
        shutil.copyfile(file, folder / file.name)
    contents = ["```{toctree}", ":hidden:", *(page.stem for page in pages), "```", ""]
    about = (kept / "README.md").read_text(encoding="utf-8")
    (folder / "index.md").write_text("\n".join([about, *contents]), encoding="utf-8")
