"""Whether a path of letters can be made from the initial state: with which inputs, or which of its parts forbid it.

Executing a path on terms leaves formulas over its inputs alone, since the initial state is known: most guards fold to
constants, and the rest is one question to a solver. What was found out about a path is used for its extensions. If the
path cannot be made, the core says which initial values, conjuncts of guards and updates are enough for that; a solver
has proved it for exactly these. A variable whose update is not in the core may have any value then.

Paper: M. Heizmann et al., TraceCheckSpWp of Ultimate; unsat cores per conjunct.
Invariants: `Feasible` was evaluated on every guard; `Infeasible` has a core that a solver found contradictory by
itself.

Stable: `TraceCheck.check`, `Feasible`, `Infeasible.core`, the fields of `PathCore` and `CoreStep`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from threadproof.abstraction.path import LetterPath, PathGoal, PathStep
from threadproof.abstraction.questions import Clash, Questions
from threadproof.abstraction.samples import Samples
from threadproof.encoding.transitions import Input, Space
from threadproof.smt.context import Context, conjuncts, minimal_core
from threadproof.smt.evaluate import Assignment, zero
from threadproof.smt.meaning import Value
from threadproof.smt.solver import Sat, Undecided
from threadproof.smt.term import Array, Op, Term, in_order, variables

_PREFIXES = 4_000  # that are remembered
_MINIMISING = 0.2  # seconds for each question when a core is made smaller
_MOST_MINIMISED = 60  # parts of a core that is still worth it


@dataclass(frozen=True, slots=True)
class Feasible:
    """The path can be made with these inputs, step by step. The model has them, and what memory begins with."""

    inputs: tuple[tuple[tuple[Input, Value], ...], ...]
    model: Assignment


@dataclass(frozen=True, slots=True)
class CoreStep:
    """What is needed of a letter. Everything is over the state before it, and its inputs."""

    guard: tuple[Term, ...]
    updates: Mapping[Term, Term]
    forgotten: tuple[Term, ...]  # variables that it writes, with values that do not matter


@dataclass(frozen=True, slots=True)
class PathCore:
    """Enough to see that the path cannot be made. Of a path to a trap, the last step's guard is the trap."""

    initial: Mapping[Term, Term]
    steps: tuple[CoreStep, ...]  # as many as the path has; those behind the contradiction are empty

    @property
    def length(self) -> int:
        """So many steps already contradict each other."""
        return max((index + 1 for index, step in enumerate(self.steps) if step.guard), default=0)


@dataclass(frozen=True, slots=True)
class Infeasible:
    core: PathCore


@dataclass(frozen=True, slots=True)
class TraceUnsure:
    reason: str


PathPlace = tuple[int, int | Term]
"""A conjunct of a guard (its number) or an update (its variable) of a step; -1 is the initial state."""


@dataclass(frozen=True, slots=True)
class _Executed:
    """A prefix of a path on terms: values of variables, and what guards ask of the inputs."""

    state: Mapping[Term, Term]
    asked: tuple[tuple[Term, PathPlace], ...]
    impossible: PathPlace | None = None  # a conjunct that is false by itself


class TraceCheck:
    """`seconds` is for each question to the solver."""

    def __init__(self, space: Space, context: Context, seconds: float = 5.0) -> None:
        self._terms = space.terms
        self._context = context
        self._questions = Questions(context, Samples(), seconds)
        self._seconds = seconds
        self.initial = space.initial()
        self._prefixes: OrderedDict[tuple[object, ...], _Executed] = OrderedDict()
        self._models: OrderedDict[tuple[object, ...], dict[str, Value]] = OrderedDict()

    def check(self, path: LetterPath) -> Feasible | Infeasible | TraceUnsure:
        done = self._executed(path)
        if done.impossible is not None:
            return self._infeasible(path, [done.impossible])
        formulas = [formula for formula, _ in done.asked]
        key = self._key(path.steps, path.goal)
        model = self._guess(path, formulas)
        if model is None:
            answer = self._questions.together(formulas)
            if isinstance(answer, Clash):
                needed = set(answer.core)
                return self._infeasible(path, [place for formula, place in done.asked if formula in needed])
            if isinstance(answer, Undecided):
                return TraceUnsure(f"a path of {len(path)} letters: {answer.reason.value}")
            model = answer
        _keep(self._models, key, model)
        return self._feasible(path, model)

    def states(self, path: LetterPath) -> list[Mapping[Term, Term]]:
        """Before each step, as terms over the inputs of the path."""
        return [self._executed(LetterPath(path.steps[:length])).state for length in range(len(path))]

    # --- forwards ----------------------------------------------------------------------------------------------------

    @staticmethod
    def _key(steps: Sequence[PathStep], goal: PathGoal) -> tuple[object, ...]:
        return (goal, *(step.key for step in steps))

    def _executed(self, path: LetterPath) -> _Executed:
        """Prefixes are remembered by the letters made."""
        made = len(path) - (path.goal is PathGoal.TRAP)
        done, start = _Executed(self.initial, ()), 0
        for length in range(made, 0, -1):
            known = self._prefixes.get(self._key(path.steps[:length], PathGoal.LETTERS))
            if known is not None:
                done, start = known, length
                break
        for index in range(start, made):
            done = self._step(done, index, path.steps[index])
            _keep(self._prefixes, self._key(path.steps[: index + 1], PathGoal.LETTERS), done)
        return self._trap(done, made, path.steps[made]) if made < len(path) else done

    def _step(self, done: _Executed, index: int, step: PathStep) -> _Executed:
        if done.impossible is not None:
            return done
        transition = step.transition
        replace = {**done.state, **transition.fresh_inputs(f"@{index}")}
        guard = conjuncts(transition.guard)
        new = self._terms.substitute([*guard, *transition.updates.values()], replace)
        state = {**done.state, **dict(zip(transition.updates, new[len(guard) :], strict=True))}
        return self._asking(done, index, new[: len(guard)], state)

    def _trap(self, done: _Executed, index: int, step: PathStep) -> _Executed:
        if done.impossible is not None:
            return done
        replace = {**done.state, **step.transition.fresh_inputs(f"@{index}")}
        return self._asking(done, index, self._terms.substitute([step.transition.trapped], replace), done.state)

    def _asking(self, done: _Executed, index: int, formulas: Sequence[Term], state: Mapping[Term, Term]) -> _Executed:
        asked = list(done.asked)
        for number, formula in enumerate(formulas):
            if formula is self._terms.false:
                return _Executed(state, done.asked, (index, number))
            asked += [(part, (index, number)) for part in conjuncts(formula) if part is not self._terms.true]
        return _Executed(state, tuple(asked))

    # --- a model -----------------------------------------------------------------------------------------------------

    def _guess(self, path: LetterPath, formulas: Sequence[Term]) -> dict[str, Value] | None:
        """The inputs of the path without its last letter, if they go on with zeros."""
        known = self._models.get(self._key(path.steps[:-1], PathGoal.LETTERS), {})
        values = Assignment(known)
        return known if all(values.holds(formula) for formula in formulas) else None

    def _feasible(self, path: LetterPath, model: Mapping[str, Value]) -> Feasible:
        steps: list[tuple[tuple[Input, Value], ...]] = []
        for index, step in enumerate(path.steps):
            names = [(one, f"{one.term.name}@{index}") for one in step.transition.inputs]
            steps.append(tuple((one, model.get(name, zero(one.term.sort))) for one, name in names))
        return Feasible(tuple(steps), Assignment(model))

    # --- a core ------------------------------------------------------------------------------------------------------

    def _infeasible(self, path: LetterPath, guards: Sequence[PathPlace]) -> Infeasible | TraceUnsure:
        """Guards that clash, and all that their values come from: then a solver says what of that is needed."""
        places, names = self._cone(path, guards), self._names(path)
        formulas = [self._formula(path, place, names[max(place[0], 0)]) for place in places]
        asked = zip(places, formulas, strict=True)
        unnamed = {place for place, one in asked if isinstance(place[1], Term) and _speaks_of_whole_arrays(one)}
        named = {str(number): formulas[number] for number, place in enumerate(places) if place not in unnamed}
        core = self._context.core(named, self._seconds)
        if isinstance(core, Sat | Undecided):
            return TraceUnsure("no core of a path that cannot be made")
        if len(core.names) <= _MOST_MINIMISED:
            core = minimal_core(self._context, named, core, _MINIMISING)
        return Infeasible(self._core(path, {*(places[int(name)] for name in core.names), *unnamed}))

    def _guards(self, path: LetterPath, index: int) -> tuple[Term, ...]:
        transition = path.steps[index].transition
        if path.goal is PathGoal.TRAP and index == len(path) - 1:
            return (transition.trapped,)
        return conjuncts(transition.guard)

    def _updates(self, path: LetterPath, index: int) -> Mapping[Term, Term]:
        trapped = path.goal is PathGoal.TRAP and index == len(path) - 1
        return {} if trapped else path.steps[index].transition.updates

    def _cone(self, path: LetterPath, guards: Sequence[PathPlace]) -> list[PathPlace]:
        """Backwards: updates of variables that are asked for, and initial values."""
        found: list[PathPlace] = []
        wanted: dict[Term, None] = {}
        for index in range(len(path) - 1, -1, -1):
            written = self._updates(path, index)
            asked = [variable for variable in written if variable in wanted]
            mine = [place for place in dict.fromkeys(guards) if place[0] == index]
            read = [written[variable] for variable in asked]
            read += [self._guards(path, index)[number] for _, number in mine if isinstance(number, int)]
            for variable in asked:
                del wanted[variable]
            wanted.update(dict.fromkeys(variables(read)))
            found += [*((index, variable) for variable in asked), *mine]
        found += [(-1, variable) for variable in wanted if variable in self.initial]
        return found[::-1]

    def _formula(self, path: LetterPath, place: PathPlace, names: Mapping[Term, Term]) -> Term:
        """In single static assignment."""
        index, what = place
        if index < 0:
            assert isinstance(what, Term)
            return self._terms.eq(what, self.initial[what])
        before = {**names, **path.steps[index].transition.fresh_inputs(f"@{index}")}
        if isinstance(what, Term):
            [value] = self._terms.substitute([self._updates(path, index)[what]], before)
            return self._terms.eq(self._version(what, index), value)
        return self._terms.substitute([self._guards(path, index)[what]], before)[0]

    def _version(self, variable: Term, index: int) -> Term:
        return variable if index < 0 else self._terms.var(f"{variable.name}@{index}", variable.sort)

    def _names(self, path: LetterPath) -> list[dict[Term, Term]]:
        """Of values, before each step. An array that is made from one with the same value everywhere has none: bitwuzla
        does not fully support equations of such. Who reads it reads what it is made from; it is always in the core."""
        found = [{one: value for one, value in self.initial.items() if _is_made_from_one_value(value)}]
        for index, step in enumerate(path.steps):
            now, before = dict(found[-1]), {**found[-1], **step.transition.fresh_inputs(f"@{index}")}
            for variable, value in self._updates(path, index).items():
                now[variable] = self._version(variable, index)
                if isinstance(variable.sort, Array):
                    [made] = self._terms.substitute([value], before)
                    now[variable] = made if _is_made_from_one_value(made) else now[variable]
            found.append(now)
        return found

    def whole(self, path: LetterPath) -> PathCore:
        """All of it, where a smaller core says too little of values that it forgot."""
        steps = (CoreStep(tuple(self._guards(path, i)), self._updates(path, i), ()) for i in range(len(path)))
        return PathCore(self.initial, tuple(steps))

    def _core(self, path: LetterPath, places: set[PathPlace]) -> PathCore:
        steps: list[CoreStep] = []
        for index in range(len(path)):
            guard = tuple(one for number, one in enumerate(self._guards(path, index)) if (index, number) in places)
            written = self._updates(path, index)
            updates = {one: value for one, value in written.items() if (index, one) in places}
            steps.append(CoreStep(guard, updates, tuple(one for one in written if one not in updates)))
        initial = {one: value for one, value in self.initial.items() if (-1, one) in places}
        return PathCore(initial, tuple(steps))


def _is_made_from_one_value(value: Term) -> bool:
    return isinstance(value.sort, Array) and any(part.op is Op.FILL for part in in_order([value]))


def _speaks_of_whole_arrays(formula: Term) -> bool:
    return formula.op is Op.EQ and any(map(_is_made_from_one_value, formula.args))


_Found = TypeVar("_Found")


def _keep(known: OrderedDict[tuple[object, ...], _Found], key: tuple[object, ...], value: _Found) -> None:
    known[key] = value
    if len(known) > _PREFIXES:
        known.popitem(last=False)
