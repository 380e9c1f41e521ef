"""A toy engine: explicit-value abstraction without refinement. docs/howto/add-an-engine.md says what a real one adds.

Paper: D. Beyer, S. Löwe, Explicit-State Software Model Checking Based on CEGAR and Interpolation, FASE 2013.
Differs: no refinement, so `true` or `unknown`, and all orders of steps are looked at.
"""

from __future__ import annotations

from dataclasses import replace

from threadproof.automaton import CannotUnfold, Instance, Letter, Places, for_letters, program_automaton
from threadproof.core.budget import Budget
from threadproof.core.observer import Observer
from threadproof.core.proofs import LabelledTree, TreeNode
from threadproof.core.result import Result, Safe, Unknown
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import Encoder, Space
from threadproof.engines.task import Task
from threadproof.ir.instr import ErrorKind
from threadproof.semantics.violations import failures, spurious_for
from threadproof.smt.smtlib import script
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms

MOST_THREADS = 3  # of each template
CONSTANTS = (Op.VALUE, Op.TRUE, Op.FALSE)
Values = dict[Term, Term]


def check(task: Task, budget: Budget, observer: Observer) -> Result:
    try:
        return Safe(_Search(task, budget, observer).tree())
    except (CannotUnfold, CannotEncode, _CannotProve) as why:
        return Unknown(str(why))


class _CannotProve(Exception):
    pass


class _Search:
    def __init__(self, task: Task, budget: Budget, observer: Observer) -> None:
        self._budget, self._observer = budget, observer
        program = for_letters(task.program, task.property)  # as the checker sees it
        self._automaton = program_automaton(program)
        self._instances = dict.fromkeys(self._automaton.templates, MOST_THREADS)
        self._space = Space(Terms(), program, self._automaton, self._instances)
        self._encoder = Encoder(self._space, spurious_for(task.property, program))
        self._violations = failures(task.property)
        self._nodes: list[TreeNode] = []
        self._states: list[tuple[Places, Values]] = []  # of each node
        self._at: dict[frozenset[object], list[int]] = {}  # nodes that are not covered, by places
        self._labels: dict[Term, int] = {}

    def tree(self) -> LabelledTree:
        self._add(self._automaton.initial(), self._space.initial(), TreeNode(0))
        number = 0
        while number < len(self._nodes):
            if self._nodes[number].covered_by is None:
                self._expand(number)
            number += 1
        return LabelledTree(script(list(self._labels)), tuple(self._nodes), tuple(self._instances.items()))

    def _expand(self, number: int) -> None:
        limit = self._budget.exhausted()
        if limit is not None:
            raise _CannotProve(f"{limit}: {number} nodes expanded")
        self._observer.progress("unwinding", nodes=len(self._nodes))
        places = self._states[number][0]
        for instance, letter in self._automaton.letters_from(places):
            if places.owner in (None, instance):
                self._step(number, instance, letter)

    def _step(self, number: int, instance: Instance, letter: Letter) -> None:
        places, values = self._states[number]
        after = self._automaton.after(places, instance, letter)
        starts = tuple(one for one, _ in after.threads[len(places.threads) :])
        if any(one not in self._space.threads for one in starts):
            raise _CannotProve(f"more than {MOST_THREADS} threads of one kind")
        transition = self._encoder.transition(instance, letter, starts).replaced_before(values)
        for trap in transition.traps:
            harmless = isinstance(trap.what, ErrorKind) and trap.what not in self._violations
            if trap.condition.op is not Op.FALSE and not harmless:
                raise _CannotProve(f"constants do not exclude: {trap.what} at {letter.steps[trap.step].instr.loc}")
        if transition.guard.op is not Op.FALSE:
            self._add(after, values | dict(transition.updates), TreeNode(0, number, instance, letter.id))

    def _add(self, places: Places, values: Values, node: TreeNode) -> None:
        known = {variable: value for variable, value in values.items() if value.op in CONSTANTS}
        terms = self._space.terms
        label = terms.all(terms.eq(variable, value) for variable, value in known.items())
        earlier = self._at.setdefault(frozenset(places.threads), [])
        cover = next((other for other in earlier if self._states[other][1].items() <= known.items()), None)
        if cover is None:
            earlier.append(len(self._nodes))
        self._nodes.append(replace(node, label=self._labels.setdefault(label, len(self._labels)), covered_by=cover))
        self._states.append((places, known))
