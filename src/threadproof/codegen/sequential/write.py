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

from threadproof.analysis.points_to import PointsTo, analyse
from threadproof.analysis.touch_bits import Lock
from threadproof.codegen.sequential.conflicts import Conflicts
from threadproof.codegen.sequential.flow import Flow, Node
from threadproof.codegen.sequential.globals_text import global_lines
from threadproof.codegen.sequential.module import Module
from threadproof.codegen.sequential.options import Choices, Options, Reduction
from threadproof.codegen.sequential.random_text import PRELUDE, nondet
from threadproof.codegen.sequential.scheduler import check_function, loop_lines
from threadproof.codegen.sequential.stops import Sharing, Stops
from threadproof.codegen.sequential.sync_text import ARRAYS, needed, sync_functions
from threadproof.codegen.sequential.tables import Tables
from threadproof.codegen.sequential.thread_text import ThreadText
from threadproof.codegen.sequential.threads import Code, ThreadCode, find_threads
from threadproof.ir.expr import Const
from threadproof.ir.instr import Sync
from threadproof.ir.program import DataModel, Program

Place = tuple[str, str, int]
"""An instruction of the original: function, block, number."""


@dataclass(frozen=True, slots=True)
class Sequential:
    """A generated program, and where its numbers lead back to."""

    text: str
    threads: tuple[ThreadCode, ...]
    places: tuple[dict[int, frozenset[Place]], ...]  # per thread, for each counter: where the original may stand
    quiet: tuple[frozenset[int], ...]  # per thread, the counters from which it makes a step that nobody notices


def sequentialize(program: Program, options: Options) -> Sequential:
    points_to: PointsTo = analyse(program)
    code = Code(program, points_to)
    threads = find_threads(code, options.threads)
    flows = [Flow(code, thread) for thread in threads]
    conflicts = Conflicts(program, points_to, code, flows)
    sharing = Sharing(program, points_to)
    stops = [Stops(code, flow, sharing, conflicts, options) for flow in flows]
    module = Module(program, code, options, threads, Tables(conflicts, flows, stops))
    _ask_in_advance(module)
    switches = [ThreadText(module, flow, places).text() for flow, places in zip(flows, stops, strict=True)]
    body = loop_lines(module, stops, switches)
    functions = _functions(module)
    declared, assigned = global_lines(module)
    rest = [*declared, "", *functions, *check_function(module), "int main(void) {"]
    rest += [*_locals(module, body), *(f"  {line}" for line in assigned), *body, "}"]
    lines = [*_opening(module), *_prelude(module, "\n".join(rest)), *rest]
    places = tuple({number: _noticed(one, node) for node, number in one.numbers.items()} for one in stops)
    quiet = tuple(frozenset(n for node, n in one.numbers.items() if one.is_quiet(node)) for one in stops)
    return Sequential("\n".join(line.rstrip() for line in lines) + "\n", tuple(module.threads), places, quiet)


def _noticed(stops: Stops, node: Node) -> frozenset[Place]:
    return frozenset((found.copy.function, found.block, found.number) for found in stops.noticed_from(node))


def _ask_in_advance(module: Module) -> None:
    """What the ends of threads must know before the operations that ask for it are written."""
    syncs = [i for f in module.program.functions.values() for i in f.instrs() if isinstance(i, Sync)]
    joins = [i for i in syncs if i.op.startswith("thread_join")]
    if any(not (isinstance(i.args[1], Const) and not i.args[1].value) for i in joins):
        module.helpers.add("results")
    if any(i.op == "thread_cancel" for i in syncs):
        module.helpers.add("cancels")


_RUNNING = [
    "static int running(uptr thread) { return thread < 1 || thread > THREADS || pc[thread - 1] != FINISHED; }",
    "",
]


def _asking(module: Module) -> list[str]:
    """Tables and functions of the reductions."""
    lines = _RUNNING if "running" in module.helpers else []
    full = module.options.reduction is Reduction.FULL
    if module.options.reduction not in (Reduction.CONFLICT, Reduction.FULL) or not module.tables.conflicts.known:
        return lines
    words = [_lock_word(module, lock) for lock in module.tables.conflicts.locks]
    tables = module.tables.lines(full, words)
    return [*lines, *(["#define ALL (~0ull)"] if "ALL" in "\n".join(tables) else []), *tables]


def _lock_word(module: Module, lock: Lock) -> str:
    """Who holds the lock: a thread's handle, or 0."""
    found = module.global_object(lock.name, None)
    base = found.name if found.shape.dimensions else f"&{found.name}"
    return f"*(u32 *)((char *){base} + {lock.offset})" if lock.offset else f"*(u32 *){base}"


def _locals(module: Module, body: list[str]) -> list[str]:
    """The variables of all threads; compilers are told of those that nothing in the text reads."""
    text = "\n".join(body)
    written = re.compile(r"(?<=[ {])(\w+)(?:\[[^]=]*\])? = ")
    reads = Counter(re.findall(r"\w+", text))
    reads.subtract(written.findall(text))
    lines: list[str] = []
    for declaration in module.locals:
        name = re.findall(r"(\w+)(?:\[\w+\])*(?: =|;)", declaration)[0]
        unused = "" if reads[name] > 0 else " __attribute__((unused))"
        lines.append("  " + re.sub(r"( =|;)", rf"{unused}\1", declaration, count=1))
    return lines


_TYPES = {
    "u8": "typedef unsigned char u8;",
    "u16": "typedef unsigned short u16;",
    "u32": "typedef unsigned int u32;",
    "u64": "typedef unsigned long long u64;",
    "u128": "typedef unsigned __int128 u128;",
}


def _opening(module: Module) -> list[str]:
    program, model = module.program, module.program.data_model
    flag = " (gcc -m32)" if model is DataModel.ILP32 else ""
    return [
        f"// {program.name}, sequentialized: one run of this program for each run of that one.",
        f"// Data model {model.value}{flag}; reduction {module.options.reduction.value}{_bounds(module)}.",
        "",
    ]


_DECLARED = {
    "abort": "extern void abort(void) __attribute__((noreturn));",
    "malloc": "extern void *malloc(__SIZE_TYPE__);",
    "calloc": "extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);",
    "free": "extern void free(void *);",
    "memcpy": "extern void *memcpy(void *, const void *, __SIZE_TYPE__);",
    "__VERIFIER_nondet_bool": "extern _Bool __VERIFIER_nondet_bool(void);",
}
_BEYOND = """// What lies beyond the bounds of this file: nothing is known about a program that gets here.
static void beyond(const char *what) __attribute__((noreturn));
static void beyond(const char *what) {
  (void)what;
#ifdef CHECK_BOUNDS
  reach_error();
#endif
  abort();
}"""
_ANYTHING = "#define ANYTHING(x) do { __typeof__(x) fresh; memcpy(&(x), &fresh, sizeof fresh); } while (0)"
_ERROR = "extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((noreturn));"


def _bounds(module: Module) -> str:
    rounds = module.options.rounds
    return "" if rounds is None else f"; no more than {rounds} rounds of all threads, which are not all runs"


def _prelude(module: Module, rest: str) -> list[str]:
    """Types and functions that the rest of the text mentions."""
    model = module.program.data_model
    mentioned = set(re.findall(r"\w+", rest + "".join(module.typedefs.values())))
    lines = [text for name, text in _TYPES.items() if name in mentioned]
    if "uptr" in mentioned:
        lines.append(f"typedef unsigned {'int' if model is DataModel.ILP32 else 'long'} uptr;")
    lines += [*module.typedefs.values(), ""]
    uses = {name for name in _DECLARED if f"{name}(" in rest} | {"abort"}
    if "ANYTHING(" in rest:
        uses.add("memcpy")
    random = module.options.choices is Choices.RANDOM
    lines += [text for name, text in _DECLARED.items() if name in uses and not (random and name in _CHOICES)]
    lines += [_ERROR] if random else ["extern int __VERIFIER_nondet_int(void);", *_nondet(module), _ERROR]
    name = module.program.name.replace("\\", "/").replace('"', "'")
    lines.append(f'void reach_error(void) {{ __assert_fail("0", "{name}", 0, "reach_error"); }}')
    lines += _random(module, rest) if random else ["static void assume(int condition) { if (!condition) abort(); }"]
    lines += [_BEYOND] if "beyond(" in rest else []
    lines += [_ANYTHING] if "ANYTHING(" in rest else []
    for width, real in ((32, "float"), (64, "double")):
        union = f"union {{ u{width} bits; {real} value; }}"
        if f"as_float{width}(" in rest:
            lines.append(f"static {real} as_float{width}(u{width} b) {{ {union} both = {{ b }}; return both.value; }}")
        if f"bits_of{width}(" in rest:
            lines.append(
                f"static u{width} bits_of{width}({real} v) {{ {union} both; both.value = v; return both.bits; }}"
            )
    return [*lines, "", *(f"static char {mark};" for mark in module.functions_named.values())]


_CHOICES = ("__VERIFIER_nondet_bool", "abort")


def _random(module: Module, rest: str) -> list[str]:
    used = {("bool", "_Bool"), ("int", "int")} | {
        (name, kind) for name, kind in (h.split(" ", 2)[1:] for h in module.helpers if h.startswith("nondet "))
    }
    choices = [nondet(name, kind) for name, kind in sorted(used) if f"__VERIFIER_nondet_{name}(" in rest]
    return [PRELUDE, *choices]


def _nondet(module: Module) -> list[str]:
    found = sorted(h.split(" ", 2)[1:] for h in module.helpers if h.startswith("nondet "))
    return [f"extern {kind} __VERIFIER_nondet_{name}(void);" for name, kind in found if name not in ("int", "bool")]


def _functions(module: Module) -> list[str]:
    used = set(module.sync)
    wants = needed(used) | (module.helpers & ARRAYS.keys())
    if "cancels" in module.helpers:
        wants |= {"cancelled", "uncancellable"}
    threads = ", ".join(["1", *("NOT_CREATED" for _ in module.threads[1:])])
    depth = f", DEPTH = {module.options.depth}" if module.code.recursive else ""
    lines = [
        f"enum {{ THREADS = {len(module.threads)}, FINISHED = 0, NOT_CREATED = -1{depth} }};",
        f"static int pc[THREADS] = {{{threads}}};",
        *(ARRAYS[name] for name in ARRAYS if name in wants),
        "",
    ]
    lines += _asking(module)
    return lines + sync_functions(used, module.pointer_bits, "results" in module.helpers)
