"""Mutants of what files of votes are read as, and of what may be proved by them."""

from tests.mutants import of

DUELING = "problems/dueling"
PREFLIB = f"{DUELING}/test_preflib.py"

VOTES = [
    *of(
        "problems/preflib.py",
        PREFLIB,
        ("selected = wins + wins.T < voters", "selected = wins + wins.T > voters"),
        ("float(len(order)) if last else np.nan", "np.nan if last else float(len(order))"),
        ('unranked == "last" and suffix != _PAIRWISE', 'unranked == "last"'),
        ("voters if suffix == _PAIRWISE else None)", "None)"),
        ("incomplete += weight * (len(ranked) < count)", "incomplete += len(ranked) < count"),
        ("+ 0.5 * level", "+ level"),
    ),
    *of(
        "problems/pairs.py",
        PREFLIB,
        ("np.where(self.selected, 0.0, self.wins)", "self.wins"),
        ("None if self.selected is None else self.selected[chosen]", "None"),
    ),
    *of(
        "analysis/statements.py",
        PREFLIB,
        ("votes.proving_wins, votes.independent", "votes.wins, votes.independent"),
    ),
    *of(
        "formulations/dueling/settling.py",
        PREFLIB,
        ("wins = votes.proving_wins", "wins = votes.wins"),
    ),
]
