"""The engines by name; each is loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

from threadproof.core.errors import InputError
from threadproof.engines.task import Engine

ENGINES = {
    "explicit": "threadproof.engines.explicit",
    "dpor": "threadproof.engines.dpor",
    "random": "threadproof.engines.random",
    "races": "threadproof.engines.races",
}
DEFAULT = "explicit"
"""What `auto` means."""


def engine_named(name: str) -> tuple[str, Engine]:
    name = DEFAULT if name == "auto" else name
    if name not in ENGINES:
        raise InputError(f"unknown engine '{name}': choose auto or one of {', '.join(ENGINES)}")
    return name, import_module(ENGINES[name]).check
