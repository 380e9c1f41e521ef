"""From a program to its abstract threads: follow every creation, starting with main."""

from __future__ import annotations

from dataclasses import replace

from threadproof.analysis.abstract_threads.threads import AbstractThread, Repetition, ThreadTree
from threadproof.analysis.control.loops import cycles
from threadproof.analysis.points_to import PointsTo, Site, analyse
from threadproof.ir.expr import Expr, GlobalRef, registers
from threadproof.ir.instr import Instr, Sync, Unsupported
from threadproof.ir.program import Block, Function, Program
from threadproof.passes.expand.deciding import Splitting
from threadproof.passes.expand.inline import Inliner, TooLarge
from threadproof.passes.expand.private import Cells, private_cells, still_private, with_values
from threadproof.passes.expand.specialise import specialise
from threadproof.passes.expand.ssa import single_assignment
from threadproof.sync.facts import Act, does

MOST_THREADS = 80


def expand_threads(program: Program, splitting: Splitting = Splitting.LOOPS) -> ThreadTree:
    """Raises TooLarge if the threads' code cannot be written out."""
    points_to = analyse(program)
    plain = _expanded(program, points_to, splitting, {})
    private = private_cells(plain) if splitting is Splitting.BRANCHES else {}
    if not private:
        return plain
    sharper = _expanded(program, points_to, splitting, private)
    return sharper if still_private(sharper, private) else plain


def _expanded(program: Program, points_to: PointsTo, splitting: Splitting, private: Cells) -> ThreadTree:
    generic: frozenset[str] = frozenset()
    while True:
        try:
            return _Expansion(program, Inliner(program, points_to), splitting, generic, private).run()
        except _OtherArgument as other:
            generic |= {other.start}


class _OtherArgument(Exception):
    """A thread creates its own kind with another argument than it has itself."""

    def __init__(self, start: str) -> None:
        super().__init__(start)
        self.start = start


class _Expansion:
    def __init__(
        self, program: Program, inliner: Inliner, splitting: Splitting, generic: frozenset[str], private: Cells
    ) -> None:
        self._program = program
        self._inliner = inliner
        self._splitting = splitting
        self._generic = generic  # start routines whose argument is not taken for a constant
        self._private = private
        self._arguments: dict[str, Expr | None] = {}
        self._threads: dict[str, AbstractThread] = {}
        self._functions: dict[str, Function] = {}

    def run(self) -> ThreadTree:
        main = AbstractThread(self._program.entry, self._program.entry, None, None, Repetition.ONCE)
        self._threads[main.name] = main
        self._arguments[main.name] = None
        todo = [main]
        while todo:
            thread = todo.pop(0)
            argument = self._arguments.get(thread.name)
            flat = self._inliner.flatten(thread.start, thread.name, argument)
            flat = with_values(flat, self._private.get(thread.start, frozenset()))
            if self._splitting is Splitting.BRANCHES:  # a condition is known again if its registers keep their values
                flat = single_assignment(flat)
            code = single_assignment(specialise(flat, self._splitting))
            self._functions[thread.name], created = self._with_children(thread, code)
            todo.extend(created)
        stubs = {name: _stub(f) for name, f in self._program.functions.items() if name not in self._functions}
        expanded = replace(self._program, functions={**self._functions, **stubs}, unshared=frozenset())
        return ThreadTree(expanded, self._threads)

    def _with_children(self, thread: AbstractThread, code: Function) -> tuple[Function, list[AbstractThread]]:
        looping = cycles(code)
        created: list[AbstractThread] = []
        blocks: list[Block] = []
        for block in code.blocks:
            instrs: list[Instr] = []
            for index, instr in enumerate(block.instrs):
                if isinstance(instr, Sync) and does(instr, Act.CREATE):
                    site = Site(thread.name, block.label, index)
                    name = self._child(thread, instr, site, block.label in looping, created)
                    where, start, argument = instr.args
                    instr = replace(instr, args=(where, GlobalRef(name, start.width), argument))
                instrs.append(instr)
            blocks.append(replace(block, instrs=tuple(instrs)))
        return replace(code, blocks=tuple(blocks), unshared=frozenset()), created

    def _child(
        self, parent: AbstractThread, instr: Sync, site: Site, looping: bool, created: list[AbstractThread]
    ) -> str:
        assert isinstance(instr.args[1], GlobalRef)
        start = instr.args[1].name
        ancestor: AbstractThread | None = parent
        while ancestor is not None:
            if ancestor.start == start:
                if self._arguments[ancestor.name] not in (None, instr.args[2]):
                    raise _OtherArgument(start)
                again = replace(ancestor, repetition=Repetition.RECURSIVE)
                self._threads[ancestor.name] = again
                return ancestor.name
            ancestor = self._threads[ancestor.parent] if ancestor.parent is not None else None
        name = f"{start}#{len(self._threads)}"
        repetition = Repetition.REPEATED if looping else Repetition.ONCE
        child = AbstractThread(name, start, parent.name, site, repetition)
        self._threads[name] = child
        known = start not in self._generic and not any(registers(instr.args[2]))
        self._arguments[name] = instr.args[2] if known else None
        created.append(child)
        if len(self._threads) > MOST_THREADS:
            raise TooLarge(f"more than {MOST_THREADS} creations of threads")
        return name


def _stub(function: Function) -> Function:
    """A function that nothing calls any more; its address is still a value."""
    never = Unsupported(f"the function {function.name}, whose calls were written out", loc=function.loc)
    return replace(function, blocks=(Block("0", (never,)),), variables={}, unshared=frozenset())
