"""Any number of threads, each of which draws a number and waits for its turn."""

from __future__ import annotations

TICKETS = """#include <pthread.h>
#include <stdatomic.h>
extern void reach_error(void);
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
atomic_uint next, serving;
int inside;
void *t(void *a) {
  unsigned mine = next;
  DRAW
  while (serving != mine) ;
  EARLY
  inside = 1;
  if (inside != 1) reach_error();
  inside = 0;
  LEAVE
  return 0;
}
int main(void) {
  pthread_t h;
  while (__VERIFIER_nondet_bool()) pthread_create(&h, 0, t, 0);
}
"""
DRAW = "do { if (mine == -1u) abort(); } while (!atomic_compare_exchange_strong(&next, &mine, mine + 1));"


def tickets(draw: str = DRAW, early: str = "", leave: str = "serving = mine + 1;") -> str:
    return TICKETS.replace("DRAW", draw).replace("EARLY", early).replace("LEAVE", leave)


PROVED = {"the next one": tickets(), "whoever is next": tickets(leave="serving++;")}
WITH_AN_ERROR = {
    "drawn in two steps": tickets("if (mine == -1u) abort(); next = mine + 1;"),
    "numbers are given twice": tickets(DRAW.replace("mine + 1", "mine")),
    "the next one is let in early": tickets(early="serving = mine + 1;"),
    "numbers wrap": tickets("mine = atomic_fetch_add(&next, 1);"),
}
