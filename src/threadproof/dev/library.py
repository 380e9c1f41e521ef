"""Writes `docs/library.md` from the sync table: `python -m threadproof.dev.library [FILE]`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from threadproof.ir.ctypes import signed
from threadproof.ir.show import show_expr
from threadproof.sync.facts import FACTS, PointerSize, Seen
from threadproof.sync.operations import OPERATIONS, TRUE, Cancellation, Case, Guarded, Operation, Primitive
from threadproof.sync.rows import Does, Fidelity, GivesAny, Row
from threadproof.sync.table import GROUPS

DEFAULT_FILE = Path("docs/library.md")
_INTERNAL = "__threadproof_"  # names the runtime library uses; no program does
_NONDET = "nondet_"

_MODEL = {
    Fidelity.EXACT: "exact",
    Fidelity.MORE: "more behaviours",
    Fidelity.FEWER: "fewer behaviours",
    Fidelity.UNSUPPORTED: "**unsupported**",
}

_OPENING = """\
# The C library as Threadproof sees it

Generated from `src/threadproof/sync/table.py` by `python -m threadproof.dev.library`; edit the table, not this file.

Functions that are not listed and have no body in the program: reaching the call makes the answer `unknown`, unless
`--undefined` or `--assume-pure` says what they do.

The last column says how near the model is to the real function:

- **exact**: every behaviour the rules of [soundness.md](soundness.md) allow, and no other;
- **more behaviours** than the real function: a `false` may rest on one that cannot happen;
- **fewer behaviours** than the real function: a `true` says nothing about the missing ones;
- **unsupported**: reaching the call makes the answer `unknown`; a call that is not reached does no harm.

(c) marks cancellation points: a thread that was cancelled ends there. Names like `mutex_lock` in the second column are
[operations](#operations), written out at the end.
"""

_OPERATIONS = """\
## Operations

Each is one indivisible step. An operation with fields takes the first case whose condition holds and blocks while none
does; `self` is the running thread's handle, `arg0`, `arg1`, ... are the arguments. Error numbers are those of Linux.
"""


def document() -> str:
    parts = [_OPENING]
    for title, rows in GROUPS.items():
        shown = [row for row in rows if not row.name.startswith(_INTERNAL)]
        if not shown:
            continue
        arbitrary = all(_NONDET in row.name for row in shown)
        parts.append(f"## {title}\n\n" + (_arbitrary_values(shown) if arbitrary else _functions(shown)))
    parts.append(_OPERATIONS)
    parts.extend(_operation(operation) for operation in OPERATIONS.values() if isinstance(operation, Guarded))
    parts.append(_primitives(operation for operation in OPERATIONS.values() if isinstance(operation, Primitive)))
    return "\n".join(parts)


def _table(titles: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rows = [titles, ["---"] * len(titles), *([cell.replace("|", "\\|") for cell in line] for line in lines)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _functions(rows: Sequence[Row]) -> str:
    """Neighbours that differ in the name only share a line."""
    lines: list[tuple[str, ...]] = []
    for _, same in groupby(rows, key=lambda row: replace(row, name="", effect=_shape(row))):
        members = list(same)
        names = ", ".join(f"`{row.name}`" for row in members)
        first = members[0]
        lines.append((names, _does(first), first.blocks, first.misuse, _MODEL[first.fidelity]))
    return _table(("function", "does", "blocks", "misuse", "model"), lines)


def _shape(row: Row) -> GivesAny | Does:
    """What of the effect is shown: its operations."""
    return row.effect if isinstance(row.effect, Does) else GivesAny()


def _does(row: Row) -> str:
    if not isinstance(row.effect, Does):
        return row.says
    operations = [OPERATIONS[use.op] for use in row.effect.uses]
    names = ", ".join(f"`{operation.name}`" for operation in operations)
    point = any(operation.cancellation is Cancellation.POINT for operation in operations)
    return f"{row.says} ({names}){' (c)' if point else ''}"


def _arbitrary_values(rows: Sequence[Row]) -> str:
    prefixes = dict.fromkeys(row.name[: row.name.index(_NONDET) + len(_NONDET)] for row in rows)
    kinds: dict[str, list[str]] = {}
    for row in rows:
        kind = row.name.split(_NONDET, 1)[1]
        names = kinds.setdefault(_values(row.effect), []) if isinstance(row.effect, GivesAny) else []
        if kind not in names:
            names.append(kind)
    named = " and ".join((", ".join(f"`{prefix}`" for prefix in list(prefixes)[:-1]), f"`{list(prefixes)[-1]}`"))
    opening = f"Each kind below, after one of the prefixes {named}. All are exact.\n\n"
    lines = ((", ".join(f"`{name}`" for name in names), values) for values, names in kinds.items())
    return opening + _table(("kind", "values"), lines)


def _values(effect: GivesAny) -> str:
    match effect.low, effect.high:
        case None, None:
            return "any of the result's type, which is signed"
        case 0, None:
            return "any of the result's type, which is unsigned, a pointer or a floating-point type"
        case low, high:
            return f"{low} to {high}"


def _operation(operation: Guarded) -> str:
    place = ", ".join(_field_places(operation)) or "none"
    opening = f"### `{operation.name}`\n\n{_facts(operation)} Fields: {place}.\n\n"
    always = "always" if operation.cases[0].when == TRUE else "otherwise"
    cases = [_case(case, always if case.when == TRUE else f"`{show_expr(case.when)}`") for case in operation.cases]
    return opening + _table(("when", "sets", "result"), cases)


def _field_places(operation: Guarded) -> Iterator[str]:
    for field in operation.fields:
        offsets = dict.fromkeys((field.offset64, field.offset32))
        bytes_ = " (ILP32: ".join(str(offset) for offset in offsets) + (")" if len(offsets) > 1 else "")
        null = "" if field.if_null is None else f", {field.if_null} if that is null"
        yield f"`{field.name}` at byte {bytes_} of `*arg{field.arg}`{null}"


def _case(case: Case, when: str) -> tuple[str, str, str]:
    sets = ", ".join(f"`{name} := {show_expr(value)}`" for name, value in case.sets)
    note = "" if case.note is None else f", noted: {case.note.value}"
    return when, sets, f"`{show_expr(case.result)}`{note}"


def _primitives(operations: Iterable[Primitive]) -> str:
    lines = ((f"`{operation.name}`", operation.says, _facts(operation)) for operation in operations)
    return "### Without fields\n\n" + _table(("operation", "does", "facts"), lines)


def _facts(operation: Operation) -> str:
    """What readers rely on, in one sentence; empty parts are left out."""
    facts, locks = FACTS[operation.name], FACTS[operation.name].locks
    said = [
        facts.family.value,
        f"waits {facts.blocks.value}" if facts.may_block else "",
        "" if locks is None else f"takes arg{locks.arg} ({locks.sharing.value}){_unless(locks.failures)}",
        "" if facts.releases is None else f"releases arg{facts.releases}",
        *(f"asks about thread arg{arg}" for arg in facts.names),
        *(f"keeps arg{arg}" for arg in facts.keeps),
        *(f"stores {_bytes(store.size)} at arg{store.arg}" for store in facts.stores),
        "nobody else can notice" if facts.seen is Seen.BY_NOBODY else "",
        "a cancellation point" if operation.cancellation is Cancellation.POINT else "",
    ]
    sentence = "; ".join(part for part in said if part)
    return sentence[0].upper() + sentence[1:] + "."


def _unless(failures: tuple[int, ...]) -> str:
    return f" unless it gives {' or '.join(str(signed(code, 32)) for code in failures)}" if failures else ""


def _bytes(size: int | PointerSize) -> str:
    return "a pointer" if isinstance(size, PointerSize) else f"{size} bytes"


def main(arguments: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    if len(given) > 1:
        print("usage: python -m threadproof.dev.library [FILE]", file=sys.stderr)
        return 3
    target = Path(given[0]) if given else DEFAULT_FILE
    try:
        target.write_text(document(), encoding="utf-8")
    except OSError as error:
        print(f"cannot write {target}: {error.strerror}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
