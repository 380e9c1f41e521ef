"""From a counterexample to a schedule: the reference machine is led along the letters of its path.

Under TSO and PSO the path is one of the program with store buffers. Its steps that stand for instructions of the
program are made, and where a store leaves a buffer there, the machine makes a flush.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from threadproof.abstraction.letter_guide import LetterGuide
from threadproof.abstraction.made_letters import Made, MadeFlush, MadeLetter, made_letter, made_letters
from threadproof.abstraction.path import PathGoal, PathStep
from threadproof.abstraction.thread_product import ThreadAction, ThreadProduct
from threadproof.automaton import Instance
from threadproof.automaton.letters import Step, is_fork
from threadproof.automaton.store_buffers import BufferedProgram
from threadproof.core.memory_model import MemoryModel
from threadproof.engines.impact.search import TreeCounterexample
from threadproof.engines.impact.side_by_side import Beside
from threadproof.engines.impact.tree import AbstractNode
from threadproof.ir.program import Program, Spurious
from threadproof.smt.term import Term
from threadproof.sync.facts import Act, does


def letters_of(product: ThreadProduct, found: TreeCounterexample) -> list[MadeLetter]:
    path = found.node.path
    actions = [node.action for node in path if node.action is not None]
    if found.beside is None:
        actions.append(found.action)
    goal = PathGoal.TRAP if found.beside is None else PathGoal.LETTERS
    states = [_state(product, node) for node, _ in zip(path, actions, strict=False)]
    return made_letters(product.encoder, found.model.model, list(map(_step, actions)), states, goal)


def letters_beside(product: ThreadProduct, found: TreeCounterexample, beside: Beside) -> list[MadeLetter]:
    """Letters that threads stand before. The goal of those that race is their step before the access."""
    node, state = found.node, _state(product, found.node)
    made = [made_letter(product.encoder, found.model.model, _step(one), state, node.depth) for one in beside.letters]
    if not beside.steps:
        return [replace(one, goal=None) for one in made]
    ways = zip(made, beside.steps, strict=True)
    return [replace(one, goal=_entrance(one.steps, step) - 1) for one, step in ways]


def _step(action: ThreadAction) -> PathStep:
    return PathStep(action.instance, action.letter, action.starts, action.transition)


def _state(product: ThreadProduct, node: AbstractNode) -> dict[Term, Term]:
    return {**node.state, **product.known(node.places)}


def _entrance(steps: Sequence[Step], step: int) -> int:
    """An atomic block is one step: its thread stands at the beginning."""
    begins, depth = step, 0
    for index, one in enumerate(steps[:step]):
        if does(one.instr, Act.BEGIN):
            begins, depth = (begins if depth else index), depth + 1
        elif does(one.instr, Act.END):
            depth = max(depth - 1, 0)
            begins = begins if depth else step
    return begins if depth else step


def without_buffers(letters: Iterable[MadeLetter], buffered: BufferedProgram) -> Iterator[Made]:
    """The path as one of the original program: what stands for nothing there is left out. Behind each store that goes
    into the buffer a new part begins."""
    for made in letters:
        starts, inputs = list(made.starts), {step: (source, value) for step, source, value in made.inputs}
        part, goal = _Part(made.instance), _goal_without_buffers(made, buffered)
        for index, step in enumerate(made.steps):
            if step.site in buffered.flushes:
                yield from part.taken(None)
                yield MadeFlush(made.instance, buffered.flushes[step.site])
            elif step.site in buffered.origin:
                part.add(step, inputs.get(index), starts)
                if step.site in buffered.stores:
                    yield from part.taken(len(part.steps) - 1, stores=True)
                elif index == goal:
                    yield from part.taken(len(part.steps) - 1)
        yield from part.taken(None)


def _goal_without_buffers(made: MadeLetter, buffered: BufferedProgram) -> int | None:
    wanted = range(0 if made.goal is None else made.goal + 1)
    return next((index for index in reversed(wanted) if made.steps[index].site in buffered.origin), None)


class _Part:
    """Steps that belong together, as they are collected."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.steps: list[Step] = []
        self._starts: list[Instance] = []
        self._inputs: list[tuple[int, str, int]] = []

    def add(self, step: Step, asked: tuple[str, int] | None, starts: list[Instance]) -> None:
        if asked is not None:
            self._inputs.append((len(self.steps), *asked))
        if is_fork(step.instr) and step.enters:
            self._starts.append(starts.pop(0))
        self.steps.append(step)

    def taken(self, goal: int | None, *, stores: bool = False) -> Iterator[MadeLetter]:
        if self.steps:
            yield MadeLetter(self.instance, tuple(self.steps), tuple(self._starts), tuple(self._inputs), goal, stores)
        self.steps, self._starts, self._inputs = [], [], []


def schedule_of(program: Program, spurious: Spurious, product: ThreadProduct, found: TreeCounterexample) -> LetterGuide:
    guide = LetterGuide(program, spurious, product.space)
    letters = letters_of(product, found)
    if found.beside is not None:
        guide.approach([*letters], letters_beside(product, found, found.beside))
    else:
        guide.lead([*letters])
    return guide


def weak_schedule_of(
    program: Program,
    spurious: Spurious,
    model: MemoryModel,
    buffered: BufferedProgram,
    product: ThreadProduct,
    found: TreeCounterexample,
) -> LetterGuide:
    """Of the program without buffers, under its memory model."""
    guide = LetterGuide(program, spurious, product.space, model)
    guide.lead([*without_buffers(letters_of(product, found), buffered)])
    return guide
