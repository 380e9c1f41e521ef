"""If-conversion: branches that lead together again become one way, on which values are selected by conditions.

Paper: J. Allen, K. Kennedy, C. Porterfield, J. Warren, Conversion of Control Dependence to Data Dependence, POPL 1983.
For us it is what D. Beyer et al., Software Model Checking via Large-Block Encoding, FMCAD 2009, ask for: one letter
where there were as many as there are ways through `a = b ? c : d; e = f && g ? h : i;`.
Differs: only what nobody can notice is made on ways that the program does not take: assignments to registers that
cannot trap, and reads of global variables inside atomic blocks, or that no other thread writes then. Not for data
races: such a read would count as one.
Invariants: every execution of the program is one of the result, and the other way round, with the same visible steps
and the same choices; what is left of blocks has the same labels.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from enum import Enum
from functools import reduce

from threadproof.automaton.assumed import assume_what_does_not_abort
from threadproof.automaton.dropped import without_assumptions
from threadproof.automaton.fresh_arrays import without_filling_loops
from threadproof.automaton.program import quiet_loads
from threadproof.core.property import Property
from threadproof.ir.control_flow import Site, sites
from threadproof.ir.expr import Binary, BinaryOp, Const, Expr, GlobalRef, PtrAdd, Reg, Select, may_trap, negate, rebuild
from threadproof.ir.instr import Assign, Branch, Edge, Instr, Jump, Load, Return, Sync, Volatility, edges
from threadproof.ir.liveness import Live, live_before
from threadproof.ir.program import Block, Function, Lifetime, Origin, Program
from threadproof.sync.facts import Act, does

MOST_BLOCKS = 60
"""That become one."""


class FillingLoops(Enum):
    """What becomes of loops that fill a new block with arbitrary values."""

    LEFT_OUT = "left out: schedules of the result need not be schedules of the program"
    KEPT = "kept"  # also under weak memory, where such a store may reach memory late


def for_letters(
    program: Program,
    prop: Property,
    loops: FillingLoops = FillingLoops.LEFT_OUT,
    dropped: Set[str] = frozenset(),
) -> Program:
    """The program whose letters are looked at for the property. Proofs are of the one without filling loops.
    Assumptions on the lines `dropped` are left out: for proofs, never for schedules."""
    program = without_assumptions(assume_what_does_not_abort(program), dropped)
    if prop is Property.NO_DATA_RACE:
        return program
    program = program if loops is FillingLoops.KEPT else without_filling_loops(program)
    least = without_branches(program)
    loads = frozenset(site for f in program.functions.values() for site, instr in sites(f) if isinstance(instr, Load))
    if _blocks(without_branches(program, loads)) == _blocks(least):  # there is nothing to gain by knowing more
        return least
    return without_branches(program, quiet_loads(program))


def _blocks(program: Program) -> int:
    return sum(len(function.blocks) for function in program.functions.values())


def without_branches(program: Program, quiet: frozenset[Site] = frozenset()) -> Program:
    """`quiet`: reads of global variables that nobody else writes then."""
    depths = {name: _depths(function) for name, function in program.functions.items()}
    balanced = all(found is not None for found in depths.values())
    functions = {
        name: _Conversion(program, function, (depths[name] or {}) if balanced else {}, quiet).run()
        for name, function in program.functions.items()
    }
    return replace(program, functions=functions)


def _depths(function: Function) -> dict[str, int] | None:
    """In how many atomic blocks of the function its blocks end at least; None if a call of it may change that for
    others."""
    blocks = {block.label: block for block in function.blocks}
    entering, leaving = {function.blocks[0].label: 0}, dict[str, int]()
    work = [function.blocks[0].label]
    while work:
        block = blocks[work.pop()]
        depth = entering[block.label]
        for instr in block.instrs:
            if isinstance(instr, Sync):
                depth += does(instr, Act.BEGIN) - does(instr, Act.END)
            if depth < 0 or (depth and isinstance(instr, Return)):
                return None
        leaving[block.label] = depth
        for edge in edges(block.instrs[-1]):
            if depth < entering.get(edge.target, depth + 1):
                entering[edge.target] = depth
                work.append(edge.target)
    return leaving


@dataclass(frozen=True, slots=True)
class _Way:
    """An edge to a block: when it is taken, and registers with other values than at the start."""

    when: Expr | None  # None: always
    values: dict[str, Expr]


class _Conversion:
    def __init__(self, program: Program, function: Function, depths: dict[str, int], quiet: frozenset[Site]) -> None:
        self._program = program
        self._function = function
        self._depths = depths
        self._quiet = {
            id(instr) for site, instr in sites(function) if site in quiet
        }  # by identity: blocks become others on the way
        self._blocks = {block.label: block for block in function.blocks}
        self._before: dict[str, set[str]] = {}
        for block in function.blocks:
            for edge in edges(block.instrs[-1]):
                self._before.setdefault(edge.target, set()).add(block.label)
        self._live: dict[str, Live] = {}
        self._made: list[Instr] = []
        self._kept: list[Instr] = []  # so that their identities stay theirs
        self._fresh = 0

    def run(self) -> Function:
        for label in list(self._blocks):
            if label in self._blocks:
                self._convert(label)
        if not self._fresh:
            return self._function
        return replace(self._function, blocks=tuple(self._blocks.values()))

    def _convert(self, label: str) -> None:
        start = self._blocks[label]
        if not isinstance(start.instrs[-1], Branch) or not self._harmless(start.instrs[-1], False):
            return
        found = self._region(start)
        if found is None:
            return
        region, join = found
        if not self._live:
            self._live = {name: points[0] for name, points in live_before(self._function).items()}
        self._blocks[label] = self._flat(start, [self._blocks[one] for one in region], join)
        for one in region:
            del self._blocks[one]
        self._before[join] = (self._before[join] - {*region}) | {label}

    # --- what becomes one block --------------------------------------------------------------------------------------

    def _region(self, start: Block) -> tuple[list[str], str] | None:
        """Blocks that only the start leads to, in an order of control, up to where all ways meet."""
        inside = self._depths.get(start.label, 0) > 0
        region: list[str] = []
        pending = dict.fromkeys(edge.target for edge in edges(start.instrs[-1]))
        while len(pending) > 1:
            known = {start.label, *region}
            new = next((one for one in pending if one not in known and self._before[one] <= known), None)
            if new is None or len(region) > MOST_BLOCKS or not self._is_harmless(new, inside):
                return None
            region.append(new)
            del pending[new]
            pending.update(dict.fromkeys(edge.target for edge in edges(self._blocks[new].instrs[-1])))
        [join] = pending
        return None if join == start.label or join in region else (region, join)

    def _is_harmless(self, label: str, inside: bool) -> bool:
        return all(self._harmless(instr, inside) for instr in self._blocks[label].instrs)

    def _harmless(self, instr: Instr, inside: bool) -> bool:
        """Whether nobody notices if it is made in vain."""
        match instr:
            case Assign():
                return not may_trap(instr.value)
            case Load():
                return instr.volatility is Volatility.ORDINARY and self._is_there(instr, inside)
            case Jump() | Branch():
                moved = (value for edge in edges(instr) for _, value in edge.moves)
                return not any(map(may_trap, (*moved, *([instr.condition] if isinstance(instr, Branch) else []))))
            case _:
                return False

    def _is_there(self, load: Load, inside: bool) -> bool:
        base, offset = load.address, 0
        if isinstance(base, PtrAdd) and isinstance(base.offset, Const):
            base, offset = base.base, base.offset.value
        variable = self._program.globals.get(base.name) if isinstance(base, GlobalRef) else None
        if variable is None or variable.lifetime is not Lifetime.PROGRAM or variable.origin is not Origin.HERE:
            return False
        unseen = inside or variable.name in self._program.unshared or id(load) in self._quiet
        return unseen and offset + load.size <= variable.size

    # --- as one block ------------------------------------------------------------------------------------------------

    def _flat(self, start: Block, region: list[Block], join: str) -> Block:
        self._made = list(start.instrs[:-1])
        ways: dict[str, list[_Way]] = {}
        self._leave(start.instrs[-1], _Way(None, {}), ways)
        for block in region:
            way = self._met(ways[block.label], self._live[block.label])
            for instr in block.instrs[:-1]:
                self._make(instr, way.values)
            self._leave(block.instrs[-1], way, ways)
        values = self._met(ways[join], self._live[join]).values
        moves = tuple((Reg(name, value.width), value) for name, value in values.items())
        return Block(start.label, (*self._made, Jump(Edge(join, moves), loc=start.instrs[-1].loc)))

    def _make(self, instr: Instr, values: dict[str, Expr]) -> None:
        assert isinstance(instr, Assign | Load)
        new = self._register(instr.dst.width)
        if isinstance(instr, Assign):
            self._made.append(replace(instr, dst=new, value=_with(instr.value, values)))
        else:
            self._made.append(replace(instr, dst=new))
            if id(instr) in self._quiet:
                self._kept.append(self._made[-1])
                self._quiet.add(id(self._made[-1]))
        values[instr.dst.name] = new

    def _leave(self, instr: Instr, way: _Way, ways: dict[str, list[_Way]]) -> None:
        if isinstance(instr, Jump):
            self._take(instr.edge, way.when, way.values, ways)
        else:
            assert isinstance(instr, Branch)
            condition = self._named(_with(instr.condition, way.values))
            self._take(instr.then, _both(way.when, condition), way.values, ways)
            self._take(instr.otherwise, _both(way.when, negate(condition)), way.values, ways)

    def _take(self, edge: Edge, when: Expr | None, values: dict[str, Expr], ways: dict[str, list[_Way]]) -> None:
        moved = {dst.name: _with(value, values) for dst, value in edge.moves}
        ways.setdefault(edge.target, []).append(_Way(when, {**values, **moved}))

    def _met(self, ways: list[_Way], live: Live) -> _Way:
        """Where ways meet; one of them is taken. Only what is still needed has a value on each."""
        names = dict.fromkeys(name for way in ways for name in way.values if name in live)
        widths = {name: way.values[name].width for way in ways for name in way.values}
        values = {name: self._chosen(name, widths[name], ways) for name in names}
        if any(way.when is None for way in ways):
            return _Way(None, values)
        when = reduce(lambda a, b: Binary(BinaryOp.OR, a, b), (way.when for way in ways if way.when is not None))
        return _Way(self._named(when), values)

    def _chosen(self, name: str, width: int, ways: list[_Way]) -> Expr:
        *others, last = [(way.when, way.values.get(name, Reg(name, width))) for way in ways]
        if all(value == last[1] for _, value in others):
            return last[1]
        chosen = last[1]
        for when, value in reversed(others):
            assert when is not None
            chosen = Select(when, value, chosen)
        return self._named(chosen)

    def _named(self, value: Expr) -> Reg:
        if isinstance(value, Reg) and "'" in value.name:  # one of ours, which is assigned once
            return value
        new = self._register(value.width)
        self._made.append(Assign(new, value))
        return new

    def _register(self, width: int) -> Reg:
        self._fresh += 1
        return Reg(f"%'{self._fresh}", width)


def _both(when: Expr | None, condition: Expr) -> Expr:
    return condition if when is None else Binary(BinaryOp.AND, when, condition)


def _with(expr: Expr, values: dict[str, Expr]) -> Expr:
    if isinstance(expr, Reg):
        return values.get(expr.name, expr)
    return rebuild(expr, lambda part: _with(part, values))
