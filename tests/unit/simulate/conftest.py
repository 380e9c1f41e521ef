"""Sessions over small programs, compiled once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from simulate_support import EXAMPLES

from threadproof.core.property import Property
from threadproof.evidence.replay import machine_for
from threadproof.frontend import FrontendOptions, load
from threadproof.passes.pipeline import instruction_form, normalise
from threadproof.semantics.machine import Machine
from threadproof.semantics.run import Granularity, Spurious
from threadproof.simulate.session import Session, begin
from threadproof.simulate.world import SimulatedProgram

TYPES = """
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
enum mode { OFF, ON } mode;
struct node { int v; struct node *next; } head = {3, 0}, *p = &head;
pthread_mutex_t m[2];
double d = 1.5; unsigned u = 4000000000u; char text[8] = "hi"; signed char small = -3; int a[3] = {1, 2, 3};
struct { int low : 3; unsigned high : 5; } bits = {-2, 17};
static _Thread_local int own; extern int elsewhere; int *away = &elsewhere;
int x;
int square(int k)
{
    static int calls = 4;
    int r = k * k + 0 * calls++;
    x = r;
    return r;
}
void *worker(void *q)
{
    own = 5;
    mode = ON;
    square(a[2]);
    pthread_mutex_lock(&m[0]);
    text[0] = 'H'; u++; d += 1; small--; bits.low++; p = p->next;
    pthread_mutex_unlock(&m[0]);
    return 0;
}
int main(void)
{
    pthread_t t;
    int i = __VERIFIER_nondet_int();
    x = i;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m[0]);
    pthread_join(t, 0);
    return own + i + (away == 0);
}
"""


@cache
def _world(file: str, granularity: Granularity) -> SimulatedProgram:
    program = load([file], FrontendOptions())
    if granularity is Granularity.INSTRUCTION:
        return SimulatedProgram(Machine(instruction_form(program), granularity, Spurious.OFF), Property.UNREACH_CALL)
    return SimulatedProgram(machine_for(normalise(program), Property.UNREACH_CALL), Property.UNREACH_CALL)


@pytest.fixture(scope="session")
def types_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("simulate") / "types.c"
    file.write_text(TYPES)
    return str(file)


@pytest.fixture
def open_session(types_file: str) -> Callable[..., Session]:
    """A fresh session of an example, or of `types`."""

    def opened(name: str = "types", granularity: Granularity = Granularity.VISIBLE) -> Session:
        return begin(_world(types_file if name == "types" else str(EXAMPLES / f"{name}.c"), granularity))

    return opened
