"""Who may move next, asked while the generated program runs: a weakly persistent set of threads, often a single one.

Paper: A. Farzan, D. Klumpp, A. Podelski, PLDI 2022, CompatiblePersistentSet (figure 3.1 of the thesis): threads are
joined by conflicts between the next step of one and all that another may still do; a set that no conflict leaves is
weakly persistent, and the smallest is chosen.
Differs: as in `conflicts`, what others can do only after taking a lock does not count against who holds it. Who waits
for the end of a thread does nothing before that thread moves, which takes the place of the other. Printed as one
function without loops over pairs of threads and without calls: it is asked at every step.
Invariants: a set has a member whose next step neither waits nor ends the run. A member that waits is let go on by
members only: what could let it go on meets its step. Whoever might end the run or stands at the head of a loop is in no
set but that of all threads.
"""

from __future__ import annotations

from typing import NamedTuple

from threadproof.codegen.sequential.plan.conflicts import ALL, Touched
from threadproof.codegen.sequential.plan.stops import Stops
from threadproof.codegen.sequential.plan.tables import Tables, flag_table, touch_tables

_UNKNOWN = Touched(ALL, ALL)


class PersistentStep(NamedTuple):
    bits: Touched
    waits: bool


CHOICE = [
    "u64 movers = persistent_set();",
    "int next_thread = 0;",
    "if (movers & (movers - 1)) {",
    "  ...",
    "} else {",
    "  while (!(movers >> next_thread & 1)) next_thread++;",
    "}",
]
"""What the loop does with the set; the dots are for the choice among several."""


def deciding(tables: Tables) -> list[str]:
    """What the loop of the program asks before it chooses."""
    steps = [_next_steps(tables, stops) for stops in tables.stops]
    return [
        "// What the next step of each thread reads and writes; all bits where nobody else can be left out.",
        *touch_tables("step_reads", "step_writes", [[step.bits for step in row] for row in steps]),
        "// Where it may have to wait.",
        *flag_table("may_wait", [[step.waits for step in row] for row in steps]),
        "#define MEETS(reads, writes, r, w) ((((reads) | (writes)) & (w)) | ((writes) & (r)))",
        "// A smallest set of threads whose next steps meet nothing that the others may still do.",
        "static u64 persistent_set(void) {",
        *(f"  {line}" for line in _body(tables)),
        "}",
        "",
    ]


def _next_steps(tables: Tables, stops: Stops) -> list[PersistentStep]:
    """What a thread does that moves from each of its places. The first is for threads that are not there yet."""
    found = [PersistentStep(_UNKNOWN, True)] * (stops.ending + 2)
    for node, number in stops.numbers.items():
        if node in stops.heads:
            continue
        if stops.can_go(node):
            found[number + 1] = PersistentStep(tables.step(stops, node), False)
        elif stops.only_waits(node) and (not stops.is_join(node) or tables.notes_end(number)):
            found[number + 1] = PersistentStep(tables.step(stops, node), True)
    return found


def _body(tables: Tables) -> list[str]:
    """`p`: where a thread stands; `r`, `w`: what it may still do; `x`, `y`: its next step; `b`: who must move before it
    does anything; `m`: who may still do something that its next step meets, itself included. All these names end with
    `_`: the function asks for mutexes of the program, which may well be called `m1`."""
    threads = range(len(tables.flows))
    lines: list[str] = []
    for i in threads:
        lines.append(f"int p{i}_ = pc[{i}] + 1;")
        lines.append(f"u64 r{i}_ = may_read[{i}][p{i}_], w{i}_ = may_write[{i}][p{i}_];")
        lines.append(f"u64 x{i}_ = step_reads[{i}][p{i}_], y{i}_ = step_writes[{i}][p{i}_];")
    if tables.joiners:
        lines.append("// Who must move before a thread does anything: itself, or the one whose end it waits for.")
    for i in sorted(tables.joiners):
        lines += [f"u64 b{i}_ = {1 << i};", f"uptr end{i}_ = waits_for[{i}];"]
        lines.append(f"if (end{i}_ && running(end{i}_)) b{i}_ = end{i}_ <= THREADS ? 1ull << (end{i}_ - 1) : ALL;")
    lines += ["// The threads that may still do something that meets the next step of each.", "u64 can_move = 0;"]
    for i in threads:
        lines += _met(tables, i, [j for j in threads if j != i])
    return [*lines, *_smallest(len(threads))]


def _met(tables: Tables, i: int, others: list[int]) -> list[str]:
    """Nobody but the thread itself, if it can move: there is no smaller set."""
    own, moves = f"{1 << i}ull", f"!may_wait[{i}][p{i}_]"
    lines = [f"u64 m{i}_ = ALL;"]
    if i in tables.joiners:
        lines.append(f"if (b{i}_ != {own}) m{i}_ = b{i}_ | {own};")
        lines.append(f"else if (x{i}_ != ALL) {{")
        moves = f"end{i}_ || {moves}"  # that one has ended, or is the thread itself: EDEADLK
    else:
        lines.append(f"if (x{i}_ != ALL) {{")
    whole = {j: f"r{j}_, w{j}_" for j in others}
    lines.append(f"  m{i}_ = {_pairs(tables, i, whole)};")
    for number, word in tables.held:
        held = {j: f"may_read_{number}[{j}][p{j}_], may_write_{number}[{j}][p{j}_]" for j in others}
        lines.append(f"  if ({word} == {i + 1}) m{i}_ &= {_pairs(tables, i, held)};")
    return [*lines, f"  if ({moves}) {{ if (m{i}_ == {own}) return {own}; can_move |= {own}; }}", "}"]


def _pairs(tables: Tables, i: int, futures: dict[int, str]) -> str:
    before = {j: f"b{j}_" if j in tables.joiners else f"{1 << j}ull" for j in futures}
    met = (f"(MEETS(x{i}_, y{i}_, {future}) ? {before[j]} : 0)" for j, future in futures.items())
    return " | ".join([f"{1 << i}ull", *met])


def _smallest(threads: int) -> list[str]:
    """Who is met by whom is met, and so on; then the least of the sets whose first member can move."""
    lines = ["// And those that may meet theirs, and so on."]
    for k in range(threads):
        lines += [f"if (m{i}_ >> {k} & 1) m{i}_ |= m{k}_;" for i in range(threads) if i != k]
    lines.append("u64 least = ALL;")
    lines += [f"if (can_move >> {i} & 1 && !(m{i}_ & ~least)) least = m{i}_;" for i in range(threads)]
    return [*lines, "return least;"]
