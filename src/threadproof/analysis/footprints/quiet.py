"""Instructions that commute with whatever other threads do until then, so that their thread may as well go first.

- `thread_create` whose handle goes into memory of the creating thread alone: nobody else can know the new thread.
- `thread_join` that asks for no result, where no thread but main joins, detaches or cancels: what it touches is the end
  of a thread, which main alone looks at. It may block; then nothing is said.
"""

from __future__ import annotations

from threadproof.analysis.control.call_graph import address_taken, reachable
from threadproof.ir.expr import Const, Expr, PtrAdd, Reg
from threadproof.ir.instr import Alloc, Assign, Storage, Sync, defs
from threadproof.ir.program import Function, Program
from threadproof.sync.facts import Act, Seen, does, sync_facts

Place = tuple[str, int]
"""A function and the number of an instruction in it."""


def quiet_steps(program: Program) -> frozenset[Place]:
    others = reachable(program, address_taken(program))
    joins = program.entry not in others and not any(_looks_at_threads(program.functions[name]) for name in others)
    return frozenset(
        (name, index)
        for name, function in program.functions.items()
        for index, instr in enumerate(function.instrs())
        if isinstance(instr, Sync) and (_creates(function, instr) or (joins and _joins(instr)))
    )


def _looks_at_threads(function: Function) -> bool:
    syncs = (sync_facts(instr) for instr in function.instrs() if isinstance(instr, Sync))
    return any(facts.names and facts.seen is Seen.BY_OTHERS for facts in syncs)


def _joins(instr: Sync) -> bool:
    return does(instr, Act.JOIN) and isinstance(instr.args[1], Const) and instr.args[1].value == 0


def _creates(function: Function, instr: Sync) -> bool:
    return does(instr, Act.CREATE) and _object(function, instr.args[0]) in function.unshared


def _object(function: Function, address: Expr) -> str | None:
    """The name of the local an address is computed from, if that is plain to see."""
    while True:
        match address:
            case PtrAdd():
                address = address.base
            case Reg():
                writers = [i for i in function.instrs() if address.name in {reg.name for reg in defs(i)}]
                match writers:
                    case [Alloc(storage=Storage.STACK, name=name)]:
                        return name
                    case [Assign(value=value)]:
                        address = value
                    case _:
                        return None
            case _:
                return None
