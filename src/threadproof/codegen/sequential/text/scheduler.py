"""The loop of the generated program: choose a thread, then one step of its switch."""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.codegen.sequential.options import Choices, Reduction, SelfChecks, Staying
from threadproof.codegen.sequential.plan.persistent import CHOICE
from threadproof.codegen.sequential.plan.stops import Stops
from threadproof.codegen.sequential.text import random_text
from threadproof.codegen.sequential.text.module import Module
from threadproof.ir.ctypes import CArray, CRecord, CType
from threadproof.ir.program import GlobalVar, Lifetime
from threadproof.sync.facts import FACTS, Family


@dataclass(frozen=True, slots=True)
class MainLoop:
    """The body of the generated main after its declarations, and what its lines are."""

    lines: list[str]
    choosing: range  # the lines that choose the next thread
    switches: tuple[range, ...]  # per thread: the lines of its switch


def scheduler_loop(module: Module, stops: list[Stops], switches: list[list[str]]) -> MainLoop:
    options = module.options
    previous = options.rounds is not None or options.staying is Staying.ASSUME
    lines = ["  int prev_thread = 0;"] if previous else []
    lines += ["  int round = 1;"] if options.rounds is not None else []
    random = options.choices is Choices.RANDOM
    lines += [f"  {line}" for line in random_text.BEGIN] if random else []
    lines.append("  while (1) {")
    lines += [f"    {line}" for line in random_text.HEAD] if random else []
    lines += [f"    {line}" for line in _checks(module, stops)]
    first = len(lines)
    lines += [f"    {line}" for line in _choice(module, stops)]
    choosing, ranges = range(first, len(lines)), list[range]()
    for thread, switch in zip(module.threads, switches, strict=True):
        keyword = "if" if not thread.index else "} else if"
        lines.append(f"    {keyword} (next_thread == {thread.index}) {{  // {thread.start}")
        first = len(lines)
        lines.append(f"      switch (pc[{thread.index}]) {{")
        lines += [f"      {line}" for line in switch]
        lines += ["      default:", "        check(0);"] if options.checks is SelfChecks.ON else []
        lines.append("      }")
        ranges.append(range(first, len(lines)))
    return MainLoop([*lines, "    }", "  }"], choosing, tuple(ranges))


def _choice(module: Module, stops: list[Stops]) -> list[str]:
    lines = [
        "int next_thread = __VERIFIER_nondet_int();",
        "assume(0 <= next_thread && next_thread < THREADS);",
        "assume(pc[next_thread] > 0);",
    ]
    if module.options.choices is Choices.RANDOM:
        lines[:2] = [random_text.NEXT]
    if module.options.reduction is Reduction.FULL and module.tables.conflicts.known:
        chosen = [line.removeprefix("int ") for line in (*lines, "assume(movers >> next_thread & 1);")]
        return [line for part in CHOICE for line in ([f"  {one}" for one in chosen] if "..." in part else [part])]
    if module.options.staying is Staying.ASSUME:
        lines += _stay(stops)
    if module.options.rounds is not None:
        lines.append("if (next_thread < prev_thread) round++;")
        lines.append(f"assume(round <= {module.options.rounds});")
    if module.options.staying is Staying.ASSUME or module.options.rounds is not None:
        lines.append("prev_thread = next_thread;")
    return lines


def _stay(stops: list[Stops]) -> list[str]:
    """MPOR's reduction (section 4.4): the thread that moved last goes on where nobody can notice."""
    lines: list[str] = []
    for index, one in enumerate(stops):
        local = sorted(n for node, n in one.numbers.items() if node not in one.visible | one.heads and n > 1)
        if local:
            tests = " || ".join(f"pc[{index}] == {n}" for n in local)
            lines.append(f"if (prev_thread == {index} && ({tests})) assume(next_thread == {index});")
    return lines


# --- assertions about the generated program --------------------------------------------------------------------------


def check_function(module: Module) -> list[str]:
    if module.options.checks is SelfChecks.OFF:
        return []
    return [
        "// Never fails, or this file is wrong.",
        "static void check(int condition) { if (!condition) reach_error(); }",
        "",
    ]


def _checks(module: Module, stops: list[Stops]) -> list[str]:
    """Section 4.5: counters are valid, and locks are held by threads that have been created."""
    if module.options.checks is SelfChecks.OFF:
        return []
    lines = [f"check(NOT_CREATED <= pc[{i}] && pc[{i}] <= {one.ending});" for i, one in enumerate(stops)]
    for name in sorted(module.globals_used):
        for owner in _owners(module, module.program.globals[name]):
            lines.append(f"check({owner} <= THREADS && ({owner} == 0 || pc[{owner} - 1] != NOT_CREATED));")
    return lines


def _owners(module: Module, variable: GlobalVar) -> list[str]:
    """The words of a global that say which thread holds a mutex."""
    if variable.lifetime is not Lifetime.PROGRAM or not _uses_mutexes(module):
        return []
    count, ctype = 1, variable.ctype
    while isinstance(ctype, CArray):
        count, ctype = count * ctype.count, ctype.element
    if not _is_mutex(ctype) or not count:
        return []
    found = module.global_object(variable.name, None)
    base = found.name if found.shape.dimensions else f"&{found.name}"
    size = variable.size // count
    return [f"*(u32 *)((char *){base} + {size * n})" if n else f"*(u32 *){base}" for n in range(count)]


def _uses_mutexes(module: Module) -> bool:
    return any(FACTS[operation].family is Family.MUTEX for operation in module.sync)


def _is_mutex(ctype: CType | None) -> bool:
    return isinstance(ctype, CRecord) and ctype.name == "pthread_mutex_t"
