"""Who waits on a condition variable, and whom its signals reach.

POSIX (pthread_cond_wait): a thread that is cancelled while it waits shall not consume a signal if others are blocked on
the condition variable. A signal chooses its thread when it is given. To be cancelled and leave the signal to another is
the same as if that one had been chosen; so a thread that was chosen is cancelled only if none of those that waited then
waits still. Which those are is known unless others have come since (`Wake.UNSURE`).
"""

from __future__ import annotations

from threadproof.semantics.run import Run
from threadproof.semantics.state import CANCELLABLE, Thread, Waiting, Wake
from threadproof.sync.footprint import Mode, Touch, cancel_place


def is_cancelled(thread: Thread) -> bool:
    """Whether the thread ends at its next cancellation point."""
    return thread.cancelled and not thread.cancel_disabled and thread.phase in CANCELLABLE


def waiters_of(run: Run, condition: int) -> list[int]:
    """The other threads that no signal has chosen, in order."""
    return [n for n, waiting in _others(run, condition) if not waiting.woken]


def begin_to_wait(run: Run, condition: int) -> None:
    wake = Wake.NOT_YET
    if run.static.cancels:
        run.effects.append(Touch(cancel_place(run.handle()), 1, Mode.READ))
        wake = Wake.DOOMED if is_cancelled(run.thread) else Wake.NOT_YET
        for number, waiting in _others(run, condition):
            if waiting.wake is Wake.HEIRS:
                _set(run, number, Wake.UNSURE)
    run.thread = run.thread._replace(waiting=Waiting(condition, wake))


def wake_up(run: Run, condition: int, chosen: list[int]) -> None:
    left = len(waiters_of(run, condition)) > len(chosen)
    for number in chosen:
        _set(run, number, Wake.HEIRS if left and run.static.cancels else Wake.WOKEN)
    _without_heirs(run, condition)


def stop_waiting(run: Run) -> Mode:
    """How the condition variable was touched: that a chosen thread goes on changes nothing for others."""
    waiting = run.thread.waiting
    assert waiting is not None
    run.thread = run.thread._replace(waiting=None)
    _without_heirs(run, waiting.condition)
    return Mode.READ if waiting.woken and not run.static.cancels else Mode.WRITE


def _without_heirs(run: Run, condition: int) -> None:
    """When nobody waits any more without a signal, nobody can have the signal of another."""
    if not run.static.cancels or waiters_of(run, condition):
        return
    for number, waiting in _others(run, condition):
        if waiting.wake > Wake.WOKEN:
            _set(run, number, Wake.WOKEN)


def _others(run: Run, condition: int) -> list[tuple[int, Waiting]]:
    return [
        (number, thread.waiting)
        for number, thread in sorted(run.threads.items())
        if thread.waiting is not None and thread.waiting.condition == condition and number != run.number
    ]


def _set(run: Run, number: int, wake: Wake) -> None:
    thread = run.threads[number]
    assert thread.waiting is not None
    run.change_thread(number, thread._replace(waiting=thread.waiting._replace(wake=wake)))
