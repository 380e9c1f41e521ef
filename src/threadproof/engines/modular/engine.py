from __future__ import annotations

from threadproof.automaton import CannotUnfold, for_letters, program_automaton
from threadproof.automaton.bounds import instance_bounds
from threadproof.core.budget import Budget
from threadproof.core.observer import Observer
from threadproof.core.proofs import ThreadModularProof
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unknown
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import TransitionTrap
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.encoding.transitions.questions import TrapRole, role
from threadproof.engines.modular.fixpoint import ModularAlarm, ModularFixpoint
from threadproof.engines.task import Task
from threadproof.ir.layout import OutOfAddresses
from threadproof.semantics.violations import spurious_for
from threadproof.smt.context import Context
from threadproof.smt.smtlib import script
from threadproof.smt.term import Term


def check(task: Task, budget: Budget, observer: Observer) -> Result:
    try:
        return _prove(task, budget, observer)
    except (CannotUnfold, CannotEncode, OutOfAddresses) as why:
        return Unknown(str(why))


def _prove(task: Task, budget: Budget, observer: Observer) -> Result:
    program = for_letters(task.program, task.property)
    automaton = program_automaton(program)
    bounds = instance_bounds(automaton)
    many = frozenset(name for name, often in bounds.items() if often > 1)
    any_number = AnyNumber(program, automaton, many, spurious_for(task.property, program))

    def forbids(trap: TransitionTrap) -> bool:
        return role(task.property, trap.what) is not TrapRole.ENDS

    fixpoint = ModularFixpoint(any_number, forbids, Context(any_number.terms))

    def stop():
        observer.progress("labels", questions=float(fixpoint.questions))
        return budget.exhausted()

    found = fixpoint.run(stop)
    stats = {"edge_questions": fixpoint.questions}
    if isinstance(found, ModularAlarm):
        return Unknown(f"no label of single threads excludes what may go wrong at {found.letter.steps[found.trap.step].instr.loc}", stats)
    if found is not None:
        return Unknown(found, stats)
    labels: dict[Term, int] = {}
    at = tuple(
        (location.template, location.number, labels.setdefault(any_number.terms.all(fixpoint.label(node)), len(labels)))
        for location, node in fixpoint.nodes.items()
    )
    return Safe(ThreadModularProof(script(list(labels)), at, tuple(sorted(many))), stats)
