"""The guarded operations of the sync table, printed as C: read the fields, take the first case that holds."""

from __future__ import annotations

from threadproof.codegen.machine.expressions import ExpressionWriter
from threadproof.codegen.machine.numbering import Numbering
from threadproof.sync.operations import (
    MUTEX_FIELDS,
    OPERATIONS,
    Case,
    Field,
    Guarded,
    extent,
    lock_cases,
    unlock_cases,
)

_HEAD = "(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out"
# Bytes and mask of the first argument's object where the caller knows them, else null.
_PLACES = ", u8 *p, u8 *m"


def guarded_function(numbering: Numbering, name: str) -> str:
    operation = OPERATIONS[name]
    assert isinstance(operation, Guarded)
    writer = _Cases(numbering, operation.fields, operation.arity)
    writer.take_first(operation.cases)
    writer.line(f"return blocked_on(C, {writer.text(operation.name)}, {'a[0]' if operation.arity else '0'});")
    return writer.function(f"static int g_{operation.name}{_HEAD}{_PLACES})")


def mutex_functions(numbering: Numbering) -> str:
    """Locking and unlocking on the way into and out of a wait; `only_try` changes nothing."""
    texts: list[str] = []
    for name, cases in (("mutex_unlock_cases", unlock_cases()), ("mutex_lock_cases", lock_cases())):
        writer = _Cases(numbering, MUTEX_FIELDS, 2)
        writer.lines.insert(0, "u8 *p = 0, *m = 0;")
        possible = " || ".join(f"({writer.condition(case)})" for case in cases)
        writer.line(f"if (only_try) return ({possible}) ? 0 : BLOCKED;")
        writer.take_first(cases)
        writer.line("return BLOCKED;")
        texts.append(writer.function(f"static int {name}{_HEAD}, int only_try)"))
    return "\n".join(texts)


class _Cases(ExpressionWriter):
    def __init__(self, numbering: Numbering, fields: tuple[Field, ...], arity: int) -> None:
        names = {"self": "self", **{f"arg{i}": f"arg{i}" for i in range(arity)}}
        names |= {field.name: f"f_{field.name}" for field in fields}
        super().__init__(numbering, None, names)
        self._wide = numbering.pointer_bytes == 8
        self._fields = {field.name: field for field in fields}
        self._arity, self._extent = arity, extent(fields)
        self.line("u64 self = handle_of(S, T);")
        for i in range(arity):
            self.line(f"u64 arg{i} = a[{i}] & 0xFFFFFFFFULL;")
        for field in fields:
            self.line(f"u64 f_{field.name} = {field.if_null or 0};")
            if field.if_null is not None:
                self.line(f"if (a[{field.arg}])")
            if field.arg == 0:
                self.line(f"if (p) f_{field.name} = {self._direct('p', field)}; else")
            self.guard(f"peek(S, T, C, {self._address(field)}, {field.bits // 8}, &f_{field.name})")
        self.line("(void)self;")

    def _offset(self, field: Field) -> int:
        return field.offset64 if self._wide else field.offset32

    def _address(self, field: Field) -> str:
        return f"a[{field.arg}] + {self._offset(field)}"

    def _direct(self, place: str, field: Field) -> str:
        return f"get{field.bits}({place} + {self._offset(field)})"

    def condition(self, case: Case) -> str:
        return self.value(case.when)

    def take_first(self, cases: tuple[Case, ...]) -> None:
        for case in cases:
            self.line(f"if ({self.condition(case)}) {{")
            self.carry_out(case)
            self.line("}")

    def carry_out(self, case: Case) -> None:
        values = [(self._fields[name], self.temp(self.value(value))) for name, value in case.sets]
        result = self.temp(self.value(case.result))
        if self._arity:
            self.line(f"touch(C, a[0], {self._extent}, {case.mode.name});")
        for field, value in values:
            if field.arg == 0:
                direct = f"put{field.bits}(p + {self._offset(field)}, {value});"
                known = f"if (m) put{field.bits}(m + {self._offset(field)}, 0);"
                self.line(f"if (p) {{ {direct} {known} }} else")
            poke = "poke_result" if field.arg else "poke"
            self.guard(f"{poke}(S, T, C, {self._address(field)}, {field.bits // 8}, {value})")
        self.line(f"*out = {result}; return 0;")

    def function(self, head: str) -> str:
        return f"{head} {{\n    " + "\n    ".join(line for line in self.lines if line) + "\n}\n"
