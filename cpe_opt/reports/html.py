"""HTML without a library: whole pages, tables, pictures and matrices that load nothing.

Pages follow the reader's choice of light or dark, and can be read at the width of a phone: what is
wider scrolls by itself.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.files import atomic_write, check_output
from cpe_opt.reports.report import TextTable, shortened_label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLE = """
:root { color-scheme: light dark; --line: #ccc; --good: #00734f; --maybe: #7a6000; --out: #666;
  --box: #f3f6f8; --win: #0b5fa5; --loss: #a84300; --win-pale: #d3e5f4; --loss-pale: #f9dcc9;
  --even: #ececec; }
@media (prefers-color-scheme: dark) {
  :root { --line: #555; --good: #5fd3a8; --maybe: #e0c060; --out: #a5a5a5;
    --box: #23282c; --win: #0b5fa5; --loss: #a84300; --win-pale: #1d3850; --loss-pale: #4d2c17;
    --even: #383838; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem;
  background: Canvas; color: CanvasText; }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
.summary { background: var(--box); border-left: .4rem solid var(--maybe); padding: .6rem 1rem;
  font-size: 1.15rem; overflow-wrap: anywhere; }
.summary.sure { border-color: var(--good); }
.wide { overflow-x: auto; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; }
dt { color: var(--out); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 36rem) { dl { grid-template-columns: 1fr; } dd { margin: 0 0 .4rem; } }
table { border-collapse: collapse; margin: .7rem 0; }
.title { font-weight: bold; margin: .7rem 0 -.4rem; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
pre { overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; padding: .5rem; }
.proved, .possible, .ruled-out, .short { white-space: nowrap; }
.middle { min-width: 8rem; }
.long { min-width: 16rem; }
.proved { color: var(--good); font-weight: bold; }
.possible { color: var(--maybe); }
.ruled-out { color: var(--out); }
code { overflow-wrap: anywhere; }
figure { margin: 0; background: #fff; color: #000; border-radius: .5rem; width: fit-content;
  max-width: 100%; overflow-x: auto; }
svg { display: block; max-width: 100%; height: auto; }
@media (max-width: 36rem) { svg { max-width: none; width: 32rem; } }
.matrix { font-size: .75rem; border-collapse: separate; border-spacing: 1px; }
.matrix td { padding: .1rem .2rem; border: 0; text-align: center; min-width: 1.4rem; }
.matrix th { border: 0; font-weight: normal; white-space: nowrap; padding: .1rem .4rem; }
.matrix thead th { writing-mode: vertical-rl; transform: rotate(180deg); padding: .4rem .1rem; }
.matrix tbody th { position: sticky; left: 0; background: Canvas; text-align: right; }
.matrix .w, .matrix .l { color: #fff; font-weight: bold; }
.w { background: var(--win); } .l { background: var(--loss); }
.a { background: var(--win-pale); } .b { background: var(--loss-pale); }
.e { background: var(--even); }
"""


def write_page(path: str | os.PathLike[str], page: Callable[[], str], *, force: bool) -> Path:
    """Write a page to a path that may be written to."""
    check_output(path, (".html",), force=force)
    text = page()
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")
    return Path(path)


def html_page(title: str, parts: Iterable[str]) -> str:
    """A whole page; the parts are HTML."""
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def html_table(table: TextTable, kind: Callable[[str], str] = lambda _: "") -> str:
    """A table that scrolls on narrow screens; ``kind`` of a cell's text is its class."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.columns)
    rows = "\n".join(
        "<tr>" + "".join(_cell(str(cell), kind(str(cell))) for cell in row) + "</tr>"
        for row in table.rows
    )
    # No caption: that would be as wide, or as narrow, as the table.
    title = f'<p class="title">{escape(table.title)}</p>\n' if table.title else ""
    name = f' aria-label="{escape(table.title)}"' if table.title else ""
    return (
        f'{title}<div class="wide"><table{name}><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )


def _cell(text: str, kind: str) -> str:
    named = f' class="{kind}"' if kind else ""
    return f"<td{named}>{escape(text)}</td>"


def html_picture(figure: Figure, words: str) -> str:
    """A figure as SVG, and what it shows in words, which differ between figures of a page."""
    from cpe_opt.reports.drawing import svg_text

    text = svg_text(figure, words)
    # Names of groups are used by nobody, and the same in every picture of a page.
    picture = re.sub(r'<g id="[^"]*"', "<g", text[text.index("<svg") :])
    return f'<figure role="img" aria-label="{escape(words)}">\n{picture}</figure>'


def html_matrix(
    labels: Sequence[str], share: FloatArray, count: FloatArray, sure: BoolArray, words: str
) -> str:
    """Who beats whom, as a table of colours with percentages in it.

    Parameters
    ----------
    labels : sequence of str
        Of K arms, in the order of the rows.
    share : float array, shape (K, K)
        The part of its comparisons with the column's arm that the row's arm won; NaN without any.
    count : float array, shape (K, K)
        How many comparisons there are.
    sure : bool array, shape (K, K)
        Whether it is proved that the row's arm beats the column's; its colour is full.
    words : str
        What the matrix shows.
    """
    head = "".join(f'<th scope="col">{escape(shortened_label(each))}</th>' for each in labels)
    rows = []
    for i, label in enumerate(labels):
        cells = [
            _pair(label, labels[j], share[i, j], count[i, j], sure[i, j], sure[j, i])
            if i != j
            else "<td></td>"
            for j in range(len(labels))
        ]
        rows.append(
            f'<tr><th scope="row">{escape(shortened_label(label))}</th>{"".join(cells)}</tr>'
        )
    body = "\n".join(rows)
    return (
        f'<div class="wide"><table class="matrix" aria-label="{escape(words)}">'
        f"<thead><tr><td></td>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def _pair(one: str, other: str, share: float, count: float, wins: bool, loses: bool) -> str:
    """The cell of a pair, with what it says in words as its title."""
    if not count or np.isnan(share):
        return f'<td title="{escape(one)} – {escape(other)}: never compared">·</td>'
    percent = f"{100.0 * share:.0f}"
    kind = "w" if wins else "l" if loses else "a" if share > 0.5 else "b" if share < 0.5 else "e"
    proved = ", proved" if wins or loses else ""
    title = f"{one} – {other}: {percent} % of {count:,.10g}{proved}"
    return f'<td class="{kind}" title="{escape(title)}">{percent}</td>'
