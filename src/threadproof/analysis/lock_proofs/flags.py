"""Flags: variables that begin with one value and, once changed, never have it again.

Two accesses cannot be next at the same time if one is only made while a flag still has its first value and the other
only after it was changed. That it was changed is known for good once it was seen; that it was not is known to the only
thread that writes it, to a thread that holds a lock under which all writes are made, and inside an atomic block.
"""

from __future__ import annotations

from threadproof.analysis.abstract_threads.thread_state import Role, Watched
from threadproof.analysis.lock_proofs.writes import Write, Writes
from threadproof.analysis.points_to import Place
from threadproof.ir.expr import Const


def find_flags(writes: Writes) -> dict[Place, Watched]:
    found: dict[Place, Watched] = {}
    for place, size, here in writes.cells():
        first = writes.first_value(place, size)
        values = frozenset(w.value.value for w in here if isinstance(w.value, Const))
        if first is not None and first not in values and all(isinstance(w.value, Const) for w in here):
            guards = writes.guards(here)
            found[place] = Watched(Role.FLAG, place, size, first, values, guards, _only_writer(writes, here))
    return found


def _only_writer(writes: Writes, here: list[Write]) -> str | None:
    names = {write.flow.name for write in here}
    name = next(iter(names))
    return name if len(names) == 1 and writes.facts.tree.runs_once(name) else None
