"""The memory that a synchronisation operation touches, from its row: the one reader of its uses and stores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from threadproof.ir.expr import Expr
from threadproof.ir.instr import Sync
from threadproof.sync.facts.table import sync_facts


class SyncOperand(NamedTuple):
    arg: int
    address: Expr
    size: int
    writes: bool
    of_program: bool  # a result stored for the program: an access like any other; else of the object itself


def operands(instr: Sync, pointer_bytes: int) -> Iterator[SyncOperand]:
    facts = sync_facts(instr)
    for use in facts.uses:
        yield SyncOperand(use.arg, instr.args[use.arg], use.size, use.writes, of_program=False)
    for store in facts.stores:
        size = store.bytes(pointer_bytes)
        yield SyncOperand(store.arg, instr.args[store.arg], size, writes=True, of_program=True)
