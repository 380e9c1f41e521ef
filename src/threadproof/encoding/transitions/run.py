"""A letter in the making: its instructions are executed one after the other on terms over the state before."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from threadproof.automaton.letters import Context, Letter, Step
from threadproof.automaton.program import Instance
from threadproof.encoding import expressions
from threadproof.encoding.encoded import Encoded, Environment, Zone
from threadproof.encoding.transitions.objects import SymbolicObject
from threadproof.encoding.transitions.space import Space, ThreadVariables
from threadproof.encoding.transitions.transition import Input, Transition, TransitionTrap, Wrong
from threadproof.ir.expr import Expr
from threadproof.smt.term import Sort, Term, bitvec, variables

Zones = Callable[["LetterRun", Expr], list[Zone]]


@dataclass(frozen=True, slots=True)
class LetterAccess:
    """An access to memory that a letter makes if `when` holds in the state before (and for the inputs)."""

    when: Term
    address: Term
    size: Term  # in bytes, as wide as an address
    writes: bool
    atomic: bool
    objects: frozenset[SymbolicObject]  # one of them
    step: int


@dataclass(slots=True)
class LetterRun:
    space: Space
    instance: Instance
    letter: Letter
    zones: Zones
    path: Term
    store: dict[Term, Term] = field(default_factory=dict[Term, Term])  # values of what was written
    registers: set[Term] = field(default_factory=set[Term])  # of its own that were written
    traps: list[TransitionTrap] = field(default_factory=list[TransitionTrap])
    inputs: list[Input] = field(default_factory=list[Input])
    accesses: list[LetterAccess] = field(default_factory=list[LetterAccess])
    loaded: dict[int, Term] = field(default_factory=dict[int, Term])  # by steps that load
    waits: list[Term] = field(default_factory=list[Term])  # when it comes to an operation that cannot proceed
    index: int = 0
    depth: int = 0  # of atomic blocks

    @property
    def step(self) -> Step:
        return self.letter.steps[self.index]

    @property
    def thread(self) -> ThreadVariables:
        return self.space.threads[self.instance]

    # --- the path ----------------------------------------------------------------------------------------------------

    def assume(self, condition: Term) -> None:
        """The letter goes on only if this holds."""
        self.path = self.space.terms.and_(self.path, condition)

    def wait_for(self, condition: Term) -> None:
        """The letter goes on only if this holds, and others may make it hold. Inside an atomic block nobody can."""
        if not self.depth and condition is not self.space.terms.true:
            self.waits.append(self.space.terms.and_(self.path, self.space.terms.not_(condition)))
        self.assume(condition)

    def access(
        self,
        objects: Iterable[SymbolicObject],
        address: Term,
        size: int | Term,
        *,
        writes: bool,
        atomic: bool,
        when: Term | None = None,
    ) -> None:
        terms = self.space.terms
        whole = terms.bv(size, self.space.bits) if isinstance(size, int) else size
        happens = self.path if when is None else terms.and_(self.path, when)
        atomic = atomic or self.depth > 0
        self.accesses.append(LetterAccess(happens, address, whole, writes, atomic, frozenset(objects), self.index))

    def trap(self, condition: Term, what: Wrong) -> None:
        terms = self.space.terms
        when = terms.and_(self.path, condition)
        if when is not terms.false:
            self.traps.append(TransitionTrap(when, what, self.index))
            self.assume(terms.not_(condition))

    def input(self, what: str, sort: Sort | int) -> Term:
        name = f"input {self.letter.id}.{self.index}.{len(self.inputs)} {self.instance}"
        term = self.space.terms.var(name, bitvec(sort) if isinstance(sort, int) else sort)
        self.inputs.append(Input(term, self.index, what))
        return term

    # --- values ------------------------------------------------------------------------------------------------------

    def get(self, variable: Term) -> Term:
        return self.store.get(variable, variable)

    def set(self, variable: Term, value: Term) -> None:
        self.store[variable] = value

    def set_if(self, condition: Term, variable: Term, value: Term) -> None:
        self.set(variable, self.space.terms.ite(condition, value, self.get(variable)))

    def set_register(self, name: str, value: Term) -> None:
        self.set_register_of(self.step.context, self.step.site.function, name, value)

    def set_register_of(self, context: Context, function: str, name: str, value: Term) -> None:
        register = self.space.register(self.instance, context, function, name)
        self.registers.add(register)
        self.set(register, value)

    def value(self, expr: Expr) -> Term:
        return self._checked(expressions.value(self.space.terms, self._environment(), expr))

    def condition(self, expr: Expr) -> Term:
        return self._checked(expressions.condition(self.space.terms, self._environment(), expr))

    def address(self, expr: Expr) -> Term:
        return self._checked(expressions.address(self.space.terms, self._environment(), expr))

    def _environment(self) -> Environment:
        registers = _Registers(self, self.step.context, self.step.site.function)
        tls = self.space.objects.arena(self.instance)
        return Environment(self.space.layout, registers, tls, lambda expr: self.zones(self, expr))

    def _checked(self, found: Encoded) -> Term:
        for trap in found.traps:
            self.trap(trap.condition, trap.what)
        for definition in found.definitions:  # the result of a floating-point operation, up to which NaN it is
            result = definition.args[-1]
            if all(one.term is not result for one in self.inputs):
                self.inputs.append(Input(result, self.index, "a floating-point result"))
            self.assume(definition)
        return found.value

    # --- the end -----------------------------------------------------------------------------------------------------

    def transition(self, asked_for: Container[Term]) -> Transition:
        """`asked_for`: registers that are read again. Of the others nobody asks for the new value."""
        unasked = {register for register in self.registers if register not in asked_for}
        updates = {v: value for v, value in self.store.items() if value is not v and v not in unasked}
        used = set(variables((self.path, *updates.values(), *(trap.condition for trap in self.traps))))
        inputs = tuple(one for one in self.inputs if one.term in used)
        return Transition(self.space.terms, self.path, updates, inputs, tuple(self.traps))


class _Registers(Mapping[str, Term]):
    """The registers of a call, by name."""

    def __init__(self, run: LetterRun, context: Context, function: str) -> None:
        self._run = run
        self._where = context, function

    def __getitem__(self, name: str) -> Term:
        run, (context, function) = self._run, self._where
        site = run.space.slot_registers(function).get(name)
        if site is not None:
            return run.space.objects.slots[run.instance, context, site].base
        return run.get(run.space.register(run.instance, context, function, name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._run.space.widths(self._where[1]))

    def __len__(self) -> int:
        return len(self._run.space.widths(self._where[1]))
