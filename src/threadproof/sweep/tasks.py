"""What a sweep asks: programs with a property each, from folders, SV-COMP's task definitions and sets, and tables.

A folder means its task definitions (`.yml`), or, if it has none, every C file in it that has a `main`.
"""

from __future__ import annotations

import builtins
import csv
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from threadproof.core.errors import InputError
from threadproof.core.property import Property, parse_property

_MAIN = re.compile(r"\bmain\s*\(")
_VERDICTS = {True: "true", False: "false", "true": "true", "false": "false"}


@dataclass(frozen=True, slots=True)
class SweepTask:
    name: str  # tells it from all others, together with the property
    files: tuple[str, ...]
    property: Property
    expected: str = ""  # true or false; "": nobody says
    options: tuple[str, ...] = ()  # of `verify`, for this program

    @builtins.property
    def key(self) -> tuple[str, str]:
        return self.name, self.property.value

    def content(self) -> str:
        """Changes with what is asked: the files' bytes and the options. Raises InputError."""
        found = hashlib.sha256(repr((self.property.value, self.options)).encode())
        for file in self.files:
            try:
                found.update(Path(file).read_bytes())
            except OSError as error:
                raise InputError(f"cannot read {file}: {error.strerror}") from None
        return found.hexdigest()


def tasks_of(path: str, wanted: Sequence[Property]) -> list[SweepTask]:
    """Of one argument of the command line. `wanted`: of definitions, only these properties (all, if there are none);
    of plain C, these (`unreach-call`, if there are none)."""
    place = Path(path)
    if place.is_dir():
        found = _of_folder(place, wanted)
    elif place.suffix == ".set":
        found = _of_set(place, wanted)
    elif place.suffix in (".yml", ".yaml"):
        found = _of_definition(place, wanted)
    elif place.suffix == ".csv":
        found = _of_table(place, wanted)
    elif place.suffix in (".c", ".i", ".ll"):
        found = _of_program(str(place), (str(place),), wanted)
    else:
        raise InputError(f"{path}: a sweep takes folders, C files, .yml, .set and .csv files, compile_commands.json")
    return list(found)


def require_distinct(tasks: Iterable[SweepTask]) -> None:
    seen: set[tuple[str, str]] = set()
    for one in tasks:
        if one.key in seen:
            raise InputError(f"{one.name}: asked twice about {one.property}")
        seen.add(one.key)


def of_unit(name: str, files: tuple[str, ...], wanted: Sequence[Property], options: tuple[str, ...]) -> list[SweepTask]:
    """A program that is compiled with these options."""
    return list(_of_program(name, files, wanted, options))


def has_main(file: Path) -> bool:
    return bool(_MAIN.search(file.read_text(encoding="utf-8", errors="replace")))


def _of_program(
    name: str, files: tuple[str, ...], wanted: Sequence[Property], options: tuple[str, ...] = ()
) -> Iterator[SweepTask]:
    for prop in wanted or (Property.UNREACH_CALL,):
        yield SweepTask(name, files, prop, options=options)


def _of_folder(folder: Path, wanted: Sequence[Property]) -> Iterator[SweepTask]:
    definitions = sorted(folder.rglob("*.yml"))
    found = [task for one in definitions for task in _of_definition(one, wanted, strict=False)]
    if found:
        yield from found
        return
    for file in sorted(folder.rglob("*.[ci]")):
        if has_main(file):
            yield from _of_program(str(file), (str(file),), wanted)


def _of_set(file: Path, wanted: Sequence[Property]) -> Iterator[SweepTask]:
    """A pattern of task definitions to a line; `#` begins a comment."""
    for line in _text(file).splitlines():
        pattern = line.partition("#")[0].strip()
        if not pattern:
            continue
        matches = sorted(file.parent.glob(pattern))
        if not matches:
            raise InputError(f"{file}: nothing matches {pattern}")
        for one in matches:
            yield from _of_definition(one, wanted)


def _of_definition(file: Path, wanted: Sequence[Property], strict: bool = True) -> Iterator[SweepTask]:
    """SV-COMP's format, version 2. Not `strict`: other files in YAML are passed over."""
    try:
        data: Any = yaml.safe_load(_text(file))
    except yaml.YAMLError:
        data = None
    if not isinstance(data, dict) or "input_files" not in data:
        if strict:
            raise InputError(f"{file}: not a task definition of SV-COMP (no input_files)")
        return
    given = cast(dict[str, Any], data)
    inputs: Any = given["input_files"]
    names = [str(one) for one in cast(list[Any], inputs)] if isinstance(inputs, list) else [str(inputs)]
    files = tuple(str(file.parent / name) for name in names)
    model = str(cast(dict[str, Any], given.get("options") or {}).get("data_model", "ILP32"))
    for prop, expected in _properties(given, file):
        if not wanted or prop in wanted:
            yield SweepTask(str(file), files, prop, expected, ("--data-model", model, "--undefined", "pure"))


def _properties(given: dict[str, Any], file: Path) -> Iterator[tuple[Property, str]]:
    """Those that are known here."""
    for one in cast(list[dict[str, Any]], given.get("properties") or []):
        name = str(one.get("property_file", ""))
        try:
            prop = parse_property(str(file.parent / name) if (file.parent / name).exists() else Path(name).stem)
        except InputError:
            continue
        yield prop, _VERDICTS.get(cast(Any, one.get("expected_verdict")), "")


def _of_table(file: Path, wanted: Sequence[Property]) -> Iterator[SweepTask]:
    """Columns id, path (seen from the table), property, and perhaps expected and data_model."""
    for row in csv.DictReader(_text(file).splitlines()):
        if not {"id", "path", "property"} <= row.keys():
            raise InputError(f"{file}: a table of tasks has columns id, path, property, expected, data_model")
        prop = parse_property(row["property"])
        if not wanted or prop in wanted:
            options = ("--data-model", row.get("data_model") or "ILP32", "--undefined", "pure")
            files = (str(file.parent / row["path"]),)
            yield SweepTask(row["id"], files, prop, _VERDICTS.get(row.get("expected") or "", ""), options)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: not UTF-8") from None
