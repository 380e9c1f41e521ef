"""Walks the reference machine and, in the states it meets, executes two letters in both orders: what `swap` says of
them in each of its layers must be true there.

In a state, a letter `a` of one thread is made and then a letter `b` of another, which may also go wrong. Each layer is
asked about `a;b`, under conjuncts that hold in the state. If it says that `a;b` may be left out, the machine must be
able to make `b` and then `a` and come to the same state, or go wrong in this order as well. Choices are those of the
first order; if that does not do, every choice is tried. Where only the formula gives up (a limit), nothing is compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from transitions_follow import Different, Follower, Made
from transitions_state import Values
from transitions_walk import Walker

from threadproof.automaton import CannotUnfold, End, Letter, LetterSize, ProgramAutomaton, program_automaton
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.errors import CannotEncode
from threadproof.independence import Always, Inclusion, InstanceLetter, LayerName, SwapAnswer, Swaps, When
from threadproof.independence.inclusions import Given
from threadproof.ir.program import Program
from threadproof.semantics import state as states
from threadproof.semantics.domains import values_to_try
from threadproof.semantics.outcome import Choose, Failed, Moved, NotSupported, UndefinedBehaviour
from threadproof.semantics.state import State
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import BOOL, BitVec, Term

PAIRS = 2  # in a state
WITHOUT_FORMULAS = (LayerName.SYNTACTIC, LayerName.POINTS_TO)
MOST_WAYS = 60  # of answering choices
Plant = Callable[[Swaps], None]


@dataclass(slots=True)
class SwapsCompared:
    programs: int = 0
    pairs: int = 0  # that were made in both orders, or should have been
    conditional: int = 0  # of them, those with an assertion
    hard: int = 0  # of them, those about which only formulas know something
    claims: Counter[LayerName] = field(default_factory=Counter[LayerName])  # that were held against the machine
    refuted: int = 0  # pairs that do not swap there
    limits: int = 0
    astray: int = 0  # walks on which letters themselves are not what the machine does: `transitions_walk` tells
    differences: list[str] = field(default_factory=list[str])

    def add(self, other: SwapsCompared) -> None:
        for name in ("programs", "pairs", "conditional", "hard", "refuted", "limits", "astray"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.claims += other.claims
        self.differences += other.differences


class SwapDiffers(Exception):
    pass


class Recorded(Follower):
    """Answers choices as before, as long as there are answers."""

    def __init__(self, program: Program, automaton: ProgramAutomaton) -> None:
        super().__init__(program, automaton)
        self.answers: list[int] | None = None
        self.open: list[tuple[int, ...]] = []  # the other values of choices for which there were none

    def _answer(self, rng: Random, choices: list[int], given: int | None) -> Callable[[Choose], int]:
        usual = super()._answer(rng, choices, given)
        if self.answers is None:
            return usual
        answers = self.answers

        def answer(choice: Choose) -> int:
            if answers:
                value = answers.pop(0)
            else:
                values, _ = values_to_try(choice, self.constants)
                value, *others = values
                self.open.append(tuple(others))
            choices.append(value)
            return value

        return answer


class SwapWalker(Walker):
    def __init__(self, program: Program, automaton: ProgramAutomaton, most: int, plant: Plant | None = None) -> None:
        super().__init__(program, automaton, most)
        self.recorded = Recorded(program, automaton)
        self.swaps = Swaps(self.encoder, seconds=0.5)
        self.compared = SwapsCompared(programs=1)
        if plant is not None:
            plant(self.swaps)

    def _letter(self, state: State, rng: Random) -> State | None:
        for _ in range(PAIRS):
            self._pair(state, rng)
        return super()._letter(state, rng)

    def _models(self, state: State, number: int, rng: Random) -> None:
        """Single letters in other states are the business of `transitions_walk`."""

    # --- two letters of a state --------------------------------------------------------------------------------------

    def _pair(self, state: State, rng: Random) -> None:
        numbers = [n for n in states.live_threads(state) if not isinstance(self.at[n].at, End)]
        if len(numbers) < 2:
            return
        first, second = rng.sample(numbers, 2)
        one = self._made(state, first, rng)
        if not isinstance(one.outcome, Moved):
            return
        other = self._made(one.states[-1], second, rng)
        if not isinstance(other.outcome, Moved) and not _wrong(other):
            return
        values = self._values(state)
        if self._limits(values, first, one.letters) or self._limits(values, second, other.letters):
            self.compared.limits += 1
            return
        [a] = one.letters
        truth: bool | None = None
        for b in other.letters:
            pair = self._named(first, a), self._named(second, b)
            given = self._given(values, pair, rng)
            self.compared.pairs += 1
            self.compared.conditional += bool(given)
            claims = list(self._claims(pair, given, values))
            self.compared.hard += not any(layer in WITHOUT_FORMULAS for layer, _ in claims)
            for layer, answer in claims:
                if truth is None:
                    truth = self._included(state, first, one, second, other)
                self.compared.claims[layer] += 1
                if not truth:
                    raise SwapDiffers(self._told(pair, layer, answer, given))
        self.compared.refuted += truth is None

    def _made(self, state: State, number: int, rng: Random) -> Made:
        return self.follower.made(state, number, self.at[number], rng)

    def _named(self, number: int, letter: Letter) -> InstanceLetter:
        return InstanceLetter(self.instances[number], letter, self._starts(letter, self.instances))

    def _values(self, state: State) -> Values:
        self._reading.numbers = {one: n for n, one in self.instances.items()}
        self._reading.slots = self.slots
        return self._reading.of(state)

    def _claims(self, pair: tuple[InstanceLetter, InstanceLetter], given: Given, values: Values) -> Iterator[Any]:
        """What each layer says, if it says that the order may be left out."""
        known = Assignment({name: value for name, value in values.items() if value is not None})
        for name, layer in self.swaps.layers:
            answer: SwapAnswer | None = layer.decide(*pair, given)
            if isinstance(answer, Always | Inclusion) or (isinstance(answer, When) and known.holds(answer.condition)):
                yield name, answer
        whole = self.swaps.swap(*pair, given)
        if isinstance(whole, Always | Inclusion) and whole.by is not None:
            yield whole.by, whole

    def _told(self, pair: object, layer: LayerName, answer: SwapAnswer, given: Given) -> str:
        a, b = pair  # type: ignore[misc]
        lines = [f"{one}: {one.letter.steps[one.letter.visible or 0].instr.loc}" for one in (a, b)]
        return f"{layer.value} says {answer} of {lines} under {len(given)} conjuncts, the machine differs"

    # --- assertions that hold ----------------------------------------------------------------------------------------

    def _given(self, values: Values, pair: Iterable[InstanceLetter], rng: Random) -> Given:
        about: set[Term] = set()
        for one in pair:
            transition = self.swaps.inclusions.violations.transition(one)
            about |= set() if transition is None else transition.reads | transition.writes
        known = [v for v in about if isinstance(values.get(v.name), int) and (v.sort is BOOL or _is_word(v))]
        known.sort(key=lambda v: v.name)
        chosen = rng.sample(known, min(len(known), rng.randrange(4)))
        return frozenset(self._fact(variable, values[variable.name], rng) for variable in chosen)

    def _fact(self, variable: Term, value: Any, rng: Random) -> Term:
        terms = self.space.terms
        if variable.sort is BOOL:
            return variable if value else terms.not_(variable)
        number = terms.bv(value, variable.width)
        match rng.randrange(4):
            case 0:
                return terms.ule(variable, number)
            case 1:
                return terms.ne(variable, terms.bv(value + rng.choice((1, -1, 2)), variable.width))
            case 2:
                return terms.sle(number, variable)
            case _:
                return terms.eq(variable, number)

    def _limits(self, values: Values, number: int, letters: Iterable[Letter]) -> bool:
        """Whether a formula gives up where the machine goes on."""
        known = Assignment({name: value for name, value in values.items() if value is not None})
        for letter in letters:
            try:
                one = self._named(number, letter)
                transition = self.encoder.transition(one.instance, letter, one.starts)
            except CannotEncode:
                continue
            limits = (trap for trap in transition.traps if isinstance(trap.what, NotEncoded))
            if any(known.holds(trap.condition) for trap in limits):
                return True
        return False

    # --- the other order ---------------------------------------------------------------------------------------------

    def _included(self, state: State, first: int, one: Made, second: int, other: Made) -> bool:
        for before in self._ways(state, second, other):
            if _wrong(other) and _wrong(before):
                return True
            if not isinstance(before.outcome, Moved) or (not _wrong(other) and before.letters != other.letters):
                continue
            for after in self._ways(before.states[-1], first, one):
                if _wrong(other):
                    if _wrong(after):
                        return True
                elif isinstance(after.outcome, Moved) and after.letters == one.letters and self._same(after, other):
                    return True
        return False

    def _same(self, one: Made, other: Made) -> bool:
        return self._seen(one.states[-1]) == self._seen(other.states[-1])

    def _ways(self, state: State, number: int, like: Made) -> Iterator[Made]:
        """The letter with the choices it had, then with all others."""
        given = [value for values in like.choices for value in values]
        todo, tried = [given], 0
        while todo and tried < MOST_WAYS:
            self.recorded.answers, self.recorded.open = list(todo.pop(0)), []
            tried += 1
            try:
                made = self.recorded.made(state, number, self.at[number], Random(0))
            except Different:
                continue
            yield made
            if tried == 1 and given:
                todo.append([])
            taken = [value for values in made.choices for value in values]
            known = len(taken) - len(self.recorded.open)
            for place, others in enumerate(self.recorded.open):
                todo += [[*taken[: known + place], value] for value in others]

    def _seen(self, state: State) -> object:
        """A state without the registers that nobody reads any more."""
        threads = {number: self._thread(thread) for number, thread in state.threads.items()}
        return state.memory, threads, state.keys, state.atomic

    def _thread(self, thread: states.Thread) -> object:
        return thread._replace(frames=()), [self._frame(frame) for frame in thread.frames]

    def _frame(self, frame: states.Frame) -> object:
        site = self.recorded.sites[frame.function][frame.pc]
        live = self.space.live(site.function, site.block, site.number)
        code = self.recorded.machine.static.codes[frame.function]
        return frame.function, frame.pc, {name: code.register(frame.regs, name) for name in sorted(live)}


def _wrong(made: Made) -> bool:
    return isinstance(made.outcome, UndefinedBehaviour | NotSupported | Failed)


def _is_word(variable: Term) -> bool:
    return isinstance(variable.sort, BitVec)


def compare_swaps(
    program: Program,
    walks: int = 3,
    *,
    most: int = 2,
    plant: Plant | None = None,
    size: LetterSize = LetterSize.LARGE,
) -> SwapsCompared:
    """`plant` spoils the relation, for testing this test."""
    try:
        walker = SwapWalker(program, program_automaton(program, size=size), most, plant)
    except (CannotUnfold, CannotEncode):
        return SwapsCompared(programs=1)
    for seed in range(walks):
        try:
            walker.walk(Random(seed))
        except Different:
            walker.compared.astray += 1
        except SwapDiffers as different:
            walker.compared.differences.append(f"walk {seed}: {different}")
            break
    return walker.compared
