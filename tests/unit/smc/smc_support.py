"""Programs for the tests of statistical model checking."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from threadproof.frontend import FrontendOptions, load
from threadproof.ir.program import Program, Taken
from threadproof.passes.pipeline import instruction_form

LODIN = Path(__file__).parents[2] / "papers" / "lodin"

SHAPES = """
#include <pthread.h>
enum mood { CALM, ANGRY = 7 };
struct point { int x; short y; unsigned bits : 3; struct point *next; };
struct point points[3] = {{1, 2, 5, 0}, {-4, 5, 1, 0}, {6, -7, 2, 0}};
struct point *first = &points[1];
enum mood mood = ANGRY;
double ratio = 2.5;
unsigned char small = 200;
long table[4] = {10, -20, 30, -40};
int index_ = 2, sink;
__thread int own;
void stop(void);
void *worker(void *arg) {
    int k = 3;
    k = k + index_ + own;
    stop();
    return 0;
}
int main(void) {
    pthread_t t;
    int x = 41;
    x++;
    sink = points[0].x + first->x + mood + ratio + small + table[0];
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
"""


@cache
def program(file: str, *defines: str) -> Program:
    return instruction_form(load([file], FrontendOptions(defines=defines, undefined=Taken.PURE)))


@cache
def fib(number: int = 2, target: int = 3) -> Program:
    return program(str(LODIN / "fib.c"), f"NUM={number}", f"TARGET={target}")
