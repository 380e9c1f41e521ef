"""Results of a sweep in one SQLite file: a row as soon as it is known, each task once, also if the sweep is killed.

A row belongs to the content that was asked about: where a file has changed since, its row does not count. One sweep
writes to a file at a time; a lock says so, which ends with its process.
"""

from __future__ import annotations

import builtins
import fcntl
import json
import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, cast

from threadproof.core.errors import InputError

SOLVED = ("true", "false")
ERROR = "error"
NO_WORD = "exit code "
"""How the reason begins where nothing was said."""


@dataclass(frozen=True, slots=True)
class SweepRow:
    task: str
    property: str
    expected: str
    content: str
    verdict: str  # true, false, unknown; error: no answer came
    engine: str
    reason: str
    wall_s: float
    cpu_s: float
    peak_mb: float
    stats: str = "{}"  # of the engine, in JSON

    @builtins.property
    def key(self) -> tuple[str, str]:
        return self.task, self.property

    @builtins.property
    def is_solved(self) -> bool:
        return self.verdict in SOLVED

    @builtins.property
    def is_right(self) -> bool:
        """Or nobody says what is right."""
        return self.is_solved and self.expected in ("", self.verdict)

    @builtins.property
    def is_broken(self) -> bool:
        """A bug of ours, not of the task: an internal error, or `verify` ended without a word."""
        return self.verdict == ERROR and self.reason.startswith(("internal error", NO_WORD))

    @builtins.property
    def is_wrong(self) -> bool:
        return self.is_solved and not self.is_right

    def figure(self, name: str) -> float:
        """Of what the engine counted; 0 if it did not."""
        return float(json.loads(self.stats).get(name) or 0)


_COLUMNS = [one.name for one in fields(SweepRow)]
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS results ({", ".join(f"{name} NOT NULL" for name in _COLUMNS)}, PRIMARY KEY (task, property));
"""


class SweepStore:
    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._connection = connection
        self._path = path

    def rows(self) -> list[SweepRow]:
        asked = f"SELECT {', '.join(_COLUMNS)} FROM results ORDER BY task, property"
        return [SweepRow(*row) for row in self._connection.execute(asked)]

    def add(self, row: SweepRow) -> None:
        """In place of what is known of the same task."""
        marks = ", ".join("?" for _ in _COLUMNS)
        values = tuple(asdict(row).values())
        with self._connection:
            self._connection.execute(f"INSERT OR REPLACE INTO results ({', '.join(_COLUMNS)}) VALUES ({marks})", values)

    def about(self) -> dict[str, str]:
        return dict(self._connection.execute("SELECT name, value FROM about"))

    def belongs_to(self, about: dict[str, str]) -> None:
        """Raises InputError if its rows were asked for otherwise: one file, one way to ask."""
        known = self.about()
        for name, value in about.items():
            if known.get(name, value) != value:
                raise InputError(
                    f"{self._path} is of a sweep with {name} {_shown(known[name])}, this one has {_shown(value)}: "
                    "name another file"
                )
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", about.items())


def _shown(value: str) -> str:
    words: Any = json.loads(value)
    return " ".join(cast(list[str], words)) or "none" if isinstance(words, list) else str(words)


@contextmanager
def opened(path: str) -> Generator[SweepStore]:
    """To write to. Raises InputError."""
    with _locked(path), closing(_connected(path)) as connection:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(_SCHEMA)
        except sqlite3.DatabaseError:
            raise InputError(f"{path}: not a file of results") from None
        _require_columns(connection, path)
        yield SweepStore(connection, path)


def read(path: str) -> list[SweepRow]:
    """Raises InputError."""
    if not os.path.isfile(path):
        raise InputError(f"cannot read {path}: there is no such file")
    with closing(_connected(path)) as connection:
        try:
            _require_columns(connection, path)
            return SweepStore(connection, path).rows()
        except sqlite3.DatabaseError:
            raise InputError(f"{path}: not a file of results") from None


def _require_columns(connection: sqlite3.Connection, path: str) -> None:
    there = {str(row[1]) for row in connection.execute("PRAGMA table_info(results)")}
    if there and not there.issuperset(_COLUMNS):
        raise InputError(f"{path} is of another version of Threadproof, whose rows have less: name another file")


def _connected(path: str) -> sqlite3.Connection:
    try:
        return sqlite3.connect(path, timeout=30.0, check_same_thread=False)
    except sqlite3.OperationalError as error:
        raise InputError(f"cannot write {path}: {error}") from None


@contextmanager
def _locked(path: str) -> Generator[None]:
    """Beside the file: SQLite's own locks are those of single transactions."""
    lock = Path(f"{path}.lock")
    try:
        with lock.open("w") as held:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise InputError(f"{path} is in use by another sweep") from None
            yield
    except OSError as error:
        raise InputError(f"cannot write {lock}: {error.strerror}") from None
