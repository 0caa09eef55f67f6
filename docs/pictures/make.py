"""Draw the pictures of the pages: python docs/pictures/make.py FOLDER [NAME …]."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from cpe_opt.reports.drawing import picture_style

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
NAMES = sorted(path.stem for path in HERE.glob("*.py") if path.stem not in ("make", "style"))


def main(folder: Path, names: list[str]) -> None:
    """Draw each picture to a file of its name."""
    style = importlib.import_module("style")
    for name in names:
        with picture_style(HERE / "telephone.mplstyle"):
            figure = importlib.import_module(name).draw()
            style.save(figure, folder / f"{name.replace('_', '-')}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or NAMES)
