"""How the tree is built, and what was counted on the way."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from threadproof.engines.impact.generalise import LabelSource


class TreeExpansion(Enum):
    """Which paths are expanded."""

    ALL = "spor"  # every interleaving of letters, each of which has at most one visible instruction
    MONOTONIC = "dpor"  # algorithm 2
    ORDERED = "by a preference order"  # sleep sets
    UNSOUND = "dpor without cover expansions"  # what section IV-C warns of; only tests ask for it


class ForceCover(Enum):
    ON = "on"
    OFF = "off"


class WorkList(Enum):
    DEPTH_FIRST = "depth first"
    BREADTH_FIRST = "breadth first"


class ImpossibleLetters(Enum):
    """Letters that cannot be made on the path, although the label does not say so."""

    EXCLUDED = "excluded"  # the label says why at once: every path of the tree can be made
    MADE = "made"  # as in the paper: labels say no more than errors need, and loops keep more of them


@dataclass(frozen=True, slots=True)
class TreeStrategy:
    expansion: TreeExpansion = TreeExpansion.MONOTONIC
    force_cover: ForceCover = ForceCover.ON
    work_list: WorkList = WorkList.DEPTH_FIRST
    sources: tuple[LabelSource, ...] = ()  # of labels that loops keep
    impossible: ImpossibleLetters = ImpossibleLetters.EXCLUDED
    order: str = ""  # of those of `independence/orders`, for the expansion by one; the first, if none is named


@dataclass(slots=True)
class TreeCounts:
    covers: int = 0
    forced: int = 0
    uncovered: int = 0
    cover_expansions: int = 0
    refinements: int = 0
    loops_labelled: int = 0  # nodes below which labels were calculated
    loops_in_vain: int = 0  # tries of that
    generalised: int = 0  # visits of a place whose label is what holds in every round
    by_sources: int = 0  # refinements that needed other predicates than weakest preconditions along the tree
