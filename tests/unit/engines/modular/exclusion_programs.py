"""Programs whose threads exclude each other without a lock: they draw numbers, or give each other their turn."""

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


TURNS = """#include <pthread.h>
#include <stdatomic.h>
extern void reach_error(void);
atomic_int wants[2], turn;
int inside;
void *one(void *a) {
  while (1) {
    FIRST
    while (wants[1] && turn == 1) ;
    inside++; if (inside != 1) reach_error(); inside--;
    wants[0] = 0;
  }
}
void *two(void *a) {
  while (1) {
    wants[1] = 1; turn = 0;
    while (wants[0] && turn == 0) ;
    inside++; if (inside != 1) reach_error(); inside--;
    wants[1] = 0;
  }
}
int main(void) {
  pthread_t g, h;
  pthread_create(&g, 0, one, 0); pthread_create(&h, 0, two, 0);
  pthread_join(g, 0); pthread_join(h, 0);
}
"""


def turns(first: str = "wants[0] = 1; turn = 1;") -> str:
    """G. L. Peterson's algorithm."""
    return TURNS.replace("FIRST", first)


INDEXED = TICKETS.replace("int inside;", "int filled[4]; atomic_int at;")
INDEXED = INDEXED.replace("inside = 1;", "at = 3; filled[at] = 1; at = 4;")
INDEXED = INDEXED.replace("  if (inside != 1) reach_error();\n  inside = 0;\n", "")


def indexed(early: str = "", leave: str = "serving = mine + 1;") -> str:
    """Who is inside keeps an index within its bounds."""
    return INDEXED.replace("DRAW", DRAW).replace("EARLY", early).replace("LEAVE", leave)


PROVED = {"the next one": tickets(), "whoever is next": tickets(leave="serving++;"), "turns": turns()}
WITH_AN_ERROR = {
    "drawn in two steps": tickets("if (mine == -1u) abort(); next = mine + 1;"),
    "numbers are given twice": tickets(DRAW.replace("mine + 1", "mine")),
    "the next one is let in early": tickets(early="serving = mine + 1;"),
    "the turn is given first": turns("turn = 1; wants[0] = 1;"),
    "the turn is not given": turns("wants[0] = 1;"),
    "numbers wrap": tickets("mine = atomic_fetch_add(&next, 1);"),
}
