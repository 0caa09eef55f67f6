"""What the pictures of the site share: a size that is legible on a telephone, and few colours."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

# Those of Okabe and Ito, as in all pictures of the package.
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#777777"
WIDTH = 4.6  # inches: letters of 10 points stay legible where this is shown in 350 pixels
DOTS = 160


def panels(number: int = 1, height: float = 3.2) -> tuple[Figure, list[Axes]]:
    """A figure with so many axes, one below the other, each so many inches high."""
    figure = Figure(figsize=(WIDTH, number * height), layout="constrained", facecolor="white")
    axes = [figure.add_subplot(number, 1, place + 1) for place in range(number)]
    return figure, axes


def save(figure: Figure, path: Path) -> None:
    """Write it with a palette of 64 colours: a third of the size, and the same to the eye."""
    buffer = BytesIO()
    figure.savefig(buffer, dpi=DOTS)
    with Image.open(buffer) as drawn:
        drawn.convert("RGB").quantize(64).save(path, optimize=True)
