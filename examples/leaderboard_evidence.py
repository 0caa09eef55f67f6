"""An existing leaderboard: what its votes prove, and which 1,000 votes to buy next.

    python examples/leaderboard_evidence.py --out leaderboard.png

Makes a log of 20,000 votes on random pairs of 25 models, which follow a Bradley–Terry model except
for a cycle among the best three: none beats all others, and three are Copeland winners. Says what
the log proves, and which votes would settle it. Then buys votes in many runs, in four ways: on
random pairs, as they came before; on all pairs equally often; as `evidence` orders the next 1,000,
and again after these; and one after another as the learner `copeland-tracking` asks. The picture
shows in how many of these runs a winner is proved as the votes come in.

The models are picked so that the question is open: in this draw of Bradley–Terry, with each of the
best three ahead of the next by 62 to 38, the 20,000 votes prove no winner, and 1,000 well-chosen
ones most often do.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

import cpe_opt as cpe
from cpe_opt.formulations.dueling.confusing_instances import identification_rows
from cpe_opt.problems.generators import bradley_terry
from cpe_opt.proofs.dueling.e_values import log_e_values
from cpe_opt.proofs.dueling.winners import COPELAND_SHARE, PAIRS_SHARE, copeland_proved, pair_proof
from cpe_opt.reports.drawing import save_figure, styles
from cpe_opt.reports.evidence import Evidence

MODELS, VOTES, NEXT, DELTA, DRAW = 25, 20_000, 1_000, 0.05, 4
FIRST, SECOND = np.triu_indices(MODELS, 1)
MANY = 128_000
LOOKS = [round(250 * 2 ** (k / 4)) for k in range(41)]  # votes after which the proof is looked at
HEIGHTS = (45, 75, 45, 65)  # of the lines' names, in per cent
Counts = npt.NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=100, help="runs of buying votes")
    parser.add_argument("--out", type=Path, default=Path("leaderboard.png"), help="a picture")
    arguments = parser.parse_args()

    truth = models_with_a_cycle()
    log = arguments.out.with_name("battles.csv")
    rng = np.random.default_rng(DRAW)
    wins = won(truth, rng.multinomial(VOTES, np.full(len(FIRST), 1 / len(FIRST))), rng)
    cpe.write_votes(cpe.Votes(wins, truth.labels), log, force=True)
    votes = cpe.read_votes(log)
    found = cpe.evidence(votes, delta=DELTA)
    said = [*found.copeland.values()]
    print(f"{log.name}: {votes}")
    print(
        f"at error probability {DELTA}: {said.count('proved')} models are proved to be Copeland "
        f"winners, {said.count('possible')} may be, {said.count('ruled out')} are none"
    )
    print(
        f"{found.remaining.cost:,.0f} further votes would prove one, if the fractions of wins "
        "stay; most on"
    )
    order = order_of(found)
    for pair in np.argsort(-order, kind="stable")[:4]:
        i, j = votes.labels[FIRST[pair]], votes.labels[SECOND[pair]]
        print(f"  {i} and {j}: {order[pair]:,}")

    ways = {
        "random pairs": at_random,
        "all pairs equally": equally,
        "evidence, in orders\nof at most 1,000": as_evidence_says,
        "copeland-tracking": by_tracking,
    }
    shares = {}
    for name, buy in ways.items():
        runs = [proved_at_looks(buy(truth, votes, seed)) for seed in range(arguments.seeds)]
        share = np.mean(runs, axis=0)
        half = next((look for look, each in zip(LOOKS, share, strict=True) if each >= 0.5), None)
        shares[name] = share
        print(
            f"{name.replace(chr(10), ' ')}: a winner is proved after {NEXT:,} votes in "
            f"{share[LOOKS.index(NEXT)]:.0%} of {arguments.seeds} runs, after {MANY:,} in "
            f"{share[LOOKS.index(MANY)]:.0%}, in half of them after "
            + (f"{half:,}" if half else f"more than {LOOKS[-1]:,}")
        )
    draw(shares, arguments.out)
    print(f"wrote {arguments.out}")


def models_with_a_cycle() -> cpe.PreferenceMatrix:
    """Bradley–Terry, the best first, except that the best three form a cycle."""
    matrix = bradley_terry(MODELS, seed=DRAW).array
    best = np.argsort(-matrix.sum(axis=1), kind="stable")
    matrix = matrix[np.ix_(best, best)]
    for i, j in ((0, 1), (1, 2), (2, 0)):
        matrix[i, j], matrix[j, i] = 0.62, 0.38
    return cpe.PreferenceMatrix(matrix, [f"model {arm + 1}" for arm in range(MODELS)])


def won(
    truth: cpe.PreferenceMatrix, times: npt.NDArray[np.int64], rng: np.random.Generator
) -> Counts:
    """Wins of simulated duels, ``times`` of each pair."""
    wins = np.zeros((MODELS, MODELS))
    wins[FIRST, SECOND] = rng.binomial(times, truth.array[FIRST, SECOND])
    wins[SECOND, FIRST] = times - wins[FIRST, SECOND]
    return wins


def is_proved(wins: Counts) -> bool:
    """Whether `evidence` of these votes has a Copeland winner that is proved."""
    met, log_e = wins + wins.T, log_e_values(wins, wins.T)
    estimate = np.divide(wins, met, out=np.full_like(wins, 0.5), where=met > 0)
    proof = pair_proof(estimate, log_e, PAIRS_SHARE * DELTA)
    losses = (estimate < 0.5).sum(axis=1)
    fewest = np.flatnonzero(losses == losses.min()).tolist()
    return any(
        copeland_proved(
            identification_rows(estimate, arm), log_e, proof, arm, COPELAND_SHARE * DELTA
        )
        for arm in fewest
    )


def proved_at_looks(bought: Iterator[Counts]) -> list[bool]:
    """Whether a winner is proved at each look; what is proved once stays proved."""
    found: list[bool] = []
    for wins in bought:
        found.append(is_proved(wins))
        if found[-1]:
            break
    return found + [True] * (len(LOOKS) - len(found))


def at_random(truth: cpe.PreferenceMatrix, votes: cpe.Votes, seed: int) -> Iterator[Counts]:
    """Wins at each look: further votes on random pairs."""
    rng, wins = np.random.default_rng(seed), votes.wins
    for before, look in zip([0, *LOOKS], LOOKS, strict=False):
        times = rng.multinomial(look - before, np.full(len(FIRST), 1 / len(FIRST)))
        wins = wins + won(truth, times, rng)
        yield wins


def equally(truth: cpe.PreferenceMatrix, votes: cpe.Votes, seed: int) -> Iterator[Counts]:
    """The same on all pairs in turn, in random order."""
    rng, wins = np.random.default_rng(seed), votes.wins
    turn = rng.permutation(len(FIRST))
    for before, look in zip([0, *LOOKS], LOOKS, strict=False):
        times = (look + turn) // len(FIRST) - (before + turn) // len(FIRST)
        wins = wins + won(truth, times, rng)
        yield wins


def order_of(found: Evidence) -> npt.NDArray[np.int64]:
    """The next votes of each pair: those that remain, or 1,000 in that proportion."""
    remaining = found.remaining.duels
    if remaining is None:  # a winner ties, and these pairs come first
        remaining = np.zeros((MODELS, MODELS), dtype=np.int64)
        for i, j in found.remaining.undecided:
            remaining[i, j] = NEXT
    times: npt.NDArray[np.int64] = remaining[FIRST, SECOND]
    share = min(1.0, NEXT / max(1, int(times.sum())))
    order: npt.NDArray[np.int64] = np.ceil(share * times).astype(np.int64)
    return order


def as_evidence_says(truth: cpe.PreferenceMatrix, votes: cpe.Votes, seed: int) -> Iterator[Counts]:
    """The same by such orders, each in random order, until a winner is proved."""
    rng, wins, bought = np.random.default_rng(seed), votes.wins.copy(), 0
    queue: list[int] = []
    for look in LOOKS:
        while bought < look and (queue or not is_proved(wins)):
            if not queue:
                order = order_of(cpe.evidence(cpe.Votes(wins), delta=DELTA))
                queue = rng.permutation(np.repeat(np.arange(len(FIRST)), order)).tolist()
            pair = queue.pop()
            i, j = FIRST[pair], SECOND[pair]
            wins[(i, j) if rng.random() < truth.array[i, j] else (j, i)] += 1
            bought += 1
        yield wins


def by_tracking(truth: cpe.PreferenceMatrix, votes: cpe.Votes, seed: int) -> Iterator[Counts]:
    """The same by the learner, which starts from the votes and stops with a proof."""
    rng, wins, bought = np.random.default_rng(seed), votes.wins.copy(), 0
    learner = cpe.learners.Exchange(
        cpe.learners.copeland_tracking, MODELS, delta=COPELAND_SHARE * DELTA, prior=votes
    )
    for look in LOOKS:
        while bought < look and not learner.finished:
            i, j, times = learner.query.i, learner.query.j, learner.query.times
            forth = int(rng.binomial(times, truth.array[i, j]))
            wins[i, j] += forth
            wins[j, i] += times - forth
            bought += times
            learner.tell(forth)
        yield wins


def draw(shares: dict[str, Counts], path: Path) -> None:
    """Shares of runs against votes, each until it is 1, with their names next to them."""
    figure = Figure(figsize=(7.6, 3.9), layout="constrained", dpi=130)
    axes = figure.add_subplot()
    axes.set_xscale("log")
    lines = {}
    for name, share in shares.items():
        end = min(len(LOOKS), int((share < 1.0).sum()) + 1)
        lines[name] = (np.array(LOOKS[:end]), 100.0 * share[:end])
    axes.axvline(NEXT, color="black", lw=0.8, ls=":")
    for (name, style), height in zip(styles(lines).items(), HEIGHTS, strict=True):
        looks, percent = lines[name]
        axes.plot(looks, percent, **style._asdict(), lw=1.6)
        above = percent >= height
        x = looks[int(np.argmax(above)) if above.any() else -1]
        left = not name.startswith("evidence")
        axes.annotate(
            name,
            (x, height),
            (-14 if left else 12, 0),
            textcoords="offset points",
            horizontalalignment="right" if left else "left",
            verticalalignment="center",
            color=style.color,
        )
    axes.set_ylim(-3.0, 103.0)
    axes.set_xlabel(f"votes bought after the {VOTES:,} that were there")
    axes.set_ylabel(f"runs in which a winner is proved, %\n(error probability {DELTA})")
    axes.set_title(f"{MODELS} models, a cycle at the top: which votes to buy")
    axes.grid(visible=True, alpha=0.3)
    save_figure(figure, path)


if __name__ == "__main__":
    main()
