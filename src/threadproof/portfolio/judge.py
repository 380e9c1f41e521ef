"""From an engine's result to an answer: the evidence is checked here, before anything is said."""

from __future__ import annotations

from dataclasses import replace

from threadproof.core.budget import Budget
from threadproof.core.errors import InternalError, ThreadproofError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.core.result import Answer, Result, Safe, Stats, Unknown, Unsafe, Verdict
from threadproof.engines.task import Task
from threadproof.evidence.proofs import NotChecked, NotCovered, Rejected, check_proof
from threadproof.evidence.relevance import with_roles
from threadproof.evidence.replay import Replay, Replayed, Sought, machine_for
from threadproof.evidence.runs import contradiction
from threadproof.evidence.shorten import shorten
from threadproof.evidence.undefined import asked_by, undefined_run
from threadproof.ir.program import Program
from threadproof.portfolio.library_places import told_for_users
from threadproof.portfolio.messages import ProofRefuted

UNDEFINED = "undefined behaviour"  # how such reasons begin
SHORTENING = 0.25  # of the time that is left may go into a nicer counterexample
SHORTENING_S = 5.0
LONGEST_SHORTENED = 5_000  # moves: to try one rearrangement takes about as long as the search took
LONGEST_TOLD = 600  # moves: to ask of each whether it matters means to replay what follows it
CHECKING = 0.1  # and into runs against a proof,
CHECKING_S = 0.5
CHECKING_SHARE = 0.2  # but no more than this share of the time the proof has taken,
CHECKING_LEAST_S = 0.1  # or as much as shows the most of what runs show at all


def judge(
    program: Program,
    prop: Property,
    engine: str,
    result: Result,
    budget: Budget,
    model: MemoryModel = MemoryModel.SC,
    seed: int = 0,
) -> Answer:
    """`model`: of memory, under which the result was found."""
    match result:
        case Safe():
            answer = _proved(program, prop, engine, result, budget, model, seed)
            return replace(answer, reason=told_for_users(program, answer.reason))
        case Unknown():
            answer = _unknown(program, prop, engine, result, budget, model, seed)
            return replace(answer, reason=told_for_users(program, answer.reason))
        case Unsafe():
            return _replayed(program, prop, engine, result, model)


def _proved(
    program: Program, prop: Property, engine: str, result: Safe, budget: Budget, model: MemoryModel, seed: int
) -> Answer:
    """The checker for its kind accepts the proof, and no run contradicts it."""
    proof = result.proof
    checked = check_proof(program, prop, proof, budget, model)
    if isinstance(checked, Rejected):
        raise InternalError(f"{engine} says {prop} is true, but its proof is none: {checked.why}")
    if isinstance(checked, NotChecked):
        return Answer(prop, Verdict.UNKNOWN, engine, reason=_not_checked(checked), stats=result.stats)
    against = contradiction(program, prop, proof, time_for_runs(budget), model, seed)
    if against is not None:
        found = Replay(machine_for(program, prop, model), prop).run(against.schedule)
        answer = None if found is None else _false(prop, engine, found, result.stats)
        raise ProofRefuted(f"{engine} says {prop} is true, but {against.what}", answer)
    return Answer(prop, Verdict.TRUE, engine, proof=proof, stats=result.stats | dict(checked.figures))


def _not_checked(found: NotChecked) -> str:
    if isinstance(found, NotCovered):
        return f"the argument of such proofs does not cover this program: {found.why}"
    return f"there is a proof, but it is not checked: {found.why}"


def _unknown(
    program: Program, prop: Property, engine: str, result: Unknown, budget: Budget, model: MemoryModel, seed: int
) -> Answer:
    """Undefined behaviour that was met is shown: it is news, though not what was asked."""
    answer = Answer(prop, Verdict.UNKNOWN, engine, reason=result.reason, stats=result.stats)
    if result.met is None and not result.reason.startswith(UNDEFINED):
        return answer
    found = undefined_run(program, prop, model, result.met, time_for_runs(budget), seed)
    if found is None:
        return answer
    reason = found.trace.cause  # more exact than what the engine says of it
    if not result.reason.startswith(UNDEFINED):
        reason = f"{result.reason}; {reason}"
    return replace(answer, reason=reason, trace=found.trace, notes=(asked_by(found.trace),))


def time_for_runs(budget: Budget) -> Budget:
    """Runs against a proof cost little beside the proof."""
    taken = max(CHECKING_LEAST_S, CHECKING_SHARE * budget.elapsed())
    return Budget(min(CHECKING_S, taken, budget.part(CHECKING).left()), budget.memory_mb)


def _replayed(program: Program, prop: Property, engine: str, result: Unsafe, model: MemoryModel) -> Answer:
    found = Replay(machine_for(program, prop, model), prop).run(result.schedule)
    if found is None:
        raise InternalError(f"{engine} claims a violation of {prop} that does not replay: {result.schedule}")
    return _false(prop, engine, found, result.stats)


def _false(prop: Property, engine: str, found: Replayed, stats: Stats) -> Answer:
    trace = found.trace
    return Answer(prop, Verdict.FALSE, engine, reason=trace.cause, violated=found.violated, trace=trace, stats=stats)


def shortened(program: Program, answer: Answer, budget: Budget) -> Answer:
    """The same violation with fewer changes of threads, if that is found in time."""
    if answer.trace is None:
        return answer
    if len(answer.trace.schedule) > LONGEST_SHORTENED:
        return answer
    seconds = min(SHORTENING_S, budget.part(SHORTENING).left())
    found = Replayed(answer.trace, answer.violated)
    violation = answer.verdict is Verdict.FALSE
    sought = Sought.VIOLATION if violation else Sought.UNDEFINED
    trace = shorten(program, answer.property, found, Budget(seconds, budget.memory_mb), sought).trace
    return replace(answer, reason=trace.cause if violation else answer.reason, trace=trace)


def with_roles_of_events(program: Program, answer: Answer, seconds: float) -> Answer:
    """What of the counterexample matters, as far as that is found in time."""
    if answer.trace is None or seconds <= 0 or len(answer.trace.schedule) > LONGEST_TOLD:
        return answer
    sought = Sought.VIOLATION if answer.verdict is Verdict.FALSE else Sought.UNDEFINED
    return replace(answer, trace=with_roles(program, answer.property, answer.trace, Budget(seconds), sought))


def with_rarity(task: Task, answer: Answer, seconds: float) -> Answer:
    """How often random runs show the violation, in words."""
    if answer.trace is None or seconds <= 0:
        return answer
    from threadproof.engines.random.rarity import rarity

    try:
        return replace(answer, trace=replace(answer.trace, rarity=rarity(task, seconds)))
    except ThreadproofError:  # the native machine does not have everything: then nobody knows
        return answer
