"""Mutants of what files of votes are read as, and of what may be proved by them."""

from tests.mutants import of

DUELING = "problems/dueling"
PREFLIB = f"{DUELING}/test_preflib.py"
LOGS = f"{DUELING}/test_further_logs.py"

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
        "proofs/dueling/statements.py",
        PREFLIB,
        ("votes.proving_wins, votes.independent", "votes.wins, votes.independent"),
    ),
    *of(
        "problems/logs.py",
        LOGS,
        ("int(count[both_bad].sum())", "int(both_bad.sum())"),
    ),
    *of(
        "problems/logs.py",
        LOGS,
        ("differ = by_place != by_name if placed and fits", "differ = None if placed and fits"),
        ("(ambiguous[codes] if fits else None)", "None"),
        ("1.0 * (of_word[codes] == first)", "1.0 * (of_word[codes] == second)"),
        ("return by_place if placed else by_name", "return by_name"),
    ),
    *of(
        "problems/clusters.py",
        LOGS,
        ("0 < each.values < each.observations", "0 < each.values <= each.observations"),
        ("observations - (table.rows - filled)", "filled"),
        ("hashes[1:] != hashes[:-1]", "hashes[1:] == hashes[:-1]"),
        ("self.rows += len(known)", "self.rows += len(hashes)"),
    ),
    *of(
        "problems/subsets/team_scores.py",
        "reports/test_team_evidence.py",
        ("others=True, counted=is_cluster_name", "others=True"),
        ("cluster_columns(table, int(counts.sum()))", "cluster_columns(table, table.rows)"),
    ),
    *of(
        "reports/team_evidence.py",
        "reports/test_team_evidence.py",
        ('{proved}", *warnings]', '{proved}"]'),
        ("[asdict(each) for each in self.scores.clusters]", "[]"),
    ),
    *of(
        "problems/arrow_columns.py",
        LOGS,
        ("table.num_rows != lines or not", "not"),
        ("_DEEPEST = 1000", "_DEEPEST = 10**9"),
        ("2 * opening == 2 * closing == block", "2 * opening == block"),
    ),
    *of(
        "problems/line_blocks.py",
        LOGS,
        ("% 2\n    while end and inside", "% 1\n    while end and inside"),
    ),
    *of(
        "proofs/dueling/remaining_duels.py",
        PREFLIB,
        ("wins = votes.proving_wins", "wins = votes.wins"),
    ),
]
