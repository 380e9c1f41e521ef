"""Statements of C text by their places: where one begins, and which one a line and column belong to.

Witnesses speak of statements and calls by the places of their first and last characters; debug information speaks of
operators and names inside them. This reads tokens and brackets, no more: it knows no types and expands no macros. A
place for which that does not suffice has no statement, and no waypoint is written for it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)|(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
    r"""|(?P<word>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)|(?P<mark>.)""",
    re.DOTALL | re.MULTILINE,
)
_TYPE_WORDS = frozenset(
    (
        *("void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "struct", "union"),
        *("enum", "const", "volatile", "static", "extern", "register", "auto", "typedef", "_Atomic", "__extension__"),
    )
)
_WITH_HEADER = ("if", "while", "for", "switch")


@dataclass(frozen=True, slots=True)
class CStatement:
    """Offsets into the text; `end` is behind the last character. Of those with a condition, `body` is what is done
    under it: from its first character to behind the last."""

    start: int
    end: int
    keyword: str = ""  # if, while, for, switch, do, return, ...
    body: tuple[int, int] = (0, 0)

    @property
    def has_header(self) -> bool:
        return self.keyword in (*_WITH_HEADER, "do")

    def in_body(self, offset: int) -> bool:
        return self.body[0] <= offset < self.body[1]


@dataclass(frozen=True, slots=True)
class _CToken:
    text: str
    start: int
    end: int


class SourceText:
    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        tokens = [
            _CToken(match.group(), match.start(), match.end())
            for match in _TOKEN.finditer(text)
            if match.lastgroup != "skip"
        ]
        self._tokens = tokens
        self._starts = [token.start for token in tokens]
        self.statements = _StatementReader(tokens).read()

    # --- places ------------------------------------------------------------------------------------------------------

    def offset(self, line: int, column: int) -> int | None:
        """Of a line and column, both from 1; None if the text has no such place."""
        if not 1 <= line <= len(self._lines) or column < 1:
            return None
        end = self._lines[line] if line < len(self._lines) else len(self.text) + 1
        offset = self._lines[line - 1] + column - 1
        return offset if offset < end else None

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column."""
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def line_that_begins(self, line: int) -> int:
        """The line, or one before it: no token, comment, directive or line that goes on reaches over its beginning."""
        start = self._lines[line - 1]
        for match in _TOKEN.finditer(self.text):
            if match.start() >= start:
                break
            if match.end() > start and match.group().strip():
                return self.line_that_begins(self.place(match.start())[0])
        before = self.text[self._lines[line - 2] : start] if line > 1 else ""
        return self.line_that_begins(line - 1) if before.rstrip("\r\n").endswith("\\") else line

    @property
    def lines(self) -> int:
        return len(self._lines)

    # --- statements and calls ----------------------------------------------------------------------------------------

    def statement(self, line: int, column: int) -> CStatement | None:
        """The innermost one at a place; without a column the leftmost that begins on the line."""
        if column == 0:
            begin, end = self.offset(line, 1), self.offset(line + 1, 1)
            if begin is None:
                return None
            last = len(self.text) if end is None else end
            on_line = [one for one in self.statements if begin <= one.start < last]
            return on_line[0] if on_line else self._around(begin)
        offset = self.offset(line, column)
        return None if offset is None else self._around(offset)

    def _around(self, offset: int) -> CStatement | None:
        found = [one for one in self.statements if one.start <= offset < one.end]
        return max(found, key=lambda one: (one.start, -one.end), default=None)

    def call_end(self, line: int, column: int) -> int | None:
        """The closing parenthesis of the call whose function's name stands there."""
        offset = self.offset(line, column)
        if offset is None:
            return None
        index = bisect_right(self._starts, offset) - 1
        if index < 0 or not self._tokens[index].text[0].isidentifier():
            return None
        depth = 0
        for token in self._tokens[index + 1 :]:
            depth += {"(": 1, ")": -1}.get(token.text, 0)
            if depth == 0:
                return token.start if token.text == ")" else None
        return None

    def is_call(self, statement: CStatement) -> bool:
        """Whether it is a call and nothing else: `f(...);`."""
        first = bisect_right(self._starts, statement.start) - 1
        behind = _closed(self._tokens, first + 1)
        whole = behind < len(self._tokens) and self._tokens[behind].end == statement.end
        return whole and self._tokens[first + 1].text == "(" and self._tokens[behind].text == ";"

    def declares(self, statement: CStatement) -> bool:
        """Whether it looks like a declaration: it begins with a word of a type, or with two names, or `name *name`."""
        first = bisect_right(self._starts, statement.start) - 1
        words = [token.text for token in self._tokens[first : first + 8] if token.start < statement.end]
        after = next((one for one in words[1:] if one != "*"), "")
        named = not statement.keyword and words[0][0].isidentifier() and after[:1].isidentifier()
        return words[0] in _TYPE_WORDS or (named and words[1] in ("*", after))

    def is_in_block(self, statement: CStatement) -> bool:
        """Whether it follows another statement, or begins a block, with no directive of the preprocessor between."""
        before = bisect_right(self._starts, statement.start) - 2
        if before < 0 or self._tokens[before].text not in ("{", "}", ";"):
            return False
        return "#" not in self.text[self._tokens[before].end : statement.start]

    def loop_condition(self, statement: CStatement) -> tuple[int, int]:
        """Where the condition of a `while` or `for` begins and ends; nowhere, if it has none."""
        first = bisect_right(self._starts, statement.start)  # the opening bracket
        last = _closed(self._tokens, first) - 1
        if statement.keyword == "while":
            return self._tokens[first].end, self._tokens[last].start
        marks, index = list[int](), first + 1
        while index < last:
            if self._tokens[index].text == ";":
                marks.append(index)
            index = _closed(self._tokens, index) if self._tokens[index].text in ("(", "[", "{") else index + 1
        start, end = self._tokens[marks[0]].end, self._tokens[marks[1]].start
        return (start, end) if marks[1] > marks[0] + 1 else (start, start)

    def words(self, statement: CStatement) -> list[str]:
        """The names in a statement, each once."""
        first, last = bisect_right(self._starts, statement.start) - 1, bisect_right(self._starts, statement.end - 1)
        return list(dict.fromkeys(token.text for token in self._tokens[first:last] if token.text[0].isidentifier()))


def _closed(tokens: Sequence[_CToken], index: int) -> int:
    """Behind the bracket that closes the one at `index`."""
    depth = 0
    while index < len(tokens):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(tokens[index].text, 0)
        index += 1
        if depth <= 0:
            return index
    return index


class _StatementReader:
    """Reads function bodies: what stands in braces outside of every function is one if `)` stands before it."""

    def __init__(self, tokens: list[_CToken]) -> None:
        self._tokens = tokens
        self._found: list[CStatement] = []

    def read(self) -> tuple[CStatement, ...]:
        index, before = 0, ""
        while index < len(self._tokens):
            text = self._tokens[index].text
            if text == "{" and before == ")":
                index = self._block(index)
            elif text in ("{", "("):
                index = self._closed(index)
            else:
                index += 1
            before = self._text(index - 1)
        return tuple(sorted(self._found, key=lambda one: one.start))

    def _block(self, index: int) -> int:
        """From an opening brace on; the index behind the closing one."""
        index += 1
        while index < len(self._tokens) and self._tokens[index].text != "}":
            index = self._statement(index)
        return index + 1

    def _statement(self, index: int) -> int:
        if index >= len(self._tokens):
            return index
        first = self._tokens[index]
        if first.text == "{":
            return self._block(index)
        if self._is_label(index):
            return self._labelled(index + 2)
        if first.text in ("case", "default"):
            return self._labelled(self._behind(index, ":"))
        if first.text in _WITH_HEADER:
            begin = self._closed(index + 1)
            after = self._statement(begin)
            body = (self._start(begin), self._end(after))
            if first.text == "if" and self._text(after) == "else":
                after = self._statement(after + 1)
            self._add(first.start, after, first.text, body)
            return after
        if first.text == "do":
            after = self._statement(index + 1)
            body = (self._start(index + 1), self._end(after))
            after = self._behind(after, ";")
            self._add(first.start, after, "do", body)
            return after
        if first.text == "else":  # without an if: what macros make of it is not known here
            return self._statement(index + 1)
        after = self._behind(index, ";")
        if first.text != ";":
            self._add(first.start, after, first.text if first.text in ("return", "goto", "break", "continue") else "")
        return after

    def _labelled(self, index: int) -> int:
        """Behind a label: its statement, unless the block ends."""
        return index if self._text(index) in ("}", "") else self._statement(index)

    def _is_label(self, index: int) -> bool:
        name = self._tokens[index].text
        return name[0].isidentifier() and name not in ("case", "default") and self._text(index + 1) == ":"

    def _behind(self, index: int, mark: str) -> int:
        """Behind the next `mark` that is in no brackets. Statements in brackets, `({ ... })`, are found on the way."""
        while index < len(self._tokens) and self._tokens[index].text not in (mark, "}"):
            text = self._tokens[index].text
            if text == "(" and self._text(index + 1) == "{":
                index = self._block(index + 1)
            elif text == "{":
                index = self._closed(index)
            else:
                index += 1
        return index + 1 if self._text(index) == mark else index

    def _closed(self, index: int) -> int:
        return _closed(self._tokens, index)

    def _add(self, start: int, after: int, keyword: str, body: tuple[int, int] = (0, 0)) -> None:
        self._found.append(CStatement(start, self._end(after), keyword, body))

    def _text(self, index: int) -> str:
        return self._tokens[index].text if index < len(self._tokens) else ""

    def _start(self, index: int) -> int:
        return self._tokens[index].start if index < len(self._tokens) else self._tokens[-1].end

    def _end(self, after: int) -> int:
        return self._tokens[min(after, len(self._tokens)) - 1].end


class SourceTexts:
    """The files of a program, by the names under which locations speak of them."""

    def __init__(self, files: Sequence[str]) -> None:
        self._texts: dict[str, SourceText | None] = {}
        self.files = tuple(files)

    def of(self, file: str) -> SourceText | None:
        """None if the file is not one that the program was made of, or not C."""
        if file not in self._texts:
            self._texts[file] = _read(file) if file in self.files and not file.endswith(".ll") else None
        return self._texts[file]

    def named(self, file: str) -> str:
        """Witnesses made elsewhere name files by other paths: the last part counts, if only one file has it."""
        if file in self.files:
            return file
        same = [one for one in self.files if Path(one).name == Path(file).name]
        if len(same) == 1:
            return same[0]
        return self.files[0] if len(self.files) == 1 else file


def _read(file: str) -> SourceText | None:
    try:
        return SourceText(file, Path(file).read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None
