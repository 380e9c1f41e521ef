"""Whether a labelled tree is a proof, by trying values: a second opinion on what a checker with a solver accepts.

What has to hold is written down anew from `evidence/proofs/trees.py` and `skips.py`; instead of a solver, values are
put in for one variable after the other until the formula is true or false. A variable of bits has every constant of the
formula, its neighbours, 0, 1 and the largest number as values.
"""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.automaton import Instance, Letter, Places, for_letters, program_automaton
from threadproof.core.proofs import LabelledTree
from threadproof.core.property import Property
from threadproof.encoding.transitions import Encoder, Space, Transition
from threadproof.encoding.transitions.questions import TrapRole, role
from threadproof.encoding.transitions.transition import sequence
from threadproof.ir.program import Program
from threadproof.semantics.violations import spurious_for
from threadproof.smt.reading import read
from threadproof.smt.term import BOOL, BitVec, Op, Term, in_order, variables
from threadproof.smt.terms import Terms

Edge = tuple[Instance, Letter]
MOST_TRIES = 200_000


def flaw(program: Program, prop: Property, tree: LabelledTree) -> str | None:
    """Why the tree is no proof; None if nothing is wrong with it."""
    return next(_SmallDomain(for_letters(program, prop), prop, tree).flaws(), None)


class _SmallDomain:
    def __init__(self, program: Program, prop: Property, tree: LabelledTree) -> None:
        self._property, self._nodes = prop, tree.nodes
        self._automaton = program_automaton(program)
        self._terms = Terms()
        self._space = Space(self._terms, program, self._automaton, dict(tree.instances))
        self._encoder = Encoder(self._space, spurious_for(prop, program))
        self._initial = self._space.initial()
        self._places: list[Places] = [self._automaton.initial()]
        self._edges: list[Edge | None] = [None]
        letters = {letter.id: letter for letter in self._automaton.letters}
        for node in tree.nodes[1:]:
            edge = (Instance(*node.thread), letters[node.letter])
            self._edges.append(edge)
            self._places.append(self._automaton.after(self._places[node.parent or 0], *edge))
        for number in range(len(self._nodes)):  # makes the variables, before labels are read
            for edge in self._letters(number):
                self._transition(number, edge)
        labels = self._terms.substitute(read(self._terms, tree.labels), self._space.known)
        self._labels = [labels[node.label] for node in tree.nodes]
        self._left_out = {(one.node, Instance(*one.thread), one.letter) for one in tree.skipped}

    def flaws(self) -> Iterator[str]:
        [first] = self._terms.substitute([self._labels[0]], {**self._initial, **self._space.known})
        if self._possible(self._terms.not_(first)):
            yield "root"
        for number, node in enumerate(self._nodes):
            if node.covered_by is not None:
                yield from self._cover(number, node.covered_by)
            for edge in self._letters(number):
                yield from self._letter(number, edge)

    def _cover(self, number: int, by: int) -> Iterator[str]:
        here, there = dict(self._places[number].threads), dict(self._places[by].threads)
        if self._nodes[by].covered_by is not None or here != there:
            yield f"{number} is covered by {by}"
        if self._possible(self._labels[number], self._terms.not_(self._labels[by])):
            yield f"{number} does not imply {by}"

    def _letter(self, number: int, edge: Edge) -> Iterator[str]:
        covered = self._nodes[number].covered_by is not None
        targets = [n for n, node in enumerate(self._nodes) if node.parent == number and self._edges[n] == edge]
        made, label = self._transition(number, edge), self._labels[number]
        if not targets and (covered or (number, edge[0], edge[1].id) in self._left_out):
            if not covered:
                covers = [n for n, node in enumerate(self._nodes) if node.covered_by == number]
                yield from (f"{one} leaves out {edge[1].id}" for one in (number, *covers) if self._needed(one, edge))
            return
        if not covered and self._possible(label, self._terms.any(self._traps(made))):
            yield f"{number}: {edge[1].id} goes wrong"
        if not targets and self._possible(label, made.guard):
            yield f"{number}: {edge[1].id} has no edge"
        for target in targets:
            [after] = made.after([self._labels[target]])
            if self._possible(label, made.guard, self._terms.not_(after)):
                yield f"{number}: {edge[1].id} does not lead to {target}"

    def _needed(self, number: int, edge: Edge) -> bool:
        """Whether the letter, left out behind the one that leads to the node, could do less before that."""
        last, parent = self._edges[number], self._nodes[number].parent
        if last is None or parent is None:
            return True
        order = list(self._space.instances)
        there = {one for one, _ in self._places[parent].threads}
        if order.index(edge[0]) >= order.index(last[0]) or edge[0] not in there or (edge[1].forks and last[1].forks):
            return True
        a, b = self._transition(parent, last), self._transition(number, edge)
        behind, before = sequence(a, b), sequence(b, a)
        names = {*behind.updates, *before.updates}
        same = [self._terms.eq(behind.updates.get(v, v), before.updates.get(v, v)) for v in names]
        label = self._labels[parent]
        if self._possible(label, behind.guard, self._terms.not_(self._terms.all([before.guard, *same]))):
            return True
        [later] = self._terms.substitute([self._terms.any(self._traps(b))], a.updates)
        return self._possible(label, a.guard, later, self._terms.not_(self._terms.any(self._traps(b))))

    # --- formulas ----------------------------------------------------------------------------------------------------

    def _letters(self, number: int) -> list[Edge]:
        owner = self._places[number].owner
        return [(i, letter) for i, letter in self._automaton.letters_from(self._places[number]) if owner in (None, i)]

    def _transition(self, number: int, edge: Edge) -> Transition:
        return self._encoder.transition(*edge, self._automaton.starts(self._places[number], edge[1]))

    def _traps(self, made: Transition) -> list[Term]:
        return [trap.condition for trap in made.traps if role(self._property, trap.what) is not TrapRole.ENDS]

    def _possible(self, *formulas: Term) -> bool:
        tries = [0]
        return self._try(self._terms.all([*self._space.facts(), *formulas]), tries)

    def _try(self, formula: Term, tries: list[int]) -> bool:
        if formula.op in (Op.TRUE, Op.FALSE):
            return formula.op is Op.TRUE
        tries[0] += 1
        assert tries[0] < MOST_TRIES, "too many values to try"
        variable = _next(formula)
        for value in self._values(variable, formula):
            [rest] = self._terms.substitute([formula], {variable: value})
            if self._try(rest, tries):
                return True
        return False

    def _values(self, variable: Term, formula: Term) -> list[Term]:
        if variable.sort is BOOL:
            return [self._terms.true, self._terms.false]
        assert isinstance(variable.sort, BitVec), f"{variable.name} is no number"
        width = variable.width
        found = {0, 1, (1 << width) - 1}
        for one in in_order([formula]):
            if one.op is Op.VALUE and one.width == width:
                found |= {(value := int(one.params[0])), (value + 1) % (1 << width), (value - 1) % (1 << width)}
        return [self._terms.bv(value, width) for value in sorted(found)]


def _next(formula: Term) -> Term:
    """Those first whose value a conjunct says."""
    parts = formula.args if formula.op is Op.AND else (formula,)
    for one in parts:
        found = list(variables([one]))
        if len(found) == 1:
            return found[0]
    return next(iter(variables(parts)))
