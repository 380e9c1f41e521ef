from __future__ import annotations

import pytest
from lost_update import lost_update

from threadproof.core.trace import Trace


@pytest.fixture
def trace() -> Trace:
    return lost_update()
