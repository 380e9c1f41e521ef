"""What is worth telling paths apart by: registers and conditions that decide about what threads do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from threadproof.analysis.control.loops import cycles
from threadproof.core.graph import components, reached
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Expr, Reg, registers, walk
from threadproof.ir.instr import Assign, Branch, defs, edges, uses
from threadproof.ir.program import Function
from threadproof.ir.show import show_expr
from threadproof.ir.simplify import substitute
from threadproof.sync.facts import Act, does

DEEPEST = 10
MOST_NODES = 40


class Splitting(Enum):
    LOOPS = "loops"  # loops that create or join threads are written out
    BRANCHES = "branches"  # and paths that differ in flags, or in the outcome of a condition asked more than once


@dataclass(frozen=True, slots=True)
class Deciding:
    registers: frozenset[str]
    asked: dict[str, tuple[str, bool]]  # per block that ends with a condition that is asked again: its question
    asked_after: dict[str, frozenset[str]]  # per block: those asked there or later


def deciding(function: Function, splitting: Splitting) -> Deciding:
    sources = _sources(function)
    found = _closure(_of_loops(function), sources)
    questions: dict[str, tuple[str, bool]] = {}
    if splitting is Splitting.BRANCHES:
        asked = {name for b in function.blocks for e in uses(b.instrs[-1]) for name in registers(e)}
        found |= _closure(asked, sources) - _counters(sources)
        questions = _questions(function)
    return Deciding(frozenset(found), questions, _asked_after(function, questions))


def _question(condition: Expr) -> tuple[str, bool]:
    """A condition's name, and whether it is asked plainly (else negated)."""
    match condition:
        case Compare(op=CompareOp.NE):
            return show_expr(Compare(CompareOp.EQ, condition.left, condition.right)), False
        case Binary(op=BinaryOp.XOR, right=Const(value=1, width=1)):
            name, plain = _question(condition.left)
            return name, not plain
        case _:
            return show_expr(condition), True


def _of_loops(function: Function) -> set[str]:
    """Registers that decide how a loop with thread operations goes on."""
    component = cycles(function)
    loops = {
        component[block.label]
        for block in function.blocks
        if block.label in component and any(does(instr, Act.CREATE, Act.JOIN) for instr in block.instrs)
    }
    return {
        name
        for block in function.blocks
        if component.get(block.label, -1) in loops
        for expr in uses(block.instrs[-1])
        for name in registers(expr)
    }


def _sources(function: Function) -> dict[str, list[Expr]]:
    """What each register is assigned, on the way or on an edge."""
    found: dict[str, list[Expr]] = {}
    for instr in function.instrs():
        if isinstance(instr, Assign):
            found.setdefault(instr.dst.name, []).append(instr.value)
        for edge in edges(instr):
            for dst, value in edge.moves:
                found.setdefault(dst.name, []).append(value)
    return found


def _closure(wanted: Iterable[str], sources: dict[str, list[Expr]]) -> set[str]:
    """With the registers their values are made of."""
    return set(reached(wanted, lambda name: (part for expr in sources.get(name, ()) for part in registers(expr))))


def _counters(sources: dict[str, list[Expr]]) -> set[str]:
    """Registers computed from themselves: they have too many values to tell paths apart by."""
    following = {name: tuple(dict.fromkeys(n for e in exprs for n in registers(e))) for name, exprs in sources.items()}
    for names in list(following.values()):
        for name in names:
            following.setdefault(name, ())
    found: set[str] = set()
    for component in components(following):
        members = set(component)
        computed = any(
            not isinstance(expr, Reg) and members & set(registers(expr))
            for name in component
            for expr in sources.get(name, ())
        )
        if computed:
            found |= members
    return found


def _questions(function: Function) -> dict[str, tuple[str, bool]]:
    """Conditions asked more than once, over registers that are written once, outside of loops."""
    fixed = _written_once(function)
    values: dict[str, Expr] = {}
    for instr in function.instrs():
        if isinstance(instr, Assign) and instr.dst.name in fixed:
            values[instr.dst.name] = instr.value
    found: dict[str, tuple[str, bool]] = {}
    for block in function.blocks:
        last = block.instrs[-1]
        if isinstance(last, Branch):
            condition = _expanded(last.condition, values)
            if all(name in fixed for name in registers(condition)):
                found[block.label] = _question(condition)
    asked: Counter[str] = Counter(name for name, _ in found.values())
    return {label: one for label, one in found.items() if asked[one[0]] > 1}


def _written_once(function: Function) -> frozenset[str]:
    looping = cycles(function)
    written: Counter[str] = Counter(param.name for param in function.params)
    for block in function.blocks:
        weight = 2 if block.label in looping else 1
        for instr in block.instrs:
            written.update({reg.name: weight for reg in defs(instr)})
        for edge in edges(block.instrs[-1]):
            written.update({dst.name: 2 if edge.target in looping else 1 for dst, _ in edge.moves})
    return frozenset(name for name, count in written.items() if count == 1)


def _expanded(condition: Expr, values: dict[str, Expr]) -> Expr:
    """In terms of the registers it was computed from, unless that becomes long."""
    for _ in range(DEEPEST):
        longer = substitute(condition, values)
        if longer == condition or sum(1 for _ in walk(longer)) > MOST_NODES:
            break
        condition = longer
    return condition


def _asked_after(function: Function, asked: dict[str, tuple[str, bool]]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {block.label: frozenset() for block in function.blocks}
    changed = bool(asked)
    while changed:
        changed = False
        for block in reversed(function.blocks):
            now = frozenset(name for edge in edges(block.instrs[-1]) for name in found[edge.target])
            if block.label in asked:
                now |= {asked[block.label][0]}
            if now != found[block.label]:
                found[block.label], changed = now, True
    return found
