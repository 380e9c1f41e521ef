"""Letters of programs with any number of threads: a few instances stand for all of them.

Whoever proves something of each thread by itself looks at one step at a time: of one thread (who acts), seen by
another (who observes), or by the thread that the step starts. All others are anybody. So a few instances of a template
are enough: one that observes, one that acts, one that is started, and one for each other thread that a single letter
can mean (`picks`): a thread that is joined or woken, the owner of memory behind a pointer. Nothing is said of these but
that they are threads, with handles of their own.

Invariants: in every step of an execution, the threads that it concerns can be given different instances, such that the
letter's transition holds of them. The variable `exists T` is true from the first thread of template T on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from threadproof.analysis.points_to import ObjectKind, Root
from threadproof.automaton.letters import Context, End, Letter, Location, Step
from threadproof.automaton.program import Instance, ProgramAutomaton
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions.encoder import Encoder
from threadproof.encoding.transitions.space import HANDLE_BITS, Space
from threadproof.encoding.transitions.transition import Transition
from threadproof.ir.expr import Expr, PtrAdd, Reg, TlsRef, registers, walk
from threadproof.ir.instr import (
    CompareExchange,
    Free,
    Load,
    ObjectSize,
    Rmw,
    Store,
    Sync,
    all_uses,
    defs,
    edges,
)
from threadproof.ir.program import Program, Spurious
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms
from threadproof.sync.facts import Act, does, operands

MOST_PICKS = 2
_NAMES_A_THREAD = (Act.JOIN, Act.DETACH, Act.CANCEL, Act.SIGNAL)


class AnyNumber:
    """`many`: templates of which there may be any number of threads. Of the others there is one at most, which has to
    be proved. Raises CannotEncode."""

    def __init__(self, program: Program, automaton: ProgramAutomaton, many: frozenset[str], spurious: Spurious) -> None:
        self.automaton = automaton
        self.many = many
        self.terms = Terms()
        self.space = Space(self.terms, program, automaton, _counts(program, automaton, many), many=many)
        self.encoder = Encoder(self.space, spurious)
        self.exists = {name: self.terms.bool_var(f"exists {name}") for name in sorted(many)}
        self._renamings: dict[str, dict[Term, Term]] = {}
        self._made: dict[tuple[Instance, int, tuple[Instance, ...]], Transition] = {}

    def initial(self) -> dict[Term, Term]:
        return {**self.space.initial(), **dict.fromkeys(self.exists.values(), self.terms.false)}

    def facts(self) -> list[Term]:
        """What holds in every state: handles differ, and memory of threads lies where addresses do not end."""
        terms = self.terms
        found, plan = self.space.facts(), self.space.layout.plan
        for thread in self.space.threads.values():
            if thread.handle not in self.space.known:
                place = terms.sub(thread.handle, terms.bv(2, HANDLE_BITS))
                room = terms.ult(place, terms.bv(plan.arena_count, HANDLE_BITS))
                found.append(terms.or_(terms.not_(thread.started), room))
        return found

    def unstarted(self) -> list[Term]:
        """What holds in every state, too: threads that were not started have done nothing. Of those that labels are
        about when they are started."""
        terms, initial = self.terms, self.space.initial()
        found: list[Term] = []
        for instance, thread in self.space.threads.items():
            if instance.template != self.automaton.main and instance.number <= 1:
                first = (terms.eq(v, initial[v]) for v in thread.all if v in initial and v is not thread.started)
                found += [terms.or_(thread.started, one) for one in first]
        return found

    def one(self, template: str) -> Instance:
        """A thread of the template: labels are about it."""
        return Instance(template, 0)

    def other(self, template: str) -> Instance:
        """Another one."""
        return Instance(template, 1)

    def beside(self, template: str, observer: str) -> Instance | None:
        """A thread of the template that is not the observer, if there is one."""
        if template != observer:
            return self.one(template)
        return self.other(template) if template in self.many else None

    def renaming(self, template: str) -> dict[Term, Term]:
        """From what is said of the one to what is said of the other."""
        found = self._renamings.get(template)
        if found is None:
            found = self.space.exchange(self.one(template), self.other(template))
            self._renamings[template] = found
        return found

    def standing(self, instance: Instance, location: Location) -> list[Term]:
        """What holds of a thread that is there."""
        thread, template = self.space.threads[instance], instance.template
        found = [thread.started, *([self.exists[template]] if template in self.many else [])]
        return found if location.at is End.FINISHED else [*found, self.terms.not_(thread.finished)]

    def starts(
        self, actor: Instance, letter: Letter, observer: Instance | None = None, about: int = 0
    ) -> tuple[Instance, ...]:
        """New threads are neither who acts nor who observes. A thread that there can be but once is that one. Of
        several that a letter starts, number `about` comes first: labels are asked of that one."""
        taken, found = {actor, observer}, dict[int, Instance]()
        for index in sorted(range(len(letter.forks)), key=lambda index: index != about):
            template = letter.forks[index]
            free = (one for one in self.space.instances if one.template == template and one not in taken)
            new = next(free, None) if template in self.many else self.one(template)
            if new is None or new in found.values():
                raise CannotEncode(f"a letter that starts several threads of {template}")
            found[index] = new
            taken.add(new)
        return tuple(found[index] for index in range(len(letter.forks)))

    def transition(self, actor: Instance, letter: Letter, starts: tuple[Instance, ...]) -> Transition:
        key = (actor, letter.id, starts)
        found = self._made.get(key)
        if found is None:
            plain = self.encoder.transition(actor, letter, starts)
            ghosts = {self.exists[new.template]: self.terms.true for new in starts if new.template in self.many}
            found = self._made[key] = replace(plain, updates={**plain.updates, **ghosts}) if ghosts else plain
        return found

    def general(self, letter: Letter) -> Transition:
        """Of one thread, with a variable for every handle."""
        one = self.one(letter.template)
        return self.encoder.general(one, letter, self.starts(one, letter))


def _counts(program: Program, automaton: ProgramAutomaton, many: frozenset[str]) -> dict[str, int]:
    """One who observes, one who acts or those who are started (both, of threads that start their like), and whom
    letters mean. One of the others."""
    picks = _Picks(Space(Terms(), program, automaton, many=many))
    most = 0
    for letter in automaton.letters:
        most = max(most, picks.of(letter))
        if most > MOST_PICKS:
            raise CannotEncode(f"one step that may concern many threads, at {letter.steps[0].instr.loc}")
    again = {name for name, thread in automaton.templates.items() if any(name in one.forks for one in thread.letters)}
    started = {name: max(letter.forks.count(name) for letter in automaton.letters) for name in many}
    return {name: 1 + max(1, started[name]) + (name in again) + most for name in many}


class _Picks:
    """How many threads a letter can mean, at most, besides who makes it and those it starts: one for each operation
    that names a thread, and for each pointer into memory that may be anybody's."""

    def __init__(self, space: Space) -> None:
        self.space = space

    def of(self, letter: Letter) -> int:
        if not self.space.many:
            return 0
        named = sum(does(step.instr, *_NAMES_A_THREAD) and not step.joined for step in letter.steps)
        pointers: set[tuple[Context, Expr, int]] = set()
        written: Counter[tuple[Context, str]] = Counter()  # a register may become another pointer on the way
        for step in letter.steps:
            for base in self._bases(step):
                if self._may_be_anybodys(step, base):
                    version = sum(written[step.context, name] for name in registers(base))
                    pointers.add((step.context, base, version))
            moved = [dst for edge in edges(step.instr) for dst, _ in edge.moves]
            written.update((step.context, reg.name) for reg in (*defs(step.instr), *moved))
        return named + len(pointers)

    def _bases(self, step: Step) -> Iterator[Expr]:
        """Pointers that the instruction looks behind, or calculates with."""
        for address in self._addresses(step):
            yield _base(address)
        for expr in all_uses(step.instr):
            yield from (_base(part) for part in walk(expr) if isinstance(part, PtrAdd))

    def _addresses(self, step: Step) -> list[Expr]:
        match step.instr:
            case Load() | Store() | Rmw() | CompareExchange() | Free() | ObjectSize():
                return [step.instr.address]
            case Sync():
                pointer = self.space.program.data_model.pointer_bytes
                return [one.address for one in operands(step.instr, pointer)]
            case _:
                return []

    def _may_be_anybodys(self, step: Step, base: Expr) -> bool:
        """Whether it may point to memory of threads of which there are many."""
        function = step.site.function
        if isinstance(base, TlsRef) or (isinstance(base, Reg) and base.name in self.space.slot_registers(function)):
            return False
        places = self.space.cloned_points_to.expression(self.space.cloned.name(step.context, function), base)
        return any(place.root in self._anybodys for place in places)

    @cached_property
    def _anybodys(self) -> frozenset[Root]:
        roots = {
            one.root for one in self.space.objects if one.owner is not None and one.owner.template in self.space.many
        }
        return frozenset(root for root in roots if not self._is_unshared(root))

    def _is_unshared(self, root: Root) -> bool:
        if root.kind is ObjectKind.STACK and root.site is not None:
            return root.name in self.space.cloned.program.functions[root.site.function].unshared
        return root.kind is ObjectKind.THREAD_LOCAL and root.name in self.space.program.unshared


def _base(address: Expr) -> Expr:
    while isinstance(address, PtrAdd):
        address = address.base
    return address
