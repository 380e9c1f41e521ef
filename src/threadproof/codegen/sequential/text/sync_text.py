"""The sync table as C functions, and the few operations that no table holds.

A guarded operation becomes one function: the first case that holds is carried out; if none does, `assume(0)` ends the
run, because a thread that cannot move must not be chosen. `self` is the running thread's handle: its number plus one.
Waiting on a condition variable may end without a signal, as POSIX allows, so a signal changes nothing that counts.
"""

from __future__ import annotations

from threadproof.codegen.sequential.values.expressions import Printer
from threadproof.codegen.sequential.values.scalars import unsigned
from threadproof.codegen.sequential.values.typed import Object, Typed
from threadproof.ir.expr import Expr, Reg, registers
from threadproof.sync.facts import DETACHING, FACTS, Act
from threadproof.sync.operations import (
    EDEADLK,
    EINVAL,
    ESRCH,
    ETIMEDOUT,
    MUTEX_FIELDS,
    OPERATIONS,
    TRUE,
    Case,
    Field,
    Guarded,
    lock_cases,
    unlock_cases,
)


class _Fields:
    """Field names mean words of the object, `arg1` an argument, `self` the running thread's handle."""

    def __init__(self, operation: Guarded, pointer_bits: int) -> None:
        self.pointer_bits = pointer_bits
        self._fields = {field.name: field for field in operation.fields}

    def register(self, reg: Reg) -> Typed:
        field = self._fields.get(reg.name)
        if field is None:
            return Typed(reg.name, unsigned(reg.width))
        if field.if_null is not None:
            return Typed(f"arg{field.arg} ? *{field.name} : {field.if_null}u", unsigned(field.bits), False)
        return Typed(f"*{field.name}", unsigned(field.bits))

    def object_at(self, address: Expr) -> Object | None:
        return None

    def function_mark(self, name: str) -> str:
        raise AssertionError(name)


class Signature:
    """How a guarded operation is called."""

    def __init__(self, operation: Guarded, pointer_bits: int) -> None:
        self.operation = operation
        self._wide = pointer_bits == 64
        used = [expr for case in operation.cases for expr in _expressions(case)]
        names = {name for expr in used for name in registers(expr)} | {
            name for case in operation.cases for name, _ in case.sets
        }
        self.fields = tuple(field for field in operation.fields if field.name in names)
        self.asks_self = "self" in names
        pointers = {field.arg for field in self.fields}
        numbers = {i for i in range(operation.arity) if f"arg{i}" in names}
        self.arguments = tuple((i, i in pointers) for i in sorted(pointers | numbers))

    def parameters(self) -> str:
        found = [f"void *arg{i}" if pointer else f"u32 arg{i}" for i, pointer in self.arguments]
        return ", ".join(found + (["u32 self"] if self.asks_self else [])) or "void"

    def place(self, field: Field) -> str:
        offset = field.offset64 if self._wide else field.offset32
        base = f"(char *)arg{field.arg} + {offset}" if offset else f"arg{field.arg}"
        return f"u{field.bits} *{field.name} = (u{field.bits} *)({base});" if offset else (
            f"u{field.bits} *{field.name} = {base};"
        )  # fmt: skip


def _expressions(case: Case) -> tuple[Expr, ...]:
    return (case.when, case.result, *(value for _, value in case.sets))


def guarded_function(operation: Guarded, pointer_bits: int) -> list[str]:
    signature = Signature(operation, pointer_bits)
    printer = Printer(_Fields(operation, pointer_bits))
    lines = [f"static u32 {operation.name}({signature.parameters()}) {{"]
    lines += [f"  {signature.place(field)}" for field in signature.fields]
    for case in operation.cases:
        certain = case.when == TRUE
        lines += _case(printer, case, "" if certain else printer.condition(case.when))
        if certain:
            return [*lines, "}"]
    return [*lines, "  assume(0);", "  return 0;", "}"]


def _case(printer: Printer, case: Case, condition: str) -> list[str]:
    indent = "    " if condition else "  "
    lines = [f"  if ({condition}) {{"] if condition else []
    changed = {name for name, _ in case.sets}
    result = printer.assigned(case.result, unsigned(32))
    if changed & set(registers(case.result)):
        lines.append(f"{indent}u32 result = {result};")
        result = "result"
    read_later = {r for n, (_, value) in enumerate(case.sets) for r in registers(value) if r in _before(case, n)}
    assert not read_later, "a field is read after it was set"
    lines += [f"{indent}*{name} = {printer.assigned(value, unsigned(32))};" for name, value in case.sets]
    lines.append(f"{indent}return {result};")
    return lines + (["  }"] if condition else [])


def _before(case: Case, number: int) -> set[str]:
    return {name for name, _ in case.sets[:number]}


_LOCK = Guarded("lock_again", 1, MUTEX_FIELDS, lock_cases())
_UNLOCK = Guarded("unlock", 1, MUTEX_FIELDS, unlock_cases())

_PRIMITIVES = {
    "thread_detach": [
        "static u32 thread_detach(uptr thread) {",
        f"  if (thread < 1 || thread > THREADS || pc[thread - 1] == NOT_CREATED) return {ESRCH};",
        f"  if (detached[thread - 1]) return {EINVAL};",
        "  detached[thread - 1] = 1;",
        "  return 0;",
        "}",
    ],
    "thread_cancel": [
        "static u32 thread_cancel(uptr thread) {",
        f"  if (thread < 1 || thread > THREADS || pc[thread - 1] == NOT_CREATED) return {ESRCH};",
        "  if (pc[thread - 1] != FINISHED) cancelled[thread - 1] = 1;",
        "  return 0;",
        "}",
    ],
    "cancel_state": [
        "static u32 cancel_state(u32 state, void *old, u32 self) {",
        f"  if (state > 1) return {EINVAL};",
        "  if (old) *(u32 *)old = uncancellable[self - 1];",
        "  uncancellable[self - 1] = state == 1;",
        "  return 0;",
        "}",
    ],
    "cond_enqueue": [
        "static u32 cond_enqueue(void *mutex, u32 self) {",
        '  if (unlock(mutex, self)) beyond("waiting without holding the mutex");',
        "  return 0;",
        "}",
    ],
    "cond_relock": [
        "static u32 cond_relock(void *mutex, u32 self) {  // waiting may end without a signal",
        "  return lock_again(mutex, self);",
        "}",
    ],
    "cond_relock_timed": [
        "static u32 cond_relock_timed(void *mutex, u32 self) {",
        "  lock_again(mutex, self);",
        f"  return __VERIFIER_nondet_bool() ? {ETIMEDOUT} : 0;",
        "}",
    ],
    "key_create": [
        "static u32 key_create(void *key, void *destructor) {",
        '  if (destructor) beyond("a destructor of a thread-specific key");',
        '  if (keys == KEYS) beyond("the bound on thread-specific keys");',
        "  *(u32 *)key = keys++;",
        "  return 0;",
        "}",
    ],
    "key_delete": [
        "static u32 key_delete(u32 key) {",
        f"  if (key >= keys || deleted[key]) return {EINVAL};",
        "  deleted[key] = 1;",
        "  for (u32 thread = 0; thread < THREADS; thread++) specific[thread][key] = 0;",
        "  return 0;",
        "}",
    ],
    "key_set": [
        "static u32 key_set(u32 key, void *value, u32 self) {",
        f"  if (key >= keys || deleted[key]) return {EINVAL};",
        "  specific[self - 1][key] = value;",
        "  return 0;",
        "}",
    ],
    "key_get": [
        "static void *key_get(u32 key, u32 self) {",
        "  return key < keys ? specific[self - 1][key] : 0;",
        "}",
    ],
}  # fmt: skip

_NEEDS: dict[str, tuple[str, ...]] = {
    "thread_create_detached": ("detached",),
    "thread_detach": ("detached",),
    "thread_cancel": ("cancelled",),
    "cancel_state": ("uncancellable",),
    "cond_enqueue": ("unlock",),
    "cond_relock": ("lock_again",),
    "cond_relock_timed": ("lock_again",),
    "key_create": ("keys",),
    "key_delete": ("keys",),
    "key_set": ("keys",),
    "key_get": ("keys",),
}
ARRAYS = {
    "results": "static void *results[THREADS];",
    "detached": "static _Bool detached[THREADS];",
    "cancelled": "static _Bool cancelled[THREADS];",
    "uncancellable": "static _Bool uncancellable[THREADS];",
    "keys": "#define KEYS 8\nstatic u32 keys;\nstatic _Bool deleted[KEYS];\nstatic void *specific[THREADS][KEYS];",
}

CALLS: dict[str, tuple[tuple[int, bool], ...]] = {
    "thread_detach": ((0, False),),
    "thread_cancel": ((0, False),),
    "cancel_state": ((0, False), (1, True)),
    "cond_enqueue": ((1, True),),
    "cond_relock": ((1, True),),
    "cond_relock_timed": ((1, True),),
    "key_create": ((0, True), (1, True)),
    "key_delete": ((0, False),),
    "key_set": ((0, False), (1, True)),
    "key_get": ((0, False),),
}
"""Which arguments the C functions of the primitives take, and whether as pointers."""
ASK_SELF = ("cancel_state", "cond_enqueue", "cond_relock", "cond_relock_timed", "key_set", "key_get")
"""Primitives whose C function takes the running thread's handle last."""


def needed(used: set[str]) -> set[str]:
    found = {what for op in used for what in _NEEDS.get(op, ())}
    return found | ({"uncancellable"} if "thread_cancel" in used else set())


def _join(name: str, used: set[str], results: bool, itself: bool) -> list[str]:
    """Waiting for the end of a thread; only as much of it as the program uses."""
    kind, cast = ("u32", "(u32)(uptr)") if name == "thread_join_int" else ("void *", "")
    more = ", void *result" * results + ", u32 self" * itself
    lines = [f"static u32 {name}(uptr thread{more}) {{"]
    lines.append(f"  if (thread < 1 || thread > THREADS || pc[thread - 1] == NOT_CREATED) return {ESRCH};")
    if used & DETACHING:
        lines.append('  if (detached[thread - 1]) beyond("joining a detached thread");')
    if itself:
        lines.append(f"  if (thread == self) return {EDEADLK};")
    lines.append("  assume(pc[thread - 1] == FINISHED);")
    if results:
        lines.append(f"  if (result) *({kind} *)result = {cast}results[thread - 1];")
        lines.append("  results[thread - 1] = 0;")
    return [*lines, "  return 0;", "}"]


_LOOK = [
    "// An object of the library must be there from its first byte to its last; what it holds does not matter.",
    "static u32 look(void *arg0, void *arg1) {",
    "  char seen[2];",
    "  memcpy(seen, arg0, 1);",
    "  memcpy(seen + 1, (char *)arg1 + 3, 1);",
    "  return 0;",
    "}",
]


def sync_functions(used: set[str], pointer_bits: int, results: bool, itself: bool) -> list[str]:
    """The functions for the operations that the program uses, in the table's order."""
    lines: list[str] = []
    wants = needed(used)
    for operation in (_LOCK, _UNLOCK):
        if operation.name in wants:
            lines += [*guarded_function(operation, pointer_bits), ""]
    for name, operation in OPERATIONS.items():
        if name not in used:
            continue
        if name == "look":
            lines += [*_LOOK, ""]
        elif isinstance(operation, Guarded):
            lines += [*guarded_function(operation, pointer_bits), ""]
        elif FACTS[name].act is Act.JOIN:
            lines += [*_join(name, used, results, itself), ""]
        elif name in _PRIMITIVES:
            lines += [*_PRIMITIVES[name], ""]
    return lines
