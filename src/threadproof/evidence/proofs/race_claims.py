"""What a proof about races says of single accesses, held against the accesses of a run.

Every access to a variable must be as the proof claims: under the lock it names, atomic, by one thread alone, or
reading. Where it says that nobody gets, nobody may get.
"""

from __future__ import annotations

from collections.abc import Sequence

from threadproof.core.proofs import ClaimKind, RaceClaim, RaceProof
from threadproof.core.thread_id import handle
from threadproof.core.thread_id import name as name_of
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Access, AccessKind, Effect, Happening, Telling, Trap, Unsupportable
from threadproof.semantics.state import State
from threadproof.semantics.violations import accesses
from threadproof.sync.footprint import Touch


class Claims:
    """Of one proof about one program."""

    def __init__(self, machine: Machine, proof: RaceProof) -> None:
        self._machine = machine
        self._unreached = frozenset(proof.unreached)
        self._claims: dict[str, list[RaceClaim]] = {}
        for claim in proof.claims:
            self._claims.setdefault(claim.object, []).append(claim)
        self._users: dict[tuple[str, int], int] = {}

    def begin(self) -> None:
        """A new run: nobody has used anything yet."""
        self._users = {}

    def broken_by(self, state: State, number: int, effects: Sequence[Effect]) -> str | None:
        """The claim that a step of this thread contradicts, in words."""
        # Touches of a lock: a thread that wakes from waiting takes a mutex, though its condition is what is told.
        synced = {effect.address for effect in effects if isinstance(effect, Touch)}
        synced |= {
            effect.address for effect in effects if isinstance(effect, Happening) and effect.kind is Telling.SYNC
        }
        found = (self._broken_by(state, number, access, synced) for access in accesses(effects))
        return next((what for what in found if what is not None), None)

    def _broken_by(self, state: State, number: int, access: Access, synced: set[int]) -> str | None:
        who = name_of(state.threads[number].id)
        if str(access.loc) in self._unreached:
            return f"{who} reaches {access.loc}, which the proof says nobody does"
        view = MemoryView(self._machine.static.image, state)
        try:
            obj = view.find(access.address)
        except (Trap, Unsupportable):
            return None
        for claim in self._claims.get(obj.name, ()):
            covered = _covers(claim, access.address - obj.start, access.size)
            if covered and not self._holds(view, number, access, claim, synced):
                return f"{who} at {access.loc} contradicts the claim: {claim.object} {claim.says}"
        return None

    def _holds(self, view: MemoryView, number: int, access: Access, claim: RaceClaim, synced: set[int]) -> bool:
        match claim.kind:
            case ClaimKind.READ:
                return access.kind is AccessKind.READ
            case ClaimKind.ATOMIC:
                return access.atomic
            case ClaimKind.THREAD:
                return self._users.setdefault((claim.object, claim.start), number) == number
            case ClaimKind.LOCK:
                address = self._machine.layout.globals[claim.lock] + claim.lock_offset
                # A step of a thread that is alone, or of an atomic block, may lock, access and unlock.
                return address in synced or _held(view, address, handle(view.threads[number].id), claim)


def _held(view: MemoryView, address: int, me: int, claim: RaceClaim) -> bool:
    """Owner of a mutex or spin lock, writer of a read-write lock, or one of its readers."""
    first, second = view.peek_word(address, 32), view.peek_word(address + 4, 32)
    return me in (first, second) or (claim.shared and first > 0)


def _covers(claim: RaceClaim, offset: int, size: int) -> bool:
    start, stride, width = claim.start, claim.stride, claim.size
    apart = offset - start
    if stride:
        apart %= stride
        return apart < width or stride - apart < size
    return -size < apart < width
