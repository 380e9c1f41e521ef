"""Who may move next, asked while the generated program runs: one thread, or a weakly persistent set of threads.

Paper: A. Farzan, D. Klumpp, A. Podelski, PLDI 2022, CompatiblePersistentSet (figure 3.1 of the thesis): threads are
joined by conflicts between the next step of one and all that another may still do; a set that no conflict leaves is
weakly persistent, and the smallest is chosen.
Differs: sets of one thread are looked for first, and no choice is made where there is one. Larger sets are asked for
only in programs where two threads never meet.
Who waits for the end of a thread does nothing before that thread moves, which takes the place of the other.
Invariants: a set has a member whose next step neither waits nor ends the run. A member that waits is let go on by
members only: what could let it go on meets its step. Whoever might end the run or stands at the head of a loop is in no
set but that of all threads.
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


_ENDED = [
    "// Whether the thread can certainly move; if it waits for an end, whether that has come.",
    "static int can_move(int thread) {",
    "  if (waits_for[thread]) return !running(waits_for[thread]);",
    "  return !may_wait[thread][pc[thread] + 1];",
    "}",
    "",
]
_FIRST = [
    "// A thread whose next step meets nothing: it may as well move now. -1 if there is none.",
    "static int first_thread(void) {",
    "  for (int thread = 0; thread < THREADS; thread++) {",
    "    u64 reads = step_reads[thread][pc[thread] + 1], writes = step_writes[thread][pc[thread] + 1];",
    "    if (reads != ALL && can_move(thread) && !conflict(thread, reads, writes)) return thread;",
    "  }",
    "  return -1;",
    "}",
    "",
]
_BLOCKED = [
    "// Who must move before the thread does anything: itself, or the one whose end it waits for.",
    "static u64 before(int thread) {",
    "  uptr end = waits_for[thread];",
    "  if (end && running(end)) return end <= THREADS ? 1ull << (end - 1) : ALL;",
    "  return 1ull << thread;",
    "}",
    "",
]
_SETS = [
    "// The threads that may still do something that meets the next step of this one; ALL if nobody can be left out.",
    "static u64 met_by(int thread) {",
    "  u64 reads = step_reads[thread][pc[thread] + 1], writes = step_writes[thread][pc[thread] + 1], found = 0;",
    "  if (reads == ALL) return ALL;",
    "  if (before(thread) != 1ull << thread) return before(thread);",
    "  for (int other = 0; other < THREADS; other++) {",
    "    u64 r = may_read[other][pc[other] + 1], w = may_write[other][pc[other] + 1];",
    "    if (other != thread && (((reads | writes) & w) || (writes & r))) found |= before(other);",
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
    "    if (pc[thread] <= 0 || !can_move(thread)) continue;",
    "    while (set != known && set != ALL) {",
    "      u64 new = set & ~known;",
    "      known = set;",
    "      for (int member = 0; member < THREADS; member++) {",
    "        if (new >> member & 1) set |= met_by(member);",
    "      }",
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
    lines = ["// What the next step of each thread reads and writes; all bits where it must not go first."]
    lines += touch_tables("step_reads", "step_writes", [[step.bits for step in row] for row in steps])
    lines += ["// Where it may have to wait.", *flag_table("may_wait", [[step.waits for step in row] for row in steps])]
    lines += [*_ENDED, *_FIRST]
    if has_sets(tables):
        lines += [*_BLOCKED, *_SETS]
    return lines if tables.joiners else _without_joins(lines)


def _without_joins(lines: list[str]) -> list[str]:
    """Nobody waits for an end, or may be cancelled while waiting."""
    return [line for line in lines if "waits_for" not in line and "running" not in line]


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
        elif stops.only_waits(node) and (tables.joiners or not stops.is_join(node)):
            found[number + 1] = Step(tables.step(stops, node), True)
    return found
