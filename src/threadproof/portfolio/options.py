"""What a verification run is asked for besides files and properties."""

from __future__ import annotations

from dataclasses import dataclass, field

from threadproof.frontend import FrontendOptions


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    engine: str = "auto"
    frontend: FrontendOptions = field(default_factory=FrontendOptions)
    timeout: float | None = None
    memory_mb: int | None = None
    seed: int = 0
    reduction: str = ""
    preemptions: int | None = None
