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


def analyse(program: Program, method: Method = Method.ANDERSEN, scope: KeyScope = KeyScope.PROGRAM) -> PointsTo:
    constraints = collect(program, scope)
    return Andersen(constraints) if method is Method.ANDERSEN else Steensgaard(constraints)
