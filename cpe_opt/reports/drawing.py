"""What pictures share: styles that survive print and colour blindness, labels at ends of lines.

Colours are those of Okabe and Ito, without the yellow, which is too pale for lines; three dash
patterns make eighteen styles of them, so that neighbours differ in grey, too.

This module loads matplotlib, and everything that draws imports this module. Figures are written to
files and never shown, so that a backend that ``MPLBACKEND`` names wrongly is of no concern.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.files import atomic_write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure


PICTURES = (".png", ".pdf", ".svg")
STATUS_COLOURS = {"proved": "#00734F", "possible": "#BFE3D6", "ruled out": "#FFFFFF"}
"""Of winners, by what votes prove."""
LABEL_SIZE = 8.0  # points
SAME_LINE = 0.01  # lines whose relative difference is nowhere larger look like one
Line: TypeAlias = tuple[npt.NDArray[Any], npt.NDArray[Any]]  # x and y
_LINE = 1.25  # of text, by its size
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (6, 2, 1, 2)))
_TEXT_SHADE = 0.72  # text is darker than its line
_LABEL_RANGE = (-0.25, 1.0)  # of the axes' height, in which labels stand: no title is there
_LAYOUT_SLACK = 0.8  # of the height of axes, what titles and labels leave of it
_OWN_SHEET = str(Path(__file__).parent / "pictures.mplstyle")
_sheets: ContextVar[tuple[str, ...]] = ContextVar("_sheets", default=())
# To the left edge of the text, across no other label.
_TO_LABEL: dict[str, Any] = {"arrowstyle": "-", "lw": 0.6, "shrinkA": 1.0, "relpos": (0.0, 0.5)}
_DECADES = 100.0  # a log axis that spans less is short


def _load_matplotlib() -> None:
    """Import matplotlib with the backend that ``MPLBACKEND`` names, if there is such a backend."""
    if "matplotlib" in sys.modules:
        return
    backend = os.environ.pop("MPLBACKEND", None)  # which would have to be one that it knows
    try:
        import matplotlib
    finally:
        if backend is not None:
            os.environ["MPLBACKEND"] = backend
    if backend:
        with contextlib.suppress(ValueError):
            matplotlib.rcParams["backend"] = backend


_load_matplotlib()


@contextlib.contextmanager
def picture_style(sheet: str | os.PathLike[str] | None = None) -> Iterator[None]:
    """Draw pictures of runs by the package's style sheet, and by yours on top of it.

    Parameters
    ----------
    sheet : str or path, optional
        A matplotlib style: a ``.mplstyle`` file, or the name of one.

    Raises
    ------
    InputError
        Where there is no such style, or it is damaged.

    Examples
    --------
    >>> import matplotlib
    >>> with picture_style("grayscale"):
    ...     matplotlib.rcParams["pdf.fonttype"], matplotlib.rcParams["image.cmap"]
    (42, 'gray')
    """
    import matplotlib.style

    sheets = _sheets.get() if sheet is None else (*_sheets.get(), os.fspath(sheet))
    try:
        context = matplotlib.style.context([_OWN_SHEET, *sheets])
        context.__enter__()
    except (OSError, ValueError) as error:
        raise InputError(f"style {str(sheet)!r}: {error}") from None
    token = _sheets.set(sheets)
    try:
        yield
    finally:
        _sheets.reset(token)
        context.__exit__(None, None, None)


@dataclass(frozen=True)
class Style:
    """How a line is drawn, and the colour of its label."""

    color: str
    linestyle: Any
    text: str

    @property
    def line(self) -> dict[str, Any]:
        """Keywords of a line."""
        return {"color": self.color, "linestyle": self.linestyle}


def styles(names: Iterable[str]) -> dict[str, Style]:
    """A style for every name; from the nineteenth on they repeat."""
    from matplotlib.colors import to_hex, to_rgb

    found = {}
    for number, name in enumerate(names):
        color = _COLOURS[number % len(_COLOURS)]
        dash = _DASHES[(number + number // len(_COLOURS)) % len(_DASHES)]
        red, green, blue = (_TEXT_SHADE * part for part in to_rgb(color))
        shade = to_hex((red, green, blue))
        found[name] = Style(color, dash, shade)
    return found


@dataclass(frozen=True)
class End:
    """The end of a line, in the units of its axes, and what to write there."""

    x: float
    y: float
    text: str
    style: Style


def label_ends(axes: Axes, ends: Sequence[End]) -> None:
    """Write labels to the right of the axes, each at the height of its end or as near as fits.

    None stands above the axes, where titles are. To be called once limits and scales are set.
    """
    from matplotlib.transforms import Bbox

    if not ends:
        return
    figure = axes.get_figure(root=True)
    inches = 0.0 if figure is None else float(figure.get_figheight())
    height = 72.0 * inches * Bbox(axes.get_position()).height * _LAYOUT_SLACK
    to_axes = axes.transData + axes.transAxes.inverted()
    order = sorted(ends, key=lambda end: end.y)
    wanted = np.array([float(to_axes.transform((end.x, end.y))[1]) for end in order])
    heights = np.array([_LINE * LABEL_SIZE * (1 + end.text.count("\n")) / height for end in order])
    for end, place in zip(order, spread(wanted, heights, *_LABEL_RANGE), strict=True):
        axes.annotate(
            end.text,
            xy=(end.x, end.y),
            xytext=(1.03, place),
            textcoords="axes fraction",
            color=end.style.text,
            fontsize=LABEL_SIZE,
            verticalalignment="center",
            arrowprops={"color": end.style.color, **_TO_LABEL},
        )


def end_texts(lines: Mapping[str, Line]) -> dict[str, str]:
    """What is written at the end of each line; lines that cover each other share a label."""
    texts: dict[str, str] = {}
    for name, line in lines.items():
        covered = next((other for other in texts if _alike(line, lines[other])), None)
        if covered is None:
            texts[name] = name
        else:
            texts[covered] += f",\n{name} (same line)"
    return texts


def _alike(one: Line, two: Line) -> bool:
    """Whether two lines look like one."""
    if len(two[0]) < 2 or one[0][-1] != two[0][-1]:
        return False
    other = np.interp(one[0], two[0], two[1])
    return bool((np.abs(one[1] - other) <= SAME_LINE * np.abs(other)).all())


def spread(
    wanted: FloatArray, heights: FloatArray, low: float = -math.inf, high: float = math.inf
) -> FloatArray:
    """Places of labels without overlap, as near as can be (least squares) to those wanted.

    These ascend; labels are centred on their places. They lie between ``low`` and ``high``; where
    these leave too little room, below ``high`` alone.
    """
    from scipy.optimize import isotonic_regression

    offsets = np.concatenate([[0.0], np.cumsum((heights[1:] + heights[:-1]) / 2.0)])
    # The optimum within bounds is the one without, cut off at them.
    first = np.maximum(isotonic_regression(wanted - offsets).x, low + heights[0] / 2.0)
    return np.asarray(np.minimum(first, high - heights[-1] / 2.0 - offsets[-1]) + offsets)


def longest_text(labels: Sequence[str], size: float) -> float:
    """The length of the longest label in inches, at a size in points."""
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.font_manager import FontProperties

    renderer: Any = RendererAgg(8, 8, 72.0)  # type: ignore[no-untyped-call]
    font = FontProperties(size=size)
    with warnings.catch_warnings():  # of glyphs that a font lacks: said where they are drawn
        warnings.filterwarnings("ignore", message="Glyph ")
        lengths = [renderer.get_text_width_height_descent(text, font, False)[0] for text in labels]
    return float(max(lengths)) / 72.0


def check_picture(path: Path) -> None:
    """Raise :class:`InputError` unless the suffix is that of a picture."""
    if path.suffix.lower() not in PICTURES:
        raise InputError(f"cannot draw {path.name!r}: expected one of {', '.join(PICTURES)}")


def draw_picture(
    draw: Callable[[Figure | SubFigure], Axes],
    size: tuple[float, float],
    path: str | os.PathLike[str] | None,
    ax: Axes | None,
) -> Axes:
    """Draw into a new figure of this size in inches, or in place of ``ax``; returns what is drawn.

    The figure is also written to the path if there is one; a wrong suffix is refused first.
    """
    from matplotlib.figure import Figure

    def instead(axes: Axes) -> Axes:
        place = axes.get_subplotspec()
        if place is None:
            raise InputError("ax has no place in a grid, expected axes of plt.subplots()")
        axes.axis("off")
        return draw(figure_of(axes).add_subfigure(place))

    return draw_axes(instead, lambda: draw(Figure(figsize=size, dpi=130)), path, ax)


def draw_axes(
    into: Callable[[Axes], Axes | None],
    new: Callable[[], Axes],
    path: str | os.PathLike[str] | None,
    ax: Axes | None,
) -> Axes:
    """Draw ``into`` the axes that are given, or ``new`` ones; returns these, or what was drawn."""
    if path is not None:
        check_picture(Path(path))
    axes = new() if ax is None else into(ax) or ax
    if path is not None:
        save_figure(figure_of(axes), Path(path))
    return axes


def figure_of(axes: Axes) -> Figure:
    """The whole figure that axes are in."""
    figure = axes.get_figure(root=True)
    if figure is None:
        raise InputError("ax was removed from its figure, expected axes of one")
    return figure


def save_figure(figure: Figure, path: Path) -> Path:
    """Write a figure, whole or not at all."""
    check_picture(path)
    _label_short_log_axes(figure)
    with atomic_write(path) as temporary, picture_style():
        figure.savefig(temporary, format=path.suffix[1:].lower())
    return path


def svg_text(figure: Figure, salt: str) -> str:
    """A figure as SVG whose labels are text; the same for the same figure and salt."""
    from matplotlib import rc_context

    stream = io.StringIO()
    styled = rc_context({"svg.fonttype": "none", "svg.hashsalt": salt})
    with styled, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph ")  # a browser has more fonts
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue()


def _label_short_log_axes(figure: Figure) -> None:
    """Labels at 1, 2, 5, 10, … where powers of ten alone would be too few to read.

    Where even those are too few they are evenly spaced, a handful.
    """
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    for axes in figure.axes:
        for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            if axis.get_scale() == "log" and high < _DECADES * low:
                few = high < 5.0 * low
                axis.set_major_locator(MaxNLocator(5) if few else LogLocator(subs=(1.0, 2.0, 5.0)))
                axis.set_major_formatter(
                    FuncFormatter(lambda tick, _: f"{tick:,.0f}" if tick >= 1.0 else f"{tick:g}")
                )
                axis.set_minor_formatter(NullFormatter())


def log_margins(low: float, high: float, share: float = 0.04) -> tuple[float, float]:
    """Limits of a log axis a little wider than what is drawn."""
    room = max(share * math.log(high / low), share)
    return low * math.exp(-room), high * math.exp(room)
