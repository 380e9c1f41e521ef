"""Schedules with flushes, replayed under the memory model they were made for."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.core.schedule import Move, Schedule, from_json, to_json
from threadproof.core.trace import EventKind
from threadproof.evidence.replay import machine_for, replay_schedule
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio.prepare import prepare
from threadproof.semantics.outcome import Blocked, Moved
from threadproof.semantics.weak import flushes

MAIN, T1, T2 = (), (0,), (1,)

MESSAGE = """
#include <pthread.h>
#include <stdatomic.h>
extern void reach_error(void);
int x, y;
void *writer(void *arg) {
    x = 1;
    %s
    y = 1;
    return 0;
}
void *reader(void *arg) {
    int seen = y;
    if (seen && !x)
        reach_error();
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
"""
START = (Move(MAIN), Move(T1), Move(MAIN), Move(T2))
"""Both threads are made and stand before their first access."""
Y_FIRST = (*START, Move(T1), Move(T1), Move(T1, flush=1), Move(T2), Move(T2), Move(T2))
IN_ORDER = (*START, Move(T1), Move(T1), Move(T1, flush=0), Move(T1, flush=0), Move(T2), Move(T2), Move(T2))


def program(folder: Path, between: str = "") -> Program:
    path = folder / "mp.c"
    path.write_text(MESSAGE % between)
    return prepare([str(path)], Property.UNREACH_CALL, FrontendOptions())


def replayed(asked: Program, schedule: Schedule, model: MemoryModel) -> bool:
    return replay_schedule(asked, Property.UNREACH_CALL, schedule, model) is not None


def test_pso_lets_the_flag_overtake_the_message(tmp_path: Path) -> None:
    mp = program(tmp_path)
    assert replayed(mp, Y_FIRST, MemoryModel.PSO)
    assert not replayed(mp, IN_ORDER, MemoryModel.PSO), "in order there is no violation"
    assert not replayed(mp, Y_FIRST, MemoryModel.TSO), "the second store may not go first"
    assert not replayed(mp, Y_FIRST, MemoryModel.SC), "there is nothing to flush"


def test_the_trace_tells_which_stores_wait_and_when_they_reach_memory(tmp_path: Path) -> None:
    trace = replay_schedule(program(tmp_path), Property.UNREACH_CALL, Y_FIRST, MemoryModel.PSO)
    assert trace is not None
    assert trace.model is MemoryModel.PSO
    told = [(event.kind, event.text) for step in trace.steps for event in step.events]
    assert (EventKind.WRITE, "x = 1 (in its store buffer)") in told
    assert (EventKind.FLUSH, "y = 1 reaches memory") in told
    assert (EventKind.FLUSH, "x = 1 reaches memory") not in told


@pytest.mark.parametrize("fence", ["atomic_thread_fence(memory_order_release);", "__sync_synchronize();"])
def test_fences_keep_the_order(tmp_path: Path, fence: str) -> None:
    mp = program(tmp_path, fence)
    machine = machine_for(mp, Property.UNREACH_CALL, MemoryModel.PSO)
    state = machine.initial()
    for move in (*START, Move(T1)):
        outcome = machine.move(state, move)
        assert isinstance(outcome, Moved)
        state = outcome.state
    at_fence = machine.move(state, Move(T1))
    if "sync" in fence:
        assert isinstance(at_fence, Blocked)
        assert at_fence.operation == "store buffer"
    else:
        assert isinstance(at_fence, Moved)
        after = machine.move(at_fence.state, Move(T1))
        assert isinstance(after, Moved)
        assert flushes(machine, after.state, 1) == (0,)


def test_schedules_survive_json_and_old_ones_load() -> None:
    assert from_json(to_json(Y_FIRST)) == Y_FIRST
    assert from_json([{"thread": [0], "choices": [3]}]) == (Move(T1, (3,)),)
    assert to_json((Move(T1),)) == [{"thread": [0], "choices": []}], "as before where nothing is flushed"
