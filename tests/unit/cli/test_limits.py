"""Reasons that are limits say which, and what to do."""

from __future__ import annotations

import pytest

from threadproof.cli.limits import with_limits
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict

TIME = "the limit of 8 s was reached, --timeout gives more"
MEMORY = "the limit of 90 MB was reached, --memory-limit gives more"


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("time", f"time: {TIME}"),
        ("time (safe up to 3 iterations)", f"time (safe up to 3 iterations); {TIME}"),
        ("time: 1,204 states explored, 3 waiting", f"time: 1,204 states explored, 3 waiting; {TIME}"),
        ("explicit, dpor: time; bmc: memory", f"explicit, dpor: time; bmc: memory; {TIME}; {MEMORY}"),
        ("memory", f"memory: {MEMORY}"),
        ("unsupported: the function time at a.c:3", "unsupported: the function time at a.c:3"),
        ("interrupted", "interrupted"),
    ],
)
def test_a_limit_is_named_with_its_option(reason: str, told: str) -> None:
    answer = Answer(Property.UNREACH_CALL, Verdict.UNKNOWN, "auto", reason=reason)
    assert with_limits(answer, 8.0, 90, 1).reason == told


def test_without_a_limit_memory_is_the_machines() -> None:
    answer = Answer(Property.UNREACH_CALL, Verdict.UNKNOWN, "auto", reason="memory")
    assert with_limits(answer, 8.0, None, 1).reason == "memory: the memory of this machine was used up"


def test_several_properties_share_the_time() -> None:
    answer = Answer(Property.UNREACH_CALL, Verdict.UNKNOWN, "auto", reason="time")
    assert "8 s for 3 properties together" in with_limits(answer, 8.0, None, 3).reason
