"""Letters of programs with any number of threads: a few instances stand for all of them.

Whoever proves something of each thread by itself looks at one step at a time: of one thread (who acts), seen by
another (who observes), or by the thread that the step starts. All others are anybody. So a few instances of a template
are enough: one that observes (two, where something is said of pairs of threads), one that acts, one that is started,
and one for each other thread that a single letter can mean (`picks`): a thread that is joined or woken, the owner of
memory behind a pointer. Nothing is said of these but that they are threads, with handles of their own.

Invariants: in every step of an execution, the threads that it concerns can be given different instances, such that the
letter's transition holds of them. What is said of one thread is said of another by renaming, one variable for each: two
that became one would say what holds of nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from threadproof.analysis.memory.partition import Shape
from threadproof.analysis.points_to import ObjectKind, Root
from threadproof.automaton.letters import Context, End, Letter, Location, Step
from threadproof.automaton.program import Instance, ProgramAutomaton
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions.encoder import Encoder
from threadproof.encoding.transitions.ghosts import Ghosts
from threadproof.encoding.transitions.objects import SymbolicCell
from threadproof.encoding.transitions.space import HANDLE_BITS, Space, is_variable
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
from threadproof.smt.term import BitVec, Op, Term
from threadproof.smt.terms import Terms
from threadproof.sync.facts import Act, does, operands

MOST_PICKS = 2
_NAMES_A_THREAD = (Act.JOIN, Act.DETACH, Act.CANCEL, Act.SIGNAL)


class AnyNumber:
    """`many`: templates of which there may be any number of threads. Of the others there is one at most, which has to
    be proved. Something is said of as many threads at once as there are `observers`. `counted` are names of words of
    global memory whose changes are added up, `locks` of those that are used as locks, `marked` of words and arrays
    whose smallest and largest values are followed. Raises CannotEncode."""

    def __init__(
        self,
        program: Program,
        automaton: ProgramAutomaton,
        many: frozenset[str],
        spurious: Spurious,
        counted: Collection[str] = (),
        locks: Collection[str] = (),
        marked: Collection[str] = (),
        observers: int = 1,
    ) -> None:
        self.automaton = automaton
        self.many = many
        self.observers = observers
        self.terms = Terms()
        self.space = Space(self.terms, program, automaton, _counts(program, automaton, many, observers), many=many)
        self.encoder = Encoder(self.space, spurious)
        self.ghosts = self._ghosts(counted, locks, marked)
        self._renamings: dict[tuple[tuple[Instance, ...], tuple[Instance, ...]], dict[Term, Term]] = {}
        self._made: dict[tuple[Instance, int, tuple[Instance, ...]], Transition] = {}

    def _ghosts(self, counted: Collection[str], locks: Collection[str], marked: Collection[str]) -> Ghosts:
        words = {word.name: word for word in self.space.global_words() if isinstance(word.sort, BitVec)}
        sums, held = ([words[name] for name in dict.fromkeys(names) if name in words] for names in (counted, locks))
        initial = self.space.initial()
        known = [word for word in held if word in initial and initial[word].op is Op.VALUE]
        memory = {cell.term.name: cell.term for cell in self.numbers()}
        return Ghosts(self.space, self.many, sums, known, [memory[name] for name in marked if name in memory])

    def follow(self, counted: Collection[str], locks: Collection[str], marked: Collection[str] = ()) -> None:
        """From now on, changes of these are added up, of those it is known who holds them, and of the last their
        smallest and largest values."""
        self.ghosts = self._ghosts(counted, locks, marked)
        self._renamings.clear()
        self._made.clear()

    def initial(self) -> dict[Term, Term]:
        return {**self.space.initial(), **self.ghosts.initial()}

    def owners(self) -> dict[Term, Instance]:
        """The variables that are about one thread, as far as they were asked for."""
        return {**self.space.owners(), **self.ghosts.owners()}

    def sync_words(self) -> frozenset[Term]:
        """Words of global mutexes and the like."""
        objects = self.space.objects
        cells = (cell for one in objects if one.owner is None for cell in objects.cells(one))
        words = (cell for cell in cells if is_variable(cell) and not cell.stride)
        return frozenset(cell.term for cell in words if cell.shape is Shape.SYNC)

    def numbers(self) -> list[SymbolicCell]:
        """Words and arrays of global memory, without mutexes and the like."""
        space = self.space
        known = (one for one in space.objects if one.owner is None and one.root.name in space.layout.globals)
        cells = (cell for one in known for cell in space.objects.cells(one))
        return [cell for cell in cells if is_variable(cell) and cell.shape is not Shape.SYNC]

    def blocks(self) -> list[Term]:
        """Variables of heap blocks that threads of which there is one allocate: how large they are, whether they live,
        their single words."""
        objects, found = self.space.objects, list[Term]()
        for one in objects:
            if one.owner is not None and one.root.kind is ObjectKind.HEAP and one.owner.template not in self.many:
                cells = (cell.term for cell in objects.cells(one) if is_variable(cell) and not cell.stride)
                words = (one.size, *(() if one.life is None else (one.life,)), *cells)
                found += (word for word in words if word.op is Op.VAR)
        return found

    @cached_property
    def constants(self) -> dict[Term, Term]:
        """Words of global memory that have their first values in every state, like the kinds of most mutexes: no
        letter changes one of them where all of them have these values."""
        initial = self.space.initial()
        words = (word for word in self.space.global_words() if word in initial)
        found = {word: initial[word] for word in words if initial[word].op is Op.VALUE}
        steps = [
            self.encoder.transition(actor, letter, self.starts(actor, letter))
            for letter in self.automaton.letters
            for actor in (self.one(letter.template), self.beside(letter.template, letter.template))
            if actor is not None
        ]
        while changed := {word for step in steps for word in _changed(step, found)}:
            found = {word: value for word, value in found.items() if word not in changed}
        return found

    def facts(self) -> list[Term]:
        """What holds in every state: handles differ, and memory of threads lies where addresses do not end."""
        terms = self.terms
        found, plan = [*self.space.facts(), *self.ghosts.facts()], self.space.layout.plan
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
            if instance.template != self.automaton.main and instance.number <= self.observers:
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

    def cast(self, *templates: str) -> tuple[Instance, ...] | None:
        """As many different threads, if there can be so many: the first ones of their templates."""
        found = tuple(Instance(name, templates[:index].count(name)) for index, name in enumerate(templates))
        return found if all(one.number == 0 or one.template in self.many for one in found) else None

    def renamed(self, said: Iterable[Term], of: tuple[Instance, ...], to: tuple[Instance, ...]) -> list[Term]:
        """What is said of some threads, said of others of their templates, in the same order."""
        return self.terms.substitute(list(said), self._renaming(of, to))

    def _renaming(self, of: tuple[Instance, ...], to: tuple[Instance, ...]) -> dict[Term, Term]:
        found = self._renamings.get((of, to))
        if found is None:
            found = self._renamings[of, to] = {}
            for a, b in zip(of, to, strict=True):
                if a != b:
                    found |= {**self.space.counterparts(a, b), **self.ghosts.counterparts(a, b)}
        return found

    def standing(self, instance: Instance, location: Location) -> list[Term]:
        """What holds of a thread that is there."""
        thread, template = self.space.threads[instance], instance.template
        found = [thread.started, *([self.ghosts.exists[template]] if template in self.many else [])]
        return found if location.at is End.FINISHED else [*found, self.terms.not_(thread.finished)]

    def starts(self, actor: Instance, letter: Letter, *observers: Instance, about: int = 0) -> tuple[Instance, ...]:
        """New threads are neither who acts nor who observe. A thread that there can be but once is that one. Of
        several that a letter starts, number `about` comes first: labels are asked of that one."""
        taken, found = {actor, *observers}, dict[int, Instance]()
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
            if _changed(plain, self.constants):
                raise CannotEncode(f"a letter changes what no other does, at {letter.steps[0].instr.loc}")
            found = self._made[key] = self.ghosts.followed(plain.with_known(self.constants), actor, starts)
        return found

    def general(self, letter: Letter) -> Transition:
        """Of one thread, with a variable for every handle."""
        one = self.one(letter.template)
        return self.encoder.general(one, letter, self.starts(one, letter))


def _changed(step: Transition, constants: Mapping[Term, Term]) -> list[Term]:
    """Which of these words the step may change, if all of them have these values before."""
    written = [variable for variable in step.updates if variable in constants]
    if not written:
        return []
    guard, *values = step.terms.substitute([step.guard, *(step.updates[one] for one in written)], constants)
    if guard is step.terms.false:
        return []
    return [one for one, value in zip(written, values, strict=True) if value is not constants[one]]


def _counts(program: Program, automaton: ProgramAutomaton, many: frozenset[str], observers: int) -> dict[str, int]:
    """Those who observe, one who acts or those who are started (both, of threads that start their like), and whom
    letters mean. One of the others."""
    picks = _Picks(Space(Terms(), program, automaton, many=many))
    most = 0
    for letter in automaton.letters:
        most = max(most, picks.of(letter))
        if most > MOST_PICKS:
            raise CannotEncode(f"one step that may concern many threads, at {letter.steps[0].instr.loc}")
    again = {name for name, thread in automaton.templates.items() if any(name in one.forks for one in thread.letters)}
    started = {name: max(letter.forks.count(name) for letter in automaton.letters) for name in many}
    return {name: observers + max(1, started[name]) + (name in again) + most for name in many}


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
