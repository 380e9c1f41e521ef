"""What `bmc` counts out of reads: no random execution contradicts it, nor do verdicts."""

from __future__ import annotations

from collections import Counter

import pytest
from agreement import asked
from place_programs import prepared, source, wrong_ranges

from threadproof.core.property import Property


@pytest.mark.parametrize("seed", range(20))
def test_no_execution_contradicts_it(seed: int) -> None:
    assert not wrong_ranges(source(seed), Counter())


@pytest.mark.parametrize("seed", range(100, 104))
def test_verdicts_agree(seed: int) -> None:
    question = asked(prepared(source(seed)), Property.UNREACH_CALL, 5.0, ("bmc", "explicit"))
    assert not question.contradictions


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200, 500))
def test_at_length(seed: int) -> None:
    text = source(seed)
    assert not wrong_ranges(text, Counter())
    assert not asked(prepared(text), Property.UNREACH_CALL, 5.0, ("bmc", "explicit")).contradictions
