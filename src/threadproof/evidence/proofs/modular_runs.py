"""Runs of the reference semantics against labels: in every state, of the place of each thread and of each two.

Engine and checker use the same formulas of letters. A run knows none. What labels say of global memory (locks
included), of handles and of which threads there are is looked at; registers and pointers have numbers of the
formulas' own.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise, permutations
from random import Random
from typing import NamedTuple

from threadproof.automaton import End, Instance, Letter, Location
from threadproof.core.budget import Budget
from threadproof.core.thread_id import handle
from threadproof.core.thread_id import name as name_of
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.encoding.transitions.objects import SymbolicCell
from threadproof.encoding.transitions.space import is_variable
from threadproof.evidence.letters import LetterFollower
from threadproof.evidence.proofs.label_runs import LETTERS, contradiction_of_runs
from threadproof.evidence.proofs.modular_pairs import PairLabels
from threadproof.ir.program import Spurious
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Blocked, Moved
from threadproof.semantics.state import Phase, State, live_threads
from threadproof.smt.context import conjuncts
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Term, variables

STAYS = 0.7  # how often the thread that moved last goes on: some runs come far, others change threads often
CROWD = 6  # threads: when there are as many, main waits if others can move


Places = tuple[Location, ...]


class HolderSeen(NamedTuple):
    """The value of a word that is used as a lock, and who holds it; None if nobody knows."""

    value: int | None
    holder: int | None


class MarksSeen(NamedTuple):
    """The smallest and the largest value so far, signed."""

    low: int
    high: int


class ModularRuns:
    def __init__(self, any_number: AnyNumber, labels: Mapping[Location, Term], pairs: PairLabels) -> None:
        self._any = any_number
        self._space = any_number.space
        self._cells = self._readable()
        self._locks = {cell: one for cell, one in any_number.ghosts.holders.items() if cell in self._cells}
        self._marked = self._elements()
        every: dict[Places, list[Term]] = {}
        for place, label in labels.items():
            every[place,] = self._about_runs((any_number.one(place.template),), label)
        for places in pairs.places:
            roles = pairs.roles(places)
            every[places] = self._about_runs(roles, self._space.terms.all(pairs.told(places, roles)))
        self._said = {places: said for places, said in every.items() if said}
        self._names = {where: [v.name for v in variables(said)] for where, said in self._said.items()}
        asked = [one for said in self._said.values() for one in said]
        self._asked = [variable for variable in variables(asked) if variable in self._cells]
        self._held: set[tuple[Places, tuple[int | bool | None, ...]]] = set()  # what was found to hold already

    def contradiction(self, spurious: Spurious, budget: Budget) -> str | None:
        return contradiction_of_runs(self._space, spurious, budget, self._run)

    def _run(self, follower: LetterFollower, rng: Random, budget: Budget) -> str | None:
        state = follower.machine.initial()
        at = {0: self._space.automaton.templates[self._space.automaton.main].entry}
        last, held = 0, dict[Term, HolderSeen]()
        marks = {one.memory: MarksSeen(one.least, one.most) for one in self._any.ghosts.marked.marks.values()}
        for _ in range(LETTERS):
            view = MemoryView(follower.machine.static.image, state)
            held = self._holders(held, view, handle(state.threads[last].id))
            marks = {memory: self._moved_marks(view, memory, seen) for memory, seen in marks.items()}
            broken = self._broken(state, at, view, {**self._lock_values(held), **self._mark_values(marks)})
            if broken is not None or budget.left() <= 0:
                return broken
            numbers = [number for number in live_threads(state) if not isinstance(at[number].at, End)]
            crowd = len(numbers) > CROWD
            rng.shuffle(numbers)
            numbers.sort(key=lambda number: (crowd and not number, number != last or rng.random() > STAYS))
            tried = (self._moved(follower, state, at, number, rng) for number in numbers)
            moved = next((one for one in tried if one is not None), None)
            if moved is None:
                return None
            state, last = moved
        return None

    def _moved(
        self, follower: LetterFollower, state: State, at: dict[int, Location], number: int, rng: Random
    ) -> tuple[State, int] | None:
        """None if the thread waits, or the run ends."""
        inside = next((one for one, place in at.items() if place.depth), None)
        if inside not in (None, number):
            return None
        made = follower.made(state, number, at[number], rng)
        if isinstance(made.outcome, Blocked) or not isinstance(made.outcome, Moved):
            return None
        letter = made.letters[0]
        at[number] = letter.target
        self._start(letter, made.states, at)
        return made.states[-1], number

    def _start(self, letter: Letter, states: list[State], at: dict[int, Location]) -> None:
        starts = iter(letter.forks)
        for before, after in pairwise(states):
            for new in after.threads.keys() - before.threads.keys():
                at[new] = self._space.automaton.templates[next(starts)].entry

    # --- labels ------------------------------------------------------------------------------------------------------

    def _readable(self) -> dict[Term, tuple[SymbolicCell, int]]:
        """Variables for single words of global memory that hold no addresses, and where those are."""
        space = self._space
        return {
            cell.term: (cell, space.layout.globals[one.root.name] + cell.start)
            for one in space.objects
            if one.owner is None and one.root.name in space.layout.globals
            for cell in space.objects.cells(one)
            if is_variable(cell) and not cell.stride
            if 8 * cell.size < space.bits or not space.cloned_points_to.content(one.root)
        }

    def _about_runs(self, threads: tuple[Instance, ...], label: Term) -> list[Term]:
        """What can be looked at of what is said of these threads."""
        space = self._space
        known = {*self._cells, *self._any.ghosts.exists.values(), *self._locks.values()}
        known |= {space.threads[one].handle for one in threads}
        known |= {mark for memory in self._marked for mark in self._any.ghosts.marked.marks_of(memory)}
        for instance, thread in space.threads.items():
            if instance.template not in self._any.many:
                known |= {thread.started, thread.finished}
        return [one for one in conjuncts(label) if known.issuperset(variables([one]))]

    def _value(self, view: MemoryView, variable: Term) -> int | None:
        cell, address = self._cells[variable]
        data, arbitrary = view.raw(view.find(address), address, cell.size)
        return int.from_bytes(data, "little") if arbitrary is None or not any(arbitrary) else None

    def _holders(self, before: dict[Term, HolderSeen], view: MemoryView, mover: int) -> dict[Term, HolderSeen]:
        """Who holds locks that are made by hand, after a letter of this thread; None if nobody knows."""
        found: dict[Term, HolderSeen] = {}
        for cell in self._locks:
            value, old = self._value(view, cell), before.get(cell, HolderSeen(None, None))
            if value == self._any.ghosts.first(cell):
                found[cell] = HolderSeen(value, 0)
            elif value is None or old.value is None:
                found[cell] = HolderSeen(value, None)
            else:
                found[cell] = HolderSeen(value, old.holder if value == old.value else mover)
        return found

    def _lock_values(self, held: dict[Term, HolderSeen]) -> dict[str, int | None]:
        return {self._locks[cell].name: seen.holder for cell, seen in held.items()}

    def _elements(self) -> dict[Term, tuple[int, list[int]]]:
        """Of memory with marks: the size and the addresses of its values."""
        found: dict[Term, tuple[int, list[int]]] = {}
        for cell in self._any.numbers():
            if cell.term in self._any.ghosts.marked.marks:
                root = cell.object.root.name
                base, whole = self._space.layout.globals[root], self._space.program.globals[root].size
                last = whole - cell.size + 1 if cell.stride else cell.start + 1
                starts = range(cell.start, last, cell.stride or 1)
                found[cell.term] = (cell.size, [base + start for start in starts])
        return found

    def _moved_marks(self, view: MemoryView, memory: Term, seen: MarksSeen) -> MarksSeen:
        size, addresses = self._marked[memory]
        low, high = seen
        for address in addresses:
            data, arbitrary = view.raw(view.find(address), address, size)
            if arbitrary is None or not any(arbitrary):
                value = int.from_bytes(data, "little", signed=True)
                low, high = min(low, value), max(high, value)
        return MarksSeen(low, high)

    def _mark_values(self, marks: dict[Term, MarksSeen]) -> dict[str, int | None]:
        found: dict[str, int | None] = {}
        for memory, seen in marks.items():
            for mark, value in zip(self._any.ghosts.marked.marks_of(memory), seen, strict=True):
                found[mark.name] = value % (1 << mark.width)
        return found

    def _broken(
        self, state: State, at: dict[int, Location], view: MemoryView, followed: dict[str, int | None]
    ) -> str | None:
        """`followed`: what is known of variables of the proof's own that states do not have."""
        shared = self._of_threads(state, at)
        found = {variable.name: self._value(view, variable) for variable in self._asked} | followed
        shared.update({name: value for name, value in found.items() if value is not None})
        for numbers in (*((one,) for one in at), *permutations(at, 2)):
            places = tuple(at[number] for number in numbers)
            if places in self._said:
                threads = self._any.cast(*(place.template for place in places)) or ()
                own = {
                    self._space.threads[one].handle.name: handle(state.threads[number].id)
                    for one, number in zip(threads, numbers, strict=True)
                }
                broken = self._broken_at(places, {**shared, **own})
                if broken is not None:
                    there = (f"{name_of(state.threads[number].id)} at {at[number]}" for number in numbers)
                    return f"{', '.join(there)}: the label does not hold: {broken}"
        return None

    def _broken_at(self, places: Places, values: dict[str, int | bool]) -> str | None:
        key = (places, tuple(values.get(name) for name in self._names[places]))
        if key in self._held:
            return None
        memory = Assignment(dict(values))
        for one in self._said[places]:
            names = [variable.name for variable in variables([one])]
            if all(name in values for name in names) and not memory.holds(one):
                return ", ".join(f"{name} is {values[name]}" for name in names) or "nobody can be there"
        self._held.add(key)
        return None

    def _of_threads(self, state: State, at: dict[int, Location]) -> dict[str, int | bool]:
        there = {place.template: number for number, place in at.items()}
        values: dict[str, int | bool] = {
            one.name: template in there for template, one in self._any.ghosts.exists.items()
        }
        for instance, thread in self._space.threads.items():
            if instance.template not in self._any.many:
                number = there.get(instance.template)
                over = number is not None and state.threads[number].phase is Phase.FINISHED
                values |= {thread.started.name: number is not None, thread.finished.name: over}
        return values
