"""Several sequentialized texts of one program in one file, so that one call of the compiler serves them all.

Every name of a text but those of the C library gets the text's number in front; each line stays a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

BEYOND = 0
"""The line of errors that say that a bound of a text is too small."""
_C = set(
    re.findall(
        r"\w+",
        "CHECK_BOUNDS _Bool _Static_assert break case char const continue default define do double else endif enum "
        "extern float for goto if ifdef int long noreturn reach_error return short signed sizeof static struct switch "
        "typedef union unsigned unused void volatile while",
    )
)
_ONCE = ("extern ", "typedef unsigned ", "void reach_error(")
"""Beginnings of the lines that all texts share."""


@dataclass(frozen=True, slots=True)
class Merged:
    text: str
    origin: dict[int, tuple[int, int]]  # by line: the number of the text, and the line of the program it is made from


def merged(texts: Sequence[str], change: Callable[[int, int, str], str] = lambda number, line, text: text) -> Merged:
    """`change` may rewrite each line, given the number of its text and the line of the program it is made from."""
    lines = [line for text in texts for line in text.splitlines()]
    shared = list(dict.fromkeys(line for line in lines if line.startswith(_ONCE)))
    kept = _C.union(*(re.findall(r"\w+", re.sub(r"\".*?\"", "", line)) for line in shared))
    parts, origin = list(shared), dict[int, tuple[int, int]]()
    for number, text in enumerate(texts):
        for line, source in zip(text.splitlines(), source_lines(text), strict=True):
            plain = "" if line.startswith(_ONCE) else change(number, source, line.split("//")[0].rstrip())
            parts.append(_renamed(plain, f"t{number}_", kept))
            origin[len(parts)] = (number, source)
    return Merged("\n".join(parts) + "\n", origin)


def _renamed(line: str, prefix: str, kept: set[str]) -> str:
    def rename(found: re.Match[str]) -> str:
        word = found[0]
        of_compiler = word.startswith("__") and not word.startswith("__VERIFIER")
        is_kept = word in kept or of_compiler or word[0] == '"' or word[0].isdigit()
        return word if is_kept else prefix + word

    return re.sub(r"\"[^\"]*\"|\b\w+\b", rename, line)


def source_lines(text: str) -> list[int]:
    """For each line of a text, the line of the program that its nearest comment names; BEYOND before any."""
    found, current = list[int](), BEYOND
    for line in text.splitlines():
        comment = re.search(r"// (\d+)(?::|$)", line)
        current = int(comment[1]) if comment else current
        found.append(current)
    return found
