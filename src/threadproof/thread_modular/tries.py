"""Which fixpoints are tried, one after the other: what labels may speak of grows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from threadproof.automaton import ProgramAutomaton
from threadproof.core.property import Property
from threadproof.encoding.transitions import TransitionTrap
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.encoding.transitions.questions import TrapRole, role
from threadproof.smt.context import Context
from threadproof.smt.solver import Sat
from threadproof.smt.term import variables
from threadproof.thread_modular.cone import Cone, OwnLetter, own_letters
from threadproof.thread_modular.fixpoint import ModularFixpoint
from threadproof.thread_modular.locks import made_by_hand
from threadproof.thread_modular.sums import counters, to_be_marked

MOST_STEPS = 6_000
"""Instructions of all letters: what labels could say of more takes minutes to find out."""


def instructions_of(automaton: ProgramAutomaton) -> int:
    return sum(len(letter.steps) for thread in automaton.templates.values() for letter in thread.letters)


def forbidden_by(prop: Property) -> Callable[[TransitionTrap], bool]:
    return lambda trap: role(prop, trap.what) is not TrapRole.ENDS


def fixpoints(
    any_number: AnyNumber, forbids: Callable[[TransitionTrap], bool], prop: Property
) -> Iterator[ModularFixpoint]:
    """What labels may speak of grows; `any_number` follows what those of the last one do."""
    for followed in _followed(any_number, own_letters(any_number, forbids), prop):
        any_number.follow(*followed)
        for size in _sizes(any_number, forbids):
            yield ModularFixpoint(any_number, forbids, Context(any_number.terms), size)


def _followed(
    any_number: AnyNumber, letters: Sequence[OwnLetter], prop: Property
) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """What labels speak of besides: sums of counters, locks made by hand, marks. A counter that is not protected is no
    sum of what is added to it; then its marks may be bounded."""
    by_hand = made_by_hand(any_number, letters)
    if prop is not Property.NO_OVERFLOW:
        yield [], by_hand, []
        return
    counted, marked = counters(any_number, letters), to_be_marked(any_number, letters)
    words = {one.name for one in any_number.space.global_words()}
    yield counted, by_hand, [one for one in marked if one not in words]
    if not words.isdisjoint(marked):
        yield [], by_hand, marked


def _sizes(any_number: AnyNumber, forbids: Callable[[TransitionTrap], bool]) -> tuple[Cone, ...]:
    """What is not shared is not enough where shared memory alone decides whether something goes wrong."""
    context, facts = Context(any_number.terms), any_number.facts()
    shared = any_number.space.global_words().keys() | set(any_number.blocks()) | any_number.ghosts.marks.keys()
    for own in own_letters(any_number, forbids):
        for wrong in own.wrong:
            if not shared.isdisjoint(variables([wrong])) and isinstance(context.check([*facts, wrong]), Sat):
                return tuple(size for size in Cone if size is not Cone.OWN)
    return tuple(Cone)
