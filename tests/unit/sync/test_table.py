"""The sync table is consistent, and every row of it is exercised by some program under `tests/programs`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from threadproof.ir.expr import Reg, registers, walk
from threadproof.sync.families.common import LATE
from threadproof.sync.operations import OPERATIONS, Case, Guarded
from threadproof.sync.rows import Does, Fidelity, NoMeaning, Row
from threadproof.sync.table import GROUPS, PREVIOUS, TABLE

PROGRAMS = Path(__file__).parents[2] / "programs"

NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
DECLARATION = re.compile(r"^\w[^;{}#]*\);$", re.MULTILINE)  # at the left margin, so not a call
PASTED = re.compile(r"\b(BIT|SMALL)\((\w+),")  # macros of our programs that make __VERIFIER_nondet_<argument>
CALLED = re.compile(r"\b([A-Za-z_]\w*)\)?\s*\(")

# Rows that programs reach through a macro of the C library's headers.
MACROS = {
    "__assert_fail": "assert",
    "__ctype_b_loc": "isdigit",
    "__errno_location": "errno",
    "__pthread_register_cancel": "pthread_cleanup_push",
    "__pthread_unregister_cancel": "pthread_cleanup_pop",
    "__sigsetjmp": "sigsetjmp",
    "_setjmp": "setjmp",
}

# Rows without a program of their own, by the beginning or the end of their name: why none is needed.
EXEMPT_PREFIXES = {
    "__threadproof_": "called by the runtime library only",
    "__isoc": "what the headers of some versions of glibc call scanf and its kin",
    "__assert": "what the headers of other C libraries call in assert",
}
EXEMPT_SUFFIXES = {
    "_chk": "what optimising compilers make of printf and its kin",
}
# Of these families of rows, which mean the same, one member needs a program.
FAMILIES: dict[str, frozenset[str]] = {
    "nondet_": frozenset(name for name in TABLE if name.startswith("nondet_")),
    "__ESBMC_nondet_": frozenset(name for name in TABLE if name.startswith("__ESBMC_nondet_")),
    "floating-point functions": frozenset(row.name for row in GROUPS["Floating-point functions"]),
    "floating-point environment": frozenset(row.name for row in GROUPS["Floating-point environment"]),
}


def called_names(text: str) -> set[str]:
    code = DECLARATION.sub("", NOT_CODE.sub(" ", text))
    pasted = {f"__VERIFIER_nondet_{kind}" for _, kind in PASTED.findall(code)}
    names = set(CALLED.findall(code)) | pasted
    return names | ({"errno"} if re.search(r"\berrno\b(?!\.h)", code) else set())


@pytest.fixture(scope="module")
def exercised() -> set[str]:
    found: set[str] = set()
    for program in PROGRAMS.glob("*/*/main.c"):
        found |= called_names(program.read_text(encoding="utf-8"))
    return found


def needs_a_program(name: str) -> bool:
    if name in MACROS:
        return True
    exempt = name.startswith(tuple(EXEMPT_PREFIXES)) or name.endswith(tuple(EXEMPT_SUFFIXES))
    return not exempt and not any(name in family for family in FAMILIES.values())


def test_every_row_is_exercised_by_a_program(exercised: set[str]) -> None:
    missing = {name for name in TABLE if needs_a_program(name) and MACROS.get(name, name) not in exercised}
    assert missing == set()


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_is_exercised_by_a_program(family: str, exercised: set[str]) -> None:
    assert FAMILIES[family] & exercised


def test_exemptions_are_for_rows_that_exist() -> None:
    for prefix in EXEMPT_PREFIXES:
        assert any(name.startswith(prefix) for name in TABLE), prefix
    for suffix in EXEMPT_SUFFIXES:
        assert any(name.endswith(suffix) for name in TABLE), suffix
    assert MACROS.keys() <= TABLE.keys()


def test_called_names_ignore_comments_strings_and_declarations() -> None:
    text = """
extern void *valloc(unsigned long), *memalign(unsigned long,
                                              unsigned long);
BIT(u8, unsigned char)
int f(int c) { /* g() */
    puts("h()"); // k()
    c = (isdigit)(c);
    abort();
}
"""
    assert called_names(text) == {"f", "puts", "isdigit", "abort", "BIT", "__VERIFIER_nondet_u8"}


def rows_with_operations() -> Iterator[tuple[Row, Does]]:
    for row in TABLE.values():
        if isinstance(row.effect, Does):
            yield row, row.effect


def test_keys_are_the_names() -> None:
    assert all(name == row.name for name, row in TABLE.items())
    assert all(name == operation.name for name, operation in OPERATIONS.items())


@pytest.mark.parametrize(("row", "effect"), [pytest.param(*pair, id=pair[0].name) for pair in rows_with_operations()])
def test_a_row_uses_operations_that_exist_with_all_their_arguments(row: Row, effect: Does) -> None:
    assert effect.uses
    for number, use in enumerate(effect.uses):
        assert len(use.args) == OPERATIONS[use.op].arity
        for arg in use.args:
            assert arg >= 0 or (arg == PREVIOUS and number > 0) or (arg == LATE and row.time_arg is not None)


def test_every_operation_is_used() -> None:
    used = {use.op for _, effect in rows_with_operations() for use in effect.uses} | {"look"}
    assert set(OPERATIONS) - used == set()


GUARDED = [operation for operation in OPERATIONS.values() if isinstance(operation, Guarded)]


def cases_of(operation: Guarded) -> tuple[Case, ...]:
    return operation.cases


@pytest.mark.parametrize("operation", GUARDED, ids=lambda operation: operation.name)
def test_a_guarded_operation_uses_only_its_own_names(operation: Guarded) -> None:
    fields = {field.name for field in operation.fields}
    args = {f"arg{number}" for number in range(operation.arity)}
    known = fields | args | {"self"}
    assert len(fields) == len(operation.fields)
    assert not fields & (args | {"self"})
    for case in cases_of(operation):
        assert case.when.width == 1
        assert {name for name, _ in case.sets} <= fields
        for expr in (case.when, case.result, *(value for _, value in case.sets)):
            assert set(registers(expr)) <= known


@pytest.mark.parametrize("operation", GUARDED, ids=lambda operation: operation.name)
def test_widths_agree(operation: Guarded) -> None:
    bits = {field.name: field.bits for field in operation.fields}
    for case in cases_of(operation):
        assert case.result.width == 32
        for name, value in case.sets:
            assert value.width == bits[name]
        for expr in (case.when, case.result, *(value for _, value in case.sets)):
            for part in walk(expr):
                if isinstance(part, Reg):
                    assert part.width == bits.get(part.name, 32)


@pytest.mark.parametrize("operation", GUARDED, ids=lambda operation: operation.name)
def test_fields_do_not_overlap(operation: Guarded) -> None:
    for wide in (False, True):
        places = sorted((f.arg, f.offset64 if wide else f.offset32, f.bits // 8) for f in operation.fields)
        for (arg, start, size), (next_arg, next_start, _) in itertools.pairwise(places):
            assert arg != next_arg or start + size <= next_start
        assert all(arg < operation.arity for arg, _, _ in places)


@pytest.mark.parametrize("row", TABLE.values(), ids=lambda row: row.name)
def test_unsupported_means_without_a_meaning(row: Row) -> None:
    if not row.name.startswith("__threadproof_"):
        assert (row.fidelity is Fidelity.UNSUPPORTED) == isinstance(row.effect, NoMeaning)


@pytest.mark.parametrize("row", TABLE.values(), ids=lambda row: row.name)
def test_a_row_says_what_it_does(row: Row) -> None:
    assert row.says
    assert not row.says.endswith(".")
