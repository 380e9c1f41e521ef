"""C names for everything: the program's own where possible, each used once."""

from __future__ import annotations

import re

_KEYWORDS = frozenset(
    [
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
        "asm",
        "typeof",
        "main",
        "pc",
        "next_thread",
        "prev_thread",
        "round",
        "assume",
        "abort",
        "malloc",
        "calloc",
        "free",
        "memcpy",
        "exit",
        "reach_error",
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "uptr",
        "waiting",
        "results",
        "created",
        "cancelled",
        "again",
        "tries",
        "in_atomic",
        "random_state",
        "random_bits",
        "getenv",
        "atoi",
        "unix",
        "linux",
        "i386",
    ]
)


class Names:
    def __init__(self) -> None:
        self._used: set[str] = set(_KEYWORDS)
        self._given: dict[tuple[object, ...], str] = {}

    def name(self, key: tuple[object, ...], wish: str) -> str:
        """The name of `key`: its wish, or that with a number if it is taken."""
        found = self._given.get(key)
        if found is None:
            base = re.sub(r"\W", "_", wish, flags=re.ASCII) or "unnamed"
            base = f"v{base}" if base[0].isdigit() else base
            found, n = base, 1
            while found in self._used or found.startswith("__"):
                n += 1
                found = f"{base.lstrip('_') or 'v'}_{n}"
            self._used.add(found)
            self._given[key] = found
        return found

    def reserve(self, name: str) -> None:
        self._used.add(name)
