"""The sources with invariants as comments: every line stays as it is, a comment stands on a line of its own.

Of a lock: `m_locked || x == y` is said where the lock is taken as `while m is free: x == y`. A line that goes on from
the one before (a backslash, a comment, a string over lines) gets its comment before the line that begins it: the text
compiles to the same.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from threadproof.witness.model import CorrectnessWitness, StateInvariant
from threadproof.witness.source_text import SourceText, SourceTexts

_FREE = re.compile(r"(?:(\w+)_locked \|\| (.+)|(.+) \|\| (\w+)_locked)")


def annotated(witness: CorrectnessWitness, texts: SourceTexts) -> dict[str, str]:
    """The text of each file that is C."""
    found: dict[str, str] = {}
    ghosts = {one.name for one in witness.ghosts}
    for file in texts.files:
        text = texts.of(file)
        if text is not None:
            here = [one for one in witness.invariants if texts.named(one.position.file) == file]
            found[file] = _with_comments(text, here, ghosts)
    return found


def _with_comments(text: SourceText, invariants: Sequence[StateInvariant], ghosts: set[str]) -> str:
    lines = text.text.splitlines(keepends=True)
    comments: dict[int, list[str]] = {}
    for one in invariants:
        line = text.line_that_begins(one.position.line)
        indent = re.match(r"[ \t]*", lines[line - 1])
        said = f"{'loop invariant' if one.loop else 'invariant'}: {_in_words(one.value, ghosts)}"
        comments.setdefault(line, []).append(f"{indent[0] if indent else ''}/* {said.replace('*/', '* /')} */\n")
    return "".join(part for number, line in enumerate(lines, 1) for part in (*comments.get(number, ()), line))


def _in_words(value: str, ghosts: set[str]) -> str:
    found = _FREE.fullmatch(value)
    lock, rest = (found[1] or found[4], found[2] or found[3]) if found is not None else ("", "")
    return f"while {lock} is free: {rest}" if f"{lock}_locked" in ghosts and "_locked" not in rest else value


def write_annotated(folder: str, files: Mapping[str, str]) -> list[str]:
    """Under their own names, in the folder; files of one name in several folders get numbers."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    written: list[str] = []
    for file, text in files.items():
        name, number = Path(file).name, 1
        while name in written:
            name, number = f"{number}_{Path(file).name}", number + 1
        written.append(name)
        part = Path(folder) / f".{name}.{os.getpid()}.part"
        try:
            part.write_text(text, encoding="utf-8")
            part.replace(Path(folder) / name)
        finally:
            part.unlink(missing_ok=True)
    return written
