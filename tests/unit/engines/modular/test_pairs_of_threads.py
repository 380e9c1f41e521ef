"""Labels of two threads, where those of one thread do not exclude an error; and programs that look much the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from exclusion_programs import PROVED, WITH_AN_ERROR, indexed

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.proofs import ThreadModularProof
from threadproof.core.property import Property
from threadproof.core.result import Safe, Unknown
from threadproof.engines import modular
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, Rejected, check_proof
from threadproof.evidence.proofs.files import proof_from_json, proof_to_json
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare

Prepared = Callable[[str], Program]
PROP = Property.UNREACH_CALL


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    file = tmp_path_factory.mktemp("tickets") / "main.c"

    def read(source: str) -> Program:
        file.write_text(source, encoding="utf-8")
        return prepare([str(file)], PROP, FrontendOptions())

    return read


def accepts(program: Program, proof: ThreadModularProof) -> bool:
    checked = check_proof(program, PROP, proof, Budget(900))
    assert isinstance(checked, Accepted | Rejected)
    return isinstance(checked, Accepted)


def proof_for(program: Program) -> ThreadModularProof:
    result = modular.check(Task(program, PROP), Budget(900), Silent())
    assert isinstance(result, Safe)
    assert isinstance(result.proof, ThreadModularProof)
    return result.proof


@pytest.fixture(scope="module")
def proved(prepared: Prepared) -> tuple[Program, ThreadModularProof]:
    program = prepared(PROVED["the next one"])
    return program, proof_for(program)


def test_no_two_threads_have_one_number(proved: tuple[Program, ThreadModularProof]) -> None:
    program, proof = proved
    assert proof.pairs
    assert accepts(program, proof)
    assert proof_from_json(proof_to_json(proof)) == proof


def test_turns_that_are_counted(prepared: Prepared) -> None:
    program = prepared(PROVED["whoever is next"])
    assert accepts(program, proof_for(program))


def test_two_threads_that_give_each_other_their_turn(prepared: Prepared) -> None:
    """Steps are looked at beside the other thread: what both know says nothing of the one alone."""
    program = prepared(PROVED["turns"])
    proof = proof_for(program)
    assert dict(proof.watched).items() >= {"one": "two", "two": "one"}.items()
    assert accepts(program, proof)
    assert not accepts(program, replace(proof, watched=()))
    for watched in (("one", "one"), ("one", "main"), ("one", "nobody")):  # itself, twice, and who is not there
        assert not accepts(program, replace(proof, watched=(*proof.watched, watched)))
    for name in ("the turn is given first", "the turn is not given"):
        assert not accepts(prepared(WITH_AN_ERROR[name]), proof)


def test_an_index_that_one_thread_at_a_time_changes(tmp_path: Path) -> None:
    file = tmp_path / "main.c"

    def read(source: str) -> Program:
        file.write_text(source, encoding="utf-8")
        return prepare([str(file)], Property.VALID_MEMSAFETY, FrontendOptions())

    program = read(indexed())
    result = modular.check(Task(program, Property.VALID_MEMSAFETY), Budget(900), Silent())
    assert isinstance(result, Safe)
    assert isinstance(result.proof, ThreadModularProof)
    assert result.proof.pairs
    assert isinstance(check_proof(program, Property.VALID_MEMSAFETY, result.proof, Budget(900)), Accepted)
    wrong = read(indexed(early="serving = mine + 1;", leave=""))
    assert not isinstance(check_proof(wrong, Property.VALID_MEMSAFETY, result.proof, Budget(900)), Accepted)


def test_of_those_that_are_looked_at_there_is_one(proved: tuple[Program, ThreadModularProof]) -> None:
    program, proof = proved
    assert accepts(program, replace(proof, watched=(("t", "main"),)))
    assert not accepts(program, replace(proof, watched=(("main", "t"),)))


@pytest.mark.parametrize("source", WITH_AN_ERROR.values(), ids=WITH_AN_ERROR.keys())
def test_what_does_not_hold_of_two_threads(
    prepared: Prepared, proved: tuple[Program, ThreadModularProof], source: str
) -> None:
    program = prepared(source)
    assert isinstance(modular.check(Task(program, PROP), Budget(900), Silent()), Unknown)
    assert not accepts(program, proved[1])


def test_no_label_of_two_threads_may_say_too_much(proved: tuple[Program, ThreadModularProof]) -> None:
    """Nobody can be at two places where somebody can: one label after the other."""
    program, proof = proved
    texts = proof.labels.splitlines()
    nobody = {
        number for number, line in enumerate(line for line in texts if line.startswith("(assert")) if "false" in line
    }
    assert nobody
    [impossible, *_] = nobody
    changed = [number for number, pair in enumerate(proof.pairs) if pair[4] not in nobody]
    assert changed
    for number in changed:
        pairs = [*proof.pairs]
        pairs[number] = (*pairs[number][:4], impossible)
        assert not accepts(program, replace(proof, pairs=tuple(pairs)))


def test_labels_of_one_thread_need_those_of_two(proved: tuple[Program, ThreadModularProof]) -> None:
    program, proof = proved
    assert not accepts(program, replace(proof, pairs=()))
    assert not accepts(program, replace(proof, pairs=proof.pairs[::2]))


def wrong_pairs(proof: ThreadModularProof) -> Iterator[tuple[tuple[str, int, str, int, int], ...]]:
    first = proof.pairs[0]
    yield (*proof.pairs, first)  # twice
    yield (*proof.pairs, (*first[:4], 10_000))  # no such label
    yield (*proof.pairs, ("main", 0, "main", 0, first[4]))  # there is one main
    yield (*proof.pairs, ("t", 10_000, "t", 0, first[4]))  # no such place
    yield (*proof.pairs, ("nobody", 0, "t", 0, first[4]))


def test_pairs_that_there_are_none_of(proved: tuple[Program, ThreadModularProof]) -> None:
    program, proof = proved
    for pairs in wrong_pairs(proof):
        assert not accepts(program, replace(proof, pairs=pairs))
