"""Compilers that were started ahead: they work while the rest of Threadproof is being imported."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress

from threadproof.core.errors import InputError
from threadproof.frontend.clang import ClangRun
from threadproof.frontend.options import FrontendOptions


class Compilations:
    """Each is taken once, by whoever asks for the same file with the same options. The others are ended."""

    def __init__(self) -> None:
        self._begun: dict[tuple[str, FrontendOptions], ClangRun] = {}

    def begin(self, paths: Sequence[str], options: FrontendOptions) -> None:
        """As many as there are processors. What cannot be started is left to whoever reads the file, who says why."""
        for path in [path for path in paths if not path.endswith(".ll")][: os.cpu_count() or 1]:
            with suppress(InputError, OSError, ValueError):
                self._begun[path, options] = ClangRun(path, options)

    def text(self, path: str, options: FrontendOptions) -> str | None:
        """None if it was not begun."""
        begun = self._begun.pop((path, options), None)
        if begun is None:
            return None
        with begun:
            return begun.text()

    def close(self) -> None:
        while self._begun:
            self._begun.popitem()[1].__exit__()
