"""HTML pages that load nothing from elsewhere: what votes prove, and the runs in a folder.

The page of votes says what is proved, with the picture of all pairs, what would settle the rest,
and what the words mean. The page of a folder of results has for every problem and horizon a
picture, a table of learners, their answers, and the command that repeats the runs; at the end
versions, seeds, and the folder of each series.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.experiments import shards
from cpe_opt.experiments.planning import NOTE
from cpe_opt.experiments.results import curve_of, read_series, summary_frame
from cpe_opt.files import atomic_write, check_output
from cpe_opt.reports.curves import Panel, panels_figure, samples_figure
from cpe_opt.reports.drawing import svg_text
from cpe_opt.reports.evidence import Evidence
from cpe_opt.reports.evidence_by import EvidenceByGroup
from cpe_opt.reports.evidence_plot import plot_evidence
from cpe_opt.reports.panel_evidence import PanelEvidence
from cpe_opt.reports.report import TextTable
from cpe_opt.reports.runs import amount
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_COLUMNS = ("95 % interval", "median (10–90 %)", "samples", "not proved", "seconds a run")
_ANSWERS = 3  # of a learner, the most frequent
_ALONE = 2  # the level of headings on the page of one board
_DRAWN = 40  # arms, up to which each of several boards has a picture
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
    "have to be the other way round for the arm to be a Copeland winner.",
)
_ABOUT_PANELS = (
    "An assignment gives each position a candidate of its own. It is preferred to another one if, "
    "in the mean over the positions, its candidates would win more than half of the duels. The "
    "best assignment is preferred to every other, if there is such an assignment.",
    *_ABOUT[1:3],
    "“Possible” means that the votes do not exclude that the candidate holds the position in the "
    "best assignment.",
)
_ASSUMED = 2  # which of these says so
_CLUSTERS = (
    "All of it is about the mean over clusters, in which each cluster counts once, and assumes "
    "that clusters are independent of each other, and whole when one looks. Within a cluster votes "
    "may depend on each other in any way."
)
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


@checked_types
def write_evidence_page(
    evidence: Evidence | EvidenceByGroup | PanelEvidence,
    path: str | os.PathLike[str],
    *,
    force: bool = True,
) -> Path:
    """Write the page of what votes prove.

    Parameters
    ----------
    evidence : Evidence, EvidenceByGroup or PanelEvidence
        From :func:`cpe_opt.evidence`, :func:`cpe_opt.evidence_by` or
        :func:`cpe_opt.panel_evidence`.
    path : path ending in .html
    force : bool
        Whether a file that is there may be overwritten.

    Returns
    -------
    Path

    Raises
    ------
    InputError
        Where the path does not end in .html, or exists.

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
    return _write(path, lambda: evidence_page(evidence), force=force)


def evidence_page(evidence: Evidence | EvidenceByGroup | PanelEvidence) -> str:
    """The HTML of the page of what votes prove."""
    if isinstance(evidence, PanelEvidence):
        return _panel_page(evidence)
    if isinstance(evidence, EvidenceByGroup):
        return _groups_page(evidence)
    name = evidence.votes.name
    parts = [
        f"<h1>{escape(name)}: what the votes prove</h1>",
        *_board(evidence, _ALONE),
        *_meaning([evidence], evidence.delta),
    ]
    return html_page(name, parts)


def _panel_page(evidence: PanelEvidence) -> str:
    """Who holds which position, what is proved, and which duels come next."""
    name, right = evidence.duels.name, 100.0 * (1.0 - evidence.delta)
    following = evidence.next_lines()
    parts = [
        f"<h1>{escape(name)}: what the votes prove</h1>",
        *(f"<p>{escape(line)}</p>" for line in evidence.proof_lines()),
        "<h2>Positions</h2>",
        html_table(evidence.positions_table(), _status),
        *(["<h2>What would settle it</h2>"] if following else []),
        *(
            f"<p>{escape(line)}</p>" if isinstance(line, str) else html_table(line)
            for line in following
        ),
        "<h2>What this means</h2>",
        *(f"<p>{escape(text.format(right=right))}</p>" for text in _ABOUT_PANELS),
    ]
    return html_page(name, parts)


def _groups_page(evidence: EvidenceByGroup) -> str:
    """The same group by group, below a table of all of them."""
    title = f"What the votes prove, by {evidence.by}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        html_table(evidence.summary_table(), _status),
        *(f"<p>{escape(line)}</p>" for line in evidence.summary_lines()),
        *(
            part
            for group, board in evidence.items()
            for part in (
                f"<h2>{escape(f'{evidence.by}: {group}')}</h2>",
                *_board(board, _ALONE + 1),
            )
        ),
        *_meaning([*evidence.values()], evidence.delta),
    ]
    return html_page(title, parts)


def _board(evidence: Evidence, level: int) -> list[str]:
    """What votes prove, the table and the picture of arms, and what would settle the rest."""

    def head(text: str) -> str:
        return f"<h{level}>{text}</h{level}>"

    settling, name = evidence.remaining_lines(), evidence.votes.name
    picture = (
        f"<p>A matrix of {evidence.votes.arms:,} arms is drawn on a page of this board alone.</p>"
    )
    if level == _ALONE or evidence.votes.arms <= _DRAWN:
        picture = html_picture(plot_evidence(evidence), f"{name}: who beats whom, arms by arms")
    return [
        *_paragraphs(evidence.proof_lines()),
        head("Arms"),
        html_table(evidence.arms_table(in_words=True), _status),
        head("Who beats whom"),
        picture,
        *([head("What would settle it")] if settling else []),
        *(
            f"<p>{escape(part)}</p>" if isinstance(part, str) else html_table(part, _status)
            for part in settling
        ),
    ]


def _meaning(boards: Sequence[Evidence], delta: float) -> list[str]:
    """What the words of these boards mean, which are right at once up to delta."""
    about = list(_ABOUT)
    if all(each.votes.summary.clustering is not None for each in boards):
        about[_ASSUMED] = _CLUSTERS
    right = 100.0 * (1.0 - delta)
    return [
        "<h2>What this means</h2>",
        *(f"<p>{escape(text.format(right=right))}</p>" for text in about),
    ]


def _paragraphs(lines: Sequence[str]) -> list[str]:
    """Lines as paragraphs; those after the line that ends with a colon as a list."""
    head = next(place for place, line in enumerate(lines, 1) if line.endswith(":"))
    items = "\n".join(f"<li>{escape(line)}</li>" for line in lines[head:])
    return [*(f"<p>{escape(line)}</p>" for line in lines[:head]), f"<ul>\n{items}\n</ul>"]


def _status(text: str) -> str:
    """The class of a cell that says whether something is proved."""
    return text.replace(" ", "-") if text in ("proved", "possible", "ruled out") else ""


@checked_types
def write_results_page(
    folder: str | os.PathLike[str], path: str | os.PathLike[str], *, force: bool = True
) -> Path:
    """Write the page of all finished runs in a folder.

    Parameters
    ----------
    folder : path
        That of :func:`cpe_opt.run_experiment` or ``cpe-opt compare``, or one in it.
    path : path ending in .html
    force : bool
        Whether a file that is there may be overwritten.

    Returns
    -------
    Path

    Raises
    ------
    InputError
        Where there are no finished runs, a file is damaged, or the path does not end in .html.

    Examples
    --------
    >>> import tempfile
    >>> import cpe_opt as cpe
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = cpe.run_experiment(["rucb"], ["gap"], runs=3, horizon=100, jobs=1, out=folder)
    ...     page = write_results_page(folder, f"{folder}/page.html").read_text(encoding="utf-8")
    >>> page.count("<svg"), "cpe-opt compare rucb gap --horizon 100 --runs 3 --seed 0" in page
    (1, True)
    """
    return _write(path, lambda: results_page(Path(folder)), force=force)


def results_page(folder: Path) -> str:
    """The HTML of the page of a folder of results."""
    series = list(_all_series(folder))
    if not series:
        raise InputError(f"no finished runs in {str(folder)!r}, expected a folder of results")
    groups: dict[tuple[str, int], list[_StoredSeries]] = {}
    for each in series:
        groups.setdefault((each.problem, each.horizon or 0), []).append(each)
    total = sum(len(each.runs) for each in series)
    title = folder.absolute().name
    parts = [
        f"<h1>{escape(title)}: {total:,} runs</h1>",
        *(part for key in sorted(groups) for part in _group(key[0], groups[key])),
        "<h2>What was run</h2>",
        html_table(_runs_table(series, folder)),
        "<p>A run is played again, alone, by "
        "<code>cpe_opt.simulate(learner, problem, horizon=…, seed=…)</code> with the seed of its "
        "row in the data, <code>cpe_opt.experiments.results.read_results(folder)</code>.</p>",
    ]
    return html_page(f"{title}: results", parts)


@dataclass(frozen=True)
class _StoredSeries:
    """The runs of a series, with what its folder says of it."""

    label: str
    runs: pd.DataFrame
    folder: Path
    note: Mapping[str, Any]

    @property
    def problem(self) -> str:
        return str(self.runs["problem"].iloc[0])

    @property
    def horizon(self) -> int | None:
        """None where learners stop by themselves."""
        value = self.runs["horizon"].iloc[0]
        return int(value) if np.isfinite(value) else None


def _all_series(folder: Path) -> Iterator[_StoredSeries]:
    """Every series under a folder; those of the same name, as of edited learners, with digests."""
    found = []
    for place in shards.series_folders(folder):
        note = place / NOTE
        about = json.loads(note.read_text(encoding="utf-8")) if note.exists() else {}
        found.append((read_series(place, curves=True), place, about))
    columns = ["problem", "learner", "horizon"]
    names = [tuple(map(str, runs[columns].iloc[0])) for runs, *_ in found]
    for name, (runs, place, about) in zip(names, found, strict=True):
        again = f" [{place.name[:6]}]" if names.count(name) > 1 else ""
        yield _StoredSeries(f"{name[1]}{again}", runs, place, about)


def _group(problem: str, series: Sequence[_StoredSeries]) -> Iterator[str]:
    """The series of one problem and horizon."""
    units, horizon = str(series[0].runs["units"].iloc[0]), series[0].horizon
    where = problem if horizon is None else f"{problem}, {horizon:,} rounds"
    yield f"<h2>{escape(where)}</h2>"
    yield html_picture(_figure(problem, series, units), f"{where}: what learners needed")
    groups = {(problem, each.label): each.runs for each in series}
    rows = summary_frame(groups).to_dict("records")
    measured = f"regret ({units} units)" if units else "samples"
    yield html_table(
        TextTable(
            ("learner", "runs", f"mean {measured}", *_COLUMNS),
            [
                (
                    row["learner"],
                    f"{row['runs']:,}",
                    amount(row["mean"]),
                    f"{amount(row['low'])} to {amount(row['high'])}",
                    f"{amount(row['median'])} ({amount(row['q10'])}–{amount(row['q90'])})",
                    f"{row['samples']:,.0f}",
                    f"{int((each.runs['doubt'] != '').sum()):,}",
                    f"{row['seconds']:.2g}",
                )
                for row, each in zip(rows, series, strict=True)
            ],
        )
    )
    yield html_table(
        TextTable(
            ("learner", "answers, the most frequent first"),
            [(row["learner"], _answers(row["answers"])) for row in rows],
        )
    )
    commands = _commands(problem, series)
    if commands:
        yield f"<p>Reproduced by</p>\n<pre>{escape(chr(10).join(commands))}</pre>"


def _figure(problem: str, series: Sequence[_StoredSeries], units: str) -> Figure:
    if units:
        curves = {each.label: curve_of(each.runs) for each in series}
        return panels_figure([Panel(problem, curves, {})], units=units)
    return samples_figure(
        {each.label: each.runs["samples"].tolist() for each in series}, title=problem
    )


def _commands(problem: str, series: Sequence[_StoredSeries]) -> list[str]:
    """Commands for built-in learners and problems: one for each seed and number of runs."""
    together: dict[tuple[int, int], list[_StoredSeries]] = {}
    for each in series:
        if each.note.get("learner_built_in") and each.note.get("problem_built_in"):
            together.setdefault((each.note["seed"], len(each.runs)), []).append(each)
    found = []
    for (seed, runs), members in together.items():
        horizon = members[0].note["horizon"]
        words = ["cpe-opt", "compare", *map(_specified, members), problem]
        words += [] if horizon is None else ["--horizon", str(horizon)]
        words += ["--runs", str(runs), "--seed", str(seed)]
        if members[0].note.get("regret"):
            words += ["--regret", members[0].note["regret"]]
        found.append(shlex.join(words))
    return found


def _specified(series: _StoredSeries) -> str:
    name = str(series.note["learner"]).replace("_", "-")
    settings = ",".join(f"{key}={value}" for key, value in series.note["parameters"].items())
    return f"{name}:{settings}" if settings else name


def _runs_table(series: Sequence[_StoredSeries], folder: Path) -> TextTable:
    """Which runs there are: parameters, seeds, versions and folders."""
    return TextTable(
        ("problem", "learner", "parameters", "runs", "seed", "cpe_opt", "folder"),
        [
            (
                each.problem,
                each.label,
                json.dumps(each.runs["parameters"].iloc[0]),
                len(each.runs),
                each.note.get("seed", "not noted"),
                each.note.get("cpe_opt", "not noted"),
                os.path.relpath(each.folder, folder),
            )
            for each in series
        ],
    )


def _answers(counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = ", ".join(f"{answer} ({count}×)" for answer, count in ordered[:_ANSWERS])
    more = len(ordered) - _ANSWERS
    return f"{shown}, and {more} others" if more > 0 else shown


def _write(path: str | os.PathLike[str], page: Callable[[], str], *, force: bool) -> Path:
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


def html_picture(figure: Figure, words: str) -> str:
    """A figure as SVG, and what it shows in words, which differ between figures of a page."""
    text = svg_text(figure, words)
    # Names of groups are used by nobody, and the same in every picture of a page.
    picture = re.sub(r'<g id="[^"]*"', "<g", text[text.index("<svg") :])
    return f'<figure role="img" aria-label="{escape(words)}">\n{picture}</figure>'
