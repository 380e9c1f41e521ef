"""The Python API: the same thing as the command line, as functions.

from threadproof import verify
[answer] = verify("lost_update.c")
print(answer.verdict, answer.trace.cause if answer.trace else answer.reason)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from threadproof.core.memory_model import MemoryModel, parse_memory_model
from threadproof.core.observer import Observer, Silent
from threadproof.core.property import Property, parse_properties
from threadproof.core.result import Answer

if TYPE_CHECKING:
    from threadproof.core.estimate import Estimate
    from threadproof.engines.smc.options import SmcOptions
    from threadproof.frontend import FrontendOptions
    from threadproof.ir.program import Program

Files = str | Sequence[str]


def verify(
    files: Files,
    properties: str | Sequence[str | Property] = "unreach-call",
    *,
    engine: str = "auto",
    frontend: FrontendOptions | None = None,
    timeout: float | None = 900.0,
    memory_mb: int | None = None,
    seed: int = 0,
    memory_model: MemoryModel | str = MemoryModel.SC,
    cache: bool = False,
    observer: Observer | None = None,
    **of_engine: int | str | None,
) -> list[Answer]:
    """One answer per property, in the order asked. Several files are one program.

    Options of single engines are given by name, as on the command line: `verify("a.c", engine="bmc", unwind=3)`;
    `threadproof verify --help` lists them. `None` and "" are the engine's own choice. `cache`: an answer may come from
    an earlier run, and then says so (`Answer.cached`).
    """
    from threadproof.frontend import FrontendOptions
    from threadproof.portfolio import VerdictCache, VerifyOptions
    from threadproof.portfolio import verify as run

    asked = [properties] if isinstance(properties, str) else properties
    options = VerifyOptions(
        engine=engine,
        frontend=frontend if frontend is not None else FrontendOptions(),
        timeout=timeout,
        memory_mb=memory_mb,
        seed=seed,
        memory_model=memory_model if isinstance(memory_model, MemoryModel) else parse_memory_model(memory_model),
        cache=VerdictCache.ON if cache else VerdictCache.OFF,
        of_engine={name: value for name, value in of_engine.items() if value not in (None, "")},
    )
    wanted = parse_properties(p.value if isinstance(p, Property) else p for p in asked)
    return run(_paths(files), wanted, options, observer or Silent())


def load(files: Files, frontend: FrontendOptions | None = None) -> Program:
    """The program model of one or more C or LLVM files."""
    from threadproof.frontend import FrontendOptions
    from threadproof.frontend import load as read

    return read(_paths(files), frontend if frontend is not None else FrontendOptions())


def estimate(
    files: Files,
    query: str,
    *,
    options: SmcOptions | None = None,
    observer: Observer | None = None,
) -> Estimate:
    """The probability of a behaviour, by statistical model checking.

    estimate("race.c", "Pr[<=1000] (<> x == 1)").low
    """
    from threadproof.engines.smc.options import SmcOptions
    from threadproof.portfolio.estimate import estimate as run

    return run(_paths(files), query, options if options is not None else SmcOptions(), observer or Silent())


def _paths(files: Files) -> list[str]:
    return [files] if isinstance(files, str) else list(files)
