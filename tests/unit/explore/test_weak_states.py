"""Brute force under the memory models: other properties than reaching an error, and what may not be answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.evidence.replay import replay_schedule
from threadproof.explore.weak_states import reach
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio.prepare import prepare

LOST_WAKE_UP = """
#include <pthread.h>
#include <semaphore.h>
int idling, work;
sem_t more;
void *consumer(void *arg) {
    idling = 1;
    %s
    if (!work)
        sem_wait(&more);
    return 0;
}
void *producer(void *arg) {
    work = 1;
    %s
    if (idling)
        sem_post(&more);
    return 0;
}
int main(void) {
    pthread_t a, b;
    sem_init(&more, 0, 0);
    pthread_create(&a, 0, consumer, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
"""
FENCE = "__sync_synchronize();"
BYTES = """
#include <assert.h>
#include <pthread.h>
union { short whole; char byte[2]; } u;
int a, b;
void *first(void *arg) {
    u.byte[0] = 1;
    a = u.whole;
    return 0;
}
void *second(void *arg) {
    u.byte[1] = 1;
    b = u.whole;
    return 0;
}
int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(a == 0x101 || b == 0x101);
    return 0;
}
"""


def program(folder: Path, text: str, prop: Property) -> Program:
    path = folder / "weak.c"
    path.write_text(text)
    return prepare([str(path)], prop, FrontendOptions())


@pytest.mark.parametrize("model", MemoryModel)
@pytest.mark.parametrize("fence", ["", FENCE])
def test_a_wake_up_is_lost_where_loads_overtake_stores(tmp_path: Path, model: MemoryModel, fence: str) -> None:
    asked = program(tmp_path, LOST_WAKE_UP % (fence, fence), Property.NO_DEADLOCK)
    found = reach(asked, model, Property.NO_DEADLOCK)
    lost = model is not MemoryModel.SC and not fence
    assert found.verdict is (Verdict.FALSE if lost else Verdict.TRUE)
    if found.schedule is not None:
        assert replay_schedule(asked, Property.NO_DEADLOCK, found.schedule, model) is not None


@pytest.mark.parametrize("model", MemoryModel)
def test_races_are_found_under_every_model(tmp_path: Path, model: MemoryModel) -> None:
    asked = program(tmp_path, LOST_WAKE_UP % (FENCE, FENCE), Property.NO_DATA_RACE)
    found = reach(asked, model, Property.NO_DATA_RACE)
    assert found.schedule is not None
    assert replay_schedule(asked, Property.NO_DATA_RACE, found.schedule, model) is not None


@pytest.mark.parametrize("model", MemoryModel)
def test_a_load_that_is_larger_than_the_own_store_waits_for_it(tmp_path: Path, model: MemoryModel) -> None:
    assert reach(program(tmp_path, BYTES, Property.UNREACH_CALL), model).verdict is Verdict.TRUE


def test_lost_memory_is_not_looked_at(tmp_path: Path) -> None:
    asked = program(tmp_path, BYTES, Property.UNREACH_CALL)
    with pytest.raises(ValueError, match="lost memory"):
        reach(asked, MemoryModel.TSO, Property.VALID_MEMSAFETY)
