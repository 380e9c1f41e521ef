"""Which locks labels speak of first: those under which all writes to a word seem to be.

A guess: that a lock excludes is proved by labels, not here. A lock that is taken only sometimes, or whose release may
be that of another, does no harm but for the time it costs to look at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set

from threadproof.automaton import Location, ProgramAutomaton
from threadproof.core.graph import reached
from threadproof.encoding.transitions import Transition
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.smt.term import Op, Term
from threadproof.thread_modular.cone import OwnLetter


def ways(term: Term) -> Iterable[Term]:
    """What a choice may come to."""
    if term.op is Op.ITE:
        yield from ways(term.args[1])
        yield from ways(term.args[2])
    else:
        yield term


def made_by_hand(any_number: AnyNumber, letters: Sequence[OwnLetter], most: int = 4) -> list[str]:
    """Words of global memory that only get constants, are given back their first value, and are asked about by letters
    that give them another one. A guess, too: of a word that is no lock, it says little who changed it last."""
    initial = any_number.initial()
    words = [w for w in any_number.space.global_words() if w not in any_number.sync_words() and w in initial]
    return [word.name for word in words if _taken_and_freed(word, initial[word], letters)][:most]


def _taken_and_freed(word: Term, first: Term, letters: Sequence[OwnLetter]) -> bool:
    writing = [own.transition for own in letters if word in own.transition.updates]
    given = [(one, value) for one in writing for value in ways(one.updates[word])]
    if first.op is not Op.VALUE or not all(value is word or value.op is Op.VALUE for _, value in given):
        return False
    taking = (one for one, value in given if value not in (word, first))
    return any(value is first for _, value in given) and any(word in one.reads for one in taking)


def protecting(
    automaton: ProgramAutomaton, letters: Sequence[OwnLetter], words: Sequence[Term], cells: Iterable[Term]
) -> tuple[Term, ...]:
    """Of each word those locks that are held at all writes, but for those of main when it is still alone."""
    at = held(automaton, letters, frozenset(words))
    seen = _beside_others(automaton, letters)
    found = set[Term]()
    for cell in cells:
        places = [at[own.letter.source] for own in seen if cell in own.transition.updates]
        found |= frozenset(words).intersection(*places) if places else frozenset()
    return tuple(word for word in words if word in found)


def guarding(
    automaton: ProgramAutomaton,
    letters: Sequence[OwnLetter],
    words: Sequence[Term],
    cells: Iterable[Term],
    accesses: Callable[[Transition], Set[Term]],
) -> dict[Term, frozenset[Term]]:
    """Of each cell the locks that are held at all accesses of this kind, but for those of main when it is still
    alone."""
    at = held(automaton, letters, frozenset(words))
    seen = [(at[own.letter.source], accesses(own.transition)) for own in _beside_others(automaton, letters)]
    return {cell: frozenset(words).intersection(*(locks for locks, done in seen if cell in done)) for cell in cells}


def _beside_others(automaton: ProgramAutomaton, letters: Sequence[OwnLetter]) -> list[OwnLetter]:
    main = automaton.templates[automaton.main]
    forked = [letter.target for letter in main.letters if letter.forks]
    beside = set(reached(forked, lambda place: (letter.target for letter in main.letters_from(place))))
    return [own for own in letters if own.letter.template != automaton.main or own.letter.source in beside]


def held(
    automaton: ProgramAutomaton, letters: Sequence[OwnLetter], words: frozenset[Term]
) -> dict[Location, Set[Term]]:
    """Locks that are held on all ways to a location, as far as what letters write to them says."""
    found: dict[Location, Set[Term]] = {own.letter.source: words for own in letters}
    found.update({thread.entry: frozenset() for thread in automaton.templates.values()})
    changed = True
    while changed:
        changed = False
        for own in letters:
            target = own.letter.target
            if target in found:
                after = found[target] & _after(found[own.letter.source], own, words)
                changed |= after != found[target]
                found[target] = after
    return found


def _after(before: Set[Term], own: OwnLetter, words: frozenset[Term]) -> Set[Term]:
    written = {word: set(ways(own.transition.updates[word])) for word in words & own.transition.writes}
    freed = {word for word, values in written.items() if all(one is word or _is_zero(one) for one in values)}
    return (before | written.keys()) - freed


def _is_zero(term: Term) -> bool:
    return term.op is Op.VALUE and not term.value
