"""Letters that do not matter for what may go wrong: no shortest way there has one.

What may go wrong is given: for instance, only what goes wrong in one thread. A letter is futile if it cannot go wrong
itself, and
- it ends the program (`abort`, the end of main), or
- it can never be made (its guard is false as it stands), or
- all letters behind it in its thread are futile; no letter of another thread that is not futile reads what it writes;
  and of the templates of which it starts threads, all letters of all threads are futile.

Why they may be left out: take an execution that ends with something that goes wrong, and leave out all its futile
letters. Nothing comes behind a letter that ends the program. Otherwise all later letters of the same thread are futile
as well, so what is left of each thread is a beginning of what it did. None of the letters that are left reads what was
written by one that is not, neither in its own thread nor in others, so they can still be made, and what goes wrong does
so still. Threads that are left out are of templates of their own, so no other thread gets another number. So the
shortest executions have no futile letters.

That is about errors only: a thread that does nothing for ever can race, and it is not in a deadlock.
"""

from __future__ import annotations

from collections.abc import Callable

from threadproof.automaton.letters import End
from threadproof.automaton.program import Instance
from threadproof.encoding.transitions.all_letters import AllLetters, LetterKey
from threadproof.smt.term import Op, Term

_OVER = (End.HALTED, End.ERROR)  # with an error that matters, it goes wrong


def futile_letters(table: AllLetters, may_go_wrong: Callable[[LetterKey], bool]) -> frozenset[LetterKey]:
    """The greatest set, so also letters of loops without an end. `may_go_wrong`: as far as formulas say."""
    harmless = {key for key in table.letters if not may_go_wrong(key)}
    over = {key for key in harmless if _is_over(table, key)}
    found = harmless
    while True:
        outside = table.letters.keys() - found
        read = _readers(table, outside)
        alive = {instance.template for instance, _ in outside}
        kept = {key for key in found if key in over or _stays(table, key, found, read, alive)}
        if kept == found:
            return frozenset(found)
        found = kept


def _is_over(table: AllLetters, key: LetterKey) -> bool:
    impossible = all(one.guard.op is Op.FALSE for one in table.transitions[key])
    return impossible or table.letters[key].target.at in _OVER


def _readers(table: AllLetters, letters: set[LetterKey]) -> dict[Term, set[Instance]]:
    """Which threads read a variable in one of the letters."""
    found: dict[Term, set[Instance]] = {}
    for key in letters:
        for variable in table.reads[key]:
            found.setdefault(variable, set()).add(key[0])
    return found


def _stays(
    table: AllLetters, key: LetterKey, futile: set[LetterKey], read: dict[Term, set[Instance]], alive: set[str]
) -> bool:
    instance, letter = key[0], table.letters[key]
    if not alive.isdisjoint(letter.forks) or any(one not in futile for one in table.at(instance, letter.target)):
        return False
    return all(read.get(variable, set()) <= {instance} for variable in table.writes[key])
