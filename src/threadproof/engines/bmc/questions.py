"""What violates a property in an unwound program."""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.core.property import Property
from threadproof.encoding.errors import CannotEncode
from threadproof.engines.bmc.deadlocks import deadlock
from threadproof.engines.bmc.order.formula import Formula
from threadproof.engines.bmc.unwinding.events import Atomic, PathEnd, UnwoundAccess, UnwoundEvent
from threadproof.engines.bmc.unwinding.world import ProgramEnd
from threadproof.semantics.violations import failures, forbidden
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms

PAIRS = 20_000


@dataclass(frozen=True, slots=True)
class Question:
    """Something that may happen: an end of a path, or two accesses at once."""

    term: Term
    end: PathEnd | None = None
    stop: ProgramEnd | None = None  # the program ends, and a block may be lost
    race: tuple[UnwoundAccess, UnwoundAccess] | None = None


def questions(formula: Formula, prop: Property) -> list[Question]:
    world = formula.world
    if prop is Property.NO_DATA_RACE:
        return races(formula)
    if prop is Property.NO_DEADLOCK:
        return [Question(deadlock(formula))]
    bad = failures(prop) | forbidden(prop)
    found = [Question(world.terms.all(end.guard), end) for end in world.ends if end.what in bad]
    return [question for question in found if question.term is not world.terms.false]


# --- races ---


def races(formula: Formula) -> list[Question]:
    """Conflicting accesses, not both atomic, that two threads can be about to make in one state."""
    found: dict[Term, Question] = {}
    for touches in formula.world.touches.values():
        real = [t for t in touches if t.event is not None and t.atomic is not Atomic.NO_ACCESS]
        for index, a in enumerate(real):
            for b in real[index + 1 :]:
                if _conflict(a, b) and formula.order.known(_event(a), _event(b)) is None:
                    term = _at_once(formula, a, b)
                    found.setdefault(term, Question(term, race=(a, b)))
                    if len(found) > PAIRS:
                        raise CannotEncode("too many pairs of accesses")
    found.pop(formula.world.terms.false, None)
    return list(found.values())


def _conflict(a: UnwoundAccess, b: UnwoundAccess) -> bool:
    both_atomic = a.atomic is Atomic.ATOMIC and b.atomic is Atomic.ATOMIC
    return a.thread != b.thread and (a.writes or b.writes) and not both_atomic and not a.held & b.held


def _event(touch: UnwoundAccess) -> UnwoundEvent:
    assert touch.event is not None
    return touch.event


def _at_once(formula: Formula, a: UnwoundAccess, b: UnwoundAccess) -> Term:
    """Each comes after all that the other's thread does before. An atomic block looks at memory before the other
    access is made, so it goes first."""
    terms, order = formula.world.terms, formula.order
    parts = [*a.guard, a.when, *b.guard, b.when]
    for one, two in ((a, b), (b, a)):
        before = order.previous(_event(one))
        if before is not None:
            parts.append(
                order.before(before, _event(two)) if before.thread != two.thread else _follows(terms, before, two)
            )
        if _event(one).block:
            parts.append(order.before(_event(one), _event(two)))
    return terms.all(dict.fromkeys(parts))


def _follows(terms: Terms, before: UnwoundEvent, touch: UnwoundAccess) -> Term:
    return terms.bool(before.index < _event(touch).index)
