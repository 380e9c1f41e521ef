"""Which statement a location of a thread stands in front of; most stand inside of one, and have none."""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.automaton import End, Location
from threadproof.invariants.instrument import LOOPS, TOGETHER
from threadproof.invariants.labels import ProofLabels
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import Site
from threadproof.ir.program import Program
from threadproof.witness.model import SourcePosition
from threadproof.witness.source_text import CStatement, SourceText, SourceTexts

_SEEN = (ir.Load, ir.Store, ir.Rmw, ir.CompareExchange, ir.Sync, ir.Call, ir.Free, ir.Nondet)


@dataclass(frozen=True, slots=True)
class StatementPosition:
    position: SourcePosition
    loop: bool
    rank: int  # how much an invariant there says, the best first


def positions(labels: ProofLabels, texts: SourceTexts) -> dict[Location, StatementPosition]:
    heads = {location for thread in labels.space.automaton.templates.values() for location in thread.loop_heads}
    found: dict[Location, StatementPosition] = {}
    for location in dict.fromkeys(place.location for place in labels.places):
        one = _position(labels.program, location, location in heads, texts)
        if one is not None:
            found[location] = one
    return found


def _position(program: Program, location: Location, head: bool, texts: SourceTexts) -> StatementPosition | None:
    if isinstance(location.at, End) or location.depth:
        return None
    found = _statement(program, location.at, texts)
    if found is None:
        return None
    text, statement = found
    loc = _instr(program, location.at).loc
    offset = text.offset(loc.line, loc.column)
    of_loop = head and statement.keyword in LOOPS and offset is not None and not statement.in_body(offset)
    if not of_loop and (statement.keyword in LOOPS or not _first(program, location.at, statement, texts)):
        return None
    line, column = text.place(statement.start)
    names = text.words(statement)
    locks = bool(names) and names[0] in TOGETHER
    rank = 0 if of_loop else 1 if locks and "_lock" in names[0] else 2 if statement.keyword == "if" else 3
    position = SourcePosition(text.path, line, column, location.at.function)
    return StatementPosition(position, of_loop, rank)


def _instr(program: Program, site: Site) -> ir.Instr:
    return program.functions[site.function].block(site.block).instrs[site.number]


def _statement(program: Program, site: Site, texts: SourceTexts) -> tuple[SourceText, CStatement] | None:
    loc = _instr(program, site).loc
    text = texts.of(loc.file) if loc.line and loc.column else None
    statement = None if text is None else text.statement(loc.line, loc.column)
    return None if text is None or statement is None else (text, statement)


def _first(program: Program, site: Site, statement: CStatement, texts: SourceTexts) -> bool:
    """Whether nothing of the statement that others could notice comes before: in its block, or, if that begins with
    it, in those that lead here."""
    function = program.functions[site.function]
    for number in reversed(range(site.number)):
        before = Site(site.function, site.block, number)
        found = _statement(program, before, texts)
        if found is not None and found[1] != statement:
            return True
        if found is not None and isinstance(_instr(program, before), _SEEN):
            return False
    leading = [
        Site(site.function, block.label, len(block.instrs) - 1)
        for block in function.blocks
        if any(edge.target == site.block for edge in ir.edges(block.instrs[-1]))
    ]
    return all((found := _statement(program, one, texts)) is None or found[1] != statement for one in leading)
