"""A study: what is run, what is claimed of it, and the page that says so.

A study is declared: its title and source, the function that makes its measurements, and functions
of these measurements that give the claims and the sections. :meth:`Study.page` runs it and writes
``NAME.md``, its pictures and ``NAME.parquet`` into the folder of results.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from cpe_opt import __version__
from cpe_opt.errors import InputError
from cpe_opt.files import atomic_write
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.reproductions.claims import Claim

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")
_OUTCOMES = {True: "agrees", False: "**differs**", None: "not shown by this run"}


@dataclass(frozen=True)
class Settings:
    """The arguments of :func:`cpe_opt.reproduce`, checked."""

    name: str
    quick: bool
    out: Path
    matrix: PreferenceMatrix | None
    seed: int
    jobs: int
    progress: Callable[[int, int], None] | None
    data: Path | None = None

    def choose(self, quick: T, full: T) -> T:
        """One value for a quick run and one for a full one."""
        return quick if self.quick else full

    def file(self, suffix: str) -> Path:
        """A file of this study in the folder of results."""
        return self.out / f"{self.name}{suffix}"

    @property
    def command(self) -> str:
        """The command that makes the page again."""
        matrix = "" if self.matrix is None else " --matrix FILE"
        quick = " --quick" if self.quick else ""
        seed = f" --seed {self.seed}" if self.seed else ""
        data = "" if self.data is None else " --data FOLDER"
        return f"cpe-opt reproduce {self.name}{quick}{matrix}{data}{seed}"

    def needed_folder(self, name: str, files: Sequence[str]) -> Path:
        """A folder with these files: the one given, or ``name`` in ``CPE_OPT_DATA`` or ``data``.

        Raises
        ------
        InputError
            With the folders in which they are not.
        """
        places = [Path("data") / name]
        if os.environ.get("CPE_OPT_DATA"):
            places.insert(0, Path(os.environ["CPE_OPT_DATA"]) / name)
        if self.data is not None:
            places = [self.data, self.data / name]
        for place in places:
            if all((place / file).is_file() for file in files):
                return place
        raise InputError(
            f"{self.name} needs {files[0]} and others like it; looked in "
            f"{', '.join(map(str, places))}. Give the folder by --data"
        )

    def needed_matrix(self) -> PreferenceMatrix:
        """The matrix, or :class:`InputError` with what is expected."""
        if self.matrix is None:
            raise InputError(
                f"{self.name} needs a preference matrix of many rankers: --matrix FILE, such as "
                "that of the 136 MSLR rankers under the informational click model"
            )
        return self.matrix


@dataclass(frozen=True)
class Section:
    """A part of a page: text, then a table, then a picture, each where there is one."""

    title: str
    text: str = ""
    head: Sequence[object] = ()
    rows: Sequence[Sequence[object]] = ()
    picture: Path | None = None


def frame_section(title: str, text: str, frame: pd.DataFrame, columns: str) -> Section:
    """The table of a frame: columns as ``name on the page = column : style``, with ``;`` between.

    Name and style may be left out. What is missing is left empty.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"set": ["a", "b"], "mean": [2.5, float("nan")]})
    >>> frame_section("Means", "", frame, "set; samples = mean : .2f").rows
    [['a', '2.50'], ['b', '']]
    """
    formats: dict[str, tuple[str, str]] = {}
    for each in columns.split(";"):
        name, given, rest = each.rpartition("=")
        column, _, style = rest.partition(" : ")
        formats[name.strip() if given else column.strip()] = (column.strip(), style.strip())
    rows = [
        [
            "" if row[column] != row[column] else f"{row[column]:{style}}"
            for column, style in formats.values()
        ]
        for row in frame.to_dict("records")
    ]
    return Section(title, text, list(formats), rows)


@dataclass(frozen=True)
class Page:
    """The page of a study that was run.

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
        """The outcome of a claim, in words."""
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
        """Write ``NAME.md`` into the folder of its pictures."""
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


def _table(head: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(cell: object) -> str:
    return str(cell).replace("|", "\\|")


@dataclass(frozen=True)
class Study(Generic[T]):
    """A table or figure of a paper, declared."""

    name: str
    title: str  # of its page
    source: str  # the paper, and the figure
    # makes all runs and returns the measurements, of any type ``T``
    measure: Callable[[Settings], T]
    setting: Callable[[Settings, T], str]  # says how they were made
    claims: Callable[[T], Sequence[Claim]]
    sections: Callable[[Settings, T], Sequence[Section]]
    # what stands before the claims
    opening: Callable[[Settings, T], Sequence[Section]] = lambda settings, measured: ()
    needs: str = ""  # what must be given: "matrix", "data" or nothing
    takes_matrix: bool = False  # whether a matrix may be given

    def page(self, settings: Settings) -> Page:
        """Run the study and write its page."""
        measured = self.measure(settings)
        page = Page(
            settings.name,
            self.title,
            self.source,
            settings.command,
            self.setting(settings, measured),
            self.claims(measured),
            self.sections(settings, measured),
            settings.quick,
            self.opening(settings, measured),
        )
        page.write(settings.out)
        return page
