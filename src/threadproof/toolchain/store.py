"""Files by content, made once and used again, within a bound of bytes.

Several processes may use a store at the same time, and each may be killed at any moment: an entry is written beside its
place and renamed, and ends with the SHA-256 of what is before. Whatever is not whole is not there. Entries lie in
folders by the first digit of their digest. Each folder keeps its part of the bound: when something is added to it, it
gives up what was not used for longest. So nobody counts all entries, and nobody waits for a lock.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from threadproof.toolchain.cache import cache_folder

LIMIT_VARIABLE = "THREADPROOF_CACHE_MB"
DEFAULT_MB = 2000
FOLDERS = 16
UNFINISHED_S = 3600.0
"""An unfinished file that is older belongs to nobody any more."""
_SEAL = 32
_UNFINISHED = ".part"


@dataclass(frozen=True, slots=True)
class ContentStore:
    name: str  # of its folder in the cache
    ending: str  # of its files
    share: float  # of the bound

    def find(self, digest: str) -> Path | None:
        """The file, if it is there and whole. It ends with its seal."""
        path = self._place(digest)
        return None if self._whole(path) is None else path

    def read(self, digest: str) -> bytes | None:
        return self._whole(self._place(digest))

    def put(self, digest: str, content: bytes) -> Path:
        """Raises OSError if it cannot be written."""
        path = self._place(digest)
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=_UNFINISHED, delete=False) as fresh:
            try:
                fresh.write(content + hashlib.sha256(content).digest())
                fresh.flush()
                os.replace(fresh.name, path)
            except OSError:  # no room, perhaps: least of all for halves
                os.unlink(fresh.name)
                raise
        self._give_up(path)
        return path

    def drop(self, digest: str) -> None:
        self._place(digest).unlink(missing_ok=True)

    def _place(self, digest: str) -> Path:
        return cache_folder() / self.name / digest[0] / f"{digest}{self.ending}"

    def _whole(self, path: Path) -> bytes | None:
        try:
            found = path.read_bytes()
        except OSError:
            return None
        content, seal = found[:-_SEAL], found[-_SEAL:]
        if hashlib.sha256(content).digest() != seal:
            return None
        with suppress(OSError):
            os.utime(path)  # used now
        return content

    def _give_up(self, newest: Path) -> None:
        """The newest stays, whatever its size. Others may be at it, too: what is gone is gone."""
        room = self.share * _limit() / FOLDERS
        now = time.time()
        for path, size, used in sorted(_entries(newest.parent), key=lambda one: -one[2]):
            if path.suffix == _UNFINISHED:
                gone = now - used > UNFINISHED_S
            else:
                room -= size
                gone = room < 0 and path != newest
            if gone:
                with suppress(OSError):
                    path.unlink()


def _entries(folder: Path) -> list[tuple[Path, int, float]]:
    """With size and last use."""
    found: list[tuple[Path, int, float]] = []
    for path in folder.iterdir():
        with suppress(OSError):
            about = path.stat()
            found.append((path, about.st_size, about.st_mtime))
    return found


def _limit() -> float:
    """Bytes of all stores together."""
    try:
        return max(0.0, float(os.environ.get(LIMIT_VARIABLE, DEFAULT_MB))) * 1e6
    except ValueError:
        return DEFAULT_MB * 1e6
