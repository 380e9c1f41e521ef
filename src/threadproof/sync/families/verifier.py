"""What programs say to a verifier: atomic blocks, arbitrary values, errors, assumptions; and the ends of programs."""

from __future__ import annotations

from threadproof.ir.instr import ErrorKind, HaltKind
from threadproof.sync.families.common import does
from threadproof.sync.rows import Asserts, Assumes, Fails, Gives, GivesAny, Halts, Row

_ATOMIC_BLOCKS = tuple(
    Row(name, does("atomic_begin" if name.endswith("begin") else "atomic_end"), "brackets a block no other thread "
        "interrupts; does not nest", "an operation inside that cannot proceed ends the path")
    for end in ("begin", "end")
    for name in (f"__VERIFIER_atomic_{end}", f"__CPROVER_atomic_{end}", f"__ESBMC_atomic_{end}")
)  # fmt: skip

_NONDET_TYPES: dict[str, tuple[int | None, int | None]] = {
    # name: (low, high); None: that end of the result type, read as signed unless low is 0
    "bool": (0, 1), "_Bool": (0, 1),
    "char": (None, None), "short": (None, None), "int": (None, None), "long": (None, None),
    "longlong": (None, None), "loff_t": (None, None), "int128": (None, None),
    "uchar": (0, None), "ushort": (0, None), "uint": (0, None), "unsigned": (0, None), "ulong": (0, None),
    "ulonglong": (0, None), "uint128": (0, None), "size_t": (0, None), "u8": (0, None), "u16": (0, None),
    "u32": (0, None), "u64": (0, None), "sector_t": (0, None), "unsigned_int": (0, None),
    "unsigned_char": (0, None), "unsigned_long": (0, None),
    "pchar": (0, None), "pointer": (0, None), "pthread_t": (0, None),
    "float": (0, None), "double": (0, None),
}  # fmt: skip

_NONDET = tuple(
    Row(f"{prefix}{kind}", GivesAny(*bounds), "any value of its type")
    for prefix in ("__VERIFIER_nondet_", "nondet_", "__ESBMC_nondet_")
    for kind, bounds in _NONDET_TYPES.items()
)

HANDLES = ("signal", "sigaction")  # programs that use one of these may handle signals

_VERDICTS = (
    Row("reach_error", Fails(ErrorKind.REACH_ERROR), "the error of unreach-call; the body is not executed"),
    Row("__VERIFIER_error", Fails(ErrorKind.REACH_ERROR), "the error of unreach-call"),
    Row("__assert_fail", Fails(ErrorKind.ASSERTION), "a failed assert()"),
    Row("__assert", Fails(ErrorKind.ASSERTION), "a failed assert()"),
    Row("__assert_rtn", Fails(ErrorKind.ASSERTION), "a failed assert()"),
    Row("__assert_perror_fail", Fails(ErrorKind.ASSERTION), "a failed assert_perror()"),
    Row("assert", Asserts(0), "an error if the argument is zero: of a program without <assert.h>"),
    Row("__VERIFIER_assert", Asserts(0), "an error if the argument is zero"),
    Row("__CPROVER_assert", Asserts(0), "an error if the argument is zero"),
    Row("__ESBMC_assert", Asserts(0), "an error if the argument is zero"),
    Row("__VERIFIER_assume", Assumes(0), "ends the path if the argument is zero"),
    Row("__CPROVER_assume", Assumes(0), "ends the path if the argument is zero"),
    Row("__ESBMC_assume", Assumes(0), "ends the path if the argument is zero"),
    Row("__ESBMC_yield", Gives(), "nothing"),
    Row("abort", Halts(HaltKind.ABORT), "ends all threads; a handler of SIGABRT runs before", runtime_if=HANDLES),
    Row("__threadproof_abort", Halts(HaltKind.ABORT), "the end of abort"),
    Row("_exit", Halts(HaltKind.EXIT), "ends all threads"),
    Row("_Exit", Halts(HaltKind.EXIT), "ends all threads"),
)

GROUPS: dict[str, tuple[Row, ...]] = {
    "Atomic blocks": _ATOMIC_BLOCKS,
    "Arbitrary values": _NONDET,
    "Errors, assumptions and ends": _VERDICTS,
}
