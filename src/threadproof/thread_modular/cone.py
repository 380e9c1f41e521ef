"""Which variables labels speak of: those that what may go wrong depends on, in a narrow sense first.

Most of a program decides who goes where and when, and has nothing to do with whether an index is in its bounds. Labels
that speak of little are found and checked in a fraction of the time; only if they do not suffice, all that decides
about ways is looked at, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from enum import Enum

from threadproof.automaton import Letter, Location, ProgramAutomaton
from threadproof.core.graph import reached
from threadproof.encoding.transitions import Transition, TransitionTrap
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.smt.context import conjuncts
from threadproof.smt.term import BitVec, Op, Term, in_order, variables


class Cone(Enum):
    OWN = "as the next one, but only what nobody else can change: no memory that is shared, no locks"
    VALUES = "what values that may go wrong are made of, and what they are compared with"
    WAYS = "all that decides where threads go, too"


@dataclass(frozen=True, slots=True)
class OwnLetter:
    """A letter of the thread that labels are about, with what must not happen in it."""

    letter: Letter
    transition: Transition
    wrong: tuple[Term, ...]


def own_letters(any_number: AnyNumber, forbids: Callable[[TransitionTrap], bool]) -> list[OwnLetter]:
    found: list[OwnLetter] = []
    for letter in any_number.automaton.letters:
        one = any_number.one(letter.template)
        transition = any_number.transition(one, letter, any_number.starts(one, letter))
        wrong = tuple(trap.condition for trap in transition.traps if forbids(trap))
        found.append(OwnLetter(letter, transition, wrong))
    return found


def cone(letters: Sequence[OwnLetter], size: Cone, of_threads: Set[Term], shared: Set[Term]) -> frozenset[Term]:
    """`of_threads` are handles, words of locks and the like: operations compare them, whatever they are for. `shared`
    are words of global memory."""
    inputs = frozenset(one.term for own in letters for one in own.transition.inputs)
    guards = [own.transition.guard for own in letters]
    wrong = [one for own in letters for one in own.wrong]
    if size is Cone.WAYS:
        return frozenset(_closed(letters, variables([*guards, *wrong]), ()) - inputs)
    asked = [*wrong, *_ways_to_errors(letters)]
    parts = (frozenset(variables([part])) for guard in guards for part in conjuncts(guard))
    kept = (
        frozenset(variables([v, new])) for own in letters for v, new in own.transition.updates.items() if is_answer(new)
    )
    found = _closed(letters, variables(asked), [one for one in (*parts, *kept) if one.isdisjoint(of_threads)])
    return frozenset(found - inputs - shared if size is Cone.OWN else found - inputs)


def loop_counters(automaton: ProgramAutomaton, letters: Iterable[OwnLetter]) -> Iterator[Term]:
    """Variables to which a letter of a loop adds a number: their way up is long."""
    for own in letters:
        for variable, new in own.transition.updates.items():
            adds = new.op is Op.ADD and variable in new.args and any(one.op is Op.VALUE for one in new.args)
            if adds and own.letter.source in _behind(automaton, own.letter):
                yield variable


def creation_counters(automaton: ProgramAutomaton, letters: Iterable[OwnLetter]) -> Iterator[Term]:
    """Those of loops that start threads."""
    letters = list(letters)
    for start in (letter for letter in automaton.letters if letter.forks):
        behind = _behind(automaton, start)
        same = (one for one in letters if one.letter.template == start.template and one.letter.source in behind)
        yield from loop_counters(automaton, (one for one in same if start.source in _behind(automaton, one.letter)))


def in_endless_loop(
    automaton: ProgramAutomaton, own: OwnLetter, letters: Iterable[OwnLetter], shared: Set[Term]
) -> bool:
    """Whether the letter is in a loop, and nothing that is not shared is counted there up to a number."""
    behind = _behind(automaton, own.letter)
    if own.letter.source not in behind:
        return False
    same = (one for one in letters if one.letter.template == own.letter.template and one.letter.source in behind)
    rounds = [one for one in same if own.letter.source in _behind(automaton, one.letter)]
    counted = set(loop_counters(automaton, rounds)).difference(shared)
    return not any(counted.intersection(variables([part])) for part in _comparisons_with_numbers(rounds))


def _comparisons_with_numbers(letters: Iterable[OwnLetter]) -> Iterator[Term]:
    for part in in_order([own.transition.guard for own in letters]):
        if part.op in (Op.ULT, Op.SLT, Op.EQ) and any(arg.op is Op.VALUE for arg in part.args):
            yield part


def _behind(automaton: ProgramAutomaton, letter: Letter) -> set[Location]:
    thread = automaton.templates[letter.template]
    return set(reached([letter.target], lambda place: (one.target for one in thread.letters_from(place))))


def made_of(letters: Iterable[OwnLetter], cells: Iterable[Term]) -> set[Term]:
    """These, and numbers that are made of them."""
    found, before = set(cells), -1
    numbers = [
        (v, frozenset(variables([new])))
        for own in letters
        for v, new in own.transition.updates.items()
        if isinstance(v.sort, BitVec) and v.width > 1
    ]
    while len(found) != before:
        before = len(found)
        found.update(variable for variable, names in numbers if not names.isdisjoint(found))
    return found


def _closed(letters: Iterable[OwnLetter], names: Iterable[Term], together: Iterable[frozenset[Term]]) -> set[Term]:
    """With what their values are made of, and all of each set of which one is among them."""
    made = [
        (variable, frozenset(variables([new])))
        for own in letters
        for variable, new in own.transition.updates.items()
        if new.op is not Op.VALUE
    ]
    found, before = set(names), -1
    while len(found) != before:
        before = len(found)
        for variable, of in made:
            if variable in found:
                found |= of
        for some in together:
            if not some.isdisjoint(found):
                found |= some
    return found


def is_answer(term: Term) -> bool:
    """A number that says whether a condition holds."""
    return term.op is Op.ITE and all(one.op is Op.VALUE for one in term.args[1:])


def _ways_to_errors(letters: Sequence[OwnLetter]) -> Iterator[Term]:
    """Where something goes wrong for certain, a way there has to be excluded: the conditions of the last steps."""
    todo = [own.letter.source for own in letters if any(one.op is Op.TRUE for one in own.wrong)]
    seen = set[Location]()
    while todo:
        place = todo.pop()
        if place in seen:
            continue
        seen.add(place)
        for own in letters:
            if own.letter.target == place:
                yield own.transition.guard
                if not variables([own.transition.guard]):
                    todo.append(own.letter.source)
