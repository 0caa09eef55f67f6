"""The code of the examples and of the how-to pages as mypy sees it: ``python -m tests.docs.typed``.

Scripts are checked strictly. On pages functions need no annotations, which readers leave out, too;
everything else is as strict: what the package takes and returns has to fit. The blocks of a page
are one module, as a reader types them; a block that is a file of its own is one of that name.
Options of single files are written in them, or stand in ``pyproject.toml``: mypy then takes what it
knows of the package from the cache of its own run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.docs.blocks import ROOT, blocks_of

PAGES = [
    *sorted((ROOT / "docs" / "howto").glob("*.md")),
    *(ROOT / "docs" / f"{name}.md" for name in ("programs-of-a-run", "results", "sessions")),
]
SCRIPTS = sorted((ROOT / "examples").rglob("*.py"))
NO_ANNOTATIONS = "# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls"


def main() -> int:
    """Print what mypy finds; 1 where that is anything."""
    with tempfile.TemporaryDirectory() as folder:
        for page in PAGES:
            write_module(page, Path(folder))
        found = mypy(*sorted(Path(folder).glob("*.py")), *SCRIPTS)
    print("\n".join(found) if found else "no errors in the code of pages and examples")
    return 1 if found else 0


def write_module(page: Path, folder: Path) -> None:
    """The blocks of a page at the lines at which they are on it."""
    text = page.read_text(encoding="utf-8")
    lines = [NO_ANNOTATIONS] + [""] * text.count("\n")
    module = re.sub(r"\W", "_", page.stem)
    for block in blocks_of(text):
        if block.language == "python" and not block.caption:
            for number, line in enumerate(block.body.splitlines()):
                lines[block.line + number] = line
        elif block.language == "python":
            file = folder / block.caption
            if file.exists():  # several pages have a judge.py, which no module imports
                file = folder / f"{module}_{block.caption}"
            file.write_text(f"{NO_ANNOTATIONS}\n{block.body}", encoding="utf-8")
    (folder / f"{module}.py").write_text("\n".join(lines), encoding="utf-8")


def mypy(*files: Path) -> list[str]:
    """The lines that it prints of errors."""
    command = [sys.executable, "-m", "mypy", "--explicit-package-bases", "--no-error-summary"]
    paths = (str(ROOT / "examples" / name) for name in ("adapters", "papers"))
    environment = {**os.environ, "MYPYPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [*command, *map(str, files)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]


if __name__ == "__main__":
    raise SystemExit(main())
