"""Pages that set published claims beside what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cpe_opt import __version__
from cpe_opt.files import atomic_write

_OUTCOMES = {True: "agrees", False: "**differs**", None: "not shown by this run"}


@dataclass(frozen=True)
class Claim:
    """A published claim and what was measured.

    Attributes
    ----------
    published : str
    criterion : str
        What makes it agree, with its tolerance.
    ours : str
        What was measured.
    holds : bool or None
        Whether the two agree; None: not shown.
    """

    published: str
    criterion: str
    ours: str
    holds: bool | None


@dataclass(frozen=True)
class Section:
    """A part of a page: text, then a table, then a picture, each where there is one."""

    title: str
    text: str = ""
    head: Sequence[str] = ()
    rows: Sequence[Sequence[object]] = ()
    picture: Path | None = None


@dataclass(frozen=True)
class Page:
    """A reproduction: what it reproduces, how it was run, its claims, and its parts.

    Verdicts of a quick run say that it is one. The opening stands before the claims.
    """

    name: str
    title: str
    source: str
    command: str
    setting: str
    claims: Sequence[Claim]
    sections: Sequence[Section] = field(default_factory=tuple)
    quick: bool = False
    opening: Sequence[Section] = field(default_factory=tuple)

    def outcome(self, claim: Claim) -> str:
        """In words."""
        words = _OUTCOMES[claim.holds]
        return f"{words} (quick run)" if self.quick and claim.holds is not None else words

    def markdown(self) -> str:
        """The page."""
        parts = [
            f"# {self.title}",
            f"{self.source}. Made by `{self.command}` with cpe_opt {__version__}.",
            self.setting,
            *_parts(self.opening),
            "## Claims",
            _table(
                ["published", "agrees if", "here", "outcome"],
                [[c.published, c.criterion, c.ours, self.outcome(c)] for c in self.claims],
            ),
            *_parts(self.sections),
        ]
        return "\n\n".join(part for part in parts if part) + "\n"

    def write(self, out: Path) -> Path:
        """Write ``NAME.md`` into a folder, beside its pictures."""
        path = out / f"{self.name}.md"
        with atomic_write(path) as temporary:
            temporary.write_text(self.markdown(), encoding="utf-8", errors="backslashreplace")
        return path


def _parts(sections: Sequence[Section]) -> Iterator[str]:
    for section in sections:
        yield f"## {section.title}"
        yield section.text
        if section.rows:
            yield _table(section.head, section.rows)
        if section.picture is not None:
            yield f"![{section.title}]({section.picture.name})"


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(cell: object) -> str:
    return str(cell).replace("|", "\\|")
