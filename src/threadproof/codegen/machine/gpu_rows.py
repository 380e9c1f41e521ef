"""Small operations as rows of a table: one text makes them all, so that lanes walk together wherever threads stand.

A row reads up to two words of 32 bits (or a constant), computes, writes one, sets up to three to zero and goes on to
one of two program counters; or it copies one of 64 bits. What does not fit has no row, or one with a way that is
no program counter (kernel/quick.h).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

_ATOM = r"(?:\(u64\)HALF\(\d+\)|\d+ULL)"
_PLACE = r"(S->g|S->gmask|FRAME_DATA|FRAME_MASK) \+ (\d+)"
_OPERATIONS = {
    "ADD": (rf"\(u64\)\(u32\)\(\(({_ATOM}) \+ ({_ATOM})\)\)", "x + y"),
    "SUB": (rf"\(u64\)\(u32\)\(\(({_ATOM}) - ({_ATOM})\)\)", "x - y"),
    "MUL": (rf"\(u64\)\(u32\)\(\(({_ATOM}) \* ({_ATOM})\)\)", "x * y"),
    "AND": (rf"\(({_ATOM}) & ({_ATOM})\)", "x & y"),
    "OR": (rf"\(({_ATOM}) \| ({_ATOM})\)", "x | y"),
    "XOR": (rf"\(({_ATOM}) \^ ({_ATOM})\)", "x ^ y"),
    "EQ": (rf"\(u64\)\(({_ATOM}) == ({_ATOM})\)", "x == y"),
    "NE": (rf"\(u64\)\(({_ATOM}) != ({_ATOM})\)", "x != y"),
    "SLT": (rf"\(u64\)\(\(i64\)\(i32\)\(({_ATOM})\) < \(i64\)\(i32\)\(({_ATOM})\)\)", "(i32)x < (i32)y"),
    "SLE": (rf"\(u64\)\(\(i64\)\(i32\)\(({_ATOM})\) <= \(i64\)\(i32\)\(({_ATOM})\)\)", "(i32)x <= (i32)y"),
    "ULT": (rf"\(u64\)\(\(u64\)\(({_ATOM})\) < \(u64\)\(({_ATOM})\)\)", "x < y"),
    "ULE": (rf"\(u64\)\(\(u64\)\(({_ATOM})\) <= \(u64\)\(({_ATOM})\)\)", "x <= y"),
}
_PATTERNS = {kind: re.compile(pattern) for kind, (pattern, _) in _OPERATIONS.items()}
_WORD = re.compile(rf"{_ATOM}|get32\({_PLACE}\)")
_WIDE = re.compile(rf"R\[\d+\]|get64\({_PLACE}\)")
_NOTHING_HERE = re.compile(r"\s*(?:OPERATION_BEGINS|TOUCH_AS\(.*\);|TOUCH_DATA\(.*\);|if \(!IS_OPEN\) return STOP;)")
_UNKNOWN = re.compile(r" *if \(UNLIKELY\(get(32|64)\((FRAME_MASK \+ \d+)\)\)\) \{\n *return RARE;\n *\}\n")
_VALUE = re.compile(r" *u64 v1 = (.*);")
_PUT = re.compile(rf" *put(32|64)\(\(({_PLACE})\), (v1|0)\);")
_SET = re.compile(r" *(HALF\(\d+\)|R\[\d+\]) = (v1|0);")
_GO = re.compile(r" *return GO_TO\(0, (-?\d+)\);")
_EDGE = re.compile(r" *(?:if \(v1\) )?\{ ((?:(?:HALF\(\d+\)|R\[\d+\]) = 0; )*)return GO_TO\(0, (-?\d+)\); \}")
_NONE, _NOWHERE, _MOST_ZEROS = "NO_WORD", 0xFFFF, 3
_NOT = "{ 0, 0, 0, 0, { 0 }, ROW_NONE }"


class _NoRow(Exception):
    """The operation does not fit."""


@dataclass(slots=True)
class GpuRow:
    """Words are texts in C."""

    kind: str = "MOVE"
    a: str = _NONE
    b: str = _NONE
    known: str = _NONE
    to: str = "SINK"
    zeros: list[str] = field(default_factory=list[str])
    value: int = 0
    then: int = _NOWHERE
    otherwise: int = _NOWHERE

    def text(self) -> str:
        zeros = ", ".join([*self.zeros, *[_NONE] * _MOST_ZEROS][:_MOST_ZEROS])
        words = ", ".join((self.a, self.b, self.known, self.to))
        return f"{{ {words}, {{ {zeros} }}, ROW_{self.kind}, {self.value}u, {self.then}, {self.otherwise} }}"


def rows(operations: Sequence[str], ends: Collection[int]) -> list[GpuRow | None]:
    """From the texts by program counter; `ends`: where functions return, where a step does more."""
    return [_row_or_none(text, pc, ends) for pc, text in enumerate(operations)]


def many_rows(found: Sequence[GpuRow | None]) -> bool:
    """At least every second operation: then lanes walk by them, and all else is rare."""
    return 2 * sum(row is not None for row in found) >= len(found)


def row_table(found: Sequence[GpuRow | None]) -> Iterator[str]:
    kinds = sorted({row.kind for row in found if row is not None} | {"MOVE", "WIDE"})
    yield f"#define MANY_ROWS {int(many_rows(found))}"
    yield f"enum {{ ROW_NONE, {', '.join(f'ROW_{kind}' for kind in kinds)} }};"
    yield "INLINE u32 row_result(u32 kind, u32 x, u32 y) {\n    u32 result = x, other;"
    for kind in kinds:
        if kind in _OPERATIONS:
            yield f"    other = (u32)({_OPERATIONS[kind][1]}); result = kind == ROW_{kind} ? other : result;"
    yield "    return result;\n}"
    items = ",\n    ".join(_NOT if row is None else row.text() for row in found)
    yield f"static const Row ROWS[PC_COUNT] = {{\n    {items}\n}};"


def _row_or_none(text: str, pc: int, ends: Collection[int]) -> GpuRow | None:
    try:
        return _row(text, pc, ends)
    except _NoRow:
        return None


def _row(text: str, pc: int, ends: Collection[int]) -> GpuRow | None:
    """None: it is no row."""
    row = GpuRow()
    unknown = _UNKNOWN.search(text)
    wide = "64(" in text or re.search(r"= R\[|R\[\d+\] = v1", text) is not None  # all of its words are of 64 bits
    if unknown is not None:
        row.known = _place(unknown[2])
        text = text[: unknown.start()] + text[unknown.end() :]
        if wide != (unknown[1] == "64"):
            return None
    lines = [
        line for line in text.splitlines()[1:] if line.strip() not in ("", "}") and not _NOTHING_HERE.fullmatch(line)
    ]
    edges: list[tuple[list[str], int]] = []
    for line in lines:
        if (given := _VALUE.fullmatch(line)) is not None:
            if row.a != _NONE or row.b != _NONE or not (_reads_wide if wide else _reads)(row, given[1]):
                return None
        elif (put := _PUT.fullmatch(line)) is not None:
            if wide != (put[1] == "64"):
                return None
            _writes(row, _place(put[2]), put[5])
        elif (put := _SET.fullmatch(line)) is not None:
            if put[2] == "v1" and wide != put[1].startswith("R"):
                return None
            for word in _words(put[1], wide):
                _writes(row, word, put[2])
        elif (way := _GO.fullmatch(line)) is not None:
            edges += [([], pc + int(way[1]))] * 2
        elif (way := _EDGE.fullmatch(line)) is not None:
            zeros = [word for name in re.findall(r"HALF\(\d+\)|R\[\d+\]", way[1]) for word in _words(name, wide)]
            edges.append((zeros, pc + int(way[2])))
        else:
            return None
    fits = _leads(row, edges, ends) and len(row.zeros) <= _MOST_ZEROS and (not wide or row.then == row.otherwise)
    return row if fits else None


def _leads(row: GpuRow, edges: list[tuple[list[str], int]], ends: Collection[int]) -> bool:
    """Where the row goes on: by the edge with the fewest words to set to zero, by the other if they are the same."""
    if len(edges) != 2:
        return False
    (first, then), (second, otherwise) = edges
    chosen = min(first, second, key=len)
    row.zeros += chosen
    row.then = then if first == chosen and then not in ends else _NOWHERE
    row.otherwise = otherwise if second == chosen and otherwise not in ends else _NOWHERE
    return row.then != _NOWHERE or row.otherwise != _NOWHERE


def _writes(row: GpuRow, word: str, value: str) -> None:
    if value == "v1" and row.to == "SINK":
        row.to = word
    else:
        row.zeros += [word] if value == "0" else [word] * (_MOST_ZEROS + 1)  # a second place does not fit


def _reads(row: GpuRow, expression: str) -> bool:
    if _WORD.fullmatch(expression):
        row.a, fits = _operand(row, expression)
        return fits
    for kind, pattern in _PATTERNS.items():
        found = pattern.fullmatch(expression)
        if found is not None:
            row.kind = kind
            (row.a, fits), (row.b, fit) = _operand(row, found[1]), _operand(row, found[2])
            return fits and fit and row.a != row.b
    return False


def _reads_wide(row: GpuRow, expression: str) -> bool:
    row.kind = "WIDE"
    if _WIDE.fullmatch(expression):
        row.a = _place(expression[6:-1]) if expression.startswith("get64") else _words(expression, wide=True)[0]
        return True
    row.a, fits = _operand(row, expression) if re.fullmatch(r"\d+ULL", expression) else (_NONE, False)
    return fits


def _operand(row: GpuRow, text: str) -> tuple[str, bool]:
    """A word of the state, or none and the row's constant."""
    if text.endswith("ULL"):
        row.value = int(text[:-3])
        return _NONE, row.value < 1 << 32
    if text.startswith("get32("):
        return _place(text[6:-1]), True
    return _words(text.removeprefix("(u64)"), wide=False)[0], True


def _words(register: str, wide: bool) -> list[str]:
    """Of a register; a wide word covers all of it, since the upper half of a narrow one is zero."""
    number = int(re.sub(r"\D", "", register))
    low = f"IN_REGISTERS({8 * number})"
    return [low] if wide or register.startswith("HALF") else [low, f"IN_REGISTERS({8 * number + 4})"]


def _place(text: str) -> str:
    """Raises _NoRow where a word is not at its natural place."""
    where, offset = text.split(" + ")
    if int(offset) % 4:
        raise _NoRow
    part = {"S->g": "g", "S->gmask": "gmask", "FRAME_DATA": "sdata", "FRAME_MASK": "smask"}[where]
    return f"{'IN_STATE' if where.startswith('S') else 'IN_FRAME'}({part}, {offset})"
