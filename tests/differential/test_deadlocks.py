"""The prover of `no-deadlock` against `explicit` on random programs, and its checker against corrupted proofs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from comparison import read
from lock_array_programs import lock_array_program
from lock_programs import lock_program

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.proofs import LockOrderProof, LocksAtLocation
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unsafe
from threadproof.engines import deadlocks, explicit
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, check_proof
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise

PROPERTY = Property.NO_DEADLOCK
SEEDS = 400


def program_of(seed: int) -> Program:
    return normalise(read(lock_program(seed)))


def proved(program: Program) -> LockOrderProof | None:
    result = deadlocks.check(Task(program, PROPERTY), Budget(60), Silent())
    if not isinstance(result, Safe) or not isinstance(result.proof, LockOrderProof):
        return None
    accepted = isinstance(check_proof(program, PROPERTY, result.proof, Budget(60)), Accepted)
    return result.proof if accepted else None


def known(program: Program) -> Result:
    return explicit.check(Task(program, PROPERTY), Budget(10), Silent())


def compared(seed: int) -> str:
    program = program_of(seed)
    if proved(program) is None:
        return "not proved"
    found = known(program)
    assert not isinstance(found, Unsafe), f"seed {seed}: {lock_program(seed)}"
    return type(found).__name__


def test_what_is_proved_has_no_deadlock(at_length: bool) -> None:
    seeds = range(SEEDS) if at_length else Random(1).sample(range(SEEDS), 16)
    ended = Counter(map(compared, seeds))
    assert ended["Safe"] > len(seeds) // 10, ended


def corrupted(rng: Random, proof: LockOrderProof) -> LockOrderProof:
    """The same proof, but somewhere a thread holds fewer locks, or surely holds more."""
    places = [n for n, one in enumerate(proof.held) if one.maybe]
    number = rng.choice(places)
    one = proof.held[number]
    more = [name for name in "abc" if name not in one.surely]
    worse: LocksAtLocation = (
        replace(one, maybe=one.maybe[1:], surely=tuple(s for s in one.surely if s in one.maybe[1:]))
        if rng.random() < 0.5 or not more
        else replace(one, surely=(*one.surely, *more[-2:]))
    )
    return replace(proof, held=(*proof.held[:number], worse, *proof.held[number + 1 :]))


def test_corrupted_proofs_are_not_accepted(at_length: bool) -> None:
    rng, tried = Random(2), 0
    for seed in range(SEEDS if at_length else 8):
        program = program_of(seed)
        proof = proved(program)
        if proof is None or not any(one.maybe for one in proof.held):
            continue
        for _ in range(4):
            worse = corrupted(rng, proof)
            if worse != proof:
                tried += 1
                assert not isinstance(check_proof(program, PROPERTY, worse, Budget(60)), Accepted), seed
    assert tried


def test_a_proof_of_another_program_is_not_accepted(at_length: bool) -> None:
    """Whatever a proof says: what has a deadlock is not proved by it."""
    programs = [program_of(seed) for seed in range(60 if at_length else 8)]
    proofs = [proof for program in programs if (proof := proved(program)) is not None]
    wrong = [program for program in programs if isinstance(known(program), Unsafe)]
    assert proofs
    assert wrong
    for program in wrong:
        for proof in proofs:
            assert not isinstance(check_proof(program, PROPERTY, proof, Budget(60)), Accepted)


HEAD = """#include <pthread.h>
#include <stdlib.h>
pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct timespec soon = {1, 0};
int told;
"""
READS_TWICE = """void *thread(void *arg) {
    pthread_rwlock_rdlock(&r);
    TRIED;
    pthread_rwlock_unlock(&r); /* it has read it twice, and gives it back once */
    return 0;
}
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, thread, 0);
    pthread_rwlock_wrlock(&r);
    return 0;
}
"""
LATE_FOR_ITS_MUTEX = """void *thread(void *arg) {
    if (pthread_mutex_trylock(&m)) return 0;
    if (!told) pthread_cond_timedwait(&c, &m, &soon);
    _Exit(0);
}
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, thread, 0);
    pthread_mutex_lock(&m);
    told = 1;
    pthread_cond_broadcast(&c);
    pthread_join(h, 0); /* which wants the mutex again, in time or not */
    return 0;
}
"""


@pytest.mark.parametrize(
    "text",
    [
        READS_TWICE.replace("TRIED", "pthread_rwlock_tryrdlock(&r)"),
        READS_TWICE.replace("TRIED", "pthread_rwlock_timedrdlock(&r, &soon)"),
        LATE_FOR_ITS_MUTEX,
    ],
    ids=["tried", "timed", "late"],
)
def test_attempts_at_what_a_thread_has_or_gave_up(text: str) -> None:
    """No random program had such attempts: a lock that is read twice, a wait that ends in time."""
    program = normalise(read(HEAD + text))
    assert isinstance(known(program), Unsafe)
    assert proved(program) is None


# --- arrays of locks, attempts, joins, flags -------------------------------------------------------------------------


def array_program_of(seed: int) -> Program:
    return normalise(read(lock_array_program(seed)))


def test_what_is_proved_of_arrays_attempts_joins_and_flags(at_length: bool) -> None:
    seeds = range(SEEDS) if at_length else Random(3).sample(range(SEEDS), 16)
    ended: Counter[str] = Counter()
    for seed in seeds:
        program = array_program_of(seed)
        if proved(program) is not None:
            found = known(program)
            assert not isinstance(found, Unsafe), f"seed {seed}: {lock_array_program(seed)}"
            ended[type(found).__name__] += 1
    assert ended["Safe"] > len(seeds) // 10, ended


def claiming_more(rng: Random, proof: LockOrderProof, other: LockOrderProof) -> LockOrderProof | None:
    """The same proof, but somewhere it forgets a lock with an address, or claims what does not follow."""
    number = rng.randrange(len(proof.held))
    one, foreign = proof.held[number], rng.choice(other.held)
    match rng.choice(("lost", "swapped", "false", "foreign", "done")):
        case "lost" if one.placed:
            worse = replace(one, placed=(), knows="")
        case "swapped" if one.placed and foreign.placed:
            worse = replace(one, placed=foreign.placed, knows=foreign.knows)
        case "false" if not one.placed:
            worse = replace(one, knows="(set-logic QF_BV)\n(assert false)\n(check-sat)\n")
        case "foreign" if foreign.knows and not one.placed and not foreign.placed:
            worse = replace(one, knows=foreign.knows)
        case "done" if foreign.done:
            worse = replace(one, done=tuple(sorted({*one.done, *foreign.done})))
        case _:
            return None
    return None if worse == one else replace(proof, held=(*proof.held[:number], worse, *proof.held[number + 1 :]))


def test_proofs_that_claim_more_prove_nothing_wrong(at_length: bool) -> None:
    """Claims may happen to be true; but what has a deadlock is not proved by them, and hardly any is accepted."""
    rng, tried, accepted = Random(4), 0, 0
    programs = [array_program_of(seed) for seed in range(SEEDS if at_length else 40)]
    proofs = [(program, proof) for program in programs if (proof := proved(program)) is not None]
    told = [proof for _, proof in proofs if any(one.knows or one.done for one in proof.held)]
    for program, proof in proofs:
        for _ in range(12):
            worse = claiming_more(rng, proof, rng.choice(told))
            if worse is not None:
                tried += 1
                accepted += isinstance(check_proof(program, PROPERTY, worse, Budget(60)), Accepted)
    assert tried > len(proofs)
    assert accepted <= tried // 3, (accepted, tried)


def test_claims_do_not_prove_what_has_a_deadlock(at_length: bool) -> None:
    """The labels of a bad program are true: with claims that are not, no deadlock is called harmless."""
    rng, tried = Random(5), 0
    programs = [array_program_of(seed) for seed in range(SEEDS if at_length else 24)]
    labels = [(program, labelled(program)) for program in programs]
    told = [proof for _, proof in labels if any(one.knows or one.done for one in proof.held)]
    for program, proof in labels:
        if isinstance(check_proof(program, PROPERTY, proof, Budget(60)), Accepted):
            continue
        if not isinstance(known(program), Unsafe):
            continue
        for _ in range(12):
            worse = claiming_more(rng, proof, rng.choice(told))
            if worse is not None:
                tried += 1
                assert not isinstance(check_proof(program, PROPERTY, worse, Budget(60)), Accepted)
    assert tried


def labelled(program: Program) -> LockOrderProof:
    result = deadlocks.check(Task(program, PROPERTY), Budget(60), Silent())
    assert isinstance(result, Safe)
    assert isinstance(result.proof, LockOrderProof)
    return result.proof
