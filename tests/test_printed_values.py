"""What values print of themselves: one short line."""

import cpe_opt as cpe

NASTY = "<script>alert('&')</script>"


def votes():
    wins = [[0, 35, 30], [20, 0, 60], [28, 20, 0]]
    return cpe.Votes(wins, [NASTY, "tuna", "squid"], name=NASTY)


def values():
    """One of each kind, by name."""
    mu = cpe.PreferenceMatrix(
        [[0.5, 0.8, 0.6], [0.2, 0.5, 0.7], [0.4, 0.3, 0.5]], [NASTY, "b", "c"]
    )
    program = cpe.copeland_bound_program(mu, method="compact")
    quadratic = cpe.ProgramBuilder("p")
    quadratic.columns("x", [0, 1], upper=1.0)
    quadratic.quadratic([0], [0], [1.0])
    teams = [["ann", NASTY], ["ann", "cleo"], [NASTY, "cleo"]]
    quality = {NASTY: 1, "b": 2}
    return {
        "answer": cpe.copeland_time(mu),
        "matching": cpe.best_matching(cpe.BipartiteGraph.complete(2, 2), [1.0, 0.0, 0.0, 1.0]),
        "closed form": cpe.von_neumann_winner(mu),
        "result": cpe.solve(program),
        "linear": program,
        "quadratic": quadratic.build(),
        "lazy": cpe.copeland_bound_program(cpe.load_instance("gap"), method="cuts"),
        "conic": cpe.g_design_program(cpe.TopK(4, 2)),
        "trace": cpe.simulate("copeland-tracking", mu, delta=0.2),
        "regret": cpe.simulate("ecw-rmed", mu, horizon=100),
        "evidence": cpe.evidence(votes()),
        "team evidence": cpe.team_evidence(cpe.TeamScores(teams, [5, 4, 3], [9, 9, 9]), sigma=1.0),
        "analysis": cpe.analyse(mu),
        "choice": cpe.best_of(quality, lambda asked: max(asked.labels, key=quality.get), items=9),
    }


def test_what_is_printed_of_a_value_is_one_short_line():
    made = values()
    for name, value in made.items():
        assert "\n" not in repr(value), name
        assert len(repr(value)) < 200, name
    assert repr(made["evidence"]).endswith("3 arms, 193 votes, delta 0.05: 1 of 3 pairs proved)")
    assert repr(made["result"]).startswith("SolveResult('copeland_0', optimal, objective ")
    assert repr(made["choice"]).startswith("Choice('proved on these 9 items, not on new ones: b, a")
