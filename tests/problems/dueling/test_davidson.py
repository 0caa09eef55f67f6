"""Bradley and Terry's model with ties: its largest likelihood, and intervals."""

import numpy as np
import pytest
from scipy.optimize import minimize

import cpe_opt as cpe
import cpe_opt.reports.evidence as words
from cpe_opt.problems.clusters import outcomes_of
from cpe_opt.problems.dueling import davidson
from cpe_opt.problems.dueling.davidson import davidson_fit
from cpe_opt.reports.decision import evidence_page

WON = np.array([[0, 10, 14], [5, 0, 9], [3, 2, 0]], dtype=float)
TIED = np.array([[0, 4, 6], [4, 0, 2], [6, 2, 0]], dtype=float)


def loss(x):
    """The negative log-likelihood with half a win and half a loss for each arm."""
    total = 0.0
    for i in range(3):
        total -= 0.5 * (np.log(1 / (1 + np.exp(-x[i]))) + np.log(1 / (1 + np.exp(x[i]))))
        for j in range(i + 1, 3):
            parts = np.exp([(x[i] - x[j]) / 2, (x[j] - x[i]) / 2, x[3]])
            counts = [WON[i, j], WON[j, i], TIED[i, j]]
            total -= counts @ np.log(parts / parts.sum())
    return total


def test_strengths_are_where_the_likelihood_is_largest():
    fit = davidson_fit(cpe.Votes(WON + TIED / 2, tied=TIED), resamples=20)
    found = minimize(loss, np.zeros(4), tol=1e-12).x
    assert [fit.strengths[str(k)] for k in range(3)] == pytest.approx(
        found[:3] - found[:3].mean(), abs=1e-5
    )
    assert fit.ties == pytest.approx(np.exp(found[3]), rel=1e-5)
    assert fit.order == ("0", "1", "2")
    assert fit == davidson_fit(cpe.Votes(WON + TIED / 2, tied=TIED), resamples=20)


def test_without_ties_it_is_that_of_bradley_and_terry():
    fit = davidson_fit(cpe.Votes([[0, 3000], [1000, 0]]), resamples=50)
    assert fit.strengths["0"] - fit.strengths["1"] == pytest.approx(np.log(3), abs=2e-3)
    assert fit.ties == 0.0
    low, high = fit.intervals["0"]  # half of the log-odds, of which 1/sqrt(750) is the deviation
    assert high - low == pytest.approx(2 * 1.96 / 2 / np.sqrt(750), rel=0.35)


def test_arms_that_won_everything_or_never_met_have_finite_strengths():
    wins = np.zeros((4, 4))
    wins[0, 1] = 50.0
    fit = davidson_fit(cpe.Votes(wins), resamples=10)
    assert 2.0 < fit.strengths["0"] < 10.0
    assert fit.strengths["2"] == pytest.approx(fit.strengths["3"]) == pytest.approx(0.0, abs=1e-5)


def test_votes_of_clusters_are_drawn_by_clusters():
    rng = np.random.default_rng(0)
    cluster = np.repeat(np.arange(40), 25)
    share = np.repeat((rng.random(40) < 0.6).astype(float), 25)
    zeros, ones = np.zeros(1000, dtype=int), np.ones(1000, dtype=int)
    outcomes, _ = outcomes_of(cluster, zeros, ones, share, np.ones(1000), 2)
    wins = np.array([[0, share.sum()], [1000 - share.sum(), 0]])
    widths = [
        np.diff(davidson_fit(votes, resamples=50).intervals["0"]).item()
        for votes in (cpe.Votes(wins, outcomes=outcomes), cpe.Votes(wins))
    ]
    assert widths[0] > 3 * widths[1]  # the root of 25 is 5


def test_it_is_said_to_be_an_estimate_wherever_it_is_shown():
    found = cpe.evidence(cpe.Votes(WON + TIED / 2, tied=TIED))
    line = next(line for line in str(found).splitlines() if "Bradley" in line)
    assert "estimate, not proved" in line
    assert found.as_dict()["bradley_terry"]["note"] == "estimate, not proved"
    assert "ties: estimate, not proved" in evidence_page(found)
    said = str(cpe.analyse(cpe.PreferenceMatrix.from_votes(found.votes))).splitlines()
    assert "all of it estimated from votes" in said[0]
    for what in ("Borda winner", "T*", "closest pair", "hardness"):
        assert any(line.startswith(f"estimate: {what}") for line in said)


def test_it_is_fitted_once_and_only_where_it_is_shown(monkeypatch):
    fits = []

    def counted(votes):
        fits.append(davidson_fit(votes, resamples=2))
        return fits[-1]

    monkeypatch.setattr(words, "davidson_fit", counted)
    found = cpe.evidence(cpe.Votes(WON + TIED / 2, tied=TIED))
    found.table(), found.arms_table(), repr(found)
    assert not fits
    str(found), found.as_dict(), evidence_page(found)
    assert len(fits) == 1


@pytest.mark.parametrize("more", [1.0, 9.0])
def test_drawn_votes_have_the_strengths_that_newtons_method_finds(more, monkeypatch):
    theta, nu = davidson._maximum(WON, TIED, np.zeros(3), 1.0)
    model = davidson._Likelihood(WON, TIED)
    inverse = np.linalg.inv(model.hessian(theta, model.start(nu)))
    drawn = more * np.array([[0, 8, 12], [6, 0, 11], [5, 1, 0.0]]), more * TIED
    found = davidson._maximum(*drawn, theta, nu)[0]
    calls = []
    monkeypatch.setattr(davidson, "_maximum", lambda *_: calls.append(1) or (found, nu))
    assert davidson._nearby(*drawn, theta, nu, inverse) == pytest.approx(found, abs=1e-4)
    assert bool(calls) == (more > 1.0)  # steps by nine times the inverse would grow
