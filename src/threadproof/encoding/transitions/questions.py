"""What to ask of letters for a property: where it is violated, and what keeps `true` from being said.

| property | violated where | `true` needs as well |
|---|---|---|
| unreach-call, no-overflow | `violates` of a letter that can be reached | `obstructs` of no letter can be reached |
| valid-memsafety | `violates` of a letter | `obstructs`; `unfreed` of no letter that ends the program |
| no-data-race | `race` of two letters of two threads that stand side by side | `obstructs` |
| no-deadlock | `deadlock` of places that can be reached, with `Spurious.OFF` | `obstructs` |

An error that is not the property's own (`reach_error` under no-data-race) only ends the execution.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from threadproof.analysis.points_to import ObjectKind
from threadproof.automaton.letters import End, Letter
from threadproof.automaton.program import Instance, Places
from threadproof.core.property import Property
from threadproof.encoding.transitions.encoder import Encoder
from threadproof.encoding.transitions.objects import LIFE_BITS, ObjectLife
from threadproof.encoding.transitions.run import LetterAccess
from threadproof.encoding.transitions.transition import Transition, Wrong
from threadproof.ir.instr import ErrorKind, UndefinedKind
from threadproof.ir.violations import failures, forbidden
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms


class TrapRole(Enum):
    VIOLATES = "violates the property"
    OBSTRUCTS = "keeps `true` from being said"
    ENDS = "ends the execution"


def role(prop: Property, what: Wrong) -> TrapRole:
    match what:
        case ErrorKind():
            return TrapRole.VIOLATES if what in failures(prop) else TrapRole.ENDS
        case UndefinedKind():
            return TrapRole.VIOLATES if what in forbidden(prop) else TrapRole.OBSTRUCTS
        case _:  # what the formula cannot say
            return TrapRole.OBSTRUCTS


def violates(transition: Transition, prop: Property) -> Term:
    """Holds in states (and for inputs) from which the letter violates the property."""
    return _some(transition, prop, TrapRole.VIOLATES)


def obstructs(transition: Transition, prop: Property) -> Term:
    """Holds where the letter meets something after which nothing is known: other undefined behaviour, or a limit."""
    return _some(transition, prop, TrapRole.OBSTRUCTS)


def _some(transition: Transition, prop: Property, wanted: TrapRole) -> Term:
    return transition.terms.any(trap.condition for trap in transition.traps if role(prop, trap.what) is wanted)


# --- races -----------------------------------------------------------------------------------------------------------


def race(terms: Terms, mine: Iterable[LetterAccess], others: Iterable[LetterAccess]) -> Term:
    """Holds in states from which two letters (`Encoder.accesses`) come to accesses of the same bytes, one of them a
    write, not both atomic."""
    theirs = list(others)
    return terms.any(_meet(terms, a, b) for a in mine for b in theirs)


def _meet(terms: Terms, a: LetterAccess, b: LetterAccess) -> Term:
    if not (a.writes or b.writes) or (a.atomic and b.atomic) or not a.objects & b.objects:
        return terms.false
    both = terms.and_(a.when, b.when)
    inside = terms.ult(terms.sub(a.address, b.address), b.size)
    return terms.and_(both, terms.or_(inside, terms.ult(terms.sub(b.address, a.address), a.size)))


# --- deadlocks, lost memory ------------------------------------------------------------------------------------------


def deadlock(encoder: Encoder, places: Places) -> Term:
    """Holds in states with these places in which every thread that has not finished waits for ever: each stands before
    an operation that cannot proceed. Who is stuck in an atomic block, or has ended the program, is in no deadlock."""
    terms, automaton = encoder.space.terms, encoder.space.automaton
    running = [(one, at) for one, at in places.threads if at.at is not End.FINISHED]
    if not running or places.owner is not None or any(isinstance(at.at, End) for _, at in running):
        return terms.false
    return terms.all(
        terms.any(
            encoder.waits(one, letter, automaton.starts(places, letter))
            for letter in automaton.templates[one.template].letters_from(at)
        )
        for one, at in running
    )


def unfreed(encoder: Encoder, instance: Instance, letter: Letter, starts: tuple[Instance, ...] = ()) -> Term:
    """Holds where a letter ends the program (main's end, `exit`, the end of the last thread) and leaves blocks on the
    heap that nobody freed. Whether something still points to them is not asked."""
    space, terms = encoder.space, encoder.space.terms
    if letter.target.at not in (End.HALTED, End.FINISHED):
        return terms.false
    alive = terms.bv(ObjectLife.ALIVE, LIFE_BITS)
    lives = [one.life for one in space.objects if one.root.kind is ObjectKind.HEAP and one.life is not None]
    left = terms.any(terms.eq(life, alive) for life in lives)
    if letter.target.at is End.FINISHED:
        others = (thread for one, thread in space.threads.items() if one != instance)
        left = terms.and_(left, *(terms.implies(other.started, other.finished) for other in others))
    return encoder.transition(instance, letter, starts).pre(left)
