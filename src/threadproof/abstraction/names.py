"""Predicates as people read them: C conditions over the program's own names.

Globals and their members have the names of the source (`queue.head`, `a[i]`), locals the name of their thread before
them (`worker#1.i`), what is no C (whether a thread has been started) its words: `started(worker)`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from threadproof.automaton import Instance
from threadproof.encoding.transitions import Space
from threadproof.encoding.transitions.objects import SymbolicCell, SymbolicObject
from threadproof.ir.ctypes import CPointer, CType, Encoding, Scalar, place
from threadproof.ir.instr import Alloc
from threadproof.smt.c_text import CName, Names, Unprintable, in_c
from threadproof.smt.smtlib import text
from threadproof.smt.term import Op, Term, in_order, variables

_WORDS = ("handle", "started", "finished", "result", "detached", "children", "waits_on", "woken", "cancelled")


@dataclass(slots=True)
class CNames:
    """Names of state variables. `of` raises KeyError for what is none (an input)."""

    space: Space
    _known: dict[Term, CName] = field(default_factory=dict[Term, CName])
    _cells: dict[Term, SymbolicCell] = field(default_factory=dict[Term, SymbolicCell])
    _unsaid: set[Term] = field(default_factory=set[Term])  # registers that no variable of the source is, and handles
    _ours: set[Term] = field(default_factory=set[Term])  # handles and addresses

    def __post_init__(self) -> None:
        space = self.space
        self._known[space.owner] = CName("inside_atomic", False)
        for instance, thread in space.threads.items():
            for word in _WORDS:
                self._known[getattr(thread, word)] = CName(f"{word}({instance})", False)
        for found in space.objects:
            for cell in space.objects.cells(found):
                if cell.term.op is Op.VAR:
                    self._cells[cell.term] = cell
                    self._known[cell.term] = self._cell(found, cell)
        for instance in space.instances:
            self._registers(instance)

    def of(self, variable: Term) -> CName:
        return self._known[variable]

    def condition(self, formula: Term) -> str:
        """In C; what cannot be said in C is SMT-LIB text."""
        try:
            return in_c(self._by_element(formula), self._known.__getitem__)
        except (Unprintable, KeyError):
            return text(formula)

    def for_people(self, formula: Term) -> str:
        """In C over variables that the source has; nothing, if that cannot be."""
        if not self._unsaid.isdisjoint(variables([formula])):
            return ""
        try:
            return in_c(self._by_element(formula), self._known.__getitem__)
        except (Unprintable, KeyError):
            return ""

    def has_our_values(self, variable: Term) -> bool:
        """Of handles of threads and pointers: the program has other numbers on a real machine."""
        return variable in self._ours

    def in_scope(self, formula: Term, names: Names) -> str:
        """In C, with other names. Raises what `names` raises, and Unprintable."""
        return in_c(self._by_element(formula), names)

    # --- variables ---------------------------------------------------------------------------------------------------

    def _cell(self, found: SymbolicObject, cell: SymbolicCell) -> CName:
        name, ctype = self._object(found)
        owner = "" if found.owner is None else f"{found.owner}."
        path, scalar = (f"+{cell.start}" if cell.start else "", None) if ctype is None else place(ctype, cell.start)
        if cell.stride:
            head, bracket, rest = path.partition("[")
            path = head if bracket and not rest.partition("]")[2] else path  # of records in an array, the first's name
        if _is_handle(scalar):
            self._unsaid.add(cell.term)
        if _is_handle(scalar) or isinstance(scalar, CPointer):
            self._ours.add(cell.term)
        return CName(f"{owner}{name}{path}", _signed(scalar))

    def _object(self, found: SymbolicObject) -> tuple[str, CType | None]:
        program, site = self.space.program, found.site
        if site is None:
            variable = program.globals[found.root.name]
            return variable.c_name or variable.name, variable.ctype
        function = program.functions[site.function]
        alloc = function.block(site.block).instrs[site.number]
        assert isinstance(alloc, Alloc)
        known = function.variables.get(alloc.name)
        name = alloc.name or f"block_{site.function}_{site.block}_{site.number}"
        name = name if found.number == 1 else f"{name}_{found.number}"
        return (name, None) if known is None else (known.c_name, known.ctype)

    def _registers(self, instance: Instance) -> None:
        space = self.space
        thread = space.automaton.templates[instance.template]
        calls = {(step.context, step.site.function) for letter in thread.letters for step in letter.steps}
        for context, function in sorted(calls, key=str):
            where = "".join(f"{call.function}/" for call in context)
            in_source = space.program.functions[function].variables
            for register in space.widths(function):
                variable = in_source.get(register)
                name = register if variable is None else variable.c_name
                signed = _signed(None if variable is None else variable.ctype)
                term = space.register(instance, context, function, register)
                self._known[term] = CName(f"{instance}.{where}{name}", signed)
                if variable is None or _is_handle(variable.ctype):
                    self._unsaid.add(term)
                if variable is not None and (_is_handle(variable.ctype) or isinstance(variable.ctype, CPointer)):
                    self._ours.add(term)

    # --- arrays ------------------------------------------------------------------------------------------------------

    def _by_element(self, formula: Term) -> Term:
        """Arrays are indexed by bytes in formulas, by elements in C."""
        terms, replace = self.space.terms, dict[Term, Term]()
        for part in in_order((formula,)):
            if part.op is Op.SELECT and part.args[0] in self._cells:
                array, offset = part.args
                cell = self._cells[array]
                [inner] = terms.substitute([offset], replace)
                replace[part] = terms.select(array, _element(self.space, inner, cell))
        return terms.substitute([formula], replace)[0]


def _element(space: Space, offset: Term, cell: SymbolicCell) -> Term:
    terms = space.terms
    moved = terms.sub(offset, terms.bv(cell.start, offset.width)) if cell.start else offset
    shift = cell.stride.bit_length() - 1
    if 1 << shift == cell.stride and moved.op is Op.SHL and moved.args[1] is terms.bv(shift, moved.width):
        return moved.args[0]
    if moved.op is Op.MUL and moved.args[1] is terms.bv(cell.stride, moved.width):
        return moved.args[0]
    return terms.make(Op.UDIV, (moved, terms.bv(cell.stride, moved.width)))


def _is_handle(ctype: CType | None) -> bool:
    """Its numbers are ours, not the program's."""
    return isinstance(ctype, Scalar) and ctype.name in ("pthread_t", "thrd_t")


def _signed(ctype: CType | None) -> bool:
    """Numbers of which nothing is known are shown with a sign: most are int."""
    if isinstance(ctype, Scalar):
        return ctype.encoding in (Encoding.SIGNED, Encoding.CHAR)
    return ctype is None
