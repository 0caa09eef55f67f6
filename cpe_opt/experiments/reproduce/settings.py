"""What a reproduction is told: how long to run, on what, and where to write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from cpe_opt.errors import InputError
from cpe_opt.problems.preferences import PreferenceMatrix

T = TypeVar("T")


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

    def choose(self, quick: T, full: T) -> T:
        """One value for a quick run and one for a full one."""
        return quick if self.quick else full

    def file(self, suffix: str) -> Path:
        """A file of this reproduction in the folder of results."""
        return self.out / f"{self.name}{suffix}"

    @property
    def command(self) -> str:
        """The command that makes the page again."""
        matrix = "" if self.matrix is None else " --matrix FILE"
        quick = " --quick" if self.quick else ""
        seed = f" --seed {self.seed}" if self.seed else ""
        return f"cpe-opt reproduce {self.name}{quick}{matrix}{seed}"

    def needed_matrix(self) -> PreferenceMatrix:
        """The matrix, or :class:`InputError` with what is expected."""
        if self.matrix is None:
            raise InputError(
                f"{self.name} needs a preference matrix of many rankers: --matrix FILE, such as "
                "that of the 136 MSLR rankers under the informational click model"
            )
        return self.matrix
