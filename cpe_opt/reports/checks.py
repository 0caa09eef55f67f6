"""What would make a proof false in a file of answers, for people: sentences, and what to do."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.problems.answer_rows import AnswerRows
from cpe_opt.progress_line import ShowProgress, shows_progress, step
from cpe_opt.reports.findings import CHECKS, OF_DUELS, Finding
from cpe_opt.reports.report import Analysis, Report
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    import pandas as pd


@checked_types
@shows_progress("checking answers")
def check_answers(
    rows: AnswerRows, *, cluster: str | None = None, progress: ShowProgress = None
) -> AnswerChecks:
    r"""Check whether what proofs assume of answers may hold.

    Parameters
    ----------
    rows : AnswerRows
        From :func:`cpe_opt.read_answer_rows`, or :meth:`cpe_opt.Session.answer_rows`.
    cluster : str, optional
        The column by which evidence takes answers together, as for :func:`cpe_opt.read_votes`.
    progress : bool or callable, optional
        As for :func:`cpe_opt.evidence`.

    Returns
    -------
    AnswerChecks

    Raises
    ------
    InputError
        Where there is no such column.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import cpe_opt as cpe
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "duels.csv"
    ...     _ = path.write_text("winner,loser,rater\ntea,coffee,ann\ncoffee,tea,ann\n")
    ...     found = cpe.check_answers(cpe.read_answer_rows(path))
    >>> found.status, found.findings[0].check
    (1, 'clusters')
    """
    if cluster is not None and cluster.lower() not in rows.columns:
        named = ", ".join(rows.columns) or "none"
        raise InputError(f"{rows.name}: no column {cluster!r} of clusters; other columns: {named}")
    findings: list[Finding] = []
    left_out = {}
    for name, check in CHECKS.items() if rows.rows else ():
        step(name)
        made = rows.duels or name not in OF_DUELS
        found = check(rows, (cluster or "").lower()) if made else "scores are of one arm each"
        if isinstance(found, str):
            left_out[name] = found
        else:
            findings += found
    findings.sort(key=lambda each: each.level == "note")
    return AnswerChecks(rows, tuple(findings), left_out)


@dataclass(frozen=True, eq=False, repr=False)
class AnswerChecks(Analysis):
    """What checks found in answers; ``print`` it to read it.

    Attributes
    ----------
    rows : AnswerRows
    findings : tuple of Finding
        Those that may make a proof false first.
    left_out : dict from str to str
        Checks that could not be made, and why.
    """

    rows: AnswerRows
    findings: tuple[Finding, ...]
    left_out: dict[str, str]

    @property
    def name(self) -> str:
        """That of the file."""
        return self.rows.name

    @property
    def status(self) -> int:
        """0: fine; 1: something may make a proof false; 2: some rows cannot be read."""
        if self.rows.unread or not self.rows.rows:
            return 2
        return int(any(each.level == "false" for each in self.findings))

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        rows = self.rows
        return {
            "name": rows.name,
            "what": rows.what,
            "status": self.status,
            "rows": rows.rows,
            "answers": int(rows.count.sum()),
            "arms": len(rows.labels),
            "columns": list(rows.columns),
            "unread": [asdict(each) for each in rows.unread],
            "findings": [asdict(each) for each in self.findings],
            "left_out": self.left_out,
        }

    def table(self) -> pd.DataFrame:
        """One row per finding: check, level, what, do, p_value."""
        import pandas as pd

        columns = ["check", "level", "what", "do", "p_value"]
        return pd.DataFrame([asdict(each) for each in self.findings], columns=columns)

    def report(self) -> Report:
        """What was read and what not, the findings, and the checks that were made."""
        rows = self.rows
        noun = "votes" if rows.duels else "scores"
        pairs = f", {len(np.unique(rows.pair)):,} pairs" if rows.duels else ""
        facts = [
            ("what", rows.what),
            ("read", f"{rows.rows:,} rows, {int(rows.count.sum()):,} {noun}"),
            ("about", f"{len(rows.labels):,} arms{pairs}"),
        ]
        if rows.item:
            facts.append(("items", f"{len({*rows.columns[rows.item]}):,}"))
        lines = [""]
        for unread in rows.unread:
            many, first = ("s", "; the first: ") if unread.rows > 1 else ("", ": ")
            where = ", ".join(unread.places) + ", …" * (unread.rows > len(unread.places))
            lines.append(
                f"{unread.rows:,} row{many} cannot be read ({where}){first}{unread.reason}"
            )
        for each in self.findings:
            head = "a proof may be false" if each.level == "false" else "to know"
            lines += [f"{head}: {each.what}", f"  what to do: {each.do}"]
        summary = (
            "nothing was found that makes a proof false",
            "what evidence calls proved may be false here",
            "evidence refuses the file until all rows can be read",
        )
        lines.append(f"all in all: {summary[self.status]}")
        if rows.rows:
            made = [name for name in CHECKS if name not in self.left_out]
            lines.append(f"checked: {', '.join(made)}")
        lines += [f"not checked: {name}: {why}" for name, why in self.left_out.items()]
        return Report(title=rows.name, facts=tuple(facts), lines=tuple(lines))
