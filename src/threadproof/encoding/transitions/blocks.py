"""What is known beforehand about places of allocation, so that fewer limits have to be refuted.

- `repeated`: places that a thread may come to again. At all others there is no first object in the way.
- `roomy`: blocks of unknown size that may be as large as they like. Every access that may mean such a block can mean
  nothing else, and nobody looks at its address, so it is no harm that addresses of a large block run into those kept
  for others.
- `never_freed`: blocks that are there as soon as somebody knows their address, and for ever. Only bytes that nobody has
  written may have this value before, but then also any other, which is an access to nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.analysis.memory.partition import MEMORY
from threadproof.analysis.points_to import ObjectKind, PointsTo, Root
from threadproof.automaton.letters import Context, Location
from threadproof.automaton.threads import ThreadAutomaton
from threadproof.core.graph import reached
from threadproof.encoding.transitions.objects import SymbolicObjects
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import Site
from threadproof.ir.expr import Expr, PtrAdd, walk
from threadproof.ir.program import Function, Program
from threadproof.smt.term import Op

Place = tuple[Context, Site]


def repeated(thread: ThreadAutomaton) -> frozenset[Place]:
    """Places of allocation, in their contexts, that one thread may come to more than once."""
    sources: dict[Place, set[Location]] = {}
    targets: dict[Place, set[Location]] = {}
    for letter in thread.letters:
        for step in letter.steps:
            if isinstance(step.instr, ir.Alloc):
                sources.setdefault((step.context, step.site), set()).add(letter.source)
                targets.setdefault((step.context, step.site), set()).add(letter.target)
    return frozenset(place for place, starts in sources.items() if starts & _after(thread, targets[place]))


def _after(thread: ThreadAutomaton, locations: set[Location]) -> set[Location]:
    return set(reached(locations, lambda at: (letter.target for letter in thread.letters_from(at))))


def roomy(
    program: Program, points_to: PointsTo, objects: SymbolicObjects, observed: frozenset[Root]
) -> frozenset[Root]:
    """`program`: with a copy of allocating functions for every call (`points_to.cloning`)."""
    unknown = {one.root for one in objects if one.root.kind is ObjectKind.HEAP and one.size.op is Op.VAR}
    shared = {one.root for one in objects if not objects.ends_before_null(one)} | observed
    for function in program.functions.values():
        for expr in _addresses(function):
            roots = {place.root for place in points_to.expression(function.name, expr) if place.root.kind in MEMORY}
            if roots & unknown and sum(len(objects.of(root)) for root in roots) > 1:
                shared |= roots
    return frozenset(unknown - shared)


def never_freed(program: Program, points_to: PointsTo, objects: SymbolicObjects) -> frozenset[Root]:
    """`program`: with copies."""
    blocks = {one.root for one in objects if one.root.kind is ObjectKind.HEAP}
    for function in program.functions.values():
        for instr in function.instrs():
            if isinstance(instr, ir.Free):
                blocks -= {place.root for place in points_to.expression(function.name, instr.address)}
    return frozenset(blocks) if not points_to.wild else frozenset()


def _addresses(function: Function) -> Iterator[Expr]:
    """Expressions that say where to go: operands of accesses and of arithmetic on pointers."""
    for instr in function.instrs():
        match instr:
            case ir.Load() | ir.Store() | ir.Rmw() | ir.CompareExchange() | ir.Free() | ir.ObjectSize():
                yield instr.address
            case ir.Sync():
                yield from instr.args
            case _:
                pass
        moved = (value for edge in ir.edges(instr) for _, value in edge.moves)
        for expr in (*ir.uses(instr), *moved):
            yield from (part.base for part in walk(expr) if isinstance(part, PtrAdd))
