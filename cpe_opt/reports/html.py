"""Pages that load nothing from elsewhere: their frame and style, tables, pictures as text."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterable
from html import escape
from typing import TYPE_CHECKING

from cpe_opt.reports.report import TextTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_STYLE = """
:root { color-scheme: light dark; --line: #ccc; --good: #00734f; --maybe: #8a6d00; --out: #777; }
@media (prefers-color-scheme: dark) {
  :root { --line: #555; --good: #5fd3a8; --maybe: #e0c060; --out: #999; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .7rem 0; }
caption { text-align: left; font-weight: bold; padding: .3rem 0; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
pre { overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; padding: .5rem; }
.proved { color: var(--good); font-weight: bold; }
.possible { color: var(--maybe); }
.ruled-out { color: var(--out); }
code { overflow-wrap: anywhere; }
figure { margin: 0; background: #fff; border-radius: .5rem; }
svg { display: block; max-width: 100%; height: auto; }
"""


def html_page(title: str, parts: Iterable[str]) -> str:
    """A whole page; the parts are HTML."""
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def html_table(table: TextTable, kind: Callable[[str], str] = lambda _: "") -> str:
    """A table that scrolls on narrow screens; ``kind`` of a cell's text is its class."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.columns)
    rows = "\n".join(
        "<tr>" + "".join(_cell(str(cell), kind(str(cell))) for cell in row) + "</tr>"
        for row in table.rows
    )
    title = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    return (
        f'<div class="wide"><table>{title}<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )


def _cell(text: str, kind: str) -> str:
    named = f' class="{kind}"' if kind else ""
    return f"<td{named}>{escape(text)}</td>"


def html_picture(draw: Callable[[], Figure], words: str) -> str:
    """What is drawn, as SVG whose labels are text, the same for the same data.

    Parameters
    ----------
    draw : callable
        Makes the figure.
    words : str
        For who cannot see it; the labels of several pictures on a page are kept apart by it.
    """
    from matplotlib import rc_context

    stream = io.StringIO()
    styled = rc_context({"svg.fonttype": "none", "svg.hashsalt": words})
    with styled, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph ")  # a browser has more fonts
        draw().savefig(stream, format="svg", metadata={"Date": None})
    text = stream.getvalue()
    # Names of groups are used by nobody, and the same in every picture of a page.
    picture = re.sub(r'<g id="[^"]*"', "<g", text[text.index("<svg") :])
    return f'<figure role="img" aria-label="{escape(words)}">\n{picture}</figure>'
