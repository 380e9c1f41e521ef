"""What a thread's registers hold along a letter, as terms over what they held before: for questions about one thread.

A register is a variable named by calling context, function and name. What comes from elsewhere (memory, choices,
results of operations) is a variable of its own, made once: nothing is said about it. Traps are left out: behind one,
there is no execution. So whatever follows from these terms holds in every execution that comes through the letter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

from threadproof.automaton import Step
from threadproof.automaton.letters import Context
from threadproof.encoding.encoded import Environment
from threadproof.encoding.expressions import value
from threadproof.ir.control_flow import Site
from threadproof.ir.expr import (
    Expr,
    FloatBinary,
    FloatCompare,
    FloatConvert,
    FloatUnary,
    MathCall,
    PtrAdd,
    Reg,
    TlsRef,
    may_trap,
    walk,
)
from threadproof.ir.instr import Assign, Call, Instr, Return, defs, edges
from threadproof.ir.program import Program
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms

_UNKNOWN = (TlsRef, FloatBinary, FloatCompare, FloatConvert, FloatUnary, MathCall)
_FRESH = "unknown "
_REGISTER = "of "


def variable_name(context: Context, function: str, register: str) -> str:
    calls = "/".join(f"{site.function}.{site.block}.{site.number}" for site in context)
    return f"{_REGISTER}{calls}/{function}:{register}"


def is_register(variable: str) -> bool:
    return variable.startswith(_REGISTER)


class ThreadValues:
    """What all letters of a program share."""

    def __init__(self, program: Program, terms: Terms) -> None:
        self.terms = terms
        self.program = program
        self.layout = program.layout()
        self.pointer_bits = program.data_model.pointer_bits
        self.followed = True  # whether anybody asks: else nothing is made
        self._numbers = count()

    def fresh(self, width: int) -> Term:
        return self.terms.bv_var(f"{_FRESH}{next(self._numbers)}", width)

    def instr(self, site: Site) -> Instr:
        blocks = self.program.functions[site.function].blocks
        return next(block for block in blocks if block.label == site.block).instrs[site.number]


class ValueRun:
    """One thread on its way through a letter."""

    def __init__(
        self, shared: ThreadValues, conditions: tuple[Term, ...] = (), values: Mapping[str, Term] | None = None
    ) -> None:
        self._shared = shared
        self._values: dict[str, Term] = dict(values or {})
        self.conditions = conditions  # of the branches taken

    def copy(self) -> ValueRun:
        return ValueRun(self._shared, self.conditions, self._values)

    @property
    def values(self) -> dict[str, Term]:
        """Of the registers that the letter wrote, by name of their variables."""
        return self._values

    @property
    def is_possible(self) -> bool:
        return self._shared.terms.false not in self.conditions

    def term(self, step: Step, expr: Expr) -> Term:
        return self._term(step.context, step.site.function, expr)

    def register(self, step: Step, register: Reg) -> Term:
        return self._register(step.context, step.site.function, register)

    def put(self, step: Step, register: Reg, term: Term) -> None:
        self._values[variable_name(step.context, step.site.function, register.name)] = term

    def after(self, step: Step) -> None:
        """The step is made; of an operation or a load, the result is unknown."""
        if not self._shared.followed:
            return
        terms = self._shared.terms
        if step.condition is not None and not isinstance(step.instr, Call):
            held = terms.eq(self.term(step, step.condition), terms.bv(1, 1))
            self.conditions += () if held is terms.true else (held,)
        match step.instr:
            case Assign(dst=dst, value=given):
                self.put(step, dst, self.term(step, given))
            case Call(dst=dst, args=args) if step.enters:
                self._call(step, args)
            case Return(value=given) if step.context:
                self._return(step, given)
            case _:
                for dst in defs(step.instr):
                    self.put(step, dst, self._shared.fresh(dst.width))
        self._move(step)

    def _call(self, step: Step, args: tuple[Expr, ...]) -> None:
        given = [self.term(step, arg) for arg in args]
        inner = (*step.context, step.site)
        for number, parameter in enumerate(self._shared.program.functions[step.enters].params):
            fits = number < len(given) and given[number].width == parameter.width
            term = given[number] if fits else self._shared.fresh(parameter.width)
            self._values[variable_name(inner, step.enters, parameter.name)] = term

    def _return(self, step: Step, given: Expr | None) -> None:
        *outer, site = step.context
        call = self._shared.instr(site)
        for dst in defs(call):
            told = None if given is None else self.term(step, given)
            fits = told is not None and told.width == dst.width
            term = told if fits and told is not None else self._shared.fresh(dst.width)
            self._values[variable_name(tuple(outer), site.function, dst.name)] = term

    def _move(self, step: Step) -> None:
        """What phi nodes write, all at once."""
        ways = edges(step.instr)
        if not ways:
            return
        moves = ways[step.taken or 0].moves
        for dst, term in [(dst, self.term(step, given)) for dst, given in moves]:
            self.put(step, dst, term)

    # --- expressions -------------------------------------------------------------------------------------------------

    def _register(self, context: Context, function: str, register: Reg) -> Term:
        name = variable_name(context, function, register.name)
        known = self._values.get(name)
        return self._shared.terms.bv_var(name, register.width) if known is None else known

    def _term(self, context: Context, function: str, expr: Expr) -> Term:
        terms = self._shared.terms
        if isinstance(expr, PtrAdd):
            base, offset = (self._term(context, function, one) for one in (expr.base, expr.offset))
            wide = terms.sext(offset, base.width) if offset.width <= base.width else None
            return terms.add(base, terms.extract(offset, base.width - 1, 0) if wide is None else wide)
        if may_trap(expr) or any(isinstance(part, (PtrAdd, *_UNKNOWN)) for part in walk(expr)):
            return self._shared.fresh(expr.width)
        known = {reg.name: self._register(context, function, reg) for reg in _registers(expr)}
        where = Environment(self._shared.layout, known, terms.bv(0, self._shared.pointer_bits), lambda _: ())
        return value(terms, where, expr).value


def _registers(expr: Expr) -> Iterator[Reg]:
    return (part for part in walk(expr) if isinstance(part, Reg))
