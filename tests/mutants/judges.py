"""Mutants of programs that judge, and of what outcomes mean."""

from tests.mutants import of

JUDGES = "sessions/test_judges.py"
OUTCOMES = "sessions/test_outcomes.py"
CHOOSING = "sessions/test_choosing.py"

JUDGING = [
    *of(
        "sessions/questions.py",
        OUTCOMES,
        ("if number in _NUMBERS:", "if number is not None:"),
        ("isinstance(said, bool) or not", "not"),
        ("zip(labels, (1.0, 0.0), strict=True)", "zip(labels, (0.0, 1.0), strict=True)"),
        ("if len(meanings) == 1:", "if meanings:"),
        ("for same in (str, str.casefold):", "for same in (str.casefold,):"),
        ("return number if math.isfinite(number) else None", "return number"),
    ),
    *of(
        "sessions/judges.py",
        JUDGES,
        ('if said["id"] != question.id:', "if False:"),
        ("except (ValueError, RecursionError):", "except RecursionError:"),
        ("if content is not None:", "if False:"),
    ),
    *of(
        "sessions/judges.py",
        JUDGES,
        ('if line.endswith(b"\\n"):', "if line:"),
        ("line = pipe.readline(MOST + 1)", "line = pipe.readline()"),
        ("ended_well=self._process.returncode == 0", "ended_well=False"),
        ("os.killpg(self._process.pid, getattr(signal, name))", "self._process.terminate()"),
    ),
    *of(
        "sessions/judges.py",
        JUDGES,
        ("                process.kill()\n                if", "                if"),
        ("if failure.ended_well and used:", "if failure.ended_well:"),
        ("used = process.answered > 0", "used = False"),
    ),
    *of(
        "sessions/judges.py",
        JUDGES,
        ("(*self.asked.values(), question)]", "(question,)]"),
        ("if self.spent + math.fsum(prices)", "if math.fsum(prices)"),
        ("self.spent += self.session.price(question)", "self.spent += 1.0"),
        ("self.spent = session.status().spent", "self.spent = 0.0"),
        ("if self.tries[question.id] <= self.retries:", "if True:"),
        ("if self.tries[question.id] <= self.retries:", "if False:"),
        ("if self.tries[question.id] > self.retries:", "if True:"),
        ("if question.id in self.put_back:", "if False:"),
        ("if self.in_a_row >= most *", "if False and most *"),
        ("                self.session.hand_back(question)", "                pass"),
        (
            "if self.is_open(question):\n                self.failed",
            "if True:\n                self.failed",
        ),
        ("if status.leased or not self.put_back:", "if False:"),
        ("if not self.answers and self.failures:", "if False:"),
    ),
    *of(
        "sessions/session.py",
        CHOOSING,
        ("if self._book.holder(id) is None:", "if True:"),
    ),
    *of(
        "sessions/state.py",
        CHOOSING,
        ("filter(fits or bool, held)", "held"),
        ("filter(fits or bool, self._free(waiting, now))", "self._free(waiting, now)"),
    ),
    *of(
        "sessions/status.py",
        CHOOSING,
        ("float(prices[slot.row] if prices.ndim else prices)", "1.0"),
    ),
]
