"""Compares what the engine says about a program with what brute force finds."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from brute_force import Explored, TooManyStates, explore, global_values

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unsafe, Verdict
from threadproof.engines.explicit import native, reference
from threadproof.engines.task import Task
from threadproof.evidence.replay import replay_schedule
from threadproof.frontend import FrontendOptions, load
from threadproof.frontend.options import Checks, Locals
from threadproof.ir.instr import Sync
from threadproof.ir.program import DataModel, Program
from threadproof.passes.pipeline import instruction_form, normalise
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Failed, Finished, Outcome, UndefinedBehaviour
from threadproof.semantics.run import Spurious
from threadproof.semantics.state import State

LIMIT = 20_000
LIMIT_WITH_CHECKS = 1_500  # clang's overflow checks triple the number of instructions


Search = Callable[[Task], Result | None]
"""An engine's answer; None if the question is not for it."""


def by_reference(task: Task) -> Result:
    return reference.check(task, Budget(900), Silent())


def by_native_search(task: Task) -> Result | None:
    return native.check(task, Budget(900), Silent())


@dataclass(slots=True)
class Comparison:
    differences: list[str] = field(default_factory=list)
    verdicts: dict[Property, Verdict] = field(default_factory=dict)  # brute force's
    states: int = 0
    too_large: bool = False
    searches: Sequence[Search] = ()


def read(
    source: str,
    checks: Checks = Checks.NONE,
    data_model: DataModel = DataModel.LP64,
    scopes: Locals = Locals.FUNCTION,
) -> Program:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "main.c"
        path.write_text(source, encoding="utf-8")
        return load([str(path)], FrontendOptions(checks=checks, data_model=data_model, locals=scopes))


def compare(
    source: str,
    limit: int = LIMIT,
    data_model: DataModel = DataModel.LP64,
    searches: Sequence[Search] = (by_reference,),
) -> Comparison:
    """Every property's verdict and every final outcome, engine against brute force."""
    found = Comparison(searches=searches)
    try:
        _compare(source, limit, data_model, found)
    except TooManyStates:
        found.too_large = True
    return found


def _compare(source: str, limit: int, data_model: DataModel, found: Comparison) -> None:
    program = read(source, data_model=data_model)
    normal, single = normalise(program), instruction_form(program)
    all_of_it = explore(single, limit=limit)
    found.states = all_of_it.states
    _compare_ends(normal, all_of_it, found)
    for prop in (Property.UNREACH_CALL, Property.NO_DATA_RACE):
        _compare_verdicts(normal, prop, all_of_it, found)
    _compare_verdicts(single, Property.VALID_MEMSAFETY, all_of_it, found)
    quiet = explore(single, spurious=Spurious.OFF, limit=limit) if _waits(program) else all_of_it
    _compare_verdicts(normal, Property.NO_DEADLOCK, quiet, found)
    if all_of_it.states > LIMIT_WITH_CHECKS:
        return
    checked = read(source, Checks.OVERFLOW, data_model)
    with_checks = explore(instruction_form(checked), limit=limit)
    _compare_verdicts(normalise(checked), Property.NO_OVERFLOW, with_checks, found)


def _waits(program: Program) -> bool:
    instrs = (i for f in program.functions.values() for block in f.blocks for i in block.instrs)
    return any(isinstance(instr, Sync) and instr.op.startswith("cond_") for instr in instrs)


def _compare_verdicts(program: Program, prop: Property, oracle: Explored, found: Comparison) -> None:
    found.verdicts[prop] = oracle.verdict(prop)
    for search in found.searches:
        result = search(Task(program, prop))
        if result is not None:
            _compare_verdict(program, prop, oracle, result, found)


def _compare_verdict(program: Program, prop: Property, oracle: Explored, result: Result, found: Comparison) -> None:
    expected, said = oracle.verdict(prop), _verdict(result)
    if oracle.guessed:  # each tries values of its own: only a `true` would be wrong
        agree = said is not Verdict.TRUE
    else:
        agree = said is expected
    if not agree:
        found.differences.append(f"{prop}: brute force says {expected}, the engine {said} ({result})")
    if isinstance(result, Unsafe) and replay_schedule(program, prop, result.schedule) is None:
        found.differences.append(f"{prop}: the counterexample does not replay")


def _verdict(result: Result) -> Verdict:
    match result:
        case Safe():
            return Verdict.TRUE
        case Unsafe():
            return Verdict.FALSE
        case _:
            return Verdict.UNKNOWN


def _compare_ends(program: Program, oracle: Explored, found: Comparison) -> None:
    if oracle.guessed:
        return
    ends = ends_seen_by_the_engine(program)
    for what in ("finals", "failed", "undefined"):
        expected, seen = getattr(oracle, what), getattr(ends, what)
        if expected - seen:
            found.differences.append(f"{what}: the engine misses {sorted(map(str, expected - seen))[:3]}")
        if seen - expected:
            found.differences.append(f"{what}: brute force never sees {sorted(map(str, seen - expected))[:3]}")


def ends_seen_by_the_engine(program: Program) -> Explored:
    """How executions end in the engine's search, with its reduction. The program has no overflow checks in it, so
    asking for overflow makes the search complete."""
    ends = Explored()

    class Recorder(Machine):
        def step(self, state: State, number: int, choices: tuple[int, ...] = ()) -> Outcome:
            outcome = super().step(state, number, choices)
            match outcome:
                case Finished():
                    ends.finals.add((outcome.kind.value, global_values(self, outcome.state)))
                case Failed():
                    ends.failed.add((outcome.kind, outcome.loc.line))
                case UndefinedBehaviour():
                    ends.undefined.add((outcome.kind, outcome.loc.line))
                case _:
                    pass
            return outcome

    with mock.patch.object(reference, "Machine", Recorder):
        result = reference.check(Task(program, Property.NO_OVERFLOW), Budget(900), Silent())
    assert not isinstance(result, Unsafe)
    return ends
