"""Schedules as files. One format for what `save` writes and for what others write:

    {"property": "unreach-call", "granularity": "visible", "schedule": [{"thread": [0], "choices": []}, ...]}

`verify --json` writes the same keys among others (its steps are visible ones), so its file can be loaded, and a saved
one can be given to `threadproof replay`. Importance splitting (`smc --splitting ... --json`) writes the schedule of a
run that reached each level under `reached`; its steps are instructions. A bare list of moves is accepted as well.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast

from threadproof.core import schedule as schedules
from threadproof.core.errors import InputError
from threadproof.core.property import Property, parse_property
from threadproof.core.schedule import Schedule
from threadproof.semantics.run import Granularity
from threadproof.simulate.session import Session


@dataclass(frozen=True, slots=True)
class Recorded:
    schedule: Schedule
    property: Property | None = None
    granularity: Granularity = Granularity.VISIBLE
    cause: str = ""  # what it ends in, if the file says so


def write(session: Session, file: str) -> None:
    data: dict[str, Any] = {
        "property": session.world.property.value,
        "granularity": session.world.granularity.value,
        "inputs": {"files": list(session.world.machine.program.sources)},
        "cause": session.here.end,
        "schedule": schedules.to_json(session.here.schedule()),
    }
    try:
        with open(file, "w", encoding="utf-8") as out:
            out.write(json.dumps(data) + "\n")
    except OSError as error:
        raise InputError(f"cannot write {file}: {error.strerror}") from None


def read(file: str, wanted: Property | None = None, level: int | None = None) -> Recorded:
    """The first schedule in a file, or the one of the property wanted; of splitting's levels the last, or `level`."""
    data = _json(file)
    if isinstance(data, list):
        return Recorded(_moves(file, data))
    if isinstance(data, dict) and "reached" in data:
        return _reached(file, cast(dict[str, Any], data)["reached"], level)
    if level is not None:
        raise InputError(f"{file}: no levels in it (smc --splitting ... --json writes them)")
    found = [one for one in _results(data) if one.get("schedule") is not None]
    if wanted is not None:
        found = [one for one in found if one.get("property", wanted.value) == wanted.value]
    if not found:
        which = f" for {wanted.value}" if wanted is not None else ""
        raise InputError(f"{file}: no schedule{which} in it (a false verdict of verify --json has one)")
    one = found[0]
    try:
        granularity = Granularity(one.get("granularity", "visible"))
    except ValueError:
        raise InputError(f"{file}: unknown granularity '{one['granularity']}'") from None
    if one.get("memory_model", "sc") != "sc":
        raise InputError(f"{file}: recorded under {one['memory_model']}: simulate knows only sc, give it to replay")
    prop = parse_property(str(one["property"])) if "property" in one else None
    return Recorded(_moves(file, one["schedule"]), prop, granularity, str(one.get("cause", "")))


def _reached(file: str, data: Any, level: int | None) -> Recorded:
    rows = [one for one in _results({"results": data}) if "schedule" in one]
    if not rows:
        raise InputError(f"{file}: splitting reached no level")
    if level is not None and not 1 <= level <= len(rows):
        raise InputError(f"{file}: there are levels 1 to {len(rows)}, not {level}")
    chosen = len(rows) if level is None else level
    cause = f"splitting reached level {chosen} of {len(rows)}, score {rows[chosen - 1].get('score', '?')}"
    return Recorded(_moves(file, rows[chosen - 1]["schedule"]), None, Granularity.INSTRUCTION, cause)


def _json(file: str) -> Any:
    try:
        with open(file, encoding="utf-8") as text:
            return json.load(text)
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{file}:{error.lineno}: not JSON: {error.msg}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: not JSON: it is not text") from None


def _results(data: Any) -> list[dict[str, Any]]:
    if not isinstance(data, dict):
        return []
    report = cast(dict[str, Any], data)
    results: Any = report.get("results", [report])
    rows = cast(list[Any], results) if isinstance(results, list) else []
    return [cast(dict[str, Any], one) for one in rows if isinstance(one, dict)]


def _moves(file: str, data: Any) -> Schedule:
    try:
        found = schedules.from_json(data)
        parts: list[Any] = [part for move in found for part in (*move.thread, *move.choices)]
        if all(isinstance(part, int) for part in parts):
            return found
    except (KeyError, TypeError, ValueError):
        pass
    raise InputError(f"{file}: its schedule is not a list of moves")
