"""What decides where locks lie: addresses that are worth comparing, and the registers they come from."""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.automaton import ProgramAutomaton, Step
from threadproof.automaton.letters import Context
from threadproof.encoding.thread_values import ThreadValues, ValueRun
from threadproof.ir.expr import Expr, registers
from threadproof.ir.instr import Assign, Call, Instr, Return, Sync, edges
from threadproof.ir.program import Program
from threadproof.smt.term import Term
from threadproof.sync.facts import Attempt, sync_facts

Register = tuple[str, str]  # of a function
MOST_ADDRESSES = 8
"""In one context, that are compared with each other."""


def lock_address(instr: Sync) -> Expr | None:
    """Of what it takes or gives back."""
    facts = sync_facts(instr)
    if facts.locks is not None:
        return instr.args[facts.locks.arg]
    return None if facts.releases is None else instr.args[facts.releases]


def deciding(program: Program, automaton: ProgramAutomaton, unclear: set[Expr]) -> frozenset[Register]:
    """Registers on which an unclear address depends, or that say whether a lock was taken."""
    found: set[Register] = set()
    comes: dict[Register, set[Register]] = {}
    for letter in automaton.letters:
        for step in letter.steps:
            for to, given in _writes(program, step):
                comes.setdefault(to, set()).update((function, name) for function, name in given)
            if isinstance(step.instr, Sync) and (address := lock_address(step.instr)) is not None:
                name = step.site.function
                found |= {(name, one) for one in registers(address)} if address in unclear else set()
                tried = sync_facts(step.instr).attempt is not Attempt.NO
                found |= {(name, step.instr.dst.name)} if tried and step.instr.dst is not None else set()
    todo = list(found)
    while todo:
        new = comes.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return frozenset(found)


def _writes(program: Program, step: Step) -> Iterator[tuple[Register, set[Register]]]:
    function, instr = step.site.function, step.instr

    def of(expr: Expr) -> set[Register]:
        return {(function, name) for name in registers(expr)}

    if isinstance(instr, Assign):
        yield (function, instr.dst.name), of(instr.value)
    if isinstance(instr, Call) and step.enters:
        for parameter, given in zip(program.functions[step.enters].params, instr.args, strict=False):
            yield (step.enters, parameter.name), of(given)
    if isinstance(instr, Return) and step.context and instr.value is not None:
        call = _instr(program, step)
        if isinstance(call, Call) and call.dst is not None:
            yield (step.context[-1].function, call.dst.name), of(instr.value)
    ways = edges(instr)
    for dst, given in ways[step.taken or 0].moves if ways else ():
        yield (function, dst.name), of(given)


def _instr(program: Program, step: Step) -> Instr:
    site = step.context[-1]
    return next(one for one in program.functions[site.function].blocks if one.label == site.block).instrs[site.number]


def addresses(automaton: ProgramAutomaton, values: ThreadValues, unclear: set[Expr]) -> dict[Context, tuple[Term, ...]]:
    """The unclear addresses that are used in each context, over the registers there."""
    found: dict[Context, dict[Term, None]] = {}
    for letter in automaton.letters:
        for step in letter.steps:
            address = lock_address(step.instr) if isinstance(step.instr, Sync) else None
            if address is not None and address in unclear:
                known = found.setdefault(step.context, {})
                if len(known) < MOST_ADDRESSES:
                    known[ValueRun(values).term(step, address)] = None
    return {context: tuple(terms) for context, terms in found.items()}
