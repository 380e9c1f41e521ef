"""What a verification run is asked for besides files and properties."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import isfinite
from typing import TYPE_CHECKING

from threadproof.core.errors import InputError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.engines.rows import ENGINES, EngineOptions, OptionValue, check_options, flag
from threadproof.engines.task import Task
from threadproof.frontend.options import FrontendOptions, Volatile
from threadproof.ir.reading import Taken
from threadproof.portfolio.engines import require_engine, require_model

if TYPE_CHECKING:
    from threadproof.ir.program import Program


class VerdictCache(Enum):
    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    engine: str = "auto"
    frontend: FrontendOptions = field(default_factory=FrontendOptions)
    timeout: float | None = None
    memory_mb: int | None = None
    seed: int = 0
    memory_model: MemoryModel = MemoryModel.SC
    telling_s: float = 0.25
    """Seconds to find out which steps of a counterexample matter to its readers."""
    rarity_s: float = 0.0
    """Seconds of random runs that tell how rare a violation is; none unless somebody reads it."""
    cache: VerdictCache = VerdictCache.OFF
    """Whether an answer may come from an earlier run, and be kept for later ones. Off: measured is measured."""
    of_engine: EngineOptions = field(default_factory=dict[str, OptionValue])
    """Options of single engines, by the names of `engines/rows`."""

    def check(self) -> VerifyOptions:
        """Itself, or an InputError that says what does not fit together."""
        require_engine(self.engine)
        require_model(self.engine, self.memory_model)
        check_options(self.engine, self.of_engine)
        if self.timeout is not None and not (isfinite(self.timeout) and self.timeout > 0):
            raise InputError(f"the timeout must be a positive number of seconds, not {self.timeout}")
        if self.memory_mb is not None and self.memory_mb < 1:
            raise InputError(f"memory_mb must be at least 1, not {self.memory_mb}")
        return self

    def command(self, paths: Sequence[str], prop: Property, engine: str) -> str:
        """The command line that asks one engine the same question."""
        reading = self.frontend
        words = ["threadproof", "verify", *paths, "--property", prop.value, "--engine", engine]
        words += ["--data-model", reading.data_model.value, "--seed", str(self.seed)]
        words += [f"-I{folder}" for folder in reading.include_dirs]
        words += [f"-D{macro}" for macro in reading.defines] + [f"-U{macro}" for macro in reading.undefines]
        words += [word for header in reading.headers for word in ("--include", header)]
        words += [] if reading.std is None else [f"-std={reading.std}"]
        words += [] if reading.clang is None else ["--clang", reading.clang]
        words += [] if reading.undefined is Taken.UNKNOWN else ["--undefined", reading.undefined.value]
        words += [f"--assume-pure={','.join(reading.assume_pure)}"] if reading.assume_pure else []
        words += [] if reading.volatile is Volatile.PLAIN else ["--volatile", reading.volatile.value]
        words += [] if reading.spurious is None else ["--spurious", reading.spurious.value]
        words += [] if self.memory_model is MemoryModel.SC else ["--memory-model", self.memory_model.value]
        words += [word for option in self._known_to(engine) for word in (flag(option), str(self.of_engine[option]))]
        words += [] if reading.arguments is None else ["--", *reading.arguments]
        return shlex.join(words)

    def task(self, program: Program, prop: Property) -> Task:
        return Task(program, prop, self.seed, self.memory_model, self.of_engine)

    def _known_to(self, engine: str) -> list[str]:
        alone = ENGINES.get(engine)  # None: all of them are asked
        return [name for name in self.of_engine if alone is None or alone.option(name) is not None]
