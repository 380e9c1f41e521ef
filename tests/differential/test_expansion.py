"""Writing threads out changes nothing: the search finds the same verdicts, and the race prover is never refuted."""

from __future__ import annotations

from pathlib import Path

import pytest
from races_sweep import contradicted
from samples import SHAPES, data_model

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Unknown
from threadproof.engines.explicit import check
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.check import require_legal
from threadproof.passes.expand import Splitting, expand_threads
from threadproof.portfolio import prepare
from threadproof.sync.operations import OPERATIONS

SEEDS = range(24)
PROPERTIES = (Property.UNREACH_CALL, Property.NO_DATA_RACE)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_verdicts(seed: int, tmp_path: Path) -> None:
    source = tmp_path / "main.c"
    source.write_text(SHAPES["tiny"](seed), encoding="utf-8")
    for prop in PROPERTIES:
        program = prepare([str(source)], prop, FrontendOptions(data_model=data_model(seed)))
        expected = check(Task(program, prop), Budget(20), Silent())
        for splitting in Splitting:
            expanded = expand_threads(program, splitting).program
            require_legal(expanded, frozenset(OPERATIONS))
            if not isinstance(expected, Unknown):
                found = check(Task(expanded, prop), Budget(900), Silent())
                assert type(found) is type(expected), (prop, splitting, found)


@pytest.mark.parametrize("shape", ["tiny", "guarded"])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_proof_is_refuted(seed: int, shape: str) -> None:
    _, _, refuted = contradicted(SHAPES[shape](seed), data_model(seed), 5.0)
    assert not refuted


def test_guarded_programs_are_proved_now_and_then() -> None:
    proved = [contradicted(SHAPES["guarded"](seed), data_model(seed), 0.1)[0] for seed in SEEDS]
    assert len(SEEDS) / 4 < sum(proved) < len(SEEDS) * 3 / 4
