"""Wrong versions of the package, each of which some test must tell from the right one.

A mutant changes one fragment of one definition: a radius halved, a factor dropped, ``<`` for
``<=``, a δ that is not split. ``make mutants`` applies one after another to a copy of the package
and runs the tests that are named with it, the fewest and fastest that kill it. The run fails if
one survives.

The definition is named as Python qualifies it, without its module, so that modules may be moved,
merged and reformatted: ``pair_proof`` (a function), ``PairTracker.proved`` (a method), ``_TILT``
(a constant of a module), ``PairGoal.assumption`` (an attribute of a class). The fragment is part of
the definition's normalised text, which is what :func:`ast.unparse` makes of it: one statement on
one line, single quotes, ``2 ** k``, no comment, no docstring. Among all definitions of that name
exactly one must hold the fragment, exactly once. Where two do, a folder of the module tells them
apart: ``dueling:threshold``.
"""

import ast
from dataclasses import dataclass
from functools import cached_property

from tests.mutants.places import definitions


@dataclass(frozen=True)
class Mutant:
    """``old`` becomes ``new`` in the definition named by ``place``.

    ``tests`` are node ids below the folder ``tests``, of which at least one must fail.
    """

    place: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self):
        change = f"{self.old}  ->  {self.new}".replace("\n", " ")
        return f"{self.definition.file}  {self.place}: {change}"

    def concerns(self, part):
        """Whether the part of a name is in that of the file, of the place or of a test."""
        return any(part in name for name in (self.definition.file, self.place, *self.tests))

    @cached_property
    def definition(self):
        """The one definition that holds the fragment.

        Raises
        ------
        ValueError
            If none or several do, or if the fragment occurs in it more than once.
        """
        folder, _, name = self.place.rpartition(":")
        named = [
            each for each in definitions()[name] if not folder or folder in each.file.split("/")
        ]
        holding = [each for each in named if self.old in each.text]
        if len(holding) != 1:
            raise ValueError(
                f"{self.old!r} is in {len(holding)} of the {len(named)} definitions of"
                f" {self.place}, expected in one: {', '.join(each.file for each in named)}"
            )
        if (times := holding[0].text.count(self.old)) != 1:
            raise ValueError(f"{self.old!r} is in {self.place} {times} times, expected once")
        return holding[0]

    @cached_property
    def wrong(self):
        """The definition's text with the fragment changed.

        Raises
        ------
        ValueError
            If the change makes no difference.
        SyntaxError
            If what it makes is no program.
        """
        right = self.definition
        wrong = right.text.replace(self.old, self.new)
        if ast.unparse(ast.parse(wrong)) == right.text:
            raise ValueError(f"{self} makes no difference")
        return wrong

    def mutated(self):
        """The source of the module with the definition's wrong text."""
        return self.definition.module_with(self.wrong)


def killed_by(tests, *changes):
    """Mutants with tests in common: their places, old fragments and new ones."""
    return [Mutant(place, old, new, tuple(tests.split())) for place, old, new in changes]
