"""Numbers that main compares before there are threads: `assume(len < 1000)`, and `len` does not change any more.

All writes to such a variable are main's, while no other thread exists. So what main knew of it when it created a thread
holds of the variable as long as there are threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from threadproof.analysis.abstract_threads.thread_facts import ThreadFacts
from threadproof.analysis.abstract_threads.thread_state import Role, ThreadState, Watched
from threadproof.analysis.lock_proofs.stable_loads import stable_symbol
from threadproof.analysis.lock_proofs.writes import Write, Writes
from threadproof.analysis.points_to import Place
from threadproof.ir.instr import Store, Sync
from threadproof.sync.facts import Act, does


def candidate_limits(writes: Writes) -> dict[Place, Watched]:
    """Variables that only main writes, and only when it is alone."""
    main = writes.facts.tree.main
    return {
        place: Watched(Role.LIMITED, place, size, 0, frozenset(), frozenset(), main)
        for place, size, here in writes.cells()
        if all(w.flow.name == main and _is_store(w) and not w.point.before.running for w in here)
    }


def _is_store(write: Write) -> bool:
    return isinstance(write.point.instr, Store)


def known_limits(facts: ThreadFacts, candidates: Mapping[Place, Watched]) -> dict[str, int]:
    """The largest number that each may be when there are threads, by its symbol."""
    found: dict[str, int] = {}
    created = list(_at_creation(facts))
    for place, one in candidates.items():
        limits = [_limit(state, place) for state in created]
        told = [limit for limit in limits if limit is not None]
        if told and len(told) == len(limits):
            found[stable_symbol(place, one.size)] = max(told)
    return found


def _at_creation(facts: ThreadFacts) -> Iterator[ThreadState]:
    """Where main creates threads."""
    for point in facts.points[facts.tree.main]:
        if isinstance(point.instr, Sync) and does(point.instr, Act.CREATE):
            yield point.before


def _limit(state: ThreadState, place: Place) -> int | None:
    now = {one.register for one in state.current if one.flag == place}
    return min((bound.limit for bound in state.bounds if bound.register in now), default=None)
