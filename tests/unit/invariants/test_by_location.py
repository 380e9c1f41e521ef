"""What proofs say of locations, in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof import verify
from threadproof.frontend import FrontendOptions
from threadproof.invariants.by_location import told_by_location
from threadproof.portfolio import prepare

COUNTS = """
#include <pthread.h>
extern void reach_error(void);
int x, y;
void *worker(void *arg) {
    int i = 0;
    while (i < 100) {
        x++;
        i++;
    }
    y = 1;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (y && x != 100) reach_error();
    return 0;
}
"""
ANY_NUMBER = """
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int items;
void *worker(void *arg) {
    pthread_mutex_lock(&m);
    if (items < 100) items++;
    if (items > 100) reach_error();
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, worker, 0);
    return 0;
}
"""

TICKETS = (Path(__file__).parents[3] / "examples" / "small" / "tickets.c").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("engine", "text", "template", "wanted"),
    [
        ("trace", COUNTS, "worker", "x == i"),
        ("modular", ANY_NUMBER, "worker", "items <= 100"),
        ("modular", TICKETS, "customer", "no other thread customer at L3, L4, L5"),
    ],
)
def test_conditions_in_the_words_of_the_source(
    engine: str, text: str, template: str, wanted: str, tmp_path: Path
) -> None:
    file = tmp_path / "main.c"
    file.write_text(text, encoding="utf-8")
    (answer,) = verify(str(file), engine=engine, timeout=120)
    assert answer.proof is not None, answer.reason
    program = prepare([str(file)], answer.property, FrontendOptions())
    told = told_by_location(program, answer.property, answer.proof, answer.memory_model)
    said = {line for location, lines in told.at.items() for line in lines if location.template == template}
    assert wanted in said
    assert not any("%" in line or "__data" in line or "handle" in line for line in said)
