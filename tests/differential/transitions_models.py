"""States of the reference machine made from models: is every model of a guard, or of a trap, a step?

A walk has come to a state. Where the threads stand, which objects there are and where pointers point is kept; all
the rest that a letter depends on is left to the solver: registers and memory that hold no addresses, words of
synchronisation objects, results of threads and whether they are detached, answers to nondet calls. Its model is put
into the machine's state. What is not in the formula gets random values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from transitions_state import Reading

from threadproof.analysis.memory.partition import Shape
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.transitions import Space, Transition
from threadproof.encoding.transitions.objects import ObjectLife, SymbolicCell
from threadproof.encoding.transitions.space import is_variable
from threadproof.ir.expr import Reg
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.state import State
from threadproof.smt.meaning import ArrayValue, Value
from threadproof.smt.solver import Sat, Undecided, open_solver
from threadproof.smt.term import BOOL, Array, Term, variables
from threadproof.smt.terms import Terms

MOST_HARD = 3  # questions about a program that may take too long
MOST_BYTES = 256  # of an array that gets other values


@dataclass(frozen=True, slots=True)
class RegisterPlace:
    thread: int
    depth: int
    slot: int


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    start: int  # of the object
    offsets: tuple[int, ...]
    size: int


@dataclass(frozen=True, slots=True)
class ThreadPlace:
    thread: int
    what: str


StatePlace = RegisterPlace | MemoryPlace | ThreadPlace


class Models:
    def __init__(self, space: Space, reading: Reading) -> None:
        self._space = space
        self._reading = reading
        self._solver = open_solver()
        self._hard = 0  # questions that took too long

    # --- questions ---------------------------------------------------------------------------------------------------

    def questions(self, transition: Transition) -> list[Term]:
        """Ways to be made, to go wrong, and not to be made."""
        terms = transition.terms
        traps = [trap.condition for trap in transition.traps if not isinstance(trap.what, NotEncoded)]
        limits = terms.any(trap.condition for trap in transition.traps if isinstance(trap.what, NotEncoded))
        other = terms.not_(terms.or_(transition.guard, *traps))
        return [terms.and_(question, terms.not_(limits)) for question in (transition.guard, *traps, other)]

    def answer(
        self, question: Term, transition: Transition, state: State, values: Mapping[str, Value | None], rng: Random
    ) -> tuple[State, dict[Term, Value]] | None:
        """A state in which the question's answer is yes, and values of inputs; None: there is none, or it cannot be
        built."""
        places = self.places(state)
        inputs = {one.term for one in transition.inputs}
        asked = {v for v in (*transition.reads, *variables((question,))) if v not in inputs}
        free = {v for v in asked if v.name in places}
        pinned: dict[Term, Term] = {}
        for variable in asked - free:
            value = values.get(variable.name)
            if value is None and variable in variables((question,)):
                return None
            pinned[variable] = _constant(transition.terms, variable, 0 if value is None else value)
        [formula] = transition.terms.substitute([question], pinned)
        model = self._model(formula, free | inputs, rng)
        if model is None:
            return None
        return self._built(state, places, {v: model[v] for v in free}), {v: model[v] for v in inputs}

    def _model(self, formula: Term, wanted: set[Term], rng: Random) -> dict[Term, Value] | None:
        chosen: dict[Term, Value] = {v: _random(v, rng) for v in sorted(wanted, key=lambda v: v.name)}
        known = set(variables((formula,)))
        terms = self._space.terms
        hints = [_is(terms, v, value) for v, value in chosen.items() if v in known and rng.random() < 0.5]
        for assumptions in (hints, []):
            if formula is terms.false:
                return None
            if self._hard > MOST_HARD:
                return None
            with self._solver.scope():
                self._solver.add(formula)
                found = self._solver.check(assumptions, 0.2)
            self._hard += isinstance(found, Undecided)
            if isinstance(found, Sat):
                return {v: found.model.value(v) if v in known else value for v, value in chosen.items()}
        return None

    # --- states ------------------------------------------------------------------------------------------------------

    def places(self, state: State) -> dict[str, StatePlace]:
        """Where the machine's state has what may be changed, by name of the variable."""
        space, reading, found = self._space, self._reading, dict[str, StatePlace]()
        for instance, number in reading.numbers.items():
            thread = state.threads.get(number)
            if thread is None:
                continue
            names = space.threads[instance]
            found[names.detached.name] = ThreadPlace(number, "detached")
            found[names.result.name] = ThreadPlace(number, "result")
            for depth, frame in enumerate(thread.frames):
                context = reading.context(thread, depth)
                code, slots = reading.machine.static.codes[frame.function], tuple(range(len(frame.regs)))
                for name, width in space.widths(frame.function).items():
                    value = code.register(frame.regs, name)
                    places = space.cloned_points_to.expression(
                        space.cloned.name(context, frame.function), Reg(name, width)
                    )
                    data = isinstance(value, int) and not places
                    if data and reading.has_variable(frame.function, name):
                        variable = space.register(instance, context, frame.function, name)
                        found[variable.name] = RegisterPlace(number, depth, code.register(slots, name))
        for one in space.objects:
            life, start, size = reading.place(one, state)
            if life is not ObjectLife.ALIVE or start is None or size is None or one.constant or one.elsewhere:
                continue
            for cell in space.objects.cells(one):
                data = cell.shape is Shape.SYNC or not space.cloned_points_to.content(one.root)
                if data and is_variable(cell) and size <= MOST_BYTES:
                    found[cell.term.name] = MemoryPlace(start, self._offsets(cell, size), cell.size)
        return found

    def _offsets(self, cell: SymbolicCell, size: int) -> tuple[int, ...]:
        """Where its elements are in an object of that size. An array of bytes stands beside cells that are never
        written, whose bytes are theirs."""
        if not cell.stride:
            return (cell.start,)
        others = [
            one for one in self._space.objects.cells(cell.object) if one is not cell and one.shape is not cell.shape
        ]
        every = range(cell.start, size - cell.size + 1, cell.stride)
        return tuple(offset for offset in every if not any(_covers(one, offset) for one in others))

    def _built(self, state: State, places: Mapping[str, StatePlace], model: Mapping[Term, Value]) -> State:
        for variable, value in model.items():
            place = places[variable.name]
            match place:
                case MemoryPlace():
                    state = self._with_memory(state, place, value)
                case RegisterPlace():
                    thread = state.threads[place.thread]
                    frame = thread.frames[place.depth]
                    regs = (*frame.regs[: place.slot], value, *frame.regs[place.slot + 1 :])
                    frames = list(thread.frames)
                    frames[place.depth] = frame._replace(regs=regs)
                    state = _with_thread(state, place.thread, frames=tuple(frames))
                case ThreadPlace():
                    new = bool(value) if place.what == "detached" else value
                    state = _with_thread(state, place.thread, **{place.what: new})
        return state

    def _with_memory(self, state: State, place: MemoryPlace, value: Value) -> State:
        view = MemoryView(self._reading.machine.static.image, state)
        obj = view.find(place.start)
        for offset in place.offsets:
            number = value.at(offset) if isinstance(value, ArrayValue) else value
            view.write_raw(obj, place.start + offset, number.to_bytes(place.size, "little"), None)
        return state._replace(memory=view.memory)


def _covers(cell: SymbolicCell, offset: int) -> bool:
    beyond = offset - cell.start
    return beyond >= 0 and (beyond % cell.stride if cell.stride else beyond) < cell.size


def _with_thread(state: State, number: int, **changed: object) -> State:
    return state._replace(threads={**state.threads, number: state.threads[number]._replace(**changed)})  # type: ignore[arg-type]


def _random(variable: Term, rng: Random) -> Value:
    sort = variable.sort
    if isinstance(sort, Array):
        return ArrayValue(rng.choice((0, 1, 2)), {})
    if sort is BOOL:
        return rng.randrange(2)
    return rng.choice((0, 1, 2, 3, (1 << variable.width) - 1, rng.getrandbits(variable.width))) % (1 << variable.width)


def _constant(terms: Terms, variable: Term, value: Value) -> Term:
    sort = variable.sort
    if sort is BOOL:
        return terms.bool(bool(value))
    if not isinstance(sort, Array):
        assert isinstance(value, int)
        return terms.bv(value, variable.width)
    value = ArrayValue(0, {}) if isinstance(value, int) else value
    array = terms.fill(terms.bv(value.default, sort.element), sort.index)
    for index, element in value.entries.items():
        array = terms.store(array, terms.bv(index, sort.index), terms.bv(element, sort.element))
    return array


def _is(terms: Terms, variable: Term, value: Value) -> Term:
    if variable.sort is BOOL:
        return variable if value else terms.not_(variable)
    if isinstance(variable.sort, Array):
        return terms.true
    return terms.eq(variable, _constant(terms, variable, value))
