"""Mutants of sessions: what is written, what is handed out, and what the learner is told."""

from tests.mutants import of

JOURNAL = "sessions/test_journal.py"
SESSION = "sessions/test_session.py"
ASKING = "sessions/test_asking.py"
OPENING = "sessions/test_opening.py"

SESSIONS = [
    *of(
        "sessions/journal.py",
        JOURNAL,
        ("check = zlib.crc32(body, before)", "check = zlib.crc32(body)"),
        ("fcntl.LOCK_EX | fcntl.LOCK_NB", "fcntl.LOCK_SH | fcntl.LOCK_NB"),
        (
            "                self._cut()\n            self._synced",
            "                pass\n            self._synced",
        ),
        (
            "            except OSError as error:\n                self._cut_back()",
            "            except OSError as error:\n                pass",
        ),
        (
            "            except BaseException:\n                self._cut_back()",
            "            except BaseException:\n                pass",
        ),
        ("                    self._length = self._synced\n", ""),
        ("            self._refuse_broken()  # also", "            # also"),
        ("            if until <= self._synced:\n                return\n", ""),
        ("            self._length += len(line)\n", ""),
        ("                self._refuse_moved()\n", ""),
        ("!= _BEGIN[: len(torn)]", "!= _BEGIN[: len(torn)] and False"),
        ("        if not self._length:\n", "        if True:\n"),
        ('self._broken = f"{os_reason(error)}; open it again"', "pass"),
        ('self._broken = "it was closed"', "pass"),
        (
            "view = view[os.write(handle, view) :]",
            "view = view[len(view) * bool(os.write(handle, view)) :]",
        ),
    ),
    *of(
        "sessions/course.py",
        f"{SESSION} {ASKING}",
        ("won if query.i < query.j else query.times - won", "won"),
        ("digest[0] & 1", "digest[0] & 0"),
        ('f"{slot.id}/tie"', '"tie"'),
        ("before + 1, before + times + 1", "1, times + 1"),
        ("(min(single.i, single.j), max(single.i, single.j))", "(single.i, single.j)"),
        (
            "        if key not in self._slots or self.exchange.finished:",
            "        if self.exchange.finished:",
        ),
        ("        self._left -= query.rounds\n", ""),
        ("self._idle > _IDLE_QUERIES", "False"),
    ),
    *of(
        "sessions/answers.py",
        ASKING,
        ("return 1.0 - self.outcome", "return self.outcome"),
        (
            "        if not answer.repeat:\n            self.values",
            "        if True:\n            self.values",
        ),
        ("if not answer.repeat and answer.slot.duel", "if answer.slot.duel"),
        ("other is None or other.rater == answer.rater", "other is None"),
        ("_share(first, duels - ties)", "_share(first, made)"),
        ("other.value == answer.value", "True"),
    ),
    *of(
        "sessions/desk.py",
        ASKING,
        ("lease.until > now\n\n", "True\n\n"),
        ("if lease.rater == rater and lease.until > now", "if lease.until > now"),
        ("skipped.sort(key=lambda each: each[:2])", "pass"),
        (
            "        self.leases.pop(question, None)\n        self.skips.setdefault",
            "        self.skips.setdefault",
        ),
        ("not self.leased(question, now))", "True)"),
    ),
    *of(
        "sessions/book.py",
        ASKING,
        ("if answer.rater is not None:", "if False:"),
        ("(not rater or answer.rater != rater)", "True"),
        ("if question in self._handed or again:", "if again:"),
        ("again = question != first and first in self.answers.values", "again = question != first"),
        ("if question in self.answers.by_id:\n", "if False:\n"),
    ),
    *of(
        "sessions/questions.py",
        f"{SESSION} {ASKING}",
        ("(second, first) if drawn", "(first, second) if drawn"),
        ("unit_rewards and not 0.0", "False and not 0.0"),
        ("checked_finite(", "float("),
    ),
    *of(
        "sessions/header.py",
        OPENING,
        ("form != FORMAT or version != __version__", "form != FORMAT"),
        ('fingerprint(learner) != record["code"]', "False"),
        ('stored.fingerprint != record["subject"]["fingerprint"]', "False"),
        ("name not in then or now[name] != then[name]", "name not in then"),
        ('now["fingerprint"] != then["fingerprint"]', "False"),
        ("elif now != then:", "elif False:"),
    ),
    *of(
        "sessions/header.py",
        "sessions/test_shares.py sessions/test_before.py",
        ('parameters["delta"] = self.shares.learner', "pass"),
        (
            'Shares.of_json(record.get("shares"))',
            'Shares.of(learner, stored.family, record["parameters"], estimates_sigma=False)',
        ),
        ("if self.shares.sigma else", "if False else"),
    ),
    *of(
        "sessions/shares.py",
        "sessions/test_shares.py",
        ("delta - evidence - sigma if", "delta - sigma if"),
        ("delta - evidence - sigma if", "delta - evidence if"),
        ("share = EVIDENCE_SHARE if promises else 1.0", "share = 1.0"),
        ('.goal == "regret"', '.goal == "PAC"'),
        ("return delta is None or", "return"),
        ("None if known is None else known.default", "None"),
    ),
    *of(
        "sessions/view.py",
        "sessions/test_shares.py",
        ("delta=self.header.shares.evidence", "delta=self.header.shares.delta"),
    ),
    *of(
        "sessions/outlook.py",
        "sessions/test_shares.py",
        ("delta=shares.evidence", "delta=shares.delta"),
    ),
    *of(
        "sessions/before.py",
        OPENING,
        ("return [place[label] for label in labels]", "return list(range(len(labels)))"),
        ("tied=tied, independent", "independent"),
    ),
    *of(
        "sessions/before.py",
        "sessions/test_before.py",
        ("SIGMA_SHARE * session_delta(", "session_delta("),
        ('planned=parameters.get("planned") is True', "planned=True"),
        ("sorted(place[member] for member in team)", "sorted(team)"),
        ("declared.starts or ", "True or "),
    ),
    *of(
        "problems/subsets/team_cells.py",
        "problems/subsets/test_logs.py",
        ("often.index(max(often))", "next(i for i, n in enumerate(often) if n)"),
        ("and not is_log(tuple(header))", ""),
    ),
    *of(
        "problems/subsets/team_scores.py",
        "problems/subsets/test_logs.py",
        ("float(count * score)", "float(score)"),
    ),
    *of(
        "sessions/view.py",
        f"{SESSION} {ASKING}",
        ("self._best[0] == key", "True"),
        ("exchange.stop(SO_FAR)", "exchange.stop()"),
    ),
    *of(
        "sessions/session.py",
        f"{SESSION} {ASKING} {OPENING}",
        ("            journal.discard()\n", "            journal.close()\n"),
        ("self._course = None", "pass"),
        (
            "self._journal.append(record, sync=sync)\n        self._book.apply(record)",
            "self._book.apply(record)\n        self._journal.append(record, sync=sync)",
        ),
    ),
    *of(
        "sessions/web/app.py",
        "sessions/web/test_disk.py",
        ("        await _in(self._disk, self._panel.session.commit)\n", ""),
    ),
    *of("sessions/web/panel.py", "sessions/web/test_disk.py", (", sync=False", "")),
]
