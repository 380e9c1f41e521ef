"""Reading a function's body: lines to blocks. A line we cannot read becomes an `OddInst`: it fails when reached."""

from __future__ import annotations

import re

from threadproof.frontend.llvm.instructions import READERS
from threadproof.frontend.llvm.module import BasicBlock, DeclareRecord, Instruction, LlvmFunction, OddInst
from threadproof.frontend.llvm.values import Cursor, ParseError, bare_name, tokenize

_LABEL = re.compile(r'^("[^"]*"|[-\w$.]+):')
_ATTACHED = re.compile(r", !\w[\w.]* !")  # metadata behind the instruction; !dbg comes first
_DEBUG = re.compile(r", !dbg !(\d+)")
_DECLARE = re.compile(r"\s*#dbg_declare\((.*?), !(\d+), !DIExpression\(\)")
_OLD_DECLARE = re.compile(r"metadata (ptr .*?), metadata !(\d+), metadata !DIExpression\(\)")


def parse_body(function: LlvmFunction) -> list[BasicBlock]:
    """The blocks of a definition, in order; the first is the entry."""
    blocks: list[BasicBlock] = []
    label = str(sum(1 for param in function.params if param.name.isdigit()))
    current: list[Instruction] = []
    for line in _joined(function.lines or []):
        found = None if line[0] == " " else _LABEL.match(line)
        if found is None:
            instruction = parse_line(line)
            if instruction is not None:
                current.append(instruction)
            continue
        if current or blocks:
            blocks.append(BasicBlock(label, tuple(current)))
        label, current = found[1].strip('"'), []
    blocks.append(BasicBlock(label, tuple(current)))
    return blocks


def _joined(lines: list[str]) -> list[str]:
    """Lines with the multi-line ones (switch, landingpad, invoke) put together."""
    joined: list[str] = []
    for line in lines:
        if not line.strip() or line.lstrip().startswith(";"):
            continue
        if joined and ((line.startswith("    ") and not line.lstrip().startswith("#dbg_")) or line.startswith("  ]")):
            joined[-1] += " " + line.strip()
        else:
            joined.append(line)
    return joined


def parse_line(line: str) -> Instruction | None:
    """One instruction or debug record; None for what has no meaning to us (labels of the debugger)."""
    if "#dbg_" in line and line.lstrip().startswith("#dbg_"):
        return _record(line)
    debug = -1
    if ", !" in line and (attached := _ATTACHED.search(line)):
        found = _DEBUG.match(line, attached.start())
        debug, line = int(found[1]) if found else -1, line[: attached.start()]
    cursor = Cursor(tokenize(line))
    result = ""
    if cursor.tokens[1] == "=":
        result, cursor.at = bare_name(cursor.tokens[0]), 2
    opcode = cursor.next()
    reader = READERS.get(opcode)
    try:
        if reader is None:
            return OddInst(f"the LLVM instruction {opcode}", result=result, debug=debug)
        if opcode == "call" and "@llvm.dbg." in line:
            return _old_record(line)
        return reader(cursor, opcode, result, debug)
    except (ParseError, ValueError) as error:
        return OddInst(f"the LLVM instruction {opcode} ({error})", result=result, debug=debug)


def _record(line: str) -> Instruction | None:
    found = _DECLARE.match(line)
    if not found:
        return None
    return _declare(found[1], int(found[2]))


def _old_record(line: str) -> Instruction | None:
    found = _OLD_DECLARE.search(line) if "@llvm.dbg.declare" in line else None
    return _declare(found[1], int(found[2])) if found else None


def _declare(place: str, variable: int) -> Instruction | None:
    try:
        return DeclareRecord(Cursor(tokenize(place)).typed_value(), variable)
    except ParseError:
        return None  # only names are lost
