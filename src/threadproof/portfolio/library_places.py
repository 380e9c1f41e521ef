"""Places inside our C library, in the words of who calls it: `in clock_gettime, called at main.c:8`.

Lines of the library tell users nothing. The function is found in the program, which knows from where it is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from threadproof.core.source import SourceLoc
from threadproof.ir.instr import Call
from threadproof.ir.program import Program
from threadproof.semantics.code import RUNTIME

_PLACE = re.compile(rf"\bat {re.escape(RUNTIME)}:(\d+)")


def told_for_users(program: Program, text: str) -> str:
    """The text, with the program's own lines for those of the library."""
    return _PLACE.sub(lambda found: _place(program, int(found[1])), text)


def _place(program: Program, line: int) -> str:
    """All files of the library have one name: several functions may have such a line."""
    inside = {
        name: None
        for name, function in program.functions.items()
        if any(instr.loc.file == RUNTIME and instr.loc.line == line for instr in function.instrs())
    }
    calls = sorted({call for name in inside for call in _calls_from_program(program, name)})
    if not calls:
        return "in a function of the C library"
    functions = {function for function, _ in calls}
    if len(functions) > 1:
        return "in a function of the C library, called at " + _listed([loc for _, loc in calls])
    return f"in {calls[0][0]}, called at {_listed([loc for _, loc in calls])}"


def _listed(places: list[SourceLoc]) -> str:
    distinct = sorted(set(places))
    return str(distinct[0]) + (f" and at {len(distinct) - 1} more places" if len(distinct) > 1 else "")


def _calls_from_program(program: Program, inner: str) -> Iterator[tuple[str, SourceLoc]]:
    """Calls in the program's own files of library functions that lead to this one."""
    seen, todo = {inner}, [inner]
    while todo:
        callee = todo.pop()
        for name, function in program.functions.items():
            for instr in function.instrs():
                if not isinstance(instr, Call) or instr.callee != callee:
                    continue
                if instr.loc.file != RUNTIME:
                    yield callee, instr.loc
                elif name not in seen:
                    seen.add(name)
                    todo.append(name)
