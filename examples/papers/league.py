r"""Leagues: every learner of a family on every problem, as multiples of a lower bound.

A line of the table is a learner, a column is a problem; a cell is the mean number of samples until
the answer by :math:`T^* \ln(1/\delta)`, or the mean regret by :math:`C^* \ln T`. On average no
algorithm that errs with probability at most delta needs fewer samples than
:math:`T^* \mathrm{kl}(\delta, 1-\delta)` where one answer is right, and
:math:`T^* \mathrm{kl}((1-\delta)/m, \delta)` where it may name any of m right ones, as long as
:math:`(1-\delta)/m \ge \delta`.

Who plays is in ``pages/players.csv``, problems and claims are in ``pages/league*.toml``, what may
be declared of a league in ``pages/league-defaults.toml``.

    python examples/papers/league.py --league separable --full
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import study
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from study import Claim, Interval, Settings, Study, Table, built, declared, table_of

import cpe_opt as cpe
from cpe_opt.learners.dueling.noisy_tournament import NO_WINNER
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.registry import get_learner
from cpe_opt.problems.pairs import TOLERANCE
from cpe_opt.reports import drawing

_PROVED = ("", NO_WINNER)  # the doubts of answers that count as proved
_LITTLE = 0.1  # of the rounds: what the exploration of the bound may be where it says something
_UNCOVERED, _PALE = "its theorem does not cover this", "#c4c4c4"
MANY_ARMS, FEW_RUNS = 64, 10  # from so many arms on there are at most so many runs
_MOST_ARMS = 136  # where regret is measured
_MAX_SAMPLES, _MAX_SAMPLES_SLOW = 10**7, 2 * 10**6  # of a run

# Goals: what is lost, and what is identified.
LOST, LOST_TOLD = "C*", "C* for algorithms that are told of a Condorcet winner"
COPELAND, RANKING, BORDA = "Copeland winner", "ranking", "Borda winner"
CONDORCET, CONDORCET_TOLD = "Condorcet winner", "Condorcet winner, told the least advantage"
BEST_ARM, BEST_SET, DECISION = "best arm", "best set", "best decision"


@dataclass(frozen=True)
class Goal:
    """What may be looked for on an instance, and the least it costs."""

    unit: float  # T* or C*, or a bound of it from below
    right: Callable[[Any], bool] | None = None  # whether an answer is; None: regret is measured
    upper: float = math.inf  # the same, or a bound of it from above
    winners: int = 0  # right answers; 0 where the unit bounds no mean number of samples
    missing: str = ""  # why nothing can be looked for


@dataclass(frozen=True, eq=False)
class Instance:
    """A problem of a league, its kind, its goals by their names, and columns about it."""

    problem: Any
    kind: str
    goals: Mapping[str, Goal]
    about: Mapping[str, Any] = field(default_factory=dict)
    lacks: str = ""  # of what theorems need: "condorcet" (a winner), "untied" (that no arms tie)

    @property
    def name(self) -> str:
        return str(self.problem.name)

    def row(self) -> dict[str, Any]:
        """What a table of instances says of it."""
        least = {name: goal.unit for name, goal in self.goals.items()}
        most = {f"{name}, at most": goal.upper for name, goal in self.goals.items()}
        return {"name": self.name, **self.about, **least, **most}


# Instances: the goals of a problem, what is said about it, and what it lacks


def matrix(mu: cpe.PreferenceMatrix, margin: float = 0.0, horizon: int = 0) -> dict[str, Any]:
    """What may be looked for in duels, within a margin or with the regret up to a horizon."""
    copeland = cpe.copeland_time(mu, margin=margin).value
    borda, only, winner = cpe.borda_time(mu, margin=margin).value, math.nan, mu.condorcet_winner
    none, condorcet = "there is no Condorcet winner to identify", tuple[int, ...]()
    if winner is not None:
        only = cpe.condorcet_time(mu, margin=margin).value
        none, condorcet = endless(only, CONDORCET), mu.condorcet_winners_within(margin)
    right, best = mu.copeland_winners_within(margin), mu.borda_winners_within(margin)
    gap = "it must be told the least advantage of a pair, which is 0" if mu.ties else ""
    either: dict[str, Any] = {"winners": len(right), "missing": endless(copeland, COPELAND)}
    goals = {
        COPELAND: Goal(copeland, right.__contains__, **either),
        RANKING: Goal(copeland, partial(is_ranked, mu), **either),
        CONDORCET: Goal(only, condorcet.__contains__, winners=len(condorcet), missing=none),
        CONDORCET_TOLD: Goal(only, condorcet.__contains__, missing=none or gap),
        BORDA: Goal(borda, best.__contains__, missing=endless(borda, BORDA)),
    }
    about: dict[str, Any] = {"arms": mu.arms, "margin": margin, "horizon": horizon}
    about |= {"right": len(right), "winners": len(mu.copeland_winners)}
    about["least gap"] = float(mu.gaps[np.triu_indices(mu.arms, 1)].min())
    about["condorcet"] = "no" if winner is None else "yes"
    lacks = "condorcet " * (winner is None) + "untied" * bool(mu.ties)
    if margin:
        about["exact"] = cpe.copeland_time(mu).value
        lacks += " untied" * math.isinf(about["exact"])
        return {"goals": goals, "about": about, "lacks": lacks}
    bound, told = cpe.copeland_bound(mu), math.nan
    if winner is not None:
        told = cpe.condorcet_time(mu, prices=mu.regret()).value
    missing = f"regret is measured up to {_MOST_ARMS} arms" if mu.arms > _MOST_ARMS else ""
    goals[LOST] = Goal(bound.value, missing=missing)
    goals[LOST_TOLD] = Goal(bound.value if winner is None else told, missing=missing)
    explored = float(np.triu(bound.exploration, 1).sum()) * math.log(horizon) / horizon
    return {"goals": goals, "about": {**about, "told": told, "explored": explored}, "lacks": lacks}


def endless(time: float, goal: str) -> str:
    """Why nothing can be looked for where T* is infinite."""
    return f"two arms may be the {goal}: T* is infinite" if math.isinf(time) else ""


def is_ranked(mu: cpe.PreferenceMatrix, answer: Sequence[int]) -> bool:
    """Whether arms are in the order of their Copeland scores."""
    return bool((np.diff(mu.copeland_scores[list(answer)]) <= 0).all())


def best_arm(bandit: cpe.SubsetBandit, margin: float) -> dict[str, Any]:
    """Arms with single rewards: T* within a margin is that with the answer's mean raised by it."""
    means, times = np.asarray(bandit.theta), []
    right = np.flatnonzero(means >= means.max() - margin - TOLERANCE).tolist()
    for arm in right:
        raised = means + margin * (np.arange(len(means)) == arm)
        made = cpe.SubsetBandit(bandit.decisions, raised, noise=bandit.noise)
        times.append(cpe.subset_time(made, "single"))
    low, high = min(time.bound for time in times), min(time.value for time in times)
    goal = Goal(low, is_one_of([(arm,) for arm in right]), high, winners=len(right))
    exact = cpe.subset_time(bandit, "single").value
    about = {"arms": len(means), "margin": margin, "right": len(right), "least": high}
    about |= {"exact": exact, "noise": bandit.noise}
    return {"goals": {BEST_ARM: goal}, "about": about, "lacks": "untied" * math.isinf(exact)}


def best_set(problem: cpe.SubsetBandit, feedback: Any) -> dict[str, Any]:
    """A class that can be listed, with its T* from what is seen."""
    time = cpe.subset_time(problem, feedback)
    # Sums of fewer elements have less noise than the time is told of.
    alike = feedback == "single" or len(problem.decisions.sizes) == 1
    goal = Goal(time.bound, is_one_of([time.elements]), time.value, winners=int(alike))
    noise, k = problem.noise, problem.decisions.rank
    about = {"noise": noise, "k R": k * noise, "√k R": math.sqrt(k) * noise}
    return {"goals": {BEST_SET: goal}, "about": about}


def best_matching(duels: cpe.MatchingDuels) -> dict[str, Any]:
    """Duels of candidates for positions, with both winners."""
    time = cpe.matching_time(duels)
    weights = cpe.SubsetBandit(cpe.Matchings(duels.graph), duels.borda_weights, noise=0.5)
    borda = cpe.subset_time(weights)
    winner = Goal(time.bound, is_one_of([time.matching]), time.value)
    favourite = Goal(borda.bound, is_one_of([borda.elements]), borda.value)
    return {"goals": {CONDORCET: winner, BORDA: favourite}}


def best_decision(problem: cpe.SeparableProblem, top: bool = False) -> dict[str, Any]:
    """Separable rewards with T* of the best k of n, or bounds of it; rewards are ½-sub-Gaussian."""
    hard = cpe.separable_hardness(problem)
    low, high = hard.time_bounds
    if top:
        chosen = cpe.TopK(len(problem.arms), int(hard.decision.sum()))
        time = cpe.subset_time(cpe.SubsetBandit(chosen, problem.theta, noise=0.5))
        low, high = time.bound, time.value
    goal = Goal(low, is_one_of([tuple(hard.decision.tolist())]), high)
    about = {"hard": hard, "hardness": hard.hardness, "uniform": hard.uniform}
    return {"goals": {DECISION: goal}, "about": about}


def is_one_of(right: Sequence[tuple[Any, ...]]) -> Callable[[Any], bool]:
    """Whether an answer, as it is read from a file, is among the right ones."""
    return lambda answer: answer is not None and tuple(answer) in right


# The leagues

MADE: Mapping[str, Callable[..., dict[str, Any]]] = {
    "matrix": matrix,
    "arm": best_arm,
    "single": partial(best_set, feedback="single"),
    "sums": partial(best_set, feedback="sums"),
    "matching": best_matching,
    "decision": best_decision,
}


def leagues_of(name: str, settings: Settings) -> list[Any]:
    """The leagues of ``pages/NAME.toml``: who plays on which instances, and what is claimed."""
    players = pd.read_csv(study.PAGES / "players.csv", dtype=str, keep_default_na=False)
    said, found = declared(name), []
    groups = declared(said.get("instances_of", name))["instances"]
    made = {of: instances(of, groups, settings) for of in {each["of"] for each in said["leagues"]}}
    for each in said["leagues"]:
        league = SimpleNamespace(**{**declared("league-defaults"), **each})
        league.instances = made[league.of]
        league.players = list(players[players["league"] == league.name].itertuples())
        if league.regret:
            explored = {each.name: each.about["explored"] for each in league.instances}
            league.marked = [each for each, share in explored.items() if share > _LITTLE]
        found.append(league)
    return found


def instances(of: str, groups: Sequence[Mapping[str, Any]], settings: Settings) -> list[Instance]:
    """The declared ones of a sort; those of some groups, and long horizons, in full runs alone."""
    found = []
    for group in groups:
        said = {"of": of, "full": False, **group}
        kind, problems = said.pop("kind"), said.pop("problems")
        if "horizon" in said:
            said["horizon"] = settings.choose(10**4, said["horizon"])
        if said.pop("of") == of and settings.full >= said.pop("full"):
            found += [Instance(each, kind, **MADE[of](each, **said)) for each in built(problems)]
    return found


# Cells: what is run, and what was needed


@dataclass(frozen=True, eq=False)
class Cell:
    """The runs of a player on an instance, planned or played, and what it needed."""

    player: Any  # a line of players.csv
    instance: Instance
    left_out: str = ""  # why nothing is run
    short: bool = False  # whether this learner has a shorter horizon than others
    bound: float = 1.0  # of the amounts
    spec: Any = None
    horizon: int | None = None
    runs: int = 0  # that are planned
    # Of finished runs: the regret or the samples of each, how many were cut off or gave up, so that
    # their values are lower bounds, and how many were wrong and said to be proved.
    amounts: tuple[float, ...] = ()
    unfinished: int = 0
    wrong: int = 0

    @property
    def line(self) -> str:
        return str(self.player.line)

    @property
    def goal(self) -> Goal:
        return self.instance.goals[self.player.goal]

    @property
    def covered(self) -> bool:
        """Whether the learner's theorem covers the instance."""
        return not set(self.player.needs.split()) & set(self.instance.lacks.split())

    @property
    def counts(self) -> bool:
        return self.covered and bool(self.amounts)

    @property
    def judged(self) -> bool:
        """Whether claims are about it: of several runs, to the horizon of its instance."""
        return self.counts and len(self.amounts) > 1 and not self.short

    @cached_property
    def mean(self) -> Interval:
        """The mean of the multiples of the bound over runs; NaN if nothing was run."""
        if not self.amounts:
            return Interval(math.nan, math.nan, math.nan)
        return study.ratio_interval(np.array(self.amounts) / self.bound)

    def row(self) -> dict[str, Any]:
        """What a table of runs says of it."""
        about = {"learner": self.line, "instance": self.instance.name, "left_out": self.left_out}
        counts = {"runs": len(self.amounts), "unfinished": self.unfinished, "wrong": self.wrong}
        return {**about, **vars(self.mean), **counts}

    @property
    def text(self) -> str:
        """As it is written in the page's table; in brackets where no theorem covers it."""
        if not self.amounts:
            return "out" if self.left_out and self.left_out == self.player.why else "–"
        wrong = f" {self.wrong}✗" if self.wrong else ""
        number = f"{short_number(self.mean.value)}{'*' * self.short}{wrong}"
        text = f"{'>' * (self.unfinished > 0)}{number}"
        return text if self.covered else f"({text})"


def planned(player: Any, instance: Instance, delta: float, runs: int) -> Cell:
    """A cell that is not yet played; without runs where the player is left out."""
    goal, arms = instance.goals[player.goal], instance.about.get("arms", 0)
    many, horizon, bound = arms >= MANY_ARMS, None, goal.unit * math.log(1.0 / delta)
    short = many and bool(player.shorter)
    most = _MAX_SAMPLES_SLOW if short else int(player.samples or _MAX_SAMPLES)
    known = {f"={name}": value for name, value in {**instance.about, "samples": most}.items()}
    given = json.loads(player.told or "{}")
    told, reason = {name: known.get(each, each) for name, each in given.items()}, goal.missing
    if player.most_arms and arms > int(player.most_arms):
        reason = reason or player.why
    if not 0.0 < goal.unit < math.inf:
        reason = reason or f"the bound is {goal.unit:g}"
    if goal.right is None:
        horizon = instance.about["horizon"] // (10 if short else 1)
        bound = goal.unit * math.log(horizon)
    else:
        told["delta"] = delta
        try:
            Exchange(get_learner(player.learner), instance.problem.known, **told).close()
        except cpe.InputError as error:
            reason = reason or str(error)
        told["max_samples"] = most
    if reason:
        return Cell(player, instance, reason)
    runs = min(runs, int(player.runs or runs), FEW_RUNS if many else runs)
    spec = cpe.LearnerSpec(player.learner, told, label=player.line)
    short = short and horizon is not None
    return Cell(player, instance, "", short, bound, spec, horizon, runs)


def play(cell: Cell, settings: Settings) -> Cell:
    """With what was needed in its runs; wrong answers are those said to be proved."""
    if cell.spec is None:
        return cell
    units, right = None if cell.horizon is None else "mean", cell.goal.right
    told = {"runs": cell.runs, "horizon": cell.horizon, "regret": units}
    (runs,) = study.experiment([cell.spec], cell.instance.problem, settings, **told).values()
    if right is None:
        return replace(cell, amounts=tuple(runs["regret"]))
    done = runs[runs["doubt"].isin(_PROVED)]
    wrong = sum(not right(answer) for answer in done["answer"])
    amounts, cut = tuple(runs["samples"]), len(runs) - len(done)
    return replace(cell, amounts=amounts, unfinished=cut, wrong=wrong)


def short_number(value: float) -> str:
    """Two digits: 0.53, 1.7, 24, 1,500, 24k."""
    if value >= 9950.0:
        return f"{value / 1000.0:,.0f}k"
    if value >= 9.95:
        return f"{float(f'{value:.2g}'):,.0f}"
    return f"{value:.1f}" if value >= 0.995 else f"{value:.2f}"


def typical(cells: Iterable[Cell]) -> float:
    """The geometric mean of positive multiples; inf without any."""
    values = [cell.mean.value for cell in cells if cell.mean.value > 0.0]
    return float(np.exp(np.log(values).mean())) if values else math.inf


def typical_text(cells: Sequence[Cell]) -> str:
    """The same as a text: a lower bound where runs were cut off, empty without any."""
    sign, value = ">" * any(cell.unfinished for cell in cells), typical(cells)
    return f"{sign}{short_number(value)}" if math.isfinite(value) else ""


# Claims, about the cells of a table


def league_claims(league: Any, cells: Sequence[Cell]) -> list[Claim]:
    """Errors, the least mean number of samples, and the ratios that the league declares."""
    judged = [cell for cell in cells if cell.judged]
    lines = {line: [c for c in judged if c.line == line] for line in {c.line for c in judged}}
    words = {"samples": league.samples}
    found = [] if league.regret else [errors(league, cells)]
    if league.bounded:
        found.append(none_below(league, judged))
    for name in league.near:
        own = [c for c in lines.get(name, ()) if c.instance.name not in league.marked]
        near: list[Compared] = [(cell, None, league.within) for cell in own]
        kind = "near-the-bound" if league.regret else "near"
        found.append(at_most(kind, near, learner=name, high=league.within))
    for name in league.ahead:
        others = ((cell, best_rival(cell, cells)) for cell in lines.get(name, ()))
        ahead: list[Compared] = [(cell, rival, 1.0) for cell, rival in others if rival]
        found.append(at_most("ahead", ahead, learner=name, **words))
    for name, shares in league.shares:
        only, texts = league.shares_on, (f"{s:.3g} of {n}'s" for n, s in shares.items())
        pairs: list[Compared] = [
            (cell, rival, share)
            for other, share in shares.items()
            for rival in lines.get(other, ())
            for cell in lines.get(name, ())
            if cell.instance is rival.instance and cell.instance.name.startswith(only)
        ]
        words |= {"shares": ", ".join(texts).replace("1 of ", ""), "learner": name}
        words["instances"] = f"instance {only}-…" if only else "instance"
        found.append(at_most("share", pairs, **words))
    for name, bound in league.theorems.items():
        own = lines.get(name, [])
        bounds = [getattr(c.instance.about["hard"], bound)(delta=league.delta) for c in own]
        shares = [max(c.amounts) / most for c, most in zip(own, bounds, strict=True)]
        found.append(study.claim(f"bound-{name}", shares, ".0%", high=1.0, here="{} of it"))
    if league.chance:
        chance = {cell.instance: cell for cell in cells if cell.line == league.chance}
        rest = [cell for cell in judged if cell.line != league.chance]
        found.append(at_most("beats-all", [(c, chance[c.instance], 1.0) for c in rest]))
    return found


def errors(league: Any, cells: Sequence[Cell]) -> Claim:
    """Whether anybody errs more often than promised, over all instances of its theorem."""
    lines = dict.fromkeys(cell.line for cell in cells if cell.counts)
    found = {line: errors_of([cell for cell in cells if cell.line == line]) for line in lines}
    words = {"delta": league.delta, "answer": league.answer}
    return study.errors_claim(found, [league.delta] * len(found), **words)


def errors_of(line: Sequence[Cell]) -> tuple[int, int]:
    """Wrong answers and runs, where a learner's theorem holds."""
    counted = [cell for cell in line if cell.counts]
    return sum(cell.wrong for cell in counted), sum(len(cell.amounts) for cell in counted)


def least_multiple(winners: int, delta: float) -> float:
    """What no algorithm needs less than on average, by T* ln(1/delta)."""
    named = (1.0 - delta) / winners
    if named <= delta:
        return 0.0
    gained = named * math.log(named / delta)
    return (gained + (1.0 - named) * math.log((1.0 - named) / (1.0 - delta))) / -math.log(delta)


def none_below(league: Any, judged: Sequence[Cell]) -> Claim:
    """Whether somebody loses or needs less than can be, on average, where there is a bound."""
    bound = [c for c in judged if c.instance.name not in league.marked]
    if league.regret:
        least = dict.fromkeys(bound, 1.0)
    else:
        least = {c: least_multiple(c.goal.winners, league.delta) for c in bound if c.goal.winners}
    below = [c for c, value in least.items() if c.mean.high < value and not c.unfinished]
    texts = [f"{c.line} on {c.instance.name} {c.mean.text('.2g')}" for c in below]
    several = ", or T* kl((1 - delta)/m, delta) where any of m answers is right"
    several *= any(c.goal.winners > 1 for c in least)
    words = {"samples": league.samples, "where": league.bounded, "several": several}
    ours = "; ".join([f"{len(below)} of {len(least)} are", *texts])
    return Claim("no-less" if league.regret else "least", ours, not below if least else None, words)


def best_rival(cell: Cell, cells: Sequence[Cell]) -> Cell | None:
    """The least on its instance of others that look for the same and are told the same."""
    same = [c for c in cells if c.counts and c.line != cell.line and c.instance is cell.instance]
    kind = cell.player.group, cell.player.goal
    rivals = [each for each in same if (each.player.group, each.player.goal) == kind]
    return min(rivals, key=lambda each: (each.unfinished > 0, each.mean.value), default=None)


Compared = tuple[Cell, Cell | None, float]
"""A cell, another one or None for its bound, and which share of that it is claimed to need."""


def at_most(claim: str, compared: Sequence[Compared], **words: Any) -> Claim:
    """That each cell is at most a share of another one; None where cut runs leave it open."""
    if not compared:
        return Claim(claim, "there is no other", None, words)
    ratios, held = [], []
    for cell, other, share in compared:
        ratio = study.ratio_interval(cell.amounts, other.amounts) if other else cell.mean
        less = ratio.within(high=share)
        # Runs that were cut off are a lower bound.
        cut = (less and cell.unfinished) or (less is False and other and other.unfinished)
        held.append(None if cut else less)
        ratios.append(ratio)
    worst = max(range(len(ratios)), key=lambda n: ratios[n].value / compared[n][2])
    cell, other, _ = compared[worst]
    text = f"so in {held.count(True)} of {len(held)} cells, not so in {held.count(False)}"
    most = f"at most {ratios[worst].text('.3g')} times {other.line if other else 'its bound'}"
    ours = f"{text}; {most}: {cell.line} on {cell.instance.name}"
    return Claim(claim, ours, study.all_hold(held), words)


# Pages


def league_study(name: str, option: str) -> Study:
    """A study of leagues; names of values of all but the first one end with the league's name."""

    def values(settings: Settings) -> dict[str, Any]:
        found, claims, rows, panels = dict[str, Any](), [], [], {}
        for league in leagues_of(name, settings):
            runs = settings.choose(3, league.runs)
            cells = [
                play(planned(player, instance, league.delta, runs), settings)
                for player, instance in product(league.players, league.instances)
            ]
            claims += league_claims(league, cells)
            panels[league.picture] = cells
            shown = [cell.row() for cell in cells]
            for line, why in league.exceptions.items():
                shown.append({"learner": line, "instance": "all", "left_out": why})
            rows += [{"league": league.name, **row} for row in shown]
            end = f"-{league.name}" if found else ""
            found |= {
                f"league{end}": league,
                f"instances{end}": Table(pd.DataFrame([each.row() for each in league.instances])),
                f"table{end}": table_of_cells(league, cells),
            }
        frame = study.written([pd.DataFrame(rows)], settings)
        line = ["league", "learner"]
        played, absent = frame[frame["runs"] > 0], frame[frame["left_out"] != ""]
        reasons = absent.groupby([*line, "left_out"], sort=False)[["instance"]].agg(", ".join)
        counts = played.astype({"runs": int}).groupby(line, sort=False)[["runs"]]
        return {
            **found,
            "claims": claims,
            "picture": draw_dots(settings.file(".png"), panels),
            "left_out": Table(reasons),
            "runs": Table(counts.agg(study.span)),
        }

    return Study(name, f"league.py --league {option}", values)


def by_line(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    """The cells of each line, by groups, and best first; a column in which nothing ran is out."""
    run, lines = {cell.instance for cell in cells if cell.amounts}, dict[str, list[Cell]]()
    for cell in cells:
        if cell.instance in run:
            lines.setdefault(cell.line, []).append(cell)
    groups = list(dict.fromkeys(cell.player.group for cell in cells))
    means = {name: typical(c for c in line if c.counts) for name, line in lines.items()}
    order = sorted(lines, key=lambda n: (groups.index(lines[n][0].player.group), means[n]))
    return {name: lines[name] for name in order}


def table_of_cells(league: Any, cells: Sequence[Cell]) -> Table:
    """Cells as texts; a dagger on marked columns; *common*: what counts in all lines of a group."""
    lines = by_line(cells)
    names = [cell.instance.name for cell in next(iter(lines.values()))]
    marked = [f"{name}†" if name in league.marked else name for name in names]
    judged = not league.regret
    head = ["learner", *marked, "typical", "instances", "common"] + ["wrong (95 %)"] * judged
    rows = []
    for name, line in lines.items():
        group = [each for each in lines.values() if each[0].player.group == line[0].player.group]
        counting = [{c.instance for c in each if c.counts} for each in group]
        counted, wrong = [c for c in line if c.counts], errors_of(line)
        common = [c for c in counted if all(c.instance in each for each in counting if each)]
        means = [typical_text(counted), len(counted), typical_text(common)]
        errs = [study.errors_text(*wrong) if wrong[1] else ""] * judged
        rows.append([name, *(cell.text for cell in line), *means, *errs])
    return table_of(head, rows)


def draw_dots(path: Path, shown: Mapping[str, Sequence[Cell]]) -> Path:
    """A line for each learner, a dot for each instance, coloured by its kind, on a log scale.

    A bar is the geometric mean, whose text is to the right, next to the words of its group.
    """
    kinds = dict.fromkeys(c.instance.kind for cells in shown.values() for c in cells if c.counts)
    colours = {kind: style.color for kind, style in drawing.styles(kinds).items()}
    signs = [("o", colour, kind) for kind, colour in colours.items()] + [("o", _PALE, _UNCOVERED)]
    signs += [(">", "k", "lower bound: runs were cut off"), ("|", "k", "geometric mean")]
    handles = [Line2D([], [], ls="", marker=s, color=c, label=words) for s, c, words in signs]
    panels = {
        title: {name: line for name, line in by_line(cells).items() if any(c.amounts for c in line)}
        for title, cells in shown.items()
    }
    rows = [len(lines) for lines in panels.values()]
    small: dict[str, Any] = {"fontsize": drawing.LABEL_SIZE, "va": "center"}
    with drawing.picture_style():
        size = (6.6, 1.4 + 0.3 * len(rows) + 0.21 * sum(rows))
        figure = Figure(figsize=size, layout="constrained", dpi=200)
        below = figure.subplots(len(rows), 1, squeeze=False, height_ratios=rows).ravel()
        for axes, (title, lines) in zip(below, panels.items(), strict=True):
            side, groups = axes.get_yaxis_transform(), dict[str, list[int]]()
            for row, line in enumerate(lines.values()):
                groups.setdefault(line[0].player.group, []).append(row)
                for cell in (cell for cell in line if cell.amounts):
                    colour = colours[cell.instance.kind] if cell.covered else _PALE
                    sign, value = ">" if cell.unfinished else "o", cell.mean.value
                    axes.plot(value, row, sign, color=colour, markersize=4.5, alpha=0.75, mew=0)
                counted = [cell for cell in line if cell.counts]
                axes.plot(typical(counted), row, "|", color="k", markersize=11, mew=2)
                axes.text(1.01, row, typical_text(counted), transform=side, **small)
            for group, same in groups.items():
                axes.axhline(same[0] - 0.5, color="black", lw=0.6)
                axes.text(1.1, np.mean(same), group, transform=side, style="italic", **small)
            axes.set_title(title, loc="left", fontsize=drawing.LABEL_SIZE + 1.5)
            axes.set(xscale="log", xlabel="multiple of the bound", ylim=(len(lines) - 0.5, -0.5))
            axes.set_yticks(range(len(lines)), list(lines), fontsize=drawing.LABEL_SIZE)
            axes.axvline(1.0, color="black", linestyle=":", lw=1.2)
            axes.grid(visible=True, axis="x")
            axes.xaxis.set_major_formatter("{x:,.9g}")
        figure.legend(handles=handles, loc="outside lower center", ncols=3, fontsize=8.0)
    return drawing.save_figure(figure, path)


STUDIES = (
    *(
        league_study(f"league-{option}", option)
        for option in ("separable", "matchings", "single", "sums", "margins")
    ),
    league_study("league", "dueling"),
)

if __name__ == "__main__":
    study.main(STUDIES, __doc__)
