"""May-points-to sets of every pointer expression: one interface, two analyses.

`analyse(program, Method.ANDERSEN)` is the precise one (inclusion-based), `Method.STEENSGAARD` the fast and coarse one
(unification). Both read the same constraints (`constraints.py`).
"""

from threadproof.analysis.points_to.analyse import Method, analyse
from threadproof.analysis.points_to.objects import ObjectKind, Offsets, Place, Root, may_meet, may_overlap
from threadproof.analysis.points_to.result import PointsTo
from threadproof.ir.control_flow import Site

__all__ = ["Method", "ObjectKind", "Offsets", "Place", "PointsTo", "Root", "Site", "analyse", "may_meet", "may_overlap"]
