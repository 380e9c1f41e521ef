"""One sequential C program with all interleavings of a multi-threaded one.

Paper: N. König, Modular Partial Order Reduction in Software Verification, LMU München 2025 (MPOR): sections 4.1 to 4.3
and 4.5, the shape of the output; 3.1, conflicts and weakly persistent sets, after A. Farzan, D. Klumpp and A. Podelski,
PLDI 2022; 3.2 and O. Inverso et al., CAV 2014 (Lazy-CSeq), the rounds.
Differs: made from `ir`, so whatever the front end reads is accepted; an operation that cannot proceed is an assumption
where it stands instead of a variable and an assumption at the loop's head; threads stay inside their own switch by
`goto` (section 5 proposes it); threads come from pools, so that they may be created in loops; functions are entered
with a return location each, recursive ones with a bounded stack.
Invariants: `reach_error` is reachable exactly if it is in the program, unless `beyond` is; no run changes threads
inside an atomic block; everything the text leaves open is chosen by a `__VERIFIER_nondet_` function.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from threadproof.analysis.footprints.touch_bits import LockWord
from threadproof.analysis.points_to import PointsTo, analyse
from threadproof.codegen.sequential.options import Options, Reduction
from threadproof.codegen.sequential.plan.conflicts import Conflicts
from threadproof.codegen.sequential.plan.flow import FlowNode, ThreadFlow
from threadproof.codegen.sequential.plan.persistent import deciding
from threadproof.codegen.sequential.plan.stops import Noticing, Stops
from threadproof.codegen.sequential.plan.tables import Tables
from threadproof.codegen.sequential.plan.threads import SequentialCode, ThreadCode, find_threads
from threadproof.codegen.sequential.plan.unwritten import ending_at
from threadproof.codegen.sequential.text.globals_text import global_lines
from threadproof.codegen.sequential.text.module import Module, cancels
from threadproof.codegen.sequential.text.prelude import opening, prelude, without_comments
from threadproof.codegen.sequential.text.scheduler import MainLoop, check_function, scheduler_loop
from threadproof.codegen.sequential.text.sync_text import ARRAYS, needed, sync_functions
from threadproof.codegen.sequential.text.thread_text import ThreadText
from threadproof.codegen.sequential.values.places import Element
from threadproof.core.errors import InternalError
from threadproof.ir.control_flow import Site
from threadproof.ir.program import Program


@dataclass(frozen=True, slots=True)
class Sequential:
    """A generated program, and where its numbers lead back to."""

    text: str
    threads: tuple[ThreadCode, ...]
    places: tuple[dict[int, frozenset[Site]], ...]  # per thread, for each counter: where the original may stand
    quiet: tuple[frozenset[int], ...]  # per thread, the counters from which it makes a step that nobody notices
    thread_of: dict[int, int]  # by line of the text, from 1: the thread in whose switch it stands
    choosing: frozenset[int]  # lines that choose which thread is next: the original has no such choice


def sequentialize(program: Program, options: Options) -> Sequential:
    """Instructions without C are found by writing: each such attempt tells of some, and the last one of none."""
    found = _attempt(program, options)
    while not isinstance(found, Sequential):
        program = ending_at(program, found)
        found = _attempt(program, options)
    return found


def _attempt(program: Program, options: Options) -> Sequential | dict[Site, str]:
    points_to: PointsTo = analyse(program)
    code = SequentialCode(program, points_to)
    threads = find_threads(code, options.threads)
    flows = [ThreadFlow(code, thread) for thread in threads]
    conflicts = Conflicts(program, points_to, code, flows)
    noticing = Noticing(program, points_to)
    stops = [Stops(code, flow, noticing, conflicts, options) for flow in flows]
    joiners = frozenset(n for n, one in enumerate(stops) if one.joins and not cancels(program))
    module = Module(program, code, options, threads, Tables(conflicts, flows, stops, joiners))
    switches = [ThreadText(module, flow, places).text() for flow, places in zip(flows, stops, strict=True)]
    if module.without_c:
        return module.without_c
    loop = scheduler_loop(module, stops, switches)
    functions = _functions(module, loop.lines)
    declared, assigned = global_lines(module)
    rest = [*declared, "", *functions, *check_function(module), "int main(void) {"]
    rest += [*_locals(module, loop.lines), *(f"  {line}" for line in assigned)]
    after = [*loop.lines, "}"]
    before = [*opening(module), *prelude(module, "\n".join([*rest, *after])), *rest]
    places = tuple({number: _noticed(one, node) for node, number in one.numbers.items()} for one in stops)
    quiet = tuple(frozenset(n for node, n in one.numbers.items() if one.is_quiet(node)) for one in stops)
    text = "\n".join(line.rstrip() for line in (*before, *after)) + "\n"
    return Sequential(text, tuple(module.threads), places, quiet, *_owners(loop, "\n".join(before).count("\n") + 2))


def _owners(loop: MainLoop, first: int) -> tuple[dict[int, int], frozenset[int]]:
    """Whose the lines are, by their number in the text: the loop begins in line `first`."""
    if any("\n" in line for line in loop.lines):
        raise InternalError("a line of a sequentialized program has several lines")
    thread_of = {first + at: thread for thread, lines in enumerate(loop.switches) for at in lines}
    return thread_of, frozenset(first + at for at in loop.choosing)


def _noticed(stops: Stops, node: FlowNode) -> frozenset[Site]:
    return frozenset(found.site for found in stops.noticed_from(node))


_RUNNING = "static int running(uptr thread) { return thread < 1 || thread > THREADS || pc[thread - 1] != FINISHED; }"
_WAITS = "static uptr waits_for[THREADS];  // whose end each thread waits for"


def _asking(module: Module, body: str) -> list[str]:
    """Tables and functions of the reductions."""
    lines = [_RUNNING, ""] if "running(" in body or module.tables.joiners else []
    full = module.options.reduction is Reduction.FULL
    if module.options.reduction not in (Reduction.CONFLICT, Reduction.FULL) or not module.tables.conflicts.known:
        return lines
    words = [_lock_word(module, lock) for lock in module.tables.conflicts.locks]
    asked = "conflict(" in body
    tables = [_WAITS, ""] if module.tables.joiners else []
    tables += module.tables.lines(words) if asked or full else []
    tables += module.tables.conflict() if asked else []
    tables += deciding(module.tables) if full else []
    return [*lines, *(["#define ALL (~0ull)"] if "ALL" in "\n".join(tables) else []), *tables]


def _lock_word(module: Module, lock: LockWord) -> str:
    """Who holds the lock: a thread's handle, or 0."""
    found = module.global_object(lock.name, None)
    owner = Element(found.name, found.shape, lock.offset).part(4)
    if not found.shape.dimensions and owner is not None:
        return owner.text
    return f"*(u32 *)((char *){found.address} + {lock.offset})" if lock.offset else f"*(u32 *){found.address}"


def _locals(module: Module, body: list[str]) -> list[str]:
    """The variables of all threads; compilers are told of those that nothing in the text reads."""
    text = without_comments("\n".join(body))
    written = re.compile(r"(?<=[ {])(\w+)(?:\[[^]=]*\]|\.\w+)* = ")
    reads = Counter(re.findall(r"\w+", text))
    reads.subtract(written.findall(text))
    lines: list[str] = []
    for declaration in module.locals:
        name = re.findall(r"(\w+)(?:\[\w+\])*(?: =|;)", declaration)[0]
        unused = "" if reads[name] > 0 else " __attribute__((unused))"
        lines.append("  " + re.sub(r"( =|;)", rf"{unused}\1", declaration, count=1))
    return lines


def _functions(module: Module, body: list[str]) -> list[str]:
    """What main uses: the counters, the reductions' functions, and those of the sync table."""
    wants = needed(module.sync)
    wants |= {"results"} if module.asks_results else set()
    wants |= {"cancelled", "uncancellable"} if module.asks_cancellation else set()
    threads = ", ".join(["1", *("NOT_CREATED" for _ in module.threads[1:])])
    depth = f", DEPTH = {module.options.depth}" if module.code.recursive else ""
    return [
        f"enum {{ THREADS = {len(module.threads)}, FINISHED = 0, NOT_CREATED = -1{depth} }};",
        f"static int pc[THREADS] = {{{threads}}};",
        *(text for name, text in ARRAYS.items() if name in wants),
        "",
        *_asking(module, without_comments("\n".join(body))),
        *sync_functions(module.sync, module.pointer_bits, module.asks_results, module.asks_itself),
    ]
