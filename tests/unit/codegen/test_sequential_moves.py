"""Moves on edges: all happen at once, also where each takes what another one had."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Safe, Unsafe
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.portfolio import seq
from threadproof.portfolio.prepare import prepare

ROUND = """
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @reach_error()
define i32 @main() {
entry:
  br label %loop
loop:
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %c, %loop ]
  %c = phi i32 [ 3, %entry ], [ %a, %loop ]
  %n = phi i32 [ 0, %entry ], [ %m, %loop ]
  %m = add i32 %n, 1
  %more = icmp ult i32 %n, 4
  br i1 %more, label %loop, label %end
end:
  %wrong = icmp eq i32 %a, EXPECTED
  br i1 %wrong, label %error, label %fine
error:
  call void @reach_error()
  unreachable
fine:
  ret i32 0
}
"""


@pytest.mark.parametrize("reduction", ["none", "full"])
@pytest.mark.parametrize(("expected", "verdict"), [(1, Safe), (2, Unsafe), (3, Safe)])
def test_values_go_round(tmp_path: Path, expected: int, verdict: type[Safe | Unsafe], reduction: str) -> None:
    path = tmp_path / "main.ll"
    path.write_text(ROUND.replace("EXPECTED", str(expected)), encoding="utf-8")
    program = prepare([str(path)], Property.UNREACH_CALL, FrontendOptions())
    task = Task(program, Property.UNREACH_CALL, options={"reduction": reduction})
    assert isinstance(seq.check(task, Budget(900), Silent()), verdict)
