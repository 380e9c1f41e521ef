"""Random testing on a cluster: what the workers' runs come to together."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Unknown
from threadproof.engines.random import away
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.portfolio.prepare import prepare

STATS = {"runs": 50, "runs_uniform": 20, "tested": 15, "ended_finished": 40, "ended_steps": 10}


def _connected(_address: str) -> nullcontext[FakeCrew]:
    return nullcontext(FakeCrew())


class FakeCrew:
    def share(self, content: bytes, name: str) -> str:
        return name

    def results(self, *_: Any, **__: Any) -> Generator[tuple[int, Unknown]]:
        yield 0, Unknown("time", STATS)
        yield 1, Unknown("time", STATS)


def test_what_slices_tested_is_added_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(away, "connected", _connected)
    file = tmp_path / "main.c"
    file.write_text("int main(void) { return 0; }", encoding="utf-8")
    prop = Property.UNREACH_CALL
    result = away.check_away(Task(prepare([str(file)], prop, FrontendOptions()), prop), "local:2", Budget(60), Silent())
    assert isinstance(result, Unknown)
    assert result.stats == {name: 2 * count for name, count in STATS.items()}
    assert "no violation in 100 random runs on a cluster; of all random runs, 20 were cut" in result.reason
