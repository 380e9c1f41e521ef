from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from smc_support import SHAPES, program

from threadproof.ir.program import Program


@pytest.fixture(scope="session")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> Program:
    file = tmp_path_factory.mktemp("smc") / "shapes.c"
    file.write_text(SHAPES)
    return program(str(file))
