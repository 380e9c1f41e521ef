"""What a machine is made for: the options that change its C text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from threadproof.semantics.run import Granularity, Solo, Spurious


class Footprints(Enum):
    """Whether steps record what they touch (see `sync.footprint`)."""

    OFF = "off"
    ON = "on"


class Processor(Enum):
    """What the machine's text is for."""

    CPU = 0
    GPU = 1


@dataclass(frozen=True, slots=True)
class Variant:
    granularity: Granularity = Granularity.VISIBLE
    spurious: Spurious = Spurious.ON
    solo: Solo = Solo.LIVE
    footprints: Footprints = Footprints.OFF
    dormant: int = 0
    """Not 0: so many threads of each creation run, by site and start routine. Others exist and never move, so that
    what the machine does is part of what the program may do."""
