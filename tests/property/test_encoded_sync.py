"""The sync table as terms against the reference semantics: who blocks, what the object holds afterwards, the result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_evaluate import EMPTY

from threadproof.core.source import NOWHERE
from threadproof.encoding.sync_cases import SyncStep, guarded_step
from threadproof.semantics.run import BlockedHere
from threadproof.semantics.sync_ops import SyncOps
from threadproof.smt.evaluate import Assignment
from threadproof.smt.terms import Terms
from threadproof.sync.operations import OPERATIONS, Guarded

GUARDED = [operation for operation in OPERATIONS.values() if isinstance(operation, Guarded)]
OBJECTS = (0x1000, 0x2000)  # where the first two arguments point if fields lie there


@dataclass
class Words:
    """As much of a running step as guarded operations ask for."""

    self_handle: int
    words: dict[int, int]
    effects: list[object] = field(default_factory=list)

    def handle(self) -> int:
        return self.self_handle

    def peek_word(self, address: int, bits: int) -> int:
        return self.words[address]

    def poke_word(self, address: int, value: int, bits: int) -> None:
        self.words[address] = value

    def store_result(self, address: int, value: int, bits: int, loc: object) -> None:
        self.words[address] = value


def small(data: st.DataObject, self_handle: int) -> int:
    return data.draw(st.sampled_from((0, 1, 2, 3, self_handle, 0x7FFFFFFF, 0xFFFFFFFF)))


@pytest.mark.parametrize("operation", GUARDED, ids=lambda operation: operation.name)
@settings(max_examples=40)
@given(data=st.data())
def test_guarded_operations_as_in_the_reference(operation: Guarded, data: st.DataObject) -> None:
    me = data.draw(st.sampled_from((1, 7)))
    pointed = {f.arg for f in operation.fields}
    args = [OBJECTS[i] if i in pointed else small(data, me) for i in range(operation.arity)]
    before = {f.name: small(data, me) for f in operation.fields}
    places = {f.name: OBJECTS[f.arg] + f.offset64 for f in operation.fields}
    step, assignment = encoded(operation, before, args, me)
    run: Any = Words(me, {places[name]: word for name, word in before.items()})
    try:
        result = SyncOps(EMPTY, 64).action(operation.name)(run, list(args), NOWHERE)
    except BlockedHere:
        assert not assignment.holds(step.moves)
        assert not any(assignment.holds(when) for _, when in step.taken)
    else:
        assert assignment.holds(step.moves)
        assert sum(assignment.holds(when) for _, when in step.taken) == 1
        assert assignment.number(step.result) == result
    assert {name: assignment.number(word) for name, word in step.words.items()} == {
        name: run.words[place] for name, place in places.items()
    }


def encoded(operation: Guarded, before: dict[str, int], args: list[int], me: int) -> tuple[SyncStep, Assignment]:
    terms = Terms()
    words = {name: terms.bv_var(name, 32) for name in before}
    given_args = [terms.bv_var(f"given{i}", 64) for i in range(len(args))]
    step = guarded_step(terms, EMPTY, operation, words, given_args, terms.bv_var("me", 32))
    values = {**before, "me": me, **{f"given{i}": arg for i, arg in enumerate(args)}}
    return step, Assignment(values)
