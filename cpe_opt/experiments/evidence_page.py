"""The page of what votes prove: one HTML file that loads nothing from elsewhere."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Sequence
from html import escape
from pathlib import Path

from cpe_opt.analysis.evidence import Evidence
from cpe_opt.analysis.report import TextTable
from cpe_opt.experiments.evidence_plot import plot_evidence
from cpe_opt.files import atomic_write, check_output
from cpe_opt.validation import checked_types

_STYLE = """
:root { color-scheme: light dark; --line: #ccc; --good: #00734f; --maybe: #8a6d00; --out: #777; }
@media (prefers-color-scheme: dark) {
  :root { --line: #555; --good: #5fd3a8; --maybe: #e0c060; --out: #999; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
caption { text-align: left; font-weight: bold; padding: .3rem 0; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
.proved { color: var(--good); font-weight: bold; }
.possible { color: var(--maybe); }
.ruled-out { color: var(--out); }
figure { margin: 0; background: #fff; border-radius: .5rem; }
svg { display: block; max-width: 100%; height: auto; }
"""
_ABOUT = (
    "An arm beats another if it would win more than half of their duels. A Copeland winner is an "
    "arm that no more arms beat than any other; the Condorcet winner beats all others, if there is "
    "such an arm; the Borda winner has the largest mean probability to win.",
    "“Proved” means more than “estimated”. Everything that is called proved or ruled out here, "
    "taken together, is right with a probability of at least {right:.10g} %, however the pairs "
    "were chosen, and also if one looks again and again at a growing log and stops when one likes.",
    "“Possible” means that the votes do not exclude it. The last column names pairs that would "
    "have to be otherwise than the votes have them for the arm to be a Copeland winner.",
)


@checked_types
def write_evidence_page(
    evidence: Evidence, path: str | os.PathLike[str], *, force: bool = True
) -> Path:
    """Write the page.

    Parameters
    ----------
    evidence : Evidence
        From :func:`cpe_opt.evidence`.
    path : path ending in .html
    force : bool
        Whether a file that is there may be overwritten.

    Returns
    -------
    Path

    Raises
    ------
    InputError
        Where the path is none of an HTML file, or exists.

    Examples
    --------
    >>> import tempfile
    >>> import cpe_opt as cpe
    >>> found = cpe.evidence(cpe.Votes([[0, 60, 9], [20, 0, 30], [6, 8, 0]]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = write_evidence_page(found, f"{folder}/votes.html").read_text(encoding="utf-8")
    >>> page.startswith("<!DOCTYPE html>"), "<svg" in page
    (True, True)
    """
    path = Path(path)
    check_output(path, (".html",), force=force)
    page = evidence_page(evidence)
    with atomic_write(path) as temporary:
        temporary.write_text(page, encoding="utf-8")
    return path


def evidence_page(evidence: Evidence) -> str:
    """The page as text."""
    name = escape(evidence.votes.name)
    settling, right = evidence.settling_lines(), 100.0 * (1.0 - evidence.delta)
    parts = [
        f"<h1>{name}: what the votes prove</h1>",
        *_paragraphs(evidence.proof_lines()),
        "<h2>Arms</h2>",
        _table(evidence.arms_table(in_words=True)),
        "<h2>Who beats whom</h2>",
        '<figure role="img" aria-label="arms by arms: who beats whom">',
        f"{_picture(evidence)}</figure>",
        *(["<h2>What would settle it</h2>"] if settling else []),
        *(f"<p>{escape(part)}</p>" if isinstance(part, str) else _table(part) for part in settling),
        "<h2>What this means</h2>",
        *(f"<p>{escape(text.format(right=right))}</p>" for text in _ABOUT),
    ]
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _paragraphs(lines: Sequence[str]) -> list[str]:
    """The lines; those after the one that ends with a colon as a list."""
    head = next(place for place, line in enumerate(lines, 1) if line.endswith(":"))
    items = "\n".join(f"<li>{escape(line)}</li>" for line in lines[head:])
    return [*(f"<p>{escape(line)}</p>" for line in lines[:head]), f"<ul>\n{items}\n</ul>"]


def _table(table: TextTable) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    rows = "\n".join(
        "<tr>" + "".join(_cell(str(cell)) for cell in row) + "</tr>" for row in table.rows
    )
    title = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    return (
        f'<div class="wide"><table>{title}<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )


def _cell(text: str) -> str:
    """A cell, coloured where it is a status."""
    known = text in ("proved", "possible", "ruled out")
    kind = f' class="{text.replace(" ", "-")}"' if known else ""
    return f"<td{kind}>{escape(text)}</td>"


def _picture(evidence: Evidence) -> str:
    """The picture as SVG whose labels are text, the same for the same votes."""
    from matplotlib import rc_context

    stream = io.StringIO()
    styled = rc_context({"svg.fonttype": "none", "svg.hashsalt": "evidence"})
    with styled, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph ")  # a browser has more fonts
        plot_evidence(evidence).savefig(stream, format="svg", metadata={"Date": None})
    text = stream.getvalue()
    return text[text.index("<svg") :]
