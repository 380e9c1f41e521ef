from __future__ import annotations

import functools
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from frontend_support import Loader, load_text


@pytest.fixture
def c(tmp_path: Path) -> Loader:
    """Loads C text, several texts as several files of one program."""
    return functools.partial(load_text, tmp_path)


@pytest.fixture
def ll(tmp_path: Path) -> Loader:
    return functools.partial(load_text, tmp_path, suffix=".ll")
