"""What a thread holds on its way through a letter, from one of the labels where it begins.

A step with several outcomes (whether a lock that is tried is taken) leads to several worlds; branches on its result
contradict all but one. Locks in arrays and on the heap are told apart by their addresses: terms over the thread's own
registers, which nobody else can change. What is asked of a solver is asked about one thread: what holds at the
beginning of the letter, and which branches it takes.

Invariants: a question that is not decided is answered by what proves less.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from threadproof.core.lock_words import address_variable
from threadproof.core.proofs import LocksAtLocation
from threadproof.encoding.thread_values import ThreadValues, ValueRun, is_register
from threadproof.ir.expr import Const
from threadproof.ir.instr import Sync
from threadproof.smt.reading import read
from threadproof.smt.solver import Solver, SolverName, Unsat, open_solver
from threadproof.smt.term import Op, Term, variables
from threadproof.smt.terms import Terms
from threadproof.sync.operations import OPERATIONS, Guarded

QUESTION_S = 5.0


class NotALabel(Exception):
    """The label speaks of what is no register, or its text is none."""


@dataclass(frozen=True, slots=True)
class LockLabel:
    """`LocksAtLocation` with its formulas read."""

    of: LocksAtLocation
    placed: tuple[tuple[str, Term], ...] = ()  # locks with addresses
    facts: tuple[Term, ...] = ()


@dataclass(slots=True)
class World:
    """What a thread has, and knows, on its way through a letter."""

    maybe: set[str]
    surely: set[str]
    alone: bool
    run: ValueRun
    facts: tuple[Term, ...] = ()
    placed: list[tuple[str, Term]] = field(default_factory=list[tuple[str, Term]])
    done: set[str] = field(default_factory=set[str])
    loads: list[tuple[Term, str, str]] = field(default_factory=list[tuple[Term, str, str]])
    """What it read, of which flag, under which lock that it still has."""

    def copy(self) -> World:
        return World(
            set(self.maybe), set(self.surely), self.alone, self.run.copy(), self.facts,
            list(self.placed), set(self.done), list(self.loads),
        )  # fmt: skip

    @property
    def names(self) -> set[str]:
        """Of all locks that it may have."""
        return self.maybe | {name for name, _ in self.placed}


class Worlds:
    def __init__(self, terms: Terms, shared: ThreadValues) -> None:
        self._terms = terms
        self._shared = shared
        self._solver: Solver | None = None
        self._answers: dict[tuple[frozenset[Term], Term], bool] = {}

    def label(self, one: LocksAtLocation) -> LockLabel:
        formulas = read(self._terms, one.knows) if one.knows else []
        if len(formulas) < len(one.placed):
            raise NotALabel("a lock without an address")
        placed: list[tuple[str, Term]] = []
        for number, (name, formula) in enumerate(zip(one.placed, formulas, strict=False)):
            placed.append((name, _address(formula, address_variable(number))))
        facts = tuple(formulas[len(one.placed) :])
        for term in (*(address for _, address in placed), *facts):
            if not all(is_register(variable.name) for variable in variables([term])):
                raise NotALabel("a formula about what is no register")
        return LockLabel(one, tuple(placed), facts)

    def begin(self, label: LockLabel) -> World:
        of = label.of
        run = ValueRun(self._shared)
        return World(set(of.maybe), set(of.surely), of.alone, run, label.facts, list(label.placed), set(of.done))

    def follows(self, world: World, label: LockLabel) -> bool:
        """Whether the label holds where the world ends."""
        of = label.of
        told = world.surely >= set(of.surely) and world.done >= set(of.done) and (world.alone or not of.alone)
        if not told or not world.maybe <= set(of.maybe):
            return False
        values = {variable: self._after(world, variable) for variable in variables(_terms_of(label))}
        facts = self._terms.substitute(label.facts, values)
        placed = self._terms.substitute([address for _, address in label.placed], values)
        known = [(name, now) for (name, _), now in zip(label.placed, placed, strict=True)]
        covered = all(
            name in of.maybe or any(name == other and self.same(world, address, now) for other, now in known)
            for name, address in world.placed
        )
        return covered and all(self.implied(world, fact) for fact in facts)

    def _after(self, world: World, variable: Term) -> Term:
        now = world.run.values.get(variable.name, variable)
        if now.sort != variable.sort:
            raise NotALabel("a formula about a register of another width")
        return now

    # --- questions ---------------------------------------------------------------------------------------------------

    def same(self, world: World, one: Term, other: Term) -> bool:
        if one is other:
            return True
        return one.width == other.width and self.implied(world, self._terms.eq(one, other))

    def below(self, world: World, one: Term, other: Term) -> bool:
        return one.width == other.width and self.implied(world, self._terms.ult(one, other))

    def is_zero(self, world: World, value: Term) -> bool:
        return self.implied(world, self._terms.eq(value, self._terms.bv(0, value.width)))

    def is_possible(self, world: World) -> bool:
        return world.run.is_possible and not self.implied(world, self._terms.false)

    def implied(self, world: World, formula: Term) -> bool:
        """Whether it holds in every execution that comes here."""
        given = frozenset((*world.facts, *world.run.conditions))
        if formula is self._terms.true or formula in given or self._terms.false in given:
            return True
        if not given and formula is self._terms.false:
            return False
        known = self._answers.get((given, formula))
        if known is None:
            known = self._answers[given, formula] = self._ask([*given, self._terms.not_(formula)])
        return known

    def _ask(self, formulas: list[Term]) -> bool:
        if self._solver is None:
            self._solver = open_solver(SolverName.Z3)
        with self._solver.scope():
            self._solver.add(*formulas)
            return isinstance(self._solver.check(seconds=QUESTION_S), Unsat)


def results(instr: Sync) -> tuple[int, ...] | None:
    """All that an operation may say, if that is known."""
    operation = OPERATIONS[instr.op]
    if not isinstance(operation, Guarded):
        return None
    found = {case.result.value for case in operation.cases if isinstance(case.result, Const)}
    constant = all(isinstance(case.result, Const) for case in operation.cases)
    return tuple(sorted(found)) if constant else None


def _address(formula: Term, variable: str) -> Term:
    if formula.op is Op.EQ:
        for one, other in (formula.args, formula.args[::-1]):
            if one.op is Op.VAR and one.name == variable:
                return other
    raise NotALabel("a lock without an address")


def _terms_of(label: LockLabel) -> list[Term]:
    return [*label.facts, *(address for _, address in label.placed)]
