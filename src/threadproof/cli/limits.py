"""An `unknown` that a limit is the reason for says which limit, and how to raise it."""

from __future__ import annotations

import re
from dataclasses import replace

from threadproof.core.result import Answer, Verdict

_LIMIT = re.compile(r"(?:^|: )(time|memory)(?=[:;]| \(|$)")  # as engines begin such a reason


def with_limits(answer: Answer, seconds: float, megabytes: int | None, shared_by: int) -> Answer:
    """`shared_by`: how many properties share the time."""
    reached = set(_LIMIT.findall(answer.reason)) if answer.verdict is Verdict.UNKNOWN else set[str]()
    says: list[str] = []
    if "time" in reached:
        whose = "" if shared_by == 1 else f" for {shared_by} properties together"
        says.append(f"the limit of {seconds:g} s{whose} was reached, --timeout gives more")
    if "memory" in reached:
        had = "the memory of this machine" if megabytes is None else f"the limit of {megabytes} MB"
        says.append(f"{had} was reached, --memory-limit gives more" if megabytes else f"{had} was used up")
    if not says:
        return answer
    mark = ": " if answer.reason in ("time", "memory") else "; "
    return replace(answer, reason=answer.reason + mark + "; ".join(says))
