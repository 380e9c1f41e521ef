"""A local of an earlier round of a loop, to which only a register still points, is not the local of this round.

The case is in `tests/regressions` (register-points-to-dead-local), but of its long list the quick suite asked no engine
over letters about it, and the sweeps have no pointers to locals of loops.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Safe
from threadproof.engines import impact, modular, trace
from threadproof.engines.task import Engine, Task
from threadproof.frontend import FrontendOptions
from threadproof.portfolio import prepare

MAIN = Path(__file__).parents[2] / "regressions" / "register-points-to-dead-local" / "main.c"


@pytest.mark.parametrize("engine", [impact.check, trace.check, modular.check])
def test_it_is_not_proved_valid(engine: Engine) -> None:
    program = prepare([str(MAIN)], Property.UNREACH_CALL, FrontendOptions())
    assert not isinstance(engine(Task(program, Property.UNREACH_CALL), Budget(60), Silent()), Safe)
