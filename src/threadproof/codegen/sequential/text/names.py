"""C names for everything: the program's own where possible, each used once, none that the text uses itself."""

from __future__ import annotations

import re

from threadproof.sync.operations import OPERATIONS

_KEYWORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    asm typeof unix linux i386
"""
_OWN = """
    main pc next_thread prev_thread round THREADS FINISHED NOT_CREATED DEPTH CHECK_BOUNDS u8 u16 u32 u64 u128 uptr
    assume abort malloc calloc free release sized size_of blocks BLOCKS memcpy exit getenv atoi reach_error beyond
    check ANYTHING fresh as_float32 as_float64 as_float80 bits_of32 bits_of64 bits_of80 ALL MEETS conflict running
    thread reads writes r w may_read may_write step_reads step_writes may_wait waits_for persistent_set can_move least
    movers results created detached cancelled uncancellable waiting keys KEYS specific unlock lock_again random_state
    random_bits tries again in_atomic
"""
_RESERVED = frozenset([*_KEYWORDS.split(), *_OWN.split(), *OPERATIONS])
_OWN_PATTERN = re.compile(r"__.*|may_(read|write)_\d+|([prwxybm]|end)\d+_")


class TextNames:
    def __init__(self) -> None:
        self._used: set[str] = set(_RESERVED)
        self._given: dict[tuple[object, ...], str] = {}

    def name(self, key: tuple[object, ...], wish: str) -> str:
        """The name of `key`: its wish, or that with a number if it is taken."""
        found = self._given.get(key)
        if found is None:
            base = re.sub(r"\W", "_", wish, flags=re.ASCII) or "unnamed"
            base = f"v{base}" if base[0].isdigit() else base
            found, n = base, 1
            base = f"my_{base}" if _OWN_PATTERN.fullmatch(f"{base}_2") else base
            while found in self._used or _OWN_PATTERN.fullmatch(found):
                n += 1
                found = f"{base.lstrip('_') or 'v'}_{n}"
            self._used.add(found)
            self._given[key] = found
        return found
