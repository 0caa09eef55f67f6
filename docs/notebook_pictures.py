"""The pictures of the notebooks, made by running them when the site is built."""

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path
from typing import Any

_BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)


def setup(app: Any) -> dict[str, bool]:
    """Sphinx's entry: before it reads any page."""
    app.connect("config-inited", lambda app, _: draw_notebooks(Path(app.srcdir)))
    return {"parallel_read_safe": True}


def draw_notebooks(docs: Path) -> None:
    """Run the notebooks' code in ``generated/notebooks``, where the pages look for pictures."""
    import matplotlib
    from matplotlib import pyplot as plt

    matplotlib.use("Agg")
    folder = docs / "generated" / "notebooks"
    folder.mkdir(parents=True, exist_ok=True)
    for page in sorted((docs / "notebooks").glob("*.md")):
        code = "\n".join(_BLOCK.findall(page.read_text(encoding="utf-8")))
        if code:
            with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
                exec(compile(code, os.fspath(page), "exec"), {"__name__": "__main__"})
            plt.close("all")
