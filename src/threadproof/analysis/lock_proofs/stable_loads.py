"""Loads whose value is the same for every thread: of variables that nobody writes while such a thread exists.

A pointer that main sets before it creates threads is one number for all of them, so what they reach through it can be
compared. A stable load's register stands for the symbol `*variable`.
"""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.analysis.abstract_threads.accesses import AccessAction, ThreadAccess
from threadproof.analysis.abstract_threads.parallel import may_happen_in_parallel
from threadproof.analysis.abstract_threads.thread_facts import ThreadFacts
from threadproof.analysis.points_to import ObjectKind, Place, may_meet
from threadproof.ir.expr import Reg
from threadproof.ir.instr import Load


@dataclass(frozen=True, slots=True)
class _Whole:
    """A thread at whatever point, with any of its descendants."""

    thread: str
    running: frozenset[str]


def stable_loads(facts: ThreadFacts, found: list[ThreadAccess]) -> dict[str, dict[str, Reg]]:
    """Per thread, the registers that are loaded so, with their symbols."""
    writes = [record for record in found if record.action is not AccessAction.READ]
    stable: dict[str, dict[str, Reg]] = {}
    for name, points in facts.points.items():
        whole = _Whole(name, frozenset(facts.tree.subtree(name)) - {name})
        against = [w for w in writes if w.thread == name or may_happen_in_parallel(facts, w, whole)]
        for point in points:
            instr = point.instr
            if isinstance(instr, Load):
                place = facts.memory.only_place(name, instr.address)
                if (
                    place is not None
                    and place.root.kind is ObjectKind.GLOBAL
                    and not _written(against, place, instr.size)
                ):
                    symbol = Reg(stable_symbol(place, instr.size), instr.dst.width)
                    stable.setdefault(name, {})[instr.dst.name] = symbol
    return stable


def stable_symbol(place: Place, size: int) -> str:
    """The name of what is loaded."""
    return f"*{place.root.name}+{place.offsets.start}:{size}"


def _written(writes: list[ThreadAccess], place: Place, size: int) -> bool:
    return any(may_meet(write.places, write.size, (place,), size) for write in writes)
