"""Locks made by hand: a word that is 0 when free, taken by changing a 0 in one atomic step, freed by its holder.

Every write to the word must be one of these: inside an atomic block that found it 0; an exchange, or a compare and
exchange with 0, of a number other than 0 (which takes it if the old value was 0); a store of 0 by a thread that surely
holds it. Then at most one thread holds it at a time. Before main creates threads it may store 0 in any case.
"""

from __future__ import annotations

from threadproof.analysis.abstract_threads.thread_facts import ThreadFacts
from threadproof.analysis.abstract_threads.thread_state import FlagValue, KnownFlag, Role, Watched
from threadproof.analysis.lock_proofs.writes import Write, Writes
from threadproof.analysis.points_to import Place
from threadproof.ir.expr import Const
from threadproof.ir.instr import CompareExchange, Rmw, Store


def candidate_words(writes: Writes) -> dict[Place, Watched]:
    """Words that may serve as locks: only constants are written to them, 0 (free) and at least one other (taken)."""
    found: dict[Place, Watched] = {}
    for place, size, here in writes.cells():
        values = frozenset(w.value.value for w in here if isinstance(w.value, Const))
        constant = all(isinstance(w.value, Const) for w in here)
        if constant and 0 in values and len(values) > 1 and writes.first_value(place, size) == 0:
            found[place] = Watched(Role.WORD, place, size, 0, values - {0}, frozenset(), None)
    return found


def kept_words(facts: ThreadFacts, words: dict[Place, Watched]) -> dict[Place, Watched]:
    """Those whose every write is as it must be, judged by an analysis that watched them."""
    cells = {place: here for place, _, here in Writes(facts).cells()}
    return {place: word for place, word in words.items() if all(_is_proper(facts, w, place) for w in cells[place])}


def _is_proper(facts: ThreadFacts, write: Write, place: Place) -> bool:
    instr, before = write.point.instr, write.point.before
    assert isinstance(write.value, Const)
    match instr:
        case Rmw():
            return write.value.value != 0
        case CompareExchange():
            return write.value.value != 0 and instr.expected == Const(0, instr.expected.width)
        case Store() if write.value.value:
            return KnownFlag(place, FlagValue.FIRST, "atomic") in before.known
        case _:
            alone = not before.running and facts.tree.threads[write.flow.name].parent is None
            return alone or any(lock.address == place for lock in before.locks)
