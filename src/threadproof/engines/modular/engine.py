"""Engine `modular`: labels of single threads, for any number of them.

Invariants: `Safe` only with labels that every step keeps, as far as this engine can tell; `evidence/proofs/modular.py`
has the last word. Never `Unsafe`.
"""

from __future__ import annotations

import os
from multiprocessing.connection import Connection

from threadproof.automaton import CannotUnfold, for_letters, program_automaton
from threadproof.automaton.bounds import instance_bounds
from threadproof.core.budget import Budget
from threadproof.core.observer import Observer
from threadproof.core.proofs import ThreadModularProof
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Stats, Unknown
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.engines.modular.horn_search import HornSearch
from threadproof.engines.task import Task
from threadproof.ir.layout import OutOfAddresses
from threadproof.ir.program import Program
from threadproof.semantics.leaks import refusal
from threadproof.semantics.violations import spurious_for
from threadproof.smt.apart import answer_of
from threadproof.thread_modular.fixpoint import ModularAlarm
from threadproof.thread_modular.needed import NeededClaims
from threadproof.thread_modular.pairs import PairSearch
from threadproof.thread_modular.proof import labels_of, proof_of
from threadproof.thread_modular.tries import MOST_STEPS, fixpoints, forbidden_by, instructions_of

KNOWN = (Property.UNREACH_CALL, Property.NO_OVERFLOW, Property.VALID_MEMSAFETY)
SEARCHING = 0.7
"""Of the time: the rest is for the check of the proof."""
GIVING_WAY = 5
HORN = 0.5
"""Of what is left of that: the rest is for pairs of threads."""


def check(task: Task, budget: Budget, observer: Observer) -> Result:
    if task.property not in KNOWN:
        return Unknown(f"modular does not answer {task.property}")
    why_not = refusal(task.program, task.property)
    if why_not is not None:
        return Unknown(f"modular {why_not}")
    try:
        return _prove(task, budget.part(SEARCHING), observer)
    except (CannotUnfold, CannotEncode, OutOfAddresses) as why:
        return Unknown(str(why))


def _prove(task: Task, budget: Budget, observer: Observer) -> Result:
    program = for_letters(task.program, task.property)
    automaton = program_automaton(program)
    steps = instructions_of(automaton)
    if steps > MOST_STEPS:
        return Unknown(f"modular looks at {MOST_STEPS} instructions at most, with calls unfolded; here are {steps}")
    many = frozenset(name for name, often in instance_bounds(automaton).items() if often > 1)
    any_number = AnyNumber(program, automaton, many, spurious_for(task.property, program))
    forbids = forbidden_by(task.property)
    asked = 0

    def stop() -> str | None:
        observer.progress("labels of single threads", questions=float(asked))
        return budget.exhausted()

    why, last = "", None
    for fixpoint in fixpoints(any_number, forbids, task.property):
        found = fixpoint.run(stop)
        asked += fixpoint.questions
        if found is None:
            labels = NeededClaims(any_number, fixpoint, stop).labels()
            return Safe(proof_of(any_number, fixpoint, labels), _stats(any_number, asked))
        if isinstance(found, str):
            return Unknown(found, _stats(any_number, asked))
        last, why = fixpoint, _described(found)
    assert last is not None
    observer.progress("labels of single threads, from Horn clauses")
    search = HornSearch(any_number, forbids, last)
    more = search.labels(budget.part(HORN))
    stats = _stats(any_number, asked) | {"horn_clauses": search.clauses, "labels_by_horn": int(more is not None)}
    if more is not None:
        labels = {place: [*said, more.get(place, any_number.terms.true)] for place, said in labels_of(last).items()}
        return Safe(proof_of(any_number, last, labels), stats)
    observer.progress("labels of pairs of threads")
    left = None if budget.left() == float("inf") else max(0.0, budget.left())
    of_pairs: Found | Exception = answer_of(_of_pairs, (program, task.property, many, budget), left) or (None, {})
    if isinstance(of_pairs, Exception):
        raise of_pairs
    proof, counted = of_pairs
    return Unknown(why, stats | counted) if proof is None else Safe(proof, stats | counted)


Found = tuple[ThreadModularProof | None, Stats]


def _of_pairs(answer: Connection, program: Program, prop: Property, many: frozenset[str], budget: Budget) -> None:
    """In a process of its own, which gives way to those who have better chances."""
    os.nice(GIVING_WAY)
    try:
        spurious = spurious_for(prop, program)
        any_number = AnyNumber(program, program_automaton(program), many, spurious, observers=2)
        search = PairSearch(any_number, forbidden_by(prop), prop)
        proof = search.proof(budget.exhausted)
        answer.send((proof, {"pairs": search.pairs, "pair_questions": search.questions}))
    except Exception as error:
        answer.send(error)


def _stats(any_number: AnyNumber, asked: int) -> Stats:
    threads = any_number.automaton.templates.values()
    return {"locations": sum(len(thread.locations) for thread in threads), "edge_questions": asked}


def _described(alarm: ModularAlarm) -> str:
    return f"no label of single threads excludes what may go wrong at {_where(alarm)}"


def _where(alarm: ModularAlarm) -> str:
    if alarm.trap is None:
        return f"{alarm.letter.steps[0].instr.loc} (a second thread is started)"
    what = alarm.trap.what
    shown = what.reason if isinstance(what, NotEncoded) else what.value
    return f"{alarm.letter.steps[alarm.trap.step].instr.loc} ({shown})"
