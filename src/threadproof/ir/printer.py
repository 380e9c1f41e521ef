"""A whole program as text: what `threadproof show --stage ir` prints.

One instruction per line; the source position stands at the right, and only where it changes, so that the eye
finds the C line an instruction came from without reading the same number twenty times.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from threadproof.core.source import SourceLoc
from threadproof.ir.ctypes import type_name
from threadproof.ir.initial import show_initial
from threadproof.ir.program import Atomicity, Function, GlobalVar, Lifetime, Mutability, Program
from threadproof.ir.show import show_edge, show_expr, show_instr

__all__ = ["show_edge", "show_expr", "show_function", "show_global", "show_instr", "show_program"]

_COMMENT_COLUMN = 56


def show_program(program: Program, only: Iterable[str] = ()) -> str:
    """The program, or just the functions named."""
    chosen = tuple(only)
    if chosen:
        parts = [show_function(program.functions[name]) for name in chosen]
        return "\n\n".join(parts) + "\n"
    parts = [_header(program)]
    if program.globals:
        parts.append("\n".join(show_global(variable) for variable in program.globals.values()))
    parts.extend(show_function(function) for function in program.functions.values())
    return "\n\n".join(parts) + "\n"


def show_global(variable: GlobalVar) -> str:
    kind = "thread-local" if variable.lifetime is Lifetime.THREAD else "global"
    if variable.mutability is Mutability.CONSTANT:
        kind = "constant" if kind == "global" else "thread-local constant"
    size = f"{variable.size} byte{'' if variable.size == 1 else 's'}"
    what = size if variable.ctype is None else f"{type_name(variable.ctype)}, {size}"
    known_as = f" ({variable.c_name})" if variable.c_name not in ("", variable.name) else ""
    text = f"{kind} {variable.name}{known_as} : {what} = {show_initial(variable)}"
    return _with_comment(text, _at(variable.loc))


def show_function(function: Function) -> str:
    return "\n".join(_function_lines(function))


def _header(program: Program) -> str:
    lines = [f"program {program.name} ({program.data_model.value}, starts in {program.entry})"]
    lines.extend(f"note: {note}" for note in program.notes)
    return "\n".join(lines)


def _function_lines(function: Function) -> Iterator[str]:
    params = ", ".join(f"{p.name}:{p.width}{_known_as(function, p.name)}" for p in function.params)
    result = f" -> {function.result_width}" if function.result_width else ""
    kind = "atomic function" if function.atomicity is Atomicity.ATOMIC else "function"
    yield _with_comment(f"{kind} {function.name}({params}){result}", _at(function.loc))
    names = {param.name for param in function.params}
    for name, variable in function.variables.items():
        if name not in names:
            ctype = "" if variable.ctype is None else f" : {type_name(variable.ctype)}"
            alias = f" is {variable.c_name}" if variable.c_name != name else ""
            yield _with_comment(f"  local {name}{alias}{ctype}", _at(variable.loc))
    last = function.loc
    for block in function.blocks:
        yield f"{block.label}:"
        for instr in block.instrs:
            moved = instr.loc.line and (instr.loc.file, instr.loc.line) != (last.file, last.line)
            yield _with_comment(f"    {show_instr(instr)}", _place(instr.loc, last) if moved else "")
            last = instr.loc if moved else last


def _known_as(function: Function, register: str) -> str:
    variable = function.variables.get(register)
    if variable is None:
        return ""
    ctype = "" if variable.ctype is None else f"{type_name(variable.ctype)} "
    return f" ({ctype}{variable.c_name})"


def _place(loc: SourceLoc, last: SourceLoc) -> str:
    """The line alone while the file stays the same."""
    return f"line {loc.line}" if loc.file == last.file else str(loc)


def _at(loc: SourceLoc) -> str:
    return str(loc) if loc.line else ""


def _with_comment(text: str, comment: str) -> str:
    if not comment:
        return text
    pad = " " * (max(_COMMENT_COLUMN, len(text) + 2) - len(text))
    return f"{text}{pad}// {comment}"
