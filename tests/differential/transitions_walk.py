"""Walks the reference machine instruction by instruction and holds the transitions of letters against it.

In every state that is met, for the thread that moves and every letter of its location: the guard holds exactly if the
machine makes this letter (with the same choices), the updates then give the machine's next state, and a trap holds
exactly if the machine's step ends in undefined behaviour or something unsupported. A trap of the kind "cannot be said
in a formula" may hold where the machine goes on: it is counted and ends the walk. Weakest preconditions and
strongest postconditions of equations about the next state are held against the steps, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random

from transitions_algebra import KnownState, WrongAlgebra, check_one, check_two
from transitions_compared import Compared
from transitions_follow import Different, Follower, Made
from transitions_models import Models
from transitions_state import Reading, Slots, Values

from threadproof.automaton import (
    CannotUnfold,
    End,
    Instance,
    Letter,
    Location,
    ProgramAutomaton,
    program_automaton,
)
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import Encoder, Space, Transition
from threadproof.encoding.transitions.allocation import HugeBlocks
from threadproof.encoding.transitions.primitives import WHICH_WAITER
from threadproof.ir import instr as ir
from threadproof.ir.program import Program
from threadproof.semantics import state as states
from threadproof.semantics.outcome import (
    Access,
    AccessKind,
    AssumptionFailed,
    Blocked,
    Failed,
    Finished,
    Moved,
    NotSupported,
    Stuck,
    UndefinedBehaviour,
)
from threadproof.semantics.state import State
from threadproof.smt.evaluate import Assignment
from threadproof.smt.meaning import ArrayValue, Value
from threadproof.smt.term import Array, Term, variables
from threadproof.smt.terms import Terms

MOST_LETTERS = 150  # of one walk
MOST_BYTES = 1 << 16  # of a block
MOST_MODELS = 200  # transitions of a program for which models are asked for, and pairs of them
MOST_ALGEBRA = 1  # times that wp and sp of a transition are looked at
Plant = Callable[[Transition], Transition]


class Walker:
    def __init__(self, program: Program, automaton: ProgramAutomaton, most: int, plant: Plant | None = None) -> None:
        self.follower = Follower(program, automaton)
        self.automaton = automaton
        self.space = Space(Terms(), program, automaton, dict.fromkeys(automaton.templates, most))
        self.encoder = Encoder(self.space, huge=HugeBlocks.OBSTRUCT)  # as the machine has it
        self.found = Compared(programs=1)
        self.plant = plant
        self._reading = Reading(self.follower.machine, self.space, {}, Slots(self.space))
        self._last: tuple[Transition, KnownState] | None = None  # the transition before, and what it began with
        self._often: Counter[object] = Counter()
        self._met: KnownState | None = None  # the state of the last comparison
        self.models = Models(self.space, self._reading)
        self._reads: dict[Transition, frozenset[Term]] = {}
        self._rng = Random(0)
        self._facts = self.space.facts()

    def walk(self, rng: Random, first: int | None = None) -> None:
        state = self.follower.machine.initial()
        main = Instance(self.automaton.main, 0)
        self.at: dict[int, Location] = {0: self.automaton.templates[main.template].entry}
        self.instances: dict[int, Instance] = {0: main}
        self.slots = Slots(self.space)
        self.follower.first, self._last, self._rng = first, None, rng
        self._initial(state)
        for _ in range(MOST_LETTERS):
            following = self._letter(state, rng)
            if following is None:
                return
            state = following

    def _initial(self, state: State) -> None:
        self._reading.numbers, self._reading.slots = {self.instances[0]: 0}, self.slots
        found = self._reading.of(state)
        for variable, term in self.space.initial().items():
            value, wanted = Assignment({}).value(term), found.get(variable.name)
            if isinstance(wanted, int) and wanted != value:
                raise Different(f"{variable.name} is {value} at first, in the machine {wanted}")

    # --- one letter --------------------------------------------------------------------------------------------------

    def _letter(self, state: State, rng: Random) -> State | None:
        numbers = [n for n in states.live_threads(state) if not isinstance(self.at[n].at, End)]
        rng.shuffle(numbers)
        for number in numbers:
            self._models(state, number, rng)
            made = self.follower.made(state, number, self.at[number], rng)
            starts = self._started(made)
            if any(one not in self.space.threads for one in starts):
                return None
            if not self._compare(number, made, starts):
                return None
            if isinstance(made.outcome, Moved):
                self._enter(number, made, starts)
                return made.states[-1]
            if not isinstance(made.outcome, Blocked | Stuck | AssumptionFailed):
                return None
        return None

    def _models(self, state: State, number: int, rng: Random) -> None:
        """The same comparison in states that the solver chooses, near this one."""
        location, reading = self.at[number], self._reading
        reading.numbers, reading.slots = {one: n for n, one in self.instances.items()}, self.slots
        values = reading.of(state)
        for letter, transition in self._transitions(self.instances[number], location, self.instances).items():
            if self._often[transition, letter] or len(self._often) > MOST_MODELS:
                continue
            self._often[transition, letter] += 1
            for question in self.models.questions(transition):
                found = self.models.answer(question, transition, state, values, rng)
                if found is None:
                    self.found.unanswered += 1
                else:
                    self._try_model(question, transition, number, *found, rng)

    def _try_model(
        self, question: Term, transition: Transition, number: int, state: State, inputs: dict[Term, Value], rng: Random
    ) -> None:
        given = {one.step: value for one in transition.inputs if isinstance(value := inputs[one.term], int)}
        kept = dict(self.instances), self.slots, self._last
        self.slots, self._last = self.slots.copied(), None
        made = self.follower.made(state, number, self.at[number], rng, given)
        starts = self._started(made)
        if all(one in self.space.threads for one in starts):
            self._compare(number, made, starts)
            if self._met is not None and self._met.holds(question):
                self.found.models += 1
            else:
                self.found.unbuilt += 1
        self.instances, self.slots, self._last = kept
        self._reading.numbers, self._reading.slots = {one: n for n, one in self.instances.items()}, self.slots

    def _started(self, made: Made) -> tuple[Instance, ...]:
        found: list[Instance] = []
        for before, after in zip(made.states, made.states[1:], strict=False):
            for number in after.threads.keys() - before.threads.keys():
                name = after.threads[number].frames[0].function
                taken = [*self.instances.values(), *found]
                found.append(Instance(name, sum(one.template == name for one in taken)))
        return tuple(found)

    def _enter(self, number: int, made: Made, starts: tuple[Instance, ...]) -> None:
        """The letter has been made."""
        [letter] = made.letters
        self.at[number] = letter.target
        self._numbered(made, starts)
        for new, instance in self.instances.items():
            self.at.setdefault(new, self.automaton.templates[instance.template].entry)

    def _numbered(self, made: Made, starts: tuple[Instance, ...]) -> None:
        todo = list(starts)
        for before, after in zip(made.states, made.states[1:], strict=False):
            for new in after.threads.keys() - before.threads.keys():
                self.instances[new] = todo.pop(0)

    # --- formulas against the machine --------------------------------------------------------------------------------

    def _compare(self, number: int, made: Made, starts: tuple[Instance, ...]) -> bool:
        """False if the walk cannot go on."""
        instance, location = self.instances[number], self.at[number]
        before = dict(self.instances)
        self._numbered(made, starts)
        numbers = {one: n for n, one in self.instances.items()}
        if not isinstance(made.outcome, Moved):
            self.instances = before
        reading = self._reading
        reading.numbers, reading.slots = numbers, self.slots
        pre = reading.of(made.states[0], made.states[1:])
        if self._allocate(instance, made):
            self._met = None
            self.found.limits += 1  # formulas never give out memory again: addresses differ from here on
            return False
        contents = self._contents(reading, made)
        transitions = self._transitions(instance, location, before)
        values = dict(pre)
        for transition in transitions.values():  # every input has a name of its own
            values.update(self._inputs(transition, made, contents, numbers))
        state = KnownState({name: value for name, value in values.items() if value is not None})
        self._met = state
        if not all(state.holds(fact) for fact in self._facts):
            raise Different("what is said to hold in every state does not")
        self._blocked(instance, transitions, state, made, before)
        for letter, transition in transitions.items():
            if any("floating" in one.source for one in transition.inputs) or any(
                pre.get(v.name, 0) is None and not isinstance(v.sort, Array) for v in self._read_by(transition)
            ):
                self.found.skipped += 1
            elif not self._check(letter, transition, values, state, made):
                return False
            elif letter in made.letters and isinstance(made.outcome, Moved):
                self._touched(instance, letter, state, made, before)
        return True

    def _blocked(
        self,
        instance: Instance,
        transitions: Mapping[Letter, Transition],
        state: KnownState,
        made: Made,
        before: dict[int, Instance],
    ) -> None:
        """Exactly where the machine waits, a letter comes to an operation that cannot proceed."""
        blocked, every = isinstance(made.outcome, Blocked), list(transitions)
        if made.states[-1].atomic is not None or not all(one in every for one in made.letters):
            return
        asked = [one for one in every if one in made.letters or not blocked]
        found = [self.encoder.waits(instance, one, self._starts(one, before)) for one in asked]
        known = {one.term.name for transition in transitions.values() for one in transition.inputs}
        # A letter that cannot be made has no inputs in its transition: what the machine chose is not known of those.
        if any(v.name.startswith("input ") and v.name not in known for v in variables(found)):
            return
        waits = any(map(state.holds, found))
        if waits != blocked:
            raise Different(f"letters {[one.id for one in asked]} wait: {waits}, the machine: {made.outcome}")

    def _touched(
        self, instance: Instance, letter: Letter, state: KnownState, made: Made, before: dict[int, Instance]
    ) -> None:
        """Every access of the machine is among those of the letter; others are to what no other thread can reach."""
        found = self.encoder.accesses(instance, letter, self._starts(letter, before))
        ours = {
            (state.number(one.address), state.number(one.size), one.writes, one.atomic, one.step)
            for one in found
            if state.holds(one.when)
        }
        for step, effects in enumerate(made.effects):
            for one in effects:
                if isinstance(one, Access):
                    address = self._reading.ours(one.address)
                    size = one.size if one.kind is not AccessKind.FREE else 0
                    key = (address, size, one.kind is not AccessKind.READ, one.atomic, step)
                    same = {(a, n if size else 0, w, at, s) for a, n, w, at, s in ours}
                    if key not in same:
                        raise Different(f"letter {letter.id}: the machine's access {one} is not among {ours}")
                    self.found.accesses += 1

    def _transitions(
        self, instance: Instance, location: Location, before: dict[int, Instance]
    ) -> dict[Letter, Transition]:
        found: dict[Letter, Transition] = {}
        for letter in self.automaton.templates[location.template].letters_from(location):
            try:
                transition = self.encoder.transition(instance, letter, self._starts(letter, before))
            except CannotEncode as why:
                self.found.refused[str(why)] += 1
            else:
                found[letter] = transition if self.plant is None else self.plant(transition)
        return found

    def _read_by(self, transition: Transition) -> frozenset[Term]:
        found = self._reads.get(transition)
        if found is None:
            found = self._reads[transition] = transition.reads
        return found

    def _starts(self, letter: Letter, before: dict[int, Instance]) -> tuple[Instance, ...]:
        """The instances it would start."""
        found: list[Instance] = []
        for name in letter.forks:
            number = sum(one.template == name for one in (*before.values(), *found))
            found.append(Instance(name, number))
        return tuple(found)

    def _allocate(self, instance: Instance, made: Made) -> bool:
        """Whether memory was given out again, or is too large to be looked at."""
        reused = False
        for index, (before, after) in enumerate(zip(made.states, made.states[1:], strict=False)):
            step = made.letters[0].steps[index]
            if isinstance(step.instr, ir.Alloc):
                number = next(n for n, one in self.instances.items() if one == instance)
                new = [
                    obj
                    for kind in ("stack", "heap")
                    for owner, thread in after.threads.items()
                    for obj in getattr(thread, kind)
                    if owner == number and obj not in getattr(before.threads[owner], kind)
                ]
                if new:
                    key = (instance, step.context, step.site)
                    self.slots.allocated(key, new[-1].start, new[-1].size)
                    again = step.instr.storage is ir.Storage.HEAP and self.slots.reused(key)
                    reused = reused or again or new[-1].size > MOST_BYTES
                else:
                    reused = True  # memory of another thread
        return reused

    def _contents(self, reading: Reading, made: Made) -> list[Values]:
        """What memory holds after each instruction: what an allocation gave it at first."""
        if not any(isinstance(step.instr, ir.Alloc) for step in made.letters[0].steps[: len(made.choices)]):
            return []
        return [reading.of(state, made.states[index + 2 :]) for index, state in enumerate(made.states[1:])]

    def _inputs(
        self, transition: Transition, made: Made, contents: list[Values], numbers: dict[Instance, int]
    ) -> Values:
        found: Values = {}
        for one in transition.inputs:
            value: Value | None = 0
            if one.source.startswith("uninitialised "):
                name = self._allocated_cell(made, one.step, one.source, transition, one.term)
                value = contents[one.step].get(name, 0) if one.step < len(contents) and name else 0
                if value is None:
                    value = 0
            elif one.source == WHICH_WAITER:
                value = self._woken(made, one.step, numbers)
            elif one.step < len(made.choices) and made.choices[one.step]:
                value = made.choices[one.step][-1]
            if isinstance(value, int) and not isinstance(one.term.sort, Array):
                value %= 1 << one.term.width
            found[one.term.name] = ArrayValue(0, {}) if isinstance(one.term.sort, Array) and value == 0 else value
        return found

    def _allocated_cell(self, made: Made, step: int, source: str, transition: Transition, term: object) -> str:
        for variable, value in transition.updates.items():
            if value is term:
                return variable.name
        return ""

    def _woken(self, made: Made, step: int, numbers: dict[Instance, int]) -> int:
        if step + 1 >= len(made.states):
            return 0
        before, after = made.states[step], made.states[step + 1]
        for instance, number in numbers.items():
            old, new = before.threads.get(number), after.threads.get(number)
            if old and new and old.waiting and new.waiting and new.waiting.woken and not old.waiting.woken:
                return self.space.ordinal(instance)
        return 0

    def _check(self, letter: Letter, transition: Transition, values: Values, pre: KnownState, made: Made) -> bool:
        traps = [trap for trap in transition.traps if pre.holds(trap.condition)]
        possible = pre.holds(transition.guard)
        where = f"letter {letter.id} ({letter.source} to {letter.target}, {letter.steps[-1].instr.loc})"
        meant = letter in made.letters
        wrong = isinstance(made.outcome, UndefinedBehaviour | NotSupported | Failed)
        ends = isinstance(made.outcome, Failed | Finished) or (wrong and isinstance(letter.target.at, End))
        expected = meant and (isinstance(made.outcome, Moved) or (ends and len(letter.steps) == len(made.choices)))
        limits = [trap for trap in traps if isinstance(trap.what, NotEncoded)]
        if (limits and not wrong) or _out_of_addresses(made):
            self.found.limits += 1
            return False
        if traps and not (wrong and meant):
            raise Different(f"{where}: trap {traps[0].what} at step {traps[0].step}, the machine: {made.outcome}")
        if wrong and meant and not traps:
            raise Different(f"{where}: no trap, the machine: {made.outcome}")
        if traps:
            self.found.trapped += 1
        if possible != expected:
            raise Different(f"{where}: guard {possible}, the machine: {type(made.outcome).__name__}, meant {meant}")
        if not possible:
            self.found.refuted += 1
            return True
        self.found.letters += 1
        if isinstance(made.outcome, Moved):
            self._next_state(where, transition, pre, values, self._reading.of(made.states[-1]))
        return True

    def _next_state(
        self, where: str, transition: Transition, pre: KnownState, values: Values, expected: Values
    ) -> None:
        after = {variable.name: pre.value(new) for variable, new in transition.updates.items()}
        self._algebra(where, transition, pre)
        for name, wanted in expected.items():
            got = after[name] if name in after else values.get(name, 0)
            if wanted is None or got is None:
                continue
            if isinstance(wanted, ArrayValue):
                assert isinstance(got, ArrayValue)
                same = all(got.at(index) == value for index, value in wanted.entries.items())
            else:
                same = wanted == got
            if not same:
                raise Different(f"{where}: {name} is {got}, in the machine {wanted}")

    def _algebra(self, where: str, transition: Transition, pre: KnownState) -> None:
        """What is computed from a transition is the same wherever it is made, so a few states suffice."""
        try:
            if self._often[transition] < MOST_ALGEBRA:
                self._often[transition] += 1
                self.found.algebra += check_one(transition, pre, self._rng)
            if self._last is not None and self._often[self._last[0], transition] < MOST_ALGEBRA:
                self._often[self._last[0], transition] += 1
                self.found.algebra += check_two(*self._last, transition, pre)
        except WrongAlgebra as wrong:
            raise Different(f"{where}: {wrong}") from wrong
        self._last = (transition, pre)


def _out_of_addresses(made: Made) -> bool:
    """The machine gives up: formulas may go on with a block that is larger than its areas."""
    return isinstance(made.outcome, NotSupported) and "address layout" in made.outcome.construct


def compare(
    program: Program,
    walks: int = 4,
    *,
    firsts: tuple[int | None, ...] | range = (None,),
    most: int = 2,
    plant: Plant | None = None,
) -> Compared:
    """So many walks for each first choice. `plant` spoils transitions, for testing this test."""
    try:
        walker = Walker(program, program_automaton(program), most, plant)
    except (CannotUnfold, CannotEncode) as refusal:
        return Compared(programs=len(firsts), refused=Counter([f"program: {refusal}"]))
    walker.found.programs = len(firsts)
    for first in firsts:
        for seed in range(walks):
            try:
                walker.walk(Random(seed), first)
            except Different as different:
                walker.found.differences.append(f"first {first}, walk {seed}: {different}")
                return walker.found
    return walker.found
