"""An installed verifier for sequential C, run on a sequentialized program: what it says, in our words.

Its `true` counts if it said so of the program whose bounds are asserted, nothing undefined could be lost in the
translation, and no random run of the original says otherwise. Its `false` of that program may be about a bound, so it
is asked again without these assertions. No counterexample is replayed: the words are the back end's.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from threadproof.codegen.sequential import Options, sequentialize
from threadproof.codegen.sequential.plan.losses import loss
from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.core.words import words_of
from threadproof.evidence.runs import contradiction
from threadproof.ir.program import Program
from threadproof.portfolio.judge import CHECKING_S


def _any_of(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.M | re.I)


_TRUE = _any_of(
    "VERIFICATION SUCCESSFUL",
    "Verification result: TRUE",
    "proved your program to be correct",
    "unreach-call: true",
    r"^\s*true\b",
)
_FALSE = _any_of(
    "VERIFICATION FAILED",
    "Verification result: FALSE",
    "proved your program to be incorrect",
    "unreach-call: false",
    r"^\s*false\b",
)


@dataclass(frozen=True, slots=True)
class Said:
    verdict: Verdict
    reason: str = ""


def verdict_of(command: str, program: Program, options: Options, seconds: float) -> Said:
    """What the back end says about a program of ours."""
    said = ask(command, sequentialize(program, options).text, seconds)
    if said.verdict is not Verdict.TRUE:
        return said
    if options.rounds is not None:
        return Said(Verdict.UNKNOWN, f"no error within {options.rounds} rounds")
    lost = loss(program)
    if lost:
        return Said(Verdict.UNKNOWN, f"no error, but {lost}, which a sequentialized program does not notice")
    against = contradiction(program, Property.UNREACH_CALL, None, Budget(CHECKING_S))
    return said if against is None else Said(Verdict.UNKNOWN, f"the back end says true, but {against.what}")


def ask(command: str, text: str, seconds: float) -> Said:
    """The command gets the file's name where it says {}, else at its end."""
    bounded = _run(command, f"#define CHECK_BOUNDS\n{text}", seconds)
    if bounded is not Verdict.FALSE:
        reason = "" if bounded is Verdict.TRUE else "the back end has no answer"
        return Said(bounded, reason)
    if _run(command, text, seconds) is Verdict.FALSE:
        return Said(Verdict.FALSE)
    return Said(Verdict.UNKNOWN, "a bound of the sequentialized program is too small")


def _run(command: str, text: str, seconds: float) -> Verdict:
    with tempfile.TemporaryDirectory(prefix="threadproof-") as folder:
        path = Path(folder) / "sequential.c"
        path.write_text(text, encoding="utf-8")
        words = words_of(command, "--backend")
        given = [word.replace("{}", str(path)) for word in words]
        given += [] if any("{}" in word for word in words) else [str(path)]
        try:
            done = subprocess.run(given, capture_output=True, text=True, timeout=seconds, check=False, cwd=folder)
        except subprocess.TimeoutExpired:
            return Verdict.UNKNOWN
        except OSError as error:
            raise InputError(f"cannot run {words[0] if words else 'an empty command'}: {error.strerror}") from None
    return understood(done.stdout + "\n" + done.stderr)


def understood(output: str) -> Verdict:
    """Two answers at once are none."""
    says = [verdict for verdict, words in ((Verdict.TRUE, _TRUE), (Verdict.FALSE, _FALSE)) if words.search(output)]
    return says[0] if len(says) == 1 else Verdict.UNKNOWN
