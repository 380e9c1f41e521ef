"""Why accesses exclude each other: lock disciplines, word locks, tickets, flags, invariants."""
