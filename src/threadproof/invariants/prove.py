"""Invariants are proved from their text alone: as checks in the program, which `verify` answers for.

An abstraction engine is asked first, with the conditions of the checks as its first predicates: a witness that says
enough is a proof to be checked, not to be found. What it does not prove is asked of all engines.

Invariants: what is said to be proved was proved by `verify`, of a program that does all that the original one does;
what cannot be put into the text, or is not proved in time, is not.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.core.thread_id import MAIN
from threadproof.evidence.replay import machine_for
from threadproof.evidence.walks import Walks
from threadproof.frontend import FrontendOptions
from threadproof.invariants.expressions import why_unfit
from threadproof.invariants.ghosts import without_unused
from threadproof.invariants.instrument import NoPlace, failing, instrumented, noting
from threadproof.portfolio import VerifyOptions, prepare, verify
from threadproof.semantics.outcome import Moved
from threadproof.witness.constraints import WaypointConstraints
from threadproof.witness.model import CorrectnessWitness
from threadproof.witness.source_text import SourceTexts

RUNS_S = 2.0
"""For random runs, which refute most of what is wrong."""
RUNS = 300
LEAST_S = 2.0
"""It is not worth to ask for less."""
SEEDED = "cegar"
SEEDED_SHARE = 0.4
"""Of the time: an invariant that says enough needs little of it."""


@dataclass(frozen=True, slots=True)
class ProvedAgain:
    """`answer` is about the program with the checks."""

    answer: Answer

    @property
    def seeded(self) -> bool:
        """Whether the invariants were the first predicates of the engine."""
        return self.answer.engine == SEEDED


@dataclass(frozen=True, slots=True)
class NotProvedAgain:
    """`broken`: of the invariants, the one that does not hold in some execution."""

    why: str
    broken: int | None = None


class CheckedProgram:
    """The files with the invariants as checks, in a folder of their own."""

    def __init__(self, witness: CorrectnessWitness, files: Sequence[str], frontend: FrontendOptions) -> None:
        self._witness = witness
        self._texts = SourceTexts(files)
        folders = dict.fromkeys((*frontend.include_dirs, *(os.path.dirname(file) or "." for file in files)))
        self._frontend = replace(frontend, include_dirs=tuple(folders))

    def proved(self, prop: Property, seconds: float) -> ProvedAgain | NotProvedAgain:
        """The property and all invariants. Other properties than unreach-call are asked of the original program: only
        the invariants are asked of this one."""
        why = self.unfit()
        if why:
            return NotProvedAgain(why)
        budget = Budget(seconds)
        if prop is not Property.UNREACH_CALL:
            answer = self._asked(list(self._texts.files), prop, budget.part(0.5))
            if answer.verdict is not Verdict.TRUE or not self._witness.invariants:
                return _of_answer(answer)
        with tempfile.TemporaryDirectory(prefix="threadproof-") as folder:
            try:
                written = instrumented(self._texts, self._witness, failing)
                paths = _write(folder, [(one.path, one.text) for one in written])
                answer = self._asked_of_checks(paths, budget)
            except (NoPlace, InputError) as error:
                return NotProvedAgain(str(error))
        if answer.verdict is Verdict.FALSE and answer.trace is not None:
            at = answer.trace.loc
            lines = {
                line: n
                for path, one in zip(paths, written, strict=True)
                if path == at.file
                for n, line in one.lines.items()
            }
            if at.line in lines:
                return NotProvedAgain("an invariant does not hold", lines[at.line])
        return _of_answer(answer)

    def unfit(self) -> str:
        """Why something of the witness cannot be put into C text."""
        sources = [text.text for text in map(self._texts.of, self._texts.files) if text is not None]
        asked = [one.value for one in self._witness.invariants]
        asked += [one.value for one in self._witness.updates] + [one.initial for one in self._witness.ghosts]
        unfit = next((f"{text}: {why}" for text in asked if (why := why_unfit(text, sources))), "")
        names = {one.name for one in self._witness.ghosts}
        strange = next(
            (one for one in self._witness.ghosts if not _is_int(one.type) or not one.name.isidentifier()), None
        )
        if strange is not None:
            return f"the ghost variable {strange.type} {strange.name} is no number"
        if any(one.variable not in names for one in self._witness.updates):
            return "an update of what is no ghost variable"
        return unfit

    def refuted(self) -> frozenset[int]:
        """Of the invariants, those that do not hold in some random run. Raises NoPlace, InputError."""
        with tempfile.TemporaryDirectory(prefix="threadproof-") as folder:
            written = instrumented(self._texts, self._witness, noting)
            paths = _write(folder, [(one.path, one.text) for one in written])
            program = prepare(paths, Property.UNREACH_CALL, self._frontend)
        machine = machine_for(program, Property.UNREACH_CALL)
        walks, values = Walks(machine, 0), WaypointConstraints(machine, Property.UNREACH_CALL)
        budget, broken, runs = Budget(RUNS_S), set[int](), 0
        while budget.left() > 0 and runs < RUNS:
            runs, last = runs + 1, None
            for made in walks.next():
                last = made.outcome.state if isinstance(made.outcome, Moved) else last
            if last is not None:
                noted = range(len(self._witness.invariants))
                broken |= {n for n in noted if values.value(f"threadproof_broken_{n}", last, MAIN)}
        return frozenset(broken)

    def _asked_of_checks(self, paths: Sequence[str], budget: Budget) -> Answer:
        if self._witness.invariants:
            options = self._options(budget.part(SEEDED_SHARE))
            seeded = replace(options, engine=SEEDED, of_engine={"initial": "checks"})
            [answer] = verify(paths, [Property.UNREACH_CALL], seeded, Silent())
            if answer.verdict is not Verdict.UNKNOWN:
                return answer
        return self._asked(paths, Property.UNREACH_CALL, budget)

    def _asked(self, paths: Sequence[str], prop: Property, budget: Budget) -> Answer:
        [answer] = verify(paths, [prop], self._options(budget), Silent())
        return answer

    def _options(self, budget: Budget) -> VerifyOptions:
        return VerifyOptions(frontend=self._frontend, timeout=max(LEAST_S, budget.left()))


def proved_part(
    witness: CorrectnessWitness, files: Sequence[str], frontend: FrontendOptions, seconds: float
) -> CorrectnessWitness:
    """With those invariants only that are proved again within the time."""
    budget = Budget(seconds)
    witness = _written_down(witness, files, frontend)
    while witness.invariants and budget.left() > LEAST_S:
        left = 1 if len(witness.invariants) == 1 else 2
        found = CheckedProgram(witness, files, frontend).proved(Property.UNREACH_CALL, budget.left() / left)
        if isinstance(found, ProvedAgain):
            return witness
        if found.broken is not None:
            witness = _without(witness, {found.broken})
        else:  # the last are those that say least
            witness = _without(witness, set(range(len(witness.invariants) // 2, len(witness.invariants))))
    return replace(witness, invariants=(), ghosts=(), updates=())


def _written_down(witness: CorrectnessWitness, files: Sequence[str], frontend: FrontendOptions) -> CorrectnessWitness:
    """Without what cannot be compiled (a name that is out of scope) and what random runs refute."""
    try:
        return _without(witness, CheckedProgram(witness, files, frontend).refuted())
    except (NoPlace, InputError):
        pass
    refused: set[int] = set()
    for number, one in enumerate(witness.invariants):
        alone = without_unused(replace(witness, invariants=(one,)))
        try:
            refused |= {number} if CheckedProgram(alone, files, frontend).refuted() else set()
        except (NoPlace, InputError):
            refused.add(number)
    return _without(witness, refused)


def _without(witness: CorrectnessWitness, numbers: set[int] | frozenset[int]) -> CorrectnessWitness:
    kept = tuple(one for number, one in enumerate(witness.invariants) if number not in numbers)
    return without_unused(replace(witness, invariants=kept))


def _of_answer(answer: Answer) -> ProvedAgain | NotProvedAgain:
    if answer.verdict is Verdict.TRUE:
        return ProvedAgain(answer)
    why = answer.trace.cause if answer.trace is not None else answer.reason
    return NotProvedAgain(f"{answer.property}: {answer.verdict.value}: {why}")


def _write(folder: str, files: Sequence[tuple[str, str]]) -> list[str]:
    paths: list[str] = []
    for number, (path, text) in enumerate(files):
        name = os.path.basename(path)
        paths.append(os.path.join(folder, name if len(files) == 1 else f"{number}_{name}"))
        Path(paths[-1]).write_text(text, encoding="utf-8")
    return paths


def _is_int(kind: str) -> bool:
    return bool(kind.split()) and set(kind.split()) <= {"int", "unsigned", "signed", "long", "short", "char", "_Bool"}
