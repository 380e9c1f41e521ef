"""What a machine is made for: the options that change its C text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from threadproof.semantics.run import Granularity, Solo, Spurious


class Footprints(Enum):
    """Whether steps record what they touch (see `sync.footprint`)."""

    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True)
class Variant:
    granularity: Granularity = Granularity.VISIBLE
    spurious: Spurious = Spurious.ON
    solo: Solo = Solo.LIVE
    footprints: Footprints = Footprints.OFF
