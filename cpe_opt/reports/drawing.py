"""What pictures share: styles that survive print and colour blindness, figures, files.

Colours are those of Okabe and Ito, without the yellow, which is too pale for lines; three dash
patterns make eighteen styles of them, so that neighbours differ in grey, too. Figures are written
to files and never shown; this module loads matplotlib, and all that draws imports it.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cpe_opt.errors import InputError
from cpe_opt.files import PICTURES, atomic_write, check_output

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

STATUS_COLOURS = {"proved": "#00734F", "possible": "#BFE3D6", "ruled out": "#FFFFFF"}
"""Of winners, by what votes prove."""
EDGE = "#777777"
"""Of boxes and bars in these colours."""
LABEL_SIZE = 8.0  # points
_LETTER = 0.62  # the width of an average letter, by its size
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (6, 2, 1, 2)))
_OWN_SHEET = str(Path(__file__).parent / "pictures.mplstyle")
_sheets: ContextVar[tuple[str, ...]] = ContextVar("_sheets", default=())


def _load_matplotlib() -> None:
    """Import matplotlib, also where ``MPLBACKEND`` names no backend: files need none."""
    backend = os.environ.pop("MPLBACKEND", None)
    import matplotlib

    if backend is not None:
        os.environ["MPLBACKEND"] = backend
        with contextlib.suppress(ValueError):
            matplotlib.rcParams["backend"] = backend


if "matplotlib" not in sys.modules:
    _load_matplotlib()


@contextlib.contextmanager
def picture_style(sheet: str | os.PathLike[str] | None = None) -> Iterator[None]:
    """Draw by the package's style sheet, and on top of it by yours: a .mplstyle file, or a name."""
    import matplotlib.style

    sheets = _sheets.get() if sheet is None else (*_sheets.get(), os.fspath(sheet))
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(matplotlib.style.context([_OWN_SHEET, *sheets]))
        except (OSError, ValueError) as error:
            raise InputError(f"style {str(sheet)!r}: {error}") from None
        stack.callback(_sheets.reset, _sheets.set(sheets))
        yield


class Style(NamedTuple):
    """How a line is drawn."""

    color: str
    linestyle: Any


def styles(names: Iterable[str]) -> dict[str, Style]:
    """A style for every name; from the nineteenth on they repeat."""
    colours, dashes = len(_COLOURS), len(_DASHES)
    return {
        name: Style(_COLOURS[k % colours], _DASHES[(k + k // colours) % dashes])
        for k, name in enumerate(names)
    }


def status_marks(what: str) -> list[Artist]:
    """The entries of a legend for the colours of winners, such as ``winner: proved``."""
    from matplotlib.patches import Patch

    return [
        Patch(facecolor=colour, edgecolor=EDGE, label=f"{what}: {status}")
        for status, colour in STATUS_COLOURS.items()
    ]


def label_inches(labels: Iterable[str], size: float) -> float:
    """About the length of the longest label in inches, at a size in points."""
    return _LETTER * size / 72.0 * max(map(len, labels))


def draw_axes(
    draw: Callable[[Axes], Sequence[Artist]],
    size: tuple[float, float],
    path: str | os.PathLike[str] | None,
    ax: Axes | None,
    title: str = "",
) -> Axes:
    """Draw what a legend names into these axes, or those of a new figure of a size in inches."""
    from matplotlib.figure import Figure

    if path is not None:
        check_output(path, PICTURES, force=True)
    legend: dict[str, Any] = {"ncols": 2, "frameon": False}
    if ax is not None:
        legend |= {"loc": "upper center", "bbox_to_anchor": (0.5, -0.02)}
        if title:
            ax.set_title(title, parse_math=False)
        ax.legend(handles=draw(ax), **legend)
    else:
        with picture_style():
            figure = Figure(figsize=size)
            ax = figure.add_subplot()
            if title:
                figure.suptitle(title, fontsize="large", parse_math=False)
            figure.legend(handles=draw(ax), loc="outside lower center", **legend)
    if path is not None:
        save_figure(figure_of(ax), Path(path))
    return ax


def figure_of(axes: Axes) -> Figure:
    """The whole figure that axes are in."""
    figure = axes.get_figure(root=True)
    if figure is None:
        raise InputError("ax was removed from its figure, expected axes of one")
    return figure


def save_figure(figure: Figure, path: Path) -> Path:
    """Write a figure, whole or not at all."""
    check_output(path, PICTURES, force=True)
    with atomic_write(path) as temporary, picture_style():
        figure.savefig(temporary, format=path.suffix[1:].lower())
    return path


def svg_text(figure: Figure, salt: str) -> str:
    """A figure as SVG whose labels are text; the same for the same figure and salt.

    It is laid out and drawn once: of the names of rows the widest alone is measured for that.
    """
    from matplotlib import rc_context
    from matplotlib.textpath import text_to_path

    def width(text: Text) -> float:
        sizes = text_to_path.get_text_width_height_descent
        return float(sizes(text.get_text(), text.get_fontproperties(), ismath=False)[0])

    stream = io.StringIO()
    style: Any = {"svg.fonttype": "none", "svg.hashsalt": salt}
    style |= {"figure.constrained_layout.use": False, "figure.autolayout": False}
    with rc_context(style), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph ")  # a browser has more fonts
        for axes in figure.axes:
            names = [text for text in axes.get_yticklabels() if not text.get_parse_math()]
            widest = max(names, key=width, default=None)
            for text in names:
                text.set_in_layout(text is widest)
        if (layout := figure.get_layout_engine()) is not None:
            layout.execute(figure)
            figure.set_layout_engine(None)  # with one, savefig would draw twice
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue()
