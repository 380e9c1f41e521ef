"""`threadproof.toml` in the current directory: options of commands by their names on the command line.

    [verify]
    timeout = 60
    property = ["no-data-race", "no-deadlock"]
    I = ["include"]
    [smc]
    confidence = 0.99

What is said on the command line counts more.
"""

from __future__ import annotations

import os
from typing import Any, cast

import click

from threadproof.core.errors import InputError

FILE = "threadproof.toml"


def defaults(command: click.Command, name: str) -> dict[str, Any]:
    """Values of a command's parameters, by the names click has for them."""
    own: Any = _read().get(name, {})
    known = {word.lstrip("-"): one for one in command.params for word in (*one.opts, one.name or "")}
    found: dict[str, Any] = {}
    for key, value in cast(dict[str, Any], own).items():
        parameter = known.get(key)
        if parameter is None or not parameter.name:
            raise InputError(f"{FILE}: {name} has no option '{key}'")
        several = parameter.multiple if isinstance(parameter, click.Option) else parameter.nargs == -1
        found[parameter.name] = [value] if several and not isinstance(value, list) else value
    return found


def _read() -> dict[str, Any]:
    if not os.path.exists(FILE):
        return {}
    import tomllib

    try:
        with open(FILE, "rb") as text:
            given = tomllib.load(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{FILE}: {error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{FILE}: not text in UTF-8: save it as UTF-8") from None
    except OSError as error:
        raise InputError(f"{FILE}: {error.strerror}") from None
    for key, value in given.items():
        if not isinstance(value, dict):
            raise InputError(f"{FILE}: '{key}' stands outside of a table: [verify], [smc], ...")
    return given
