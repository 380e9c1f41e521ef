"""The engines, as data: where each is, what it answers, which options it has. Loads none of them.

This is the only place where an engine's options are declared. The command line, `--help`, the Python API, the messages
about what does not fit and the command that repeats a question are all made from it; the engine finds what was given in
`Task.options`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from threadproof.core.errors import InputError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property

OptionValue = int | str
EngineOptions = Mapping[str, OptionValue]
AUTO = "auto"


class Takes(Enum):
    NUMBER = "number"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class EngineOption:
    """A word of a list, or (without one) a number of at least `least`, or any text. `in_auto`: may be given
    without an engine, too, and is then for the engine if `auto` asks it."""

    name: str
    says: str
    choices: tuple[str, ...] = ()
    metavar: str = "N"
    in_auto: bool = False
    least: int = 0
    takes: Takes = Takes.NUMBER

    @property
    def is_number(self) -> bool:
        return not self.choices and self.takes is Takes.NUMBER

    def check(self, value: OptionValue) -> None:
        if self.choices and value not in self.choices:
            raise InputError(f"unknown {self.name} '{value}': choose one of {', '.join(self.choices)}")
        if self.is_number and (not isinstance(value, int) or value < self.least):
            raise InputError(f"{self.name} must be at least {self.least}, not {value}")


@dataclass(frozen=True, slots=True)
class EngineRow:
    module: str
    properties: frozenset[Property] = frozenset(Property)
    models: frozenset[MemoryModel] = frozenset((MemoryModel.SC,))
    options: tuple[EngineOption, ...] = ()

    def option(self, name: str) -> EngineOption | None:
        return next((one for one in self.options if one.name == name), None)


_JOBS = EngineOption("jobs", "search on N cores (default 1): the same verdict and the same counts", least=1)

ENGINES: dict[str, EngineRow] = {
    "explicit": EngineRow("threadproof.engines.explicit", options=(_JOBS,)),
    "dpor": EngineRow(
        "threadproof.engines.dpor",
        options=(
            EngineOption(
                "reduction", "none, sleep, source or optimal (the default)", ("none", "sleep", "source", "optimal"), "R"
            ),
            EngineOption(
                "preemptions",
                "only executions in which a thread that could go on is left at most N times; never true",
            ),
            _JOBS,
        ),
    ),
    "random": EngineRow(
        "threadproof.engines.random",
        frozenset(Property) - {Property.NO_DATA_RACE},
        options=(
            EngineOption("device", "where runs are made: cpu (the default), gpu or auto", ("cpu", "gpu", "auto"), "D"),
            EngineOption(
                "cluster", "runs by workers: of a dask scheduler, or local:N", metavar="ADDRESS", takes=Takes.TEXT
            ),
        ),
    ),
    "deadlocks": EngineRow("threadproof.engines.deadlocks", frozenset((Property.NO_DEADLOCK,))),
    "races": EngineRow("threadproof.engines.races", frozenset((Property.NO_DATA_RACE,))),
    "bmc": EngineRow(
        "threadproof.engines.bmc",
        models=frozenset(MemoryModel),
        options=(EngineOption("unwind", "unwind loops K times", metavar="K", in_auto=True),),
    ),
    "impact": EngineRow(
        "threadproof.engines.impact",
        frozenset(Property) - {Property.VALID_MEMCLEANUP},
        models=frozenset(MemoryModel),
        options=(
            EngineOption(
                "reduction",
                "none, monotonic, or order (sleep sets in lockstep); the default is monotonic, then order",
                ("none", "monotonic", "order"),
                "R",
            ),
            EngineOption("force_cover", "on (the default) or off", ("on", "off"), "on|off"),
            EngineOption(
                "sources",
                "what may be said of loops: all, none, labels, bounds or relations (default: none, then all)",
                ("all", "none", "labels", "bounds", "relations"),
                "S",
            ),
        ),
    ),
    "trace": EngineRow(
        "threadproof.engines.trace",
        frozenset((Property.UNREACH_CALL, Property.NO_OVERFLOW, Property.VALID_MEMSAFETY)),
        options=(
            EngineOption(
                "reduction",
                "proof (fixpoints), source or none (paths one by one, of source sets or all); default: the first two",
                ("proof", "source", "none"),
                "R",
            ),
        ),
    ),
    "modular": EngineRow(
        "threadproof.engines.modular",
        frozenset((Property.UNREACH_CALL, Property.NO_OVERFLOW, Property.VALID_MEMSAFETY)),
    ),
    "cegar": EngineRow(
        "threadproof.engines.cegar",
        frozenset((Property.UNREACH_CALL, Property.NO_OVERFLOW, Property.VALID_MEMSAFETY)),
        options=(
            EngineOption(
                "domain",
                "expl, pred-cart, pred-bool or prod (default: several in turn)",
                ("expl", "pred-cart", "pred-bool", "prod"),
                "D",
            ),
            EngineOption("maxenum", "a letter leads to at most N values of tracked variables that are told apart"),
            EngineOption(
                "precision",
                "where predicates are tracked: global (the default) or local",
                ("global", "local"),
                "P",
            ),
            EngineOption("search", "err (near to an error first, the default), bfs or dfs", ("err", "bfs", "dfs"), "S"),
            EngineOption(
                "refinement",
                "where predicates come from: newton-wp (the default), newton-sp, seq-itp, bw-bin-itp or mined",
                ("newton-sp", "newton-wp", "seq-itp", "bw-bin-itp", "mined"),
                "R",
            ),
            EngineOption(
                "pointers", "tracked as values: off, needed (the default) or always", ("off", "needed", "always"), "P"
            ),
            EngineOption(
                "por",
                "reduction: none, static, dynamic (by what letters do in a state), aa (of what the abstraction knows) "
                "or aa-pointers (the default)",
                ("none", "static", "dynamic", "aa", "aa-pointers"),
                "R",
            ),
            EngineOption(
                "order",
                "which thread is preferred: persistent (the default), lockstep (of loops) or round-robin (of letters)",
                ("persistent", "lockstep", "round-robin"),
                "O",
            ),
            EngineOption("prune", "of the graph, when refined: lazy (the default) or full", ("lazy", "full"), "P"),
            EngineOption(
                "initial",
                "predicates to begin with: empty (none, the default) or checks (the conditions of errors)",
                ("empty", "checks"),
                "P",
            ),
            EngineOption("counterexamples", "refine by at most N of them at a time (default: 1)", least=1),
        ),
    ),
    "seq": EngineRow(
        "threadproof.portfolio.seq",
        frozenset((Property.UNREACH_CALL,)),
        options=(
            EngineOption(
                "reduction", "none, local, conflict or full (the default)", ("none", "local", "conflict", "full"), "R"
            ),
        ),
    ),
}


def option_names() -> list[str]:
    """Of all engines, each once."""
    return list(dict.fromkeys(option.name for row in ENGINES.values() for option in row.options))


def having(option: str) -> dict[str, EngineOption]:
    """The engines that have the option, and what it means there."""
    found = ((name, row.option(option)) for name, row in ENGINES.items())
    return {name: one for name, one in found if one is not None}


def flag(option: str) -> str:
    """As the command line has it."""
    return f"--{option.replace('_', '-')}"


def check_options(engine: str, given: EngineOptions) -> None:
    """An InputError for what the engine does not know; it names what it knows."""
    for name, value in given.items():
        able = having(name)
        if engine in able:
            able[engine].check(value)
        elif engine == AUTO and any(one.in_auto for one in able.values()):
            next(one for one in able.values() if one.in_auto).check(value)
        else:
            raise InputError(f"{_unfit(name, able)}: {_known(engine)}")


def _unfit(name: str, able: Mapping[str, EngineOption]) -> str:
    return f"{flag(name)} goes with --engine {' or '.join(able)}" if able else f"no engine has an option {flag(name)}"


def _known(engine: str) -> str:
    if engine == AUTO:
        names = [name for name in option_names() if any(one.in_auto for one in having(name).values())]
        return f"{AUTO} takes no option of an engine but {', '.join(map(flag, names))}"
    names = [option.name for option in ENGINES[engine].options]
    return f"those of {engine} are {', '.join(map(flag, names))}" if names else f"{engine} has none of its own"
