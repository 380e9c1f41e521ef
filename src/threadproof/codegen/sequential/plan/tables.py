"""The tables that a generated program asks about conflicts, and the functions that ask them."""

from __future__ import annotations

from dataclasses import dataclass, field

from threadproof.codegen.sequential.plan.conflicts import ALL, NOTHING, Conflicts, Touched
from threadproof.codegen.sequential.plan.flow import FlowNode, ThreadFlow
from threadproof.codegen.sequential.plan.stops import Stops


@dataclass(slots=True)
class Tables:
    """Bits are numbered anew, in the order in which steps mention them."""

    conflicts: Conflicts
    flows: list[ThreadFlow]
    stops: list[Stops]
    joiners: frozenset[int]  # threads of which `waits_for` says whose end they wait for, where they do
    held: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    """Locks that make a difference to what others may do: the number of each, and the word that says who holds it."""
    _bits: dict[int, int] = field(default_factory=dict[int, int])

    def step(self, stops: Stops, node: FlowNode) -> Touched:
        flow = next(f for f, s in zip(self.flows, self.stops, strict=True) if s is stops)
        return self._small(self.conflicts.step(flow, stops.step(node)))

    def notes_end(self, number: int) -> bool:
        """Whether `waits_for` is known of whoever stands at that join: not of a thread that begins with it."""
        return bool(self.joiners) and number != 1

    def _small(self, found: Touched) -> Touched:
        return Touched(self._renumbered(found.reads), self._renumbered(found.writes))

    def _renumbered(self, bits: int) -> int:
        if bits == ALL:
            return ALL
        small = 0
        while bits:
            lowest = bits & -bits
            small |= 1 << self._bits.setdefault(lowest, len(self._bits))
            bits ^= lowest
        return small

    def lines(self, lock_words: list[str]) -> list[str]:
        """What threads may still do. Finds out which locks make a difference."""
        lines = ["// What each thread may still read and write at each of its places."]
        whole = self._futures(None)
        lines += touch_tables("may_read", "may_write", whole)
        for number, word in enumerate(lock_words):
            before = self._futures(number)
            if before != whole:
                lines.append(f"// The same, as long as another thread is {word}.")
                lines += touch_tables(f"may_read_{number}", f"may_write_{number}", before)
                self.held.append((number, word))
        return lines

    def conflict(self) -> list[str]:
        """One case per thread, without loops: this is asked at every step."""
        lines = [
            "// Whether a step that reads and writes these meets anything that another thread may still do.",
            "static int conflict(int thread, u64 reads, u64 writes) {",
            "  u64 r = 0, w = 0;",
            "  switch (thread) {",
        ]
        for thread in range(len(self.flows)):
            others = [other for other in range(len(self.flows)) if other != thread]
            lines.append(f"  case {thread}:")
            lines += [f"    r = {self._ahead('may_read', others, thread)};"]
            lines += [f"    w = {self._ahead('may_write', others, thread)};"]
            lines += [f"    if ({word} == {thread + 1}) {{ {_cut(number, others)} }}" for number, word in self.held]
            lines.append("    break;")
        return [*lines, "  }", "  return ((reads | writes) & w) || (writes & r);", "}", ""]

    def _ahead(self, table: str, others: list[int], thread: int) -> str:
        """Who waits for the end of this thread does nothing before it moves."""
        parts = {other: f"{table}[{other}][pc[{other}] + 1]" for other in others}
        parts |= {o: f"(waits_for[{o}] == {thread + 1} ? 0 : {parts[o]})" for o in parts if o in self.joiners}
        return " | ".join(parts.values()) or "0"

    def _futures(self, lock: int | None) -> Rows:
        rows: Rows = []
        for stops, futures in zip(self.stops, self.conflicts.futures(lock), strict=True):
            found = [NOTHING] * (stops.ending + 2)  # the first is for threads that are not there yet
            for node, number in stops.numbers.items():
                found[number + 1] = self._small(futures[node])
            rows.append(found)
        return rows


Rows = list[list[Touched]]


def _cut(number: int, others: list[int]) -> str:
    reads, writes = (
        " | ".join(f"{table}_{number}[{other}][pc[{other}] + 1]" for other in others) or "0"
        for table in ("may_read", "may_write")
    )
    return f"r &= {reads}; w &= {writes};"


def touch_tables(reads: str, writes: str, rows: Rows) -> list[str]:
    return [
        *_table(reads, [[one.reads for one in row] for row in rows]),
        *_table(writes, [[one.writes for one in row] for row in rows]),
    ]


def flag_table(name: str, rows: list[list[bool]]) -> list[str]:
    return _table(name, [[int(one) for one in row] for row in rows], "char")


def _table(name: str, rows: list[list[int]], kind: str = "u64") -> list[str]:
    width = max(len(row) for row in rows)
    lines = [f"static const {kind} {name}[THREADS][{width}] = {{"]
    lines += [f"  {{{', '.join(_number(value) for value in row)}}}," for row in rows]
    return [*lines, "};"]


def _number(value: int) -> str:
    return "ALL" if value == ALL else f"{value}{'ull' if value >> 31 else ''}"
