"""What a verdict rests on besides its evidence, in a few words each; all functions without a body, named at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.proofs import (
    CompleteExploration,
    CompleteUnwinding,
    LabelledTree,
    LockOrderProof,
    RaceProof,
    ReducedProduct,
    ReducedProducts,
    SequentializedProof,
)
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.ir.expr import Const
from threadproof.ir.instr import Alloc, Instr, Order, Storage, Sync
from threadproof.ir.maths import MATH
from threadproof.ir.program import Missing, Program, Taken
from threadproof.sync.facts import Act, sync_facts
from threadproof.sync.rows import Fidelity
from threadproof.sync.table import lookup

WITHOUT_BODIES_S = 10.0  # for a verdict that no missing function has a part in: the user mostly forgot a file

_MET_NO_LIMIT = (CompleteExploration, CompleteUnwinding, SequentializedProof, RaceProof, LockOrderProof)
"""Proofs of programs that got every block they asked for; letters as formulas (ADR 37) assume it."""

NAMED = 3
"""Places that an assumption names, of those that it has."""

_SAYS = {Taken.PURE: "returns any value and changes nothing", Taken.HAVOC: "may change what it can reach, no more"}
_MODELS = {
    MemoryModel.SC: "sequential consistency",
    MemoryModel.TSO: "the memory model TSO",
    MemoryModel.PSO: "the memory model PSO",
}


def told(program: Program, answer: Answer, model: MemoryModel) -> Answer:
    """The answer with what it rests on, and with the names of all functions without a body if it is `unknown`."""
    assumptions = tuple(_assumptions(program, answer, model))
    answer = replace(answer, assumptions=assumptions, notes=(*program.notes, *answer.notes))
    if answer.verdict is not Verdict.UNKNOWN or not _missing(program):
        return answer
    others = "" if _NO_BODY in answer.reason or answer.reason == "time" else f"; besides: {answer.reason}"
    return replace(answer, reason=forgotten(program) + others)


def time_without_bodies(program: Program, budget: Budget) -> Budget:
    """Nobody waits long for an `unknown` whose reason is known before."""
    if not _missing(program):
        return budget
    return Budget(min(WITHOUT_BODIES_S, budget.left()), budget.memory_mb)


_NO_BODY = "which has no body"


def _missing(program: Program) -> list[Missing]:
    return [one for one in program.outside.missing if one.taken is Taken.UNKNOWN]


def forgotten(program: Program) -> str:
    """`no body for f (a.c:3), g (b.c:9): give the files that define them, or ...`; nothing if none is missing."""
    missing = _missing(program)
    if not missing:
        return ""
    names = ", ".join(str(one) for one in missing)
    variables = program.outside.variables
    also = f"; defined nowhere: {', '.join(variables)}" if variables else ""
    them = "the file that defines it" if len(missing) == 1 else "the files that define them"
    pure = ",".join(one.name for one in missing)
    stubs = "threadproof stubs writes some to begin with"
    return f"no body for {names}{also}: give {them} ({stubs}), or say --undefined pure|havoc, or --assume-pure {pure}"


def without_bodies(program: Program) -> Iterator[str]:
    """What functions without a body are taken to do."""
    for one in program.outside.missing:
        if one.taken is not Taken.UNKNOWN:
            yield f"{one} {_SAYS[one.taken]}"


def _assumptions(program: Program, answer: Answer, model: MemoryModel) -> Iterator[str]:
    yield from without_bodies(program)
    computed = [name for name in program.outside.library if name in MATH]
    if computed and answer.verdict is not Verdict.UNKNOWN:
        yield f"{', '.join(computed)} as this machine's C library computes {'it' if len(computed) == 1 else 'them'}"
    if answer.verdict is Verdict.TRUE:
        yield _MODELS[model]
        yield from _of_true(program, answer)


def _of_true(program: Program, answer: Answer) -> Iterator[str]:
    if isinstance(answer.proof, RaceProof | LockOrderProof):
        yield "every access is to a live object and within its bounds"
    if isinstance(answer.proof, LabelledTree | ReducedProduct | ReducedProducts) and answer.proof.unproved:
        lines = answer.proof.unproved
        yield f"valid accesses, {len(lines)} of them not proved: {', '.join(lines)}"
    yield from program.outside.assumed
    acts = {sync_facts(instr).act for instr in program.instrs() if isinstance(instr, Sync)}
    never = ["memory allocation"] * _allocates(program) + ["thread creation"] * (Act.CREATE in acts)
    if never:
        yield f"{' and '.join(never)} never fail{'s' * (len(never) == 1)}"
    if not isinstance(answer.proof, _MET_NO_LIMIT) and any(map(_of_unknown_size, program.instrs())):
        yield "nobody asks for a block of more than half of all addresses"
    if answer.property is Property.NO_DEADLOCK and Act.ENQUEUE in acts:
        yield "no spurious wake-ups"
    weaker = _weaker_orders(program) if answer.property is Property.NO_DATA_RACE else []
    if weaker:
        more = f" and {len(weaker) - NAMED} more" if len(weaker) > NAMED else ""
        places = f"{', '.join(weaker[:NAMED])}{more}"
        yield f"memory orders are not looked at: all atomics order like memory_order_seq_cst (weaker: {places})"
    for name in program.outside.library:
        row = lookup(name)
        if row is not None and row.fidelity is Fidelity.FEWER:
            yield f"{name} does no more than this: {row.says}"


def _weaker_orders(program: Program) -> list[str]:
    """Places of atomic accesses that promise less than the interleavings that were looked at."""
    strong = (Order.PLAIN, Order.SEQ_CST)
    found = {instr.loc for instr in program.instrs() if getattr(instr, "order", Order.PLAIN) not in strong}
    return list(dict.fromkeys(str(loc) for loc in sorted(found) if loc.line))


def _of_unknown_size(instr: Instr) -> bool:
    return isinstance(instr, Alloc) and instr.storage is Storage.HEAP and not isinstance(instr.size, Const)


def _allocates(program: Program) -> bool:
    return any(isinstance(instr, Alloc) and instr.storage is Storage.HEAP for instr in program.instrs())
