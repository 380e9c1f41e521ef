"""What analyses and engines need to know about each synchronisation operation: one row per operation, no defaults.

`operations` says what an operation does, this file what follows from it: does it block, which lock does it take, what
does it store, what does it keep. What follows from the cases of a guarded operation is computed from them; the rest is
a column of the table, and every row has every column. A new operation without a row is an error when this is imported,
so no reader can take it for harmless. `tests/unit/sync/test_facts.py` holds the rows against the cases (by a solver)
and against the reference semantics.

Readers ask for the fact they rely on. `Act` tells operations apart where one must be recognised (a creation, a join).
"""

from __future__ import annotations

from threadproof.sync.facts.operands import SyncOperand, operands
from threadproof.sync.facts.table import (
    DETACHING,
    FACTS,
    WAITS_FOR_MUTEX,
    WAITS_FOR_SIGNAL,
    WAITS_FOR_THREAD,
    does,
    sync_facts,
)
from threadproof.sync.facts.words import (
    HAS_HOLDER,
    Act,
    Attempt,
    Blocks,
    Family,
    LockMode,
    Locks,
    PointerSize,
    Seen,
    Stores,
    SyncFacts,
    Touches,
    WordUse,
)

__all__ = [
    "DETACHING",
    "FACTS",
    "HAS_HOLDER",
    "WAITS_FOR_MUTEX",
    "WAITS_FOR_SIGNAL",
    "WAITS_FOR_THREAD",
    "Act",
    "Attempt",
    "Blocks",
    "Family",
    "LockMode",
    "Locks",
    "PointerSize",
    "Seen",
    "Stores",
    "SyncFacts",
    "SyncOperand",
    "Touches",
    "WordUse",
    "does",
    "operands",
    "sync_facts",
]
