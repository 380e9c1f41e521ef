"""Operations for a GPU, where 32 lanes walk together: what they do at the same time must be the same code.

Equal operations are one, wherever they stand. Registers of at most 32 bits are accessed as such: the rest of their word
is zero. And a step has three parts, each of which all lanes enter together:

1. One switch with the operations themselves, without a single call in it.
2. Accesses by pointers. They are long, and called at many places: an operation only asks for one (`Asked`), and a
   second switch completes it.
3. Whatever else calls a function (`RARE`). Such an operation begins anew there, since one that may yet stop, trap or
   block has changed nothing. It may also begin there in a later turn (kernel/lanes.h).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from threadproof.codegen.machine.gpu_rows import many_rows, row_table, rows
from threadproof.codegen.machine.numbering import Body
from threadproof.ir import instr as ir

_PLACES = re.compile(r"GO_TO\(\d+, (-?\d+)\)")
_ACCESS = re.compile(
    r"    \{ int e = (?:(load)\(S, T, C, (\w+), (\d+), &(\w+)\)|(store)\(S, T, C, (\w+), (\d+), (\w+)\)"
    r"|(pointer_add)\(S, C, (\S+), (\w+), &(\w+)\)); if \(UNLIKELY\(e\)\) return e; \}"
)
_CALL = re.compile(r"\{ int e = (?!may_enter\(|fit\()\w+\(.*\); if \((?:UNLIKELY\(e\)|e)\) return e; \}")
_LAST_CALL = re.compile(r"return (?:end_thread|finish_thread|cancel)\(.*\);")
_TEMPORARY = re.compile(r"\bv\d+\b")
_WRITTEN = re.compile(r"\bR\[(\d+)\] = ")
_READ = re.compile(r"\bR\[(\d+)\]")
_ARGUMENTS = "S, T, C, &asked, R, frame_base, pc"
_BEGINS = """\
    u64 *R = T->regs + T->rb;
    u32 frame_base = T->base & ~7u, pc = T->pc; /* the base is a multiple of 8 */
    Asked asked;
    i32 next = RARE;"""


def merged_operations(operations: Sequence[str], bodies: Sequence[Body]) -> Iterator[str]:
    """The functions and `perform`, from the texts by program counter."""
    begun, completed, rare = _Cases("op"), _Cases("rest"), _Cases("rare")
    quickly: list[str] = []
    others: list[str] = []
    for body in bodies:
        narrow = _narrow(body)
        for pc in range(body.start, body.start + len(body.instrs)):
            text = _PLACES.sub(r"GO_TO(0, \1)", operations[pc].replace(f"op_{pc})", "op)", 1))
            if "enter(" not in text:
                text = _with_halves(text, narrow)
            first, after = _parts(text)
            quick = _LAST_CALL.sub("return RARE;", _CALL.sub("return RARE;", first))
            begun.add(pc, quick)
            quickly.append(quick)
            if after:
                completed.add(pc, after)
            if quick != first:
                rare.add(pc, text)
            others.append(text)
    ends = {body.start + at for body in bodies for at, i in enumerate(body.instrs) if isinstance(i, ir.Return)}
    found = rows(quickly, ends)
    if many_rows(found):
        rare = _Cases("rare")
        for pc, text in enumerate(others):
            rare.add(pc, text)
    yield from row_table(found)
    for part in (begun, completed, rare):
        yield from part.functions()
    yield f"SLOW i32 perform_rare(State *S, Thread *T, Ctx *C) {{\n{_BEGINS}"
    yield from rare.switch()
    yield f"    return next;\n}}\nINLINE i32 perform(State *S, Thread *T, Ctx *C) {{\n{_BEGINS}"
    yield from begun.switch()
    if completed.pcs:
        yield "    if (next == ASKED && !(next = served(S, T, C, &asked)))"
        yield from completed.switch()
    yield "    return next;\n}"


class _Cases:
    """Texts by what they say, each with the program counters at which it stands."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self.pcs: dict[str, list[int]] = {}

    def add(self, pc: int, text: str) -> None:
        self.pcs.setdefault(text, []).append(pc)

    def functions(self) -> Iterator[str]:
        for text, same in self.pcs.items():
            yield text.replace("op)", f"{self._prefix}_{same[0]})", 1)

    def switch(self) -> Iterator[str]:
        yield "    switch (pc) {"
        for same in self.pcs.values():
            cases = " ".join(f"case {pc}:" for pc in same)
            yield f"    {cases} next = {self._prefix}_{same[0]}({_ARGUMENTS}); break;"
        yield "    default: __builtin_unreachable();\n    }"


def _narrow(body: Body) -> frozenset[int]:
    """Slots of registers of at most 32 bits."""
    registers = [*body.function.params, *(reg for instr in body.instrs for reg in ir.defs(instr))]
    edges = [dst for instr in body.instrs for edge in ir.edges(instr) for dst, _ in edge.moves]
    widths: dict[str, int] = {}
    for reg in (*registers, *edges):
        widths[reg.name] = max(reg.width, widths.get(reg.name, 0))
    return frozenset(slot for name, slot in body.slots.items() if widths.get(name, 64) <= 32)


def _with_halves(text: str, narrow: frozenset[int]) -> str:
    def written(found: re.Match[str]) -> str:
        return f"HALF({found[1]}) = " if int(found[1]) in narrow else found[0]

    def read(found: re.Match[str]) -> str:
        return f"(u64)HALF({found[1]})" if int(found[1]) in narrow else found[0]

    return _READ.sub(read, _WRITTEN.sub(written, text))


def _parts(text: str) -> tuple[str, str]:
    """Up to the access that others do for it, and from there; or all of it, and nothing."""
    lines = text.splitlines()
    depth = 0
    for index, line in enumerate(lines):
        found = _ACCESS.fullmatch(line)
        if found is not None and depth == 1:
            asks, result = _asks(found)
            rest = lines[index + 1 :]
            known = {result} | {name for one in rest for name in re.findall(r"\bu\d+ (v\d+) =", one)}
            if all(name in known for one in rest for name in _TEMPORARY.findall(one)) and not _calls(rest):
                given = [f"    u64 {result} = asked->value;"] if result else []
                return "\n".join([*lines[:index], asks, "}\n"]), "\n".join([lines[0], *given, *rest, ""])
        depth += line.count("{") - line.count("}")
    return text, ""


def _calls(lines: Sequence[str]) -> bool:
    return any(_CALL.search(line) or _LAST_CALL.search(line) for line in lines)


def _asks(found: re.Match[str]) -> tuple[str, str]:
    load, at, size, result, store, to, width, value, add, base, offset, pointer = found.groups()
    if load:
        return f"    return ask(asked, ASK_LOAD, {at}, {size}, 0);", result
    if store:
        return f"    return ask(asked, ASK_STORE, {to}, {width}, {value});", ""
    assert add
    return f"    return ask(asked, ASK_ADD, {base}, 0, {offset});", pointer
