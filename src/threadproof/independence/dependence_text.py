"""The table of dependence for people: as a listing, and as dot text for graphviz."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from threadproof.independence.answers import Always, Inclusion, When
from threadproof.independence.dependence_table import DependenceRow, DependenceTable, ShownLetter
from threadproof.ir.dot import quoted
from threadproof.smt.c_text import CName, Unprintable, in_c
from threadproof.smt.smtlib import text
from threadproof.smt.term import Term


def listing(table: DependenceTable) -> str:
    lines: list[str] = []
    rows = sorted(table.rows, key=_by_line)
    for pair in dict.fromkeys((row.first.template, row.second.template) for row in rows):
        lines.append(f"{pair[0]} and {pair[1]}" if pair[0] != pair[1] else f"two threads of {pair[0]}")
        lines += _pairs([row for row in rows if (row.first.template, row.second.template) == pair])
    for name, count in table.private.items():
        lines += [f"{name}: {count} letters concern their thread alone"] if count else []
    decided = Counter("nobody" if row.answer.by is None else row.answer.by.value for row in rows)
    lines.append("decided by: " + ", ".join(f"{name} {count}" for name, count in decided.most_common()))
    return "".join(f"{line}\n" for line in lines)


def _pairs(rows: list[DependenceRow]) -> Iterator[str]:
    """A line for each first letter and answer: what of the other thread it is the answer for."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for row in rows:
        found.setdefault((_one(row.first), verdict(row)), {})[_one(row.second)] = None
    wide = max(len(first) for first, _ in found)
    for (first, answer), others in found.items():
        yield f"  {first:{wide}} | {', '.join(others)}: {answer}"


def verdict(row: DependenceRow) -> str:
    """Whether the two swap, and who says so."""
    if isinstance(row.answer, Always):
        return f"swap ({_by(row)})"
    if isinstance(row.answer, Inclusion) and isinstance(row.back, Inclusion):
        return f"swap ({_by(row)})"
    if isinstance(row.answer, Inclusion):
        return f"the second may go first ({_by(row)})"
    if isinstance(row.back, Inclusion):
        return f"the first may go first ({row.back.by.value})"
    if isinstance(row.answer, When):
        return f"swap if {condition_text(row.answer.condition)} ({_by(row)})"
    return f"do not swap{f' ({_by(row)})' if row.answer.by else ''}"


def condition_text(condition: Term) -> str:
    """As a condition in C, where that is possible."""
    try:
        return in_c(condition, lambda variable: CName(_readable(variable.name), signed=True))
    except Unprintable:
        return text(condition)


def dependent(table: DependenceTable) -> list[DependenceRow]:
    """The pairs that do not always swap."""
    return [row for row in table.rows if not isinstance(row.answer, Always)]


def letters(rows: Iterable[DependenceRow]) -> dict[str, ShownLetter]:
    """By name."""
    return {letter.name: letter for row in rows for letter in (row.first, row.second)}


def to_dot(table: DependenceTable) -> str:
    """Letters that depend on each other: solid lines; dashed under a condition; an arrow where one may go first."""
    rows = dependent(table)
    shown = letters(rows)
    lines = ["digraph dependence {", "  node [shape=box, fontname=monospace, fontsize=11];", "  edge [dir=none];"]
    for index, template in enumerate(dict.fromkeys(letter.template for letter in shown.values())):
        lines.append(f"  subgraph cluster_{index} {{ label={quoted(template)}; fontname=monospace;")
        mine = (letter for letter in shown.values() if letter.template == template)
        lines += [f"    {quoted(letter.name)} [label={quoted(_one(letter))}];" for letter in mine]
        lines.append("  }")
    lines += [f"  {quoted(row.first.name)} -> {quoted(row.second.name)}{_looks(row)};" for row in rows]
    return "\n".join([*lines, "}"]) + "\n"


def _looks(row: DependenceRow) -> str:
    if isinstance(row.answer, Inclusion) != isinstance(row.back, Inclusion):
        return f" [dir={'back' if isinstance(row.answer, Inclusion) else 'forward'}]"
    if isinstance(row.answer, When):
        return f" [style=dashed, label={quoted('swap if ' + condition_text(row.answer.condition))}]"
    return ""


def _by(row: DependenceRow) -> str:
    return "" if row.answer.by is None else row.answer.by.value


def _one(letter: ShownLetter) -> str:
    return f"{letter.line}: {letter.does}"


def _by_line(row: DependenceRow) -> tuple[str, str, int, int]:
    return row.first.template, row.second.template, row.first.line, row.second.line


def _readable(name: str) -> str:
    """`worker#1:main.0.3/f.i` is the variable i of worker#1, `x+0` is x."""
    thread, _, rest = name.rpartition(":")
    variable = rest.rpartition("/")[2].rpartition(".")[2] if thread else rest.removesuffix("+0")
    return f"{variable} of {thread}" if thread else variable
