"""A path to something that goes wrong, and that can be made: as values, and as a schedule of the reference machine.

Invariants: `Unsafe` only with a schedule that the reference machine has made, and that violates the property.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from threadproof.abstraction.letter_guide import LetterGuide
from threadproof.abstraction.made_letters import made_letters
from threadproof.abstraction.path import LetterPath, PathGoal
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.abstraction.trace_check import Feasible, TraceCheck
from threadproof.core.property import Property
from threadproof.core.result import Result, Stats, Unknown, Unsafe
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.transitions import TransitionTrap
from threadproof.ir.program import Program
from threadproof.semantics.guide import Astray
from threadproof.semantics.outcome import UndefinedBehaviour
from threadproof.semantics.violations import of_outcome, spurious_for
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Term


@dataclass(frozen=True, slots=True)
class PossiblePath:
    """A path to something that goes wrong, with values with which it can be made."""

    path: LetterPath
    states: list[Mapping[Term, Term]]  # before each letter
    model: Assignment
    what: TransitionTrap  # of the last letter
    violates: bool  # the property; otherwise it forbids `true`


def to_trap(path: LetterPath, traps: tuple[TransitionTrap, ...]) -> LetterPath:
    """Its last letter traps so."""
    *before, last = path.steps
    wrong = replace(last.transition, traps=traps)
    return LetterPath((*before, last._replace(transition=wrong)), PathGoal.TRAP)


def possible_path(
    check: TraceCheck, path: LetterPath, found: Feasible, violations: tuple[TransitionTrap, ...]
) -> PossiblePath:
    """Rather one that violates the property than one with something else that forbids `true`."""
    if violations and path.steps[-1].transition.traps != violations:
        violating = to_trap(path, violations)
        again = check.check(violating)
        path, found = (violating, again) if isinstance(again, Feasible) else (path, found)
    states = check.states(path)
    last = path.steps[-1].transition
    state = {**states[-1], **last.fresh_inputs(f"@{len(path) - 1}")}
    conditions = last.terms.substitute([trap.condition for trap in last.traps], state)
    what = next(one for one, holds in zip(last.traps, conditions, strict=True) if found.model.holds(holds))
    return PossiblePath(path, states, found.model, what, what in violations)


def followed(program: Program, prop: Property, product: ThreadProduct, found: PossiblePath, stats: Stats) -> Result:
    last = found.path.steps[-1]
    loc = last.letter.steps[found.what.step].instr.loc
    if isinstance(found.what.what, NotEncoded):
        return Unknown(f"unsupported: {found.what.what.reason} at {loc}", stats)
    letters = made_letters(product.encoder, found.model, found.path.steps, found.states, found.path.goal)
    guide = LetterGuide(program, spurious_for(prop, program), product.space)
    try:
        outcome = guide.lead([*letters])
    except Astray as astray:
        return Unknown(f"something may go wrong at {loc}, on a path that does not replay: {astray}", stats)
    if found.violates and outcome is not None and of_outcome(prop, outcome) is not None:
        return Unsafe(guide.schedule, stats)
    if isinstance(outcome, UndefinedBehaviour):
        return Unknown(f"undefined behaviour: {outcome.kind.value} at {outcome.loc}", stats, guide.schedule)
    ended = type(outcome).__name__
    return Unknown(f"something may go wrong at {loc}, on a path that does not replay: it ends with {ended}", stats)
