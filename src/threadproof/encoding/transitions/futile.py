"""Letters after which a thread does nothing that matters for errors: no shortest way to an error has one.

A letter of a thread instance is futile if nothing that forbids `true` can happen in it, and
- it ends the program (`abort`, the end of main), or
- it starts no thread and writes no more than registers of its own thread, and all letters behind it are futile.

Why they may be left out: take an execution that ends in an error. Nothing comes behind a letter that ends the program,
so if it has a futile letter, it is one of the second kind, and all later letters of that thread are futile as well.
Nobody else reads what they write (registers belong to their thread), and none of them is where the error happens.
Without them it is an execution that ends in the same error, and shorter. So the shortest have none.

That is about errors only: a thread that does nothing for ever can race, and it is not in a deadlock.
"""

from __future__ import annotations

from collections.abc import Callable

from threadproof.automaton.letters import End, Letter
from threadproof.automaton.program import Instance
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions.encoder import Encoder
from threadproof.encoding.transitions.transition import TransitionTrap

_OVER = (End.HALTED, End.ERROR)  # with an error that matters, it is a trap


def futile_letters(
    encoder: Encoder, instance: Instance, forbids: Callable[[Letter, TransitionTrap], bool]
) -> frozenset[int]:
    """The futile letters of a thread instance, by number: the greatest set, so also those of loops without an end.
    `forbids`: whether `true` cannot be said if this happens in the letter."""
    template = encoder.space.automaton.templates[instance.template]
    found = {one.id: one for one in template.letters if _harmless(encoder, instance, one, forbids)}
    while True:
        bad = [
            one.id
            for one in found.values()
            if one.target.at not in _OVER and any(b.id not in found for b in template.letters_from(one.target))
        ]
        if not bad:
            return frozenset(found)
        for one in bad:
            del found[one]


def _harmless(
    encoder: Encoder, instance: Instance, letter: Letter, forbids: Callable[[Letter, TransitionTrap], bool]
) -> bool:
    """Whatever comes behind it."""
    if letter.forks:
        return False
    try:
        transition = encoder.transition(instance, letter)
    except CannotEncode:
        return False
    if any(forbids(letter, trap) for trap in transition.traps):
        return False
    if letter.target.at in _OVER:
        return True
    return letter.target.at is not End.FINISHED and encoder.space.is_own(instance, transition.writes)
