"""The whole code of a thread as one function: every call is replaced by the callee's body.

Calls through pointers, and start routines of threads, become a choice among the functions the points-to analysis
names. Recursion cannot be written out, nor can code that becomes too long; both raise TooLarge.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from threadproof.analysis.points_to import ObjectKind, PointsTo, Site
from threadproof.core.source import SourceLoc
from threadproof.ir.expr import Compare, CompareOp, Convert, ConvertOp, Expr, GlobalRef, Reg, registers
from threadproof.ir.instr import (
    Branch,
    Call,
    Edge,
    Instr,
    Jump,
    Return,
    Sync,
    Undefined,
    UndefinedKind,
    Unsupported,
    defs,
    edges,
)
from threadproof.ir.program import Block, Function, Program, Variable
from threadproof.ir.simplify import substitute
from threadproof.passes.expand.rename import renamed
from threadproof.sync.facts import Act, does

MOST_INSTRUCTIONS = 60_000


class TooLarge(Exception):
    """The program cannot be written out thread by thread; the text says why."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """One inlined call: its function, the registers' suffix, constant parameters, and where to return to."""

    function: Function
    number: int
    constants: dict[str, Expr]
    back: tuple[str, Reg | None] | None  # None: the thread's own start routine
    callers: tuple[str, ...]

    def name(self, register: str) -> str:
        return f"{register}~{self.number}" if self.number else register

    def label(self, label: str) -> str:
        return f"{self.number}.{label}" if self.number else label

    def read(self, expr: Expr) -> Expr:
        return substitute(expr, _Renaming(self))

    def write(self, register: Reg) -> Reg:
        return Reg(self.name(register.name), register.width)

    def edge(self, edge: Edge) -> Edge:
        moves = tuple((self.write(dst), value) for dst, value in edge.moves)
        return Edge(self.label(edge.target), moves)


class _Renaming(dict[str, Expr]):
    """A substitution for every register, made on demand; widths are those of the expression at hand."""

    def __init__(self, frame: _Frame) -> None:
        super().__init__()
        self._frame = frame

    def get(self, key: str, default: Expr | None = None) -> Expr:  # type: ignore[override]
        constant = self._frame.constants.get(key)
        if constant is not None:
            return constant
        assert isinstance(default, Reg)
        return Reg(self._frame.name(key), default.width)


class Inliner:
    def __init__(self, program: Program, points_to: PointsTo) -> None:
        self._program = program
        self._points_to = points_to
        self._size = 0

    def flatten(self, start: str, name: str, argument: Expr | None = None) -> Function:
        """The code of a thread that starts in `start`, as a function called `name`; its argument, if it is known."""
        function = self._program.functions[start]
        self._blocks: list[Block] = []
        self._frames = 0
        self._variables: dict[str, Variable] = {}
        constants = {} if argument is None or not function.params else _constants(function, (argument,))
        self._emit(_Frame(function, 0, constants, None, (start,)))
        first = function.blocks[0].label  # callees were emitted before it
        blocks = sorted(self._blocks, key=lambda block: block.label != first)
        return replace(function, name=name, blocks=tuple(blocks), variables=self._variables)

    def _emit(self, frame: _Frame) -> None:
        self._variables.update(frame.function.variables)
        for block in frame.function.blocks:
            _Splitter(self, frame, block).run()

    # --- what a splitter asks for ------------------------------------------------------------------------------------

    def add(self, block: Block) -> None:
        self._size += len(block.instrs)
        if self._size > MOST_INSTRUCTIONS:
            raise TooLarge(f"more than {MOST_INSTRUCTIONS} instructions once calls are written out")
        self._blocks.append(block)

    def targets(self, site: Site, callee: Expr | str) -> tuple[str, ...]:
        if isinstance(callee, str):
            return (callee,)
        if isinstance(callee, GlobalRef) and callee.name in self._program.functions:
            return (callee.name,)
        places = self._points_to.expression(site.function, _callee(self._program, site))
        if any(place.root.kind is ObjectKind.ANYTHING for place in places):
            raise TooLarge("a call through a pointer that may point anywhere")
        return tuple(sorted({place.root.name for place in places if place.root.kind is ObjectKind.FUNCTION}))

    def function(self, name: str) -> Function:
        return self._program.functions[name]

    def enter(self, frame: _Frame, name: str, args: tuple[Expr, ...], back: tuple[str, Reg | None]) -> Edge:
        """Emit the callee's body; the edge that leads into it."""
        if name in frame.callers:
            raise TooLarge(f"recursion in {name}")
        function = self._program.functions[name]
        self._frames += 1
        constants = _constants(function, args)
        callee = _Frame(function, self._frames, constants, back, (*frame.callers, name))
        self._emit(callee)
        moves = tuple(
            (callee.write(param), _fitted(arg, param.width))
            for param, arg in zip(function.params, args, strict=True)
            if param.name not in constants
        )
        return Edge(callee.label(function.blocks[0].label), moves)


def _callee(program: Program, site: Site) -> Expr:
    instr = program.functions[site.function].block(site.block).instrs[site.number]
    if isinstance(instr, Sync):
        return instr.args[1]
    assert isinstance(instr, Call)
    assert not isinstance(instr.callee, str)
    return instr.callee


def _constants(function: Function, args: tuple[Expr, ...]) -> dict[str, Expr]:
    """Parameters that are constants in this call and never change: they are put where they are used."""
    written = Counter(reg.name for instr in function.instrs() for reg in defs(instr))
    for block in function.blocks:
        for edge in edges(block.instrs[-1]):
            written.update(dst.name for dst, _ in edge.moves)
    return {
        param.name: arg
        for param, arg in zip(function.params, args, strict=True)
        if not any(registers(arg)) and arg.width == param.width and not written[param.name]
    }


def _fitted(arg: Expr, width: int) -> Expr:
    return arg if arg.width == width else Convert(ConvertOp.TRUNC, arg, width)


class _Splitter:
    """Writes one block out, cut where calls were."""

    def __init__(self, inliner: Inliner, frame: _Frame, block: Block) -> None:
        self._inliner = inliner
        self._frame = frame
        self._block = block
        self._label = frame.label(block.label)
        self._out: list[Instr] = []
        self._cuts = 0

    def run(self) -> None:
        for index, instr in enumerate(self._block.instrs):
            site = Site(self._frame.function.name, self._block.label, index)
            new = renamed(instr, self._frame.read, self._frame.write, self._frame.edge)
            match new:
                case Call():
                    self._call(new, site)
                case Sync() if does(new, Act.CREATE):
                    self._create(new, site)
                case Sync() if does(new, Act.EXIT):
                    self._out.append(new)
                    self._close(Undefined(UndefinedKind.UNREACHABLE, loc=new.loc))
                    return
                case Return() if self._frame.back is not None:
                    self._return(new)
                    return
                case _:
                    self._out.append(new)
        self._inliner.add(Block(self._label, tuple(self._out)))

    def _close(self, last: Instr) -> None:
        self._inliner.add(Block(self._label, (*self._out, last)))
        self._out = []

    def _fresh(self, what: str) -> str:
        self._cuts += 1
        return f"{self._frame.label(self._block.label)}+{what}{self._cuts}"

    def _return(self, instr: Return) -> None:
        assert self._frame.back is not None
        label, dst = self._frame.back
        if dst is None:
            self._close(Jump(Edge(label), loc=instr.loc))
        elif instr.value is None or instr.value.width < dst.width:
            self._close(Unsupported("a call whose result has another size than the function says", loc=instr.loc))
        else:
            self._close(Jump(Edge(label, ((dst, _fitted(instr.value, dst.width)),)), loc=instr.loc))

    def _call(self, instr: Call, site: Site) -> None:
        after = self._fresh("after")
        names = self._inliner.targets(site, instr.callee)
        callee = None if isinstance(instr.callee, str) else instr.callee
        for name in self._choices(callee, names, instr.loc):
            function = self._inliner.function(name)
            args = instr.args[: len(function.params)]
            if not function.takes(len(instr.args)):
                self._close(Undefined(UndefinedKind.BAD_CALL, loc=instr.loc))
            elif any(arg.width < param.width for arg, param in zip(args, function.params, strict=True)):
                self._close(Unsupported("a call whose argument has another size than the function says", loc=instr.loc))
            else:
                edge = self._inliner.enter(self._frame, name, args, (after, instr.dst))
                self._close(Jump(edge, loc=instr.loc))
        self._label = after

    def _create(self, instr: Sync, site: Site) -> None:
        """One creation per possible start routine."""
        where, start, argument = instr.args
        after = self._fresh("after")
        for name in self._choices(start, self._inliner.targets(site, start), instr.loc):
            if len(self._inliner.function(name).params) > 1:
                self._close(Undefined(UndefinedKind.BAD_CALL, loc=instr.loc))
            else:
                self._out.append(replace(instr, args=(where, GlobalRef(name, start.width), argument)))
                self._close(Jump(Edge(after), loc=instr.loc))
        self._label = after

    def _choices(self, pointer: Expr | None, names: tuple[str, ...], loc: SourceLoc):
        """Yields each name once the current block is where that function was chosen; the caller closes it."""
        if pointer is None or (isinstance(pointer, GlobalRef) and names == (pointer.name,)):
            yield names[0]
            return
        for name in names:
            chosen, other = self._fresh("is"), self._fresh("else")
            same = Compare(CompareOp.EQ, pointer, GlobalRef(name, pointer.width))
            self._close(Branch(same, Edge(chosen), Edge(other), loc=loc))
            self._label = chosen
            yield name
            self._label = other
        self._close(Undefined(UndefinedKind.WILD_CALL, loc=loc))
