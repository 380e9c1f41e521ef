"""A proof about races must speak of every access: derived again, with a coarser analysis and none of the engine's code.

Which functions threads can reach is found on the program as it is (not written out), with calls through pointers
resolved by unification. Every line on which one of them accesses memory by a pointer or a global must be named in the
proof, as accessed or as never reached (which `runs` holds against runs).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from threadproof.analysis.points_to import Method, PointsTo, analyse
from threadproof.core.graph import reached
from threadproof.core.proofs import RaceProof
from threadproof.ir.control_flow import sites
from threadproof.ir.instr import Call, CompareExchange, Free, Load, Rmw, Store
from threadproof.ir.program import Program
from threadproof.sync.facts import Act, does


def missing_accesses(program: Program, proof: RaceProof) -> list[str]:
    """Lines with accesses that the proof does not speak of."""
    spoken_of = {*proof.lines, *proof.unreached}
    return [line for line in _lines(program) if line not in spoken_of]


def _lines(program: Program) -> list[str]:
    found: dict[str, None] = {}
    for name in _reached(program, analyse(program, Method.STEENSGAARD)):
        function = program.functions[name]
        for instr in function.instrs():
            if isinstance(instr, Load | Store | Rmw | CompareExchange | Free):
                found[str(instr.loc)] = None
    return list(found)


def _reached(program: Program, points_to: PointsTo) -> list[str]:
    """Functions that main, or a thread, may call."""

    def called(name: str) -> Iterator[str]:
        for site, instr in sites(program.functions[name]):
            targets: Iterable[str] = ()
            if isinstance(instr, Call) and isinstance(instr.callee, str):
                targets = (instr.callee,)
            elif isinstance(instr, Call) or does(instr, Act.CREATE):
                targets = sorted(points_to.targets(site))
            yield from (target for target in targets if target in program.functions)

    return list(reached([program.entry], called))
