"""What an estimation may be told."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from threadproof.cluster.connect import check_address
from threadproof.codegen.device.choice import DeviceChoice
from threadproof.core.errors import InputError
from threadproof.frontend.options import FrontendOptions

LEAST_DOUBT = 1e-12


class EstimationMethod(Enum):
    AUTO = "auto"
    SEQUENTIAL = "sequential"
    FIXED = "fixed"
    OKAMOTO = "okamoto"


class SplittingKind(Enum):
    FIXED = "fixed"
    ADAPTIVE = "adaptive"


class SamplingMachine(Enum):
    """What executes the runs. Auto: native where it can, which is everything without a platform module."""

    AUTO = "auto"
    NATIVE = "native"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class SplittingOptions:
    kind: SplittingKind
    score: str = ""  # an expression, or a file with an observer
    levels: tuple[str, ...] = ()  # scores, or formulas if there is no score
    budget: int = 1000  # runs a level
    repeat: int = 10
    keep: float = 0.9  # adaptive: the fraction of runs that survives a level


@dataclass(frozen=True, slots=True)
class SmcOptions:
    confidence: float = 0.95
    width: float | None = None  # default 0.01
    runs: int | None = None
    steps: int | None = None  # instead of the query's own
    seed: int = 0
    jobs: int = 1
    method: EstimationMethod = EstimationMethod.AUTO
    indifference: float = 0.01  # of Pr >= p: half the width of the region in which either answer will do
    timeout: float | None = None
    memory_mb: int | None = None
    machine: SamplingMachine = SamplingMachine.AUTO
    device: DeviceChoice = DeviceChoice.CPU  # of the native machine
    cluster: str | None = None  # a dask scheduler, or local:N; `jobs` has no meaning then
    platform: str | None = None
    splitting: SplittingOptions | None = None
    frontend: FrontendOptions = field(default_factory=FrontendOptions)

    def check(self) -> SmcOptions:
        """Raises InputError if they make no sense together."""
        if not 0 < self.confidence < 1:
            raise InputError("the confidence lies between 0 and 1")
        if 1 - self.confidence < LEAST_DOUBT:
            raise InputError(
                f"the confidence is at most 1 - {LEAST_DOUBT:g}: beyond that, numbers are not exact enough"
            )
        if self.width is not None and not 0 < self.width < 1:
            raise InputError("the width of the interval lies between 0 and 1")
        if not 0 < self.indifference < 1:
            raise InputError("the indifference lies between 0 and 1: it is half the width of a region of probabilities")
        if self.runs is not None and self.width is not None and self.method is EstimationMethod.AUTO:
            raise InputError("--runs and --width exclude each other: either says when to stop")
        if self.method is EstimationMethod.FIXED and self.runs is None:
            raise InputError("a fixed number of runs needs --runs")
        if self.device is DeviceChoice.GPU and (self.machine is SamplingMachine.REFERENCE or self.platform is not None):
            raise InputError("--device gpu is for the native machine: not with --machine reference or --platform")
        if self.cluster is not None:
            check_address(self.cluster)
        return self
