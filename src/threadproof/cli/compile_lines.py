"""Compile lines as people have them: pasted flags of gcc, folders, and `compile_commands.json`.

What changes the meaning of C (`-I -D -U -std -include -m32`) is taken; what concerns warnings, optimisation, debugging,
dependencies and linking is dropped, as it would change nothing here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from threadproof.core.errors import InputError
from threadproof.core.words import words_of

COMPILERS = ("gcc", "cc", "clang", "c99", "c11")
DATABASE = "compile_commands.json"
_DROPPED = ("-W", "-O", "-g", "-f", "-l", "-L", "-MF", "-MT", "-MQ")
_DROPPED_WHOLE = (
    "-c", "-pthread", "-pipe", "-pedantic", "-pedantic-errors", "-ansi", "-w", "-s", "-shared", "-static", "-rdynamic",
    "-v", "-M", "-MM", "-MD", "-MMD", "-MP", "-m64", "-march=native", "-mtune=native",
)  # fmt: skip
_WITH_VALUE = ("-MF", "-MT", "-MQ", "-o", "-L", "-l", "-x")
_FOLDERS = ("-isystem", "-iquote", "-idirafter", "-I")
_TAKEN = ("-I", "-D", "-U", "-std=", "-include", "-m32", *_FOLDERS)


def as_ours(words: Sequence[str]) -> list[str]:
    """The words behind `verify`, as our own options."""
    found: list[str] = []
    rest = iter(words)
    for word in rest:
        if not found and os.path.basename(word) in COMPILERS and not os.path.isdir(word):
            continue
        if word in _FOLDERS and word != "-I":
            found += ["-I", next(rest, "")]
        elif word == "-m32":
            found += ["--data-model", "ILP32"]
        elif word in _WITH_VALUE:
            next(rest, "")
        elif word == "-include":
            found += ["--include", next(rest, "")]
        elif word.startswith(("-fsanitize", "-Wl,")) or word in _DROPPED_WHOLE or _is_dropped(word):
            continue
        elif os.path.basename(word) == DATABASE or (os.path.isdir(word) and not _is_value(found)):
            found += of_project(word)
        else:
            found.append(word)
    return found


def _is_dropped(word: str) -> bool:
    """`-Wall`, `-O2`, `-g3`, `-fPIC`, `-lm`: one letter and more; `--full` has two signs and is ours."""
    return word.startswith(_DROPPED) and not word.startswith("--")


def _is_value(before: Sequence[str]) -> bool:
    """Whether what comes now belongs to an option before it."""
    return bool(before) and before[-1] in ("-I", "--report", "--harness", "--include")


def of_project(path: str) -> list[str]:
    """Files and flags of a folder or of a compilation database."""
    if os.path.isdir(path):
        for database in (os.path.join(path, DATABASE), os.path.join(path, "build", DATABASE)):
            if os.path.exists(database):
                return of_database(database)
        return _of_folder(path)
    return of_database(path)


def _of_folder(folder: str) -> list[str]:
    files = [
        os.path.join(place, name)
        for place in (folder, os.path.join(folder, "src"))
        if os.path.isdir(place)
        for name in sorted(os.listdir(place))
        if name.endswith(".c")
    ]
    if not files:
        raise InputError(f"{folder}: no C files in it, and no {DATABASE}")
    headers = [place for place in (folder, os.path.join(folder, "include")) if os.path.isdir(place)]
    return [*files, *(word for place in headers for word in ("-I", place))]


def of_database(path: str) -> list[str]:
    """All files of the database as one program. Flags that contradict each other are an error: one program has one
    meaning of each macro here."""
    files: dict[str, None] = {}
    flags: dict[str, tuple[str, ...]] = {}
    macros: dict[str, tuple[str, str]] = {}
    for entry in _entries(path):
        folder = os.path.join(os.path.dirname(path), str(entry.get("directory", "")))
        files[os.path.relpath(os.path.join(folder, str(entry["file"])))] = None
        for flag in _flags(_words(entry, path), folder):
            if flag[0] == "-D":
                title = flag[1].partition("=")[0]
                other = macros.setdefault(title, (flag[1], str(entry["file"])))
                if other[0] != flag[1]:
                    raise InputError(
                        f"{path}: {other[1]} is compiled with -D{other[0]}, {entry['file']} with -D{flag[1]}: name the "
                        "files and macros of one program"
                    )
            flags[" ".join(flag)] = flag
    if not files:
        raise InputError(f"{path}: no files in it")
    return [*files, *(word for flag in flags.values() for word in flag)]


def units_of_database(path: str) -> list[tuple[str, tuple[str, ...]]]:
    """Each file with its own flags."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for entry in _entries(path):
        folder = os.path.join(os.path.dirname(path), str(entry.get("directory", "")))
        file = os.path.relpath(os.path.join(folder, str(entry["file"])))
        found.append((file, tuple(word for flag in _flags(_words(entry, path), folder) for word in flag)))
    return found


def _entries(path: str) -> list[dict[str, Any]]:
    try:
        with open(path, encoding="utf-8") as text:
            data: Any = json.load(text)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise InputError(f"{path}: not JSON") from None
    if not isinstance(data, list):
        raise InputError(f"{path}: not a compilation database")
    entries = [cast(dict[str, Any], one) for one in cast(list[Any], data) if isinstance(one, dict) and "file" in one]
    return [entry for entry in entries if str(entry["file"]).endswith((".c", ".i"))]


def _words(entry: dict[str, Any], path: str) -> list[str]:
    given: Any = entry.get("arguments")
    if isinstance(given, list):
        return [str(word) for word in cast(list[Any], given)]
    return words_of(str(entry.get("command", "")), f"{path}: the command of {entry['file']}")


def _flags(words: Iterable[str], folder: str) -> Iterator[tuple[str, ...]]:
    """The flags that change the meaning of C, with folders as seen from here."""
    rest = iter(words)
    for word in rest:
        kind = next((kind for kind in ("-include", *_FOLDERS, "-D", "-U") if word.startswith(kind)), "")
        if kind:
            value = word[len(kind) :] or next(rest, "")
            if kind in ("-D", "-U"):
                yield kind, value
            else:
                place = os.path.relpath(os.path.join(folder, value))
                yield ("--include", place) if kind == "-include" else ("-I", place)
        elif word.startswith("-std="):
            yield (word,)
        elif word == "-m32":
            yield "--data-model", "ILP32"
