"""Who may move next, asked while the generated program runs: one thread, or a weakly persistent set of threads.

Paper: A. Farzan, D. Klumpp, A. Podelski, PLDI 2022, CompatiblePersistentSet (figure 3.1 of the thesis): threads are
joined by conflicts between the next step of one and all that another may still do; a set that no conflict leaves is
weakly persistent, and the smallest is chosen.
Differs: sets of one thread are looked for first, and no choice is made where there is one. Larger sets are asked for
only in programs where two threads never meet.
Invariants: a set has a member whose next step neither waits nor ends the run. A member that waits is let go on by
members only: what could let it go on meets its step. Whoever might end the run, stands at the head of a loop, or waits
for the end of a thread is in no set but that of all threads.
"""

from __future__ import annotations

from typing import NamedTuple

from threadproof.codegen.sequential.conflicts import ALL, Touched
from threadproof.codegen.sequential.stops import Stops
from threadproof.codegen.sequential.tables import Tables, flag_table, touch_tables

UNKNOWN = Touched(ALL, ALL)


class Step(NamedTuple):
    bits: Touched
    waits: bool


FIRST = [
    "// A thread whose next step meets nothing: it may as well move now. -1 if there is none.",
    "static int first_thread(void) {",
    "  for (int thread = 0; thread < THREADS; thread++) {",
    "    u64 reads = step_reads[thread][pc[thread] + 1];",
    "    if (reads != ALL && !conflict(thread, reads, step_writes[thread][pc[thread] + 1])) return thread;",
    "  }",
    "  return -1;",
    "}",
    "",
]
SETS = [
    "// The threads that may still do something that meets the next step of this one; ALL if nobody can be left out.",
    "static u64 met_by(int thread) {",
    "  u64 reads = step_reads[thread][pc[thread] + 1], writes = step_writes[thread][pc[thread] + 1], found = 0;",
    "  if (reads == ALL) return ALL;",
    "  for (int other = 0; other < THREADS; other++) {",
    "    u64 r = may_read[other][pc[other] + 1], w = may_write[other][pc[other] + 1];",
    "    if (other != thread && (((reads | writes) & w) || (writes & r))) found |= 1ull << other;",
    "  }",
    "  return found;",
    "}",
    "",
    "// The smallest set of threads such that nothing the others may still do meets their next steps.",
    "static u64 persistent_set(void) {",
    "  u64 smallest = ALL;",
    "  int least = THREADS;",
    "  for (int thread = 0; thread < THREADS; thread++) {",
    "    u64 set = 1ull << thread, known = 0;",
    "    int size = 0;",
    "    if (pc[thread] <= 0 || may_wait[thread][pc[thread] + 1]) continue;",
    "    while (set != known && set != ALL) {",
    "      u64 before = set;",
    "      for (int member = 0; member < THREADS; member++) {",
    "        if ((before & ~known) >> member & 1) set |= met_by(member);",
    "      }",
    "      known = before;",
    "    }",
    "    for (int member = 0; member < THREADS; member++) size += set >> member & 1;",
    "    if (size < least) { smallest = set; least = size; }",
    "  }",
    "  return smallest;",
    "}",
    "",
]


def deciding(tables: Tables) -> list[str]:
    """What the loop of the program asks before it chooses."""
    steps = [_next_steps(tables, stops) for stops in tables.stops]
    sets = has_sets(tables)
    bits = [[UNKNOWN if step.waits and not sets else step.bits for step in row] for row in steps]
    lines = ["// What the next step of each thread reads and writes; all bits where it must not go first."]
    lines += touch_tables("step_reads", "step_writes", bits)
    if not sets:
        return [*lines, *FIRST]
    waits = flag_table("may_wait", [[step.waits for step in row] for row in steps])
    first = [line.replace("reads != ALL", "reads != ALL && !may_wait[thread][pc[thread] + 1]") for line in FIRST]
    return [*lines, "// Where it may have to wait.", *waits, *first, *SETS]


def has_sets(tables: Tables) -> bool:
    """Whether there can be groups of threads that have nothing to do with each other."""
    return tables.conflicts.strangers()


def _next_steps(tables: Tables, stops: Stops) -> list[Step]:
    """What a thread does that moves from each of its places. The first is for threads that are not there yet."""
    found = [Step(UNKNOWN, True)] * (stops.ending + 2)
    for node, number in stops.numbers.items():
        if node in stops.heads:
            continue
        if stops.can_go(node):
            found[number + 1] = Step(tables.step(stops, node), False)
        elif stops.only_waits(node):
            found[number + 1] = Step(tables.step(stops, node), True)
    return found
