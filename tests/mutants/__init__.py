"""Wrong versions of the package, each of which some test must tell from the right one.

A mutant replaces one string of a file of ``cpe_opt`` that occurs there once: a radius halved, a
factor dropped, ``<`` for ``<=``, a δ that is not split. ``make mutants`` applies one after another
to a copy of the package and runs the tests that stand beside it. One that survives needs a reason
in the list; without one the run fails, as it does where a reason is given and the mutant is killed.
"""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Mutant:
    """``old`` becomes ``new`` in a file of the package.

    ``tests`` are node ids below ``tests``; ``survives`` is the reason why none of them can fail.
    """

    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    survives: str = ""

    @property
    def name(self):
        line = next(n for n, text in enumerate(self.source(ROOT).splitlines(), 1) if self._in(text))
        return f"{self.file}:{line}  {self.old}  ->  {self.new}".replace("\n", " ")

    def source(self, root):
        return (root / "cpe_opt" / self.file).read_text(encoding="utf-8")

    def mutated(self, root):
        """The file's text with the mutation, or ValueError unless it applies exactly once."""
        source = self.source(root)
        if (count := source.count(self.old)) != 1 or self.old == self.new:
            raise ValueError(f"{self.file} has {self.old!r} {count} times, expected once")
        return source.replace(self.old, self.new)

    def _in(self, line):
        return self.old.splitlines()[0] in line


def of(file, tests, *patches):
    """The mutants of a file: pairs of old and new text, and a reason where one survives."""
    return [Mutant(file, old, new, tuple(tests.split()), *why) for old, new, *why in patches]
