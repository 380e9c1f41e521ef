"""The sync table: one row per C library function Threadproof gives a meaning to.

Rows are data for the front end, the documentation (`docs/library.md` is generated from them) and the tests; they stand
in `families`. A function that is not here and has no body is an external.
"""

from __future__ import annotations

from threadproof.sync.families import (
    attributes,
    endings,
    environment,
    locks,
    maths,
    memory,
    system,
    text,
    thread_settings,
    threads,
    verifier,
)
from threadproof.sync.families.common import PREVIOUS
from threadproof.sync.rows import GivesAny, Row

__all__ = ["GROUPS", "PREVIOUS", "TABLE", "lookup"]

NONDET = "__VERIFIER_nondet_"

GROUPS: dict[str, tuple[Row, ...]] = {
    **threads.GROUPS,
    **thread_settings.GROUPS,
    **locks.GROUPS,
    **attributes.GROUPS,
    **verifier.GROUPS,
    **endings.GROUPS,
    **memory.GROUPS,
    **maths.GROUPS,
    **environment.GROUPS,
    **text.GROUPS,
    **system.GROUPS,
}

TABLE: dict[str, Row] = {row.name: row for rows in GROUPS.values() for row in rows}


def lookup(name: str) -> Row | None:
    """The row of a C function, or None if Threadproof gives it no meaning of its own."""
    row = TABLE.get(name)
    if row is None and name.startswith(NONDET):
        return Row(name, GivesAny(), "any value of its type, whatever that is called")
    return row
