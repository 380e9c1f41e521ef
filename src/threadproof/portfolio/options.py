"""What a verification run is asked for besides files and properties."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite

from threadproof.core.errors import InputError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.frontend.options import Volatile
from threadproof.ir.program import Program, Taken
from threadproof.portfolio.engines import OPTION_OF, require_engine, require_model, require_option


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    engine: str = "auto"
    frontend: FrontendOptions = field(default_factory=FrontendOptions)
    timeout: float | None = None
    memory_mb: int | None = None
    seed: int = 0
    reduction: str = ""
    preemptions: int | None = None
    memory_model: MemoryModel = MemoryModel.SC
    unwind: int | None = None

    def check(self) -> VerifyOptions:
        """Itself, or an InputError that says what does not fit together."""
        require_engine(self.engine)
        require_model(self.engine, self.memory_model)
        for name in ("reduction", "preemptions", "unwind"):
            if getattr(self, name) not in ("", None):
                require_option(self.engine, name)
        if self.timeout is not None and not (isfinite(self.timeout) and self.timeout > 0):
            raise InputError(f"the timeout must be a positive number of seconds, not {self.timeout}")
        for name, least in (("memory_mb", 1), ("preemptions", 0), ("unwind", 0)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise InputError(f"{name} must be at least {least}, not {value}")
        return self

    def command(self, paths: Sequence[str], prop: Property, engine: str) -> str:
        """The command line that asks one engine the same question."""
        reading = self.frontend
        words = ["threadproof", "verify", *paths, "--property", prop.value, "--engine", engine]
        words += ["--data-model", reading.data_model.value, "--seed", str(self.seed)]
        words += [f"-I{folder}" for folder in reading.include_dirs]
        words += [f"-D{macro}" for macro in reading.defines] + [f"-U{macro}" for macro in reading.undefines]
        words += [] if reading.std is None else [f"-std={reading.std}"]
        words += [] if reading.clang is None else ["--clang", reading.clang]
        words += [] if reading.undefined is Taken.UNKNOWN else ["--undefined", reading.undefined.value]
        words += [f"--assume-pure={','.join(reading.assume_pure)}"] if reading.assume_pure else []
        words += [] if reading.volatile is Volatile.PLAIN else ["--volatile", reading.volatile.value]
        words += [] if reading.spurious is None else ["--spurious", reading.spurious.value]
        words += [] if self.memory_model is MemoryModel.SC else ["--memory-model", self.memory_model.value]
        words += [] if self.unwind is None or engine not in OPTION_OF["unwind"] else ["--unwind", str(self.unwind)]
        words += [] if reading.arguments is None else ["--", *reading.arguments]
        return shlex.join(words)

    def task(self, program: Program, prop: Property) -> Task:
        return Task(program, prop, self.seed, self.reduction, self.preemptions, self.memory_model, self.unwind)
