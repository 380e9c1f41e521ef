"""What a proof says about each variable, for people and for the evidence that checks it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from threadproof.analysis.abstract_threads.accesses import AccessAction, AccessAtomicity, ThreadAccess
from threadproof.analysis.abstract_threads.thread_facts import ThreadFacts
from threadproof.analysis.abstract_threads.thread_state import HeldLock
from threadproof.analysis.points_to import ObjectKind, Place, Root, may_meet
from threadproof.core.proofs import ClaimKind, RaceClaim, RaceProof
from threadproof.engines.races.justify import Justified
from threadproof.engines.races.words import Words
from threadproof.ir.instr import CompareExchange, Free, Instr, Load, Rmw, Store, Sync
from threadproof.sync.facts import HAS_HOLDER, LockMode, sync_facts


def race_proof(
    facts: ThreadFacts, found: Sequence[ThreadAccess], reasons: dict[Root, dict[Justified, None]]
) -> RaceProof:
    words = Words(facts)
    by_root: dict[Root, list[ThreadAccess]] = {}
    for record in found:
        for root in dict.fromkeys(place.root for place in record.places):
            by_root.setdefault(root, []).append(record)
    shared: dict[str, dict[str, None]] = {}
    for root, accesses in by_root.items():
        says = words.because(accesses, tuple(reasons.get(root, {})))
        shared.setdefault(words.root(root), {})[says] = None
    return RaceProof(
        tuple(words.thread(name) for name in facts.points),
        {name: "; ".join(says) for name, says in shared.items()},
        tuple(claim for root, accesses in by_root.items() for claim in _claims(facts, words, root, accesses)),
        tuple(_lines(facts)),
        tuple(_unreached(facts)),
    )


def _claims(facts: ThreadFacts, words: Words, root: Root, accesses: Sequence[ThreadAccess]) -> list[RaceClaim]:
    """One per cell of a global variable about which something can be said that runs can be held against."""
    if root.kind is not ObjectKind.GLOBAL:
        return []
    cells = dict.fromkeys((place, r.size) for r in accesses for place in r.places if place.root == root)
    found: list[RaceClaim] = []
    for cell, size in cells:
        touching = [r for r in accesses if _touches(r, cell, size)]
        common = _common(facts, touching)
        if common is not None:
            start, stride = cell.offsets
            says = words.because(touching, ())
            claim = RaceClaim(root.name, start, stride, size, says, common.kind, shared=common.shared)
            if common.lock is not None:
                claim = replace(claim, lock=common.lock.root.name, lock_offset=common.lock.offsets.start)
            found.append(claim)
    return found


class _Common(NamedTuple):
    """What all accesses have in common."""

    kind: ClaimKind
    lock: Place | None = None
    shared: bool = False


def _common(facts: ThreadFacts, touching: Sequence[ThreadAccess]) -> _Common | None:
    if all(r.action is AccessAction.READ for r in touching):
        return _Common(ClaimKind.READ)
    if all(r.atomicity is AccessAtomicity.ATOMIC for r in touching):
        return _Common(ClaimKind.ATOMIC)
    threads = {r.thread for r in touching}
    if len(threads) == 1 and facts.tree.runs_once(next(iter(threads))):
        return _Common(ClaimKind.THREAD)
    for lock in sorted(touching[0].locks, key=repr):
        modes = [_mode(r, lock) for r in touching]
        if isinstance(lock.address, Place) and lock.address.root.kind is ObjectKind.GLOBAL and None not in modes:
            if not _tells_its_holder(facts, lock.address):
                continue
            return _Common(ClaimKind.LOCK, lock.address, LockMode.SHARED in modes)
    return None


def _mode(record: ThreadAccess, lock: HeldLock) -> LockMode | None:
    return next((one.mode for one in record.locks if one.address == lock.address), None)


def _tells_its_holder(facts: ThreadFacts, place: Place) -> bool:
    """Mutexes, read-write and spin locks say who holds them; semaphores and locks made by hand do not."""
    return any(
        isinstance(point.instr, Sync)
        and sync_facts(point.instr).family in HAS_HOLDER
        and facts.memory.only_place(name, point.instr.args[0]) == place
        for name, points in facts.points.items()
        for point in points
    )


def _touches(record: ThreadAccess, cell: Place, size: int) -> bool:
    return may_meet(record.places, record.size, (cell,), size)


def _lines(facts: ThreadFacts) -> list[str]:
    """Where memory is accessed at all, also such that only one thread can know."""
    return list(dict.fromkeys(_accesses(point.instr for points in facts.points.values() for point in points)))


def _unreached(facts: ThreadFacts) -> list[str]:
    """Lines with accesses that the analysis shows to be never executed."""
    functions = [facts.tree.program.functions[name] for name in facts.points]
    written = dict.fromkeys(_accesses(i for function in functions for i in function.instrs()))
    reached = set(_lines(facts))
    return [line for line in written if line not in reached]


def _accesses(instrs: Iterable[Instr]) -> Iterator[str]:
    for instr in instrs:
        if isinstance(instr, Load | Store | Rmw | CompareExchange | Free):
            yield str(instr.loc)
