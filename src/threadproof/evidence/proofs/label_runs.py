"""Runs of the reference semantics through the nodes of a proof: an error of the formulas would show.

Engine and checker use the same formulas of letters. A run knows none: where it makes a letter, there must be an edge,
and what labels say of global memory must hold of it. What they say of registers, pointers and the states of threads is
not looked at: those have names and numbers of the formulas' own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

from threadproof.automaton import End, Instance, Letter, Places
from threadproof.core.budget import Budget
from threadproof.encoding.transitions import Space
from threadproof.evidence.letters import LetterFollower, OffTheAutomaton
from threadproof.ir.program import Spurious
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Blocked, Moved
from threadproof.semantics.state import State, live_threads
from threadproof.smt.context import conjuncts
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Term, variables

LEAST, MOST = 3, 30  # runs,
SECONDS = 0.3  # for those above the least
LETTERS = 150  # of one run
OBEDIENCE = 0.8  # how often a run does what is preferred


class RunGraph(Protocol):
    """Nodes of a proof, as runs see them. Node 0 is the first."""

    def label(self, node: int) -> Term: ...

    def places(self, node: int) -> Places: ...

    def onward(self, node: int) -> int:
        """The node whose letters are looked at."""
        ...

    def preferred(self, node: int) -> Sequence[Instance]:
        """Threads in the order in which a reduction prefers them; if it does. Who goes on as it likes soon comes to a
        node where all that can be made is left out."""
        ...

    def leaves_out(self, node: int, instance: Instance, letter: Letter) -> bool: ...

    def targets(self, node: int, instance: Instance, letter: Letter) -> Sequence[int]:
        """The state behind the letter has the label of one of them."""
        ...


def contradiction_of_runs(
    space: Space, spurious: Spurious, budget: Budget, run: Callable[[LetterFollower, Random, Budget], str | None]
) -> str | None:
    """What the first of some runs finds that finds something."""
    follower = LetterFollower(space.program, space.automaton, spurious)
    few = Budget(min(SECONDS, budget.left()))
    for seed in range(MOST):
        limit = budget if seed < LEAST else few
        try:
            found = run(follower, Random(seed), limit) if limit.left() > 0 else None
        except OffTheAutomaton as off:
            return str(off)
        if found is not None:
            return found
    return None


class LabelRuns:
    def __init__(self, space: Space, graph: RunGraph) -> None:
        self._space = space
        self._graph = graph
        words = space.global_words().items()
        self._cells = {term: place for term, place in words if 8 * place[1] < space.bits}  # that hold no addresses
        self._said: dict[Term, list[Term]] = {}

    def contradiction(self, spurious: Spurious, budget: Budget) -> str | None:
        return contradiction_of_runs(self._space, spurious, budget, self._run)

    def _run(self, follower: LetterFollower, rng: Random, budget: Budget) -> str | None:
        state, node = follower.machine.initial(), 0
        instances = {0: Instance(self._space.automaton.main, 0)}
        for _ in range(LETTERS):
            broken = self._broken(node, state, follower)
            if broken is not None:
                return broken
            following = self._step(follower, state, self._graph.onward(node), instances, rng)
            if following is None or isinstance(following, str) or budget.left() <= 0:
                return following if isinstance(following, str) else None
            state, node = following
        return None

    def _step(
        self, follower: LetterFollower, state: State, node: int, instances: dict[int, Instance], rng: Random
    ) -> tuple[State, int] | str | None:
        """The next state and node; what was wrong; or None at the end of the run."""
        at = dict(self._graph.places(node).threads)
        numbers = [number for number in live_threads(state) if not isinstance(at[instances[number]].at, End)]
        rng.shuffle(numbers)
        preferred = self._graph.preferred(node)
        if preferred and rng.random() < OBEDIENCE:
            numbers.sort(key=lambda number: _rank(preferred, instances[number]))
        for number in numbers:
            instance = instances[number]
            made = follower.made(state, number, at[instance], rng)
            if isinstance(made.outcome, Blocked):
                continue
            if not isinstance(made.outcome, Moved):
                return None
            letter = made.letters[0]
            if self._graph.leaves_out(node, instance, letter):
                continue
            targets = self._graph.targets(node, instance, letter)
            if not targets:
                return f"{instance} makes letter {letter.id} ({letter.steps[0].instr.loc}) at node {node}"
            starts = iter(self._space.automaton.starts(self._graph.places(node), letter))
            for before, after in zip(made.states, made.states[1:], strict=False):
                instances.update({new: next(starts) for new in after.threads.keys() - before.threads.keys()})
            return self._case(targets, made.states[-1], follower)
        return None

    def _case(self, targets: Sequence[int], state: State, follower: LetterFollower) -> tuple[State, int] | str | None:
        """Whose label the state has; None if that cannot be told from what is looked at."""
        if len(targets) == 1:
            return state, targets[0]
        broken = {one: self._broken(one, state, follower) for one in targets}
        able = [one for one, why in broken.items() if why is None]
        return broken[targets[0]] if not able else (state, able[0]) if len(able) == 1 else None

    # --- labels ------------------------------------------------------------------------------------------------------

    def _about_memory(self, label: Term) -> list[Term]:
        if label not in self._said:
            parts = conjuncts(label)
            self._said[label] = [one for one in parts if all(v in self._cells for v in variables([one]))]
        return self._said[label]

    def _broken(self, node: int, state: State, follower: LetterFollower) -> str | None:
        said = self._about_memory(self._graph.label(node))
        view = MemoryView(follower.machine.static.image, state)
        values: dict[str, int] = {}
        for variable in variables(said):
            address, size = self._cells[variable]
            data, arbitrary = view.raw(view.find(address), address, size)
            if arbitrary is None or not any(arbitrary):
                values[variable.name] = int.from_bytes(data, "little")
        memory = Assignment(dict(values))
        for one in said:
            if all(variable.name in values for variable in variables([one])) and not memory.holds(one):
                names = ", ".join(f"{variable.name} is {values[variable.name]}" for variable in variables([one]))
                return f"the label of node {node} does not hold: {names}"
        return None


def _rank(preferred: Sequence[Instance], instance: Instance) -> int:
    return preferred.index(instance) if instance in preferred else len(preferred)
