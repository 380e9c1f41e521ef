"""The user's cache folder: what is compiled once and used again (the runtime library, clang's own caches)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_instead: Path | None = None


def cache_folder() -> Path:
    """`$XDG_CACHE_HOME/threadproof`, or a temporary folder if that cannot be written."""
    if _instead is not None:
        return _instead
    for candidate in (_in_user_cache(), Path(tempfile.gettempdir()) / f"threadproof-{os.getuid()}"):
        if candidate is not None and _usable(candidate):
            return candidate
    return Path(tempfile.mkdtemp(prefix="threadproof-"))


@contextmanager
def nothing_from_before() -> Generator[None]:
    """Inside, the cache is an empty folder, also for processes that are forked there; it goes at the end."""
    global _instead
    with tempfile.TemporaryDirectory(prefix="threadproof-", ignore_cleanup_errors=True) as empty:
        before, _instead = _instead, Path(empty)
        try:
            yield
        finally:
            _instead = before


def _in_user_cache() -> Path | None:
    named = os.environ.get("XDG_CACHE_HOME")
    if named:
        return Path(named) / "threadproof"
    try:
        return Path.home() / ".cache" / "threadproof"
    except RuntimeError:
        return None


def _usable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def write_atomically(path: Path, text: str) -> None:
    """Several processes may fill one entry: each writes a file and renames it. Failing costs time only."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as fresh:
            fresh.write(text)
        os.replace(fresh.name, path)
    except OSError:
        return
