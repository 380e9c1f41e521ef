"""Threads in which nothing goes wrong, as labels of single threads show: a part of a proof about all threads.

Whether an access is in bounds mostly follows from what the thread itself has asked, however the others move. What
remains for products of threads is what depends on the order of their steps.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from threadproof.automaton import program_automaton
from threadproof.automaton.bounds import instance_bounds
from threadproof.core.proofs import SingleThreads
from threadproof.core.property import Property
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.ir.program import Program
from threadproof.semantics.violations import spurious_for
from threadproof.thread_modular.fixpoint import ModularAlarm
from threadproof.thread_modular.needed import NeededClaims
from threadproof.thread_modular.proof import proof_of
from threadproof.thread_modular.tries import MOST_STEPS, fixpoints, forbidden_by, instructions_of


def threads_alone(
    program: Program, prop: Property, wanted: Collection[str], stop: Callable[[], str | None]
) -> SingleThreads | None:
    """Of the templates that are `wanted`, those in whose threads nothing goes wrong; the first fixpoint has to show it.
    `program` is the one that letters are made of. Raises CannotUnfold, CannotEncode."""
    automaton = program_automaton(program)
    if instructions_of(automaton) > MOST_STEPS:
        return None
    many = frozenset(name for name, often in instance_bounds(automaton).items() if often > 1)
    any_number = AnyNumber(program, automaton, many, spurious_for(prop, program))
    forbids = forbidden_by(prop)
    fixpoint = next(fixpoints(any_number, forbids, prop))
    found = fixpoint.run(stop)
    if isinstance(found, ModularAlarm):
        found = fixpoint.go_on(stop)
    if found is not None or any(map(fixpoint.may_start_again, automaton.letters)):
        return None
    wrong = {letter.template for letter in automaton.letters if fixpoint.may_go_wrong(letter) is not None}
    right = tuple(sorted(set(wanted) - wrong))
    if not right:
        return None
    labels = NeededClaims(any_number, fixpoint, stop, right).labels()
    return SingleThreads(right, proof_of(any_number, fixpoint, labels))
