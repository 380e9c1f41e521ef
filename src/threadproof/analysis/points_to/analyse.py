"""The way in: a program and a method give points-to sets."""

from __future__ import annotations

from enum import Enum

from threadproof.analysis.points_to.andersen import Andersen
from threadproof.analysis.points_to.constraints import KeyScope, collect
from threadproof.analysis.points_to.result import PointsTo
from threadproof.analysis.points_to.steensgaard import Steensgaard
from threadproof.ir.program import Program


class Method(Enum):
    ANDERSEN = "andersen"
    STEENSGAARD = "steensgaard"


_MOST = 4
_recent: list[tuple[Program, Method, KeyScope, PointsTo]] = []
"""Of the programs asked about last: automaton, formulas and checkers ask for the same sets."""


def analyse(program: Program, method: Method = Method.ANDERSEN, scope: KeyScope = KeyScope.PROGRAM) -> PointsTo:
    for known, how, where, found in _recent:
        if known is program and how is method and where is scope:
            return found
    constraints = collect(program, scope)
    found = Andersen(constraints) if method is Method.ANDERSEN else Steensgaard(constraints)
    _recent.append((program, method, scope, found))
    del _recent[:-_MOST]
    return found
