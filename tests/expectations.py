"""What is expected of the programs in `tests`: each `expect.yml` is read once, however many tests ask about it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's, where PyYAML was built with it, is ten times as fast: there are thousands of files."""


@cache
def expectation(file: Path) -> dict[str, Any]:
    """Nobody changes it."""
    return yaml.load(file.read_text(encoding="utf-8"), Loader=LOADER)
