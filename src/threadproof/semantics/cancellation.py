"""The end of a thread that another one has cancelled, at a cancellation point."""

from __future__ import annotations

from typing import Any

from threadproof.core.source import SourceLoc
from threadproof.ir.program import Spurious
from threadproof.semantics.outcome import Happening, OwnChoice, Telling, Unsupportable
from threadproof.semantics.run import Run
from threadproof.semantics.state import Wake
from threadproof.semantics.sync_ops import SyncOps
from threadproof.semantics.waiters import is_cancelled
from threadproof.sync.facts import FACTS, Act, Attempt
from threadproof.sync.footprint import Mode, Touch, cancel_place
from threadproof.sync.operations import Cancellation, Operation

CANCELED_RESULT = -1
WAITED_LATER = "cancelling a thread that has a signal while others wait that came after the signal"


def ends_here(run: Run, operation: Operation, args: list[Any], sync: SyncOps, loc: SourceLoc) -> bool:
    """Whether the running thread was cancelled and this operation is where it ends."""
    if operation.cancellation is not Cancellation.POINT:
        return False
    run.effects.append(Touch(cancel_place(run.handle()), 1, Mode.READ))
    if not is_cancelled(run.thread):
        return False
    return FACTS[operation.name].act is not Act.WAKE or _ends_waiting(run, operation, args, sync, loc)


def _ends_waiting(run: Run, operation: Operation, args: list[Any], sync: SyncOps, loc: SourceLoc) -> bool:
    """If the wait was over before the thread was cancelled, it may go on: it could not have its mutex yet."""
    waiting = run.thread.waiting
    if waiting is None:
        return False
    sync.needs_mutex(run, args, loc)
    ends_by_itself = FACTS[operation.name].attempt is Attempt.TIMED or run.static.spurious is Spurious.ON
    match waiting.wake:
        case Wake.DOOMED:
            return True
        case Wake.HEIRS:
            return False
        case Wake.UNSURE:
            raise Unsupportable(WAITED_LATER)
        case Wake.NOT_YET if not ends_by_itself:
            return True
        case Wake.NOT_YET | Wake.WOKEN:
            return run.choose(OwnChoice.CANCELLED.value, 0, 1, 32, loc) == 0


def end_cancelled(run: Run, operation: Operation, args: list[Any], sync: SyncOps, loc: SourceLoc) -> int:
    """End the thread; one that waits on a condition variable takes its mutex first."""
    if FACTS[operation.name].act is Act.WAKE:
        sync.take_mutex(run, args, loc)
    run.effects.append(Happening(Telling.SYNC, "is cancelled", loc))
    return run.end_thread((1 << (8 * run.image.pointer_bytes)) + CANCELED_RESULT)
