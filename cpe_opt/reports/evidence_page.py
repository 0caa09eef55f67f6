"""The page of what votes prove: one HTML file that loads nothing from elsewhere."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape
from pathlib import Path

from cpe_opt.files import atomic_write, check_output
from cpe_opt.reports.evidence import Evidence
from cpe_opt.reports.evidence_plot import plot_evidence
from cpe_opt.reports.html import html_page, html_picture, html_table
from cpe_opt.validation import checked_types

_ABOUT = (
    "An arm beats another if it would win more than half of their duels. A Copeland winner is an "
    "arm that no more arms beat than any other; the Condorcet winner beats all others, if there is "
    "such an arm; the Borda winner has the largest mean probability to win.",
    "“Proved” means more than “estimated”. Everything that is called proved or ruled out here, "
    "taken together, is right with a probability of at least {right:.10g} %, however the pairs "
    "were chosen, and also if one looks again and again at a growing log and stops when one likes.",
    "All of it assumes that a vote is a win with its pair's probability, whatever was answered "
    "before. Votes of one judge, user or prompt may depend on each other; and where probabilities "
    "drift across one half, nothing is claimed about their averages.",
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
    name = evidence.votes.name
    settling, right = evidence.settling_lines(), 100.0 * (1.0 - evidence.delta)
    parts = [
        f"<h1>{escape(name)}: what the votes prove</h1>",
        *_paragraphs(evidence.proof_lines()),
        "<h2>Arms</h2>",
        html_table(evidence.arms_table(in_words=True), _status),
        "<h2>Who beats whom</h2>",
        html_picture(lambda: plot_evidence(evidence), "arms by arms: who beats whom"),
        *(["<h2>What would settle it</h2>"] if settling else []),
        *(
            f"<p>{escape(part)}</p>" if isinstance(part, str) else html_table(part, _status)
            for part in settling
        ),
        "<h2>What this means</h2>",
        *(f"<p>{escape(text.format(right=right))}</p>" for text in _ABOUT),
    ]
    return html_page(name, parts)


def _paragraphs(lines: Sequence[str]) -> list[str]:
    """The lines; those after the one that ends with a colon as a list."""
    head = next(place for place, line in enumerate(lines, 1) if line.endswith(":"))
    items = "\n".join(f"<li>{escape(line)}</li>" for line in lines[head:])
    return [*(f"<p>{escape(line)}</p>" for line in lines[:head]), f"<ul>\n{items}\n</ul>"]


def _status(text: str) -> str:
    """The class of a cell that says whether something is proved."""
    return text.replace(" ", "-") if text in ("proved", "possible", "ruled out") else ""
