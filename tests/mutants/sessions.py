"""Mutants of sessions: what the log holds, what replays, and which share of δ proves what."""

from tests.mutants import killed_by

ASKING = "sessions/test_asking.py"
BEFORE = "sessions/test_before.py"
DEPENDENCE = "sessions/test_dependence.py"
JOURNAL = "sessions/test_journal.py"
OPENING = "sessions/test_opening.py"
SESSION = "sessions/test_session.py"
SHARES = "sessions/test_shares.py"
SNAPSHOTS = "sessions/test_snapshots.py"

SESSIONS = [
    *killed_by(
        JOURNAL,
        ("_line", "check = zlib.crc32(body, before)", "check = zlib.crc32(body)"),
        ("_parsed", "length + len(last), after, b'\\n'", "length, check, b''"),
        ("Journal.commit", "self._length = self._synced", "pass"),
    ),
    *killed_by(
        f"{SESSION} {ASKING}",
        ("_observation", "won if query.i < query.j else query.times - won", "won"),
        ("drawn", "digest[0] & 1", "digest[0] & 0"),
        ("Course._more", "before + 1, before + times + 1", "1, times + 1"),
    ),
    *killed_by(
        f"{SESSION} {ASKING} {OPENING} {SNAPSHOTS}",
        (
            "Session._write",
            "_journal.append(record, sync=sync)\n    self._book.apply(record)",
            "_book.apply(record)\n    self._journal.append(record, sync=sync)",
        ),
    ),
    *killed_by(
        ASKING,
        ("Answer.value", "return 1.0 - self.outcome", "return self.outcome"),
        ("Answers.add", "if not answer.repeat", "if True"),
    ),
    *killed_by(
        OPENING,
        ("read_header", "form != FORMAT or version != __version__", "form != FORMAT"),
        ("_stored_header", "fingerprint(learner) != record['code']", "False"),
        ("_stored_header", "stored.fingerprint != record['subject']['fingerprint']", "False"),
    ),
    *killed_by(
        f"{SHARES} {BEFORE}",
        ("Header.exchange", "parameters['delta'] = self.shares.learner", "pass"),
    ),
    *killed_by(
        SHARES,
        ("Shares.of", "delta - evidence - sigma if", "delta - sigma if"),
        ("Shares.of", "delta - evidence - sigma if", "delta - evidence if"),
        ("promises_answer", ".goal == 'regret'", ".goal == 'PAC'"),
        ("SessionView.best", "delta=self.header.shares.evidence", "delta=self.header.shares.delta"),
        ("outlook", "delta=shares.evidence", "delta=shares.delta"),
    ),
    *killed_by(
        BEFORE,
        ("_estimated_sigma", "SIGMA_SHARE * session_delta(", "session_delta("),
    ),
    *killed_by(
        DEPENDENCE,
        ("_several_answers", "count > 1 for", "count > 2 for"),
        ("Answers.votes", "independent=before is None or before.independent", "independent=True"),
        ("status_of", "proved=finished and (not exchange.doubt)", "proved=finished"),
    ),
    *killed_by(
        SNAPSHOTS,
        ("read_snapshot", "content['source'] == source_digest()", "True"),
        ("read_snapshot", "(content['digest'] == _digest(log))", "True"),
        ("read_snapshot", "or _taken_back(", "or False and _taken_back("),
    ),
]
