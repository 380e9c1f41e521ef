"""The engine `modular` against `explicit` on random programs over small domains, and its checker.

    PYTHONPATH=src python tests/differential/modular_sweep.py FIRST LAST [SECONDS [KIND ...] [errors]]

Of each seed seven programs: `few` with two to four threads, `any` whose thread is created in a loop of unknown length,
which is held against `explicit` with one, two and three of these threads, `hand`, such a one with a lock made by hand,
`tickets` and `turns`, whose threads exclude each other without a lock,
`counters` with threads that add to variables, about overflow, and `racing`, in which no lock protects most of
these, and some are elements of an array. What is proved passes the check of its proof,
and `explicit` knows no error. The proof is then given for the same text with a small change: if `explicit` knows an
error of that, no check may accept it. Last, proofs are corrupted, and must not pass. The last line counts what was
compared.

Words after the seconds say which of these programs; with `errors`, `modular` is asked about those only of which
`explicit` knows an error: nobody can contradict it about the others, and there are ten times as many in the same time.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice
from random import Random

from impact_sweep import PROPERTY, program_of
from loop_programs import counting_program, lock_by_hand_program, many_threads_program, racing_program
from taking_turns import tickets_program, turns_program
from trace_sweep import changed

from threadproof.core import budget
from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.observer import Silent
from threadproof.core.proofs import ThreadModularProof
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unsafe
from threadproof.engines import explicit, modular
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, check_proof
from threadproof.ir.program import Program

UNKNOWN_LENGTH = "while (__VERIFIER_nondet_bool())"
CHANGES = 3
START = 0  # the number of the location at which a template begins
ADDING = ("counters", "racing")
EXCLUDING = ("tickets", "turns")
KINDS = ("few", "any", "hand", *EXCLUDING, *ADDING)
MANY = ("any", "hand", "tickets")
CHECK_S = 300.0


def known(program: Program, seconds: float, prop: Property = PROPERTY) -> Result:
    return explicit.check(Task(program, prop), Budget(seconds), Silent())


def bounded(source: str, threads: int) -> str:
    """The program with so many threads instead of any number."""
    return source.replace(f"{UNKNOWN_LENGTH} CREATE", f"for (int n = 0; n < {threads}; n++) CREATE").replace(
        "CREATE", ""
    )


def compared(seed: int, seconds: float = 5.0, kinds: Collection[str] = KINDS) -> Counter[str]:
    """What was compared; differences raise."""
    found = Counter[str]()
    for shape in (one for one in KINDS if one in kinds and one not in ADDING):
        source, many = source_of(seed, shape), shape in MANY
        program = program_of(source.replace("CREATE", ""))
        result = modular.check(Task(program, PROPERTY), Budget(seconds), Silent())
        found[f"{shape}: {type(result).__name__}"] += 1
        if not isinstance(result, Safe):
            continue
        found["labels by Horn clauses"] += result.stats.get("labels_by_horn", 0)
        assert isinstance(result.proof, ThreadModularProof)
        found["with pairs"] += bool(result.proof.pairs)
        checked = check_proof(program, PROPERTY, result.proof, Budget(CHECK_S))
        assert isinstance(checked, Accepted), f"seed {seed}, {shape}: {checked}\n{source}"
        for sample in _samples(source, many):
            contradicted = isinstance(known(program_of(sample), seconds), Unsafe)
            assert not contradicted, f"seed {seed}, {shape}: wrongly proved\n{sample}"
        found += _of_other_programs(seed, source, result.proof, many, seconds)
        found += _corrupted(seed, program, result.proof)
    for shape in (one for one in ADDING if one in kinds):
        found += compared_counters(seed, seconds, shape)
    return found


def source_of(seed: int, kind: str) -> str:
    if kind in ADDING:
        return counting_program(seed) if kind == "counters" else racing_program(seed)
    if kind in EXCLUDING:
        return tickets_program(seed) if kind == "tickets" else turns_program(seed)
    return lock_by_hand_program(seed) if kind == "hand" else many_threads_program(seed, any_number=kind == "any")


def errors_kept(seed: int, seconds: float, kinds: Collection[str]) -> Counter[str]:
    """Whether programs with an error are not proved. Of those without one nothing is asked."""
    found = Counter[str]()
    for kind in kinds:
        prop = Property.NO_OVERFLOW if kind in ADDING else PROPERTY
        source = source_of(seed, kind)
        samples = list(_samples(source, many=kind in MANY))
        wrong = next((s for s in samples if isinstance(known(program_of(s, prop), seconds, prop), Unsafe)), None)
        if wrong is None:
            found[f"{kind}: no error"] += 1
            continue
        program = program_of(source.replace("CREATE", ""), prop)
        result = modular.check(Task(program, prop), Budget(seconds), Silent())
        found[f"{kind} with an error: {type(result).__name__}"] += 1
        assert not isinstance(result, Safe), f"seed {seed}, {kind}: wrongly proved\n{wrong}"
    return found


def compared_counters(seed: int, seconds: float = 5.0, kind: str = "counters") -> Counter[str]:
    """Overflow of variables that threads add to; and narrower bounds, which are none."""
    overflow, source = Property.NO_OVERFLOW, source_of(seed, kind)
    program = program_of(source, overflow)
    result = modular.check(Task(program, overflow), Budget(seconds), Silent())
    found = Counter({f"{kind}: {type(result).__name__}": 1})
    if not isinstance(result, Safe):
        return found
    assert isinstance(result.proof, ThreadModularProof)
    found["with marks"] += bool(result.proof.marked)
    found["labels by Horn clauses"] += result.stats.get("labels_by_horn", 0)
    checked = check_proof(program, overflow, result.proof, Budget(CHECK_S))
    assert isinstance(checked, Accepted), f"seed {seed}, {kind}: {checked}\n{source}"
    contradicted = isinstance(known(program, seconds, overflow), Unsafe)
    assert not contradicted, f"seed {seed}, {kind}: wrongly proved\n{source}"
    for wrong in _narrower(result.proof):
        checked = check_proof(program, overflow, wrong, Budget(CHECK_S))
        found["narrower bounds accepted" if isinstance(checked, Accepted) else "corrupted proofs rejected"] += 1
    return found


def _narrower(proof: ThreadModularProof) -> Iterator[ThreadModularProof]:
    """Bounds that the engine has found are tight mostly: narrower ones are rejected, or were no part of the proof."""
    for index, one in enumerate(proof.added):
        if one.most:
            yield replace(proof, added=(*proof.added[:index], replace(one, most=0), *proof.added[index + 1 :]))
    if proof.added:
        yield replace(proof, threads=tuple((name, 1) for name, _ in proof.threads))


def _samples(source: str, many: bool) -> Iterator[str]:
    yield from (bounded(source, threads) for threads in (1, 2, 3)) if many else (source,)


def _of_other_programs(seed: int, source: str, proof: ThreadModularProof, many: bool, seconds: float) -> Counter[str]:
    """The proof for programs that it is not about."""
    found = Counter[str]()
    for other in islice(changed(source, Random(seed)), CHANGES):
        try:
            program = program_of(other.replace("CREATE", ""))
        except InputError:
            continue
        if not isinstance(check_proof(program, PROPERTY, proof, Budget(CHECK_S)), Accepted):
            found["rejected for another program"] += 1
            continue
        found["accepted for another program"] += 1
        for sample in _samples(other, many):
            contradicted = isinstance(known(program_of(sample), seconds), Unsafe)
            assert not contradicted, f"seed {seed}: accepted for a program with an error\n{sample}"
    return found


def _corrupted(seed: int, program: Program, proof: ThreadModularProof) -> Counter[str]:
    """All labels made false, which hold in no state; then those where each thread begins; threads that are said to be
    one, and are many."""
    found = Counter[str]()
    false = replace(proof, labels="(assert false)\n", at=tuple((t, n, 0) for t, n, _ in proof.at), pairs=())
    wrong = [false, *(_false_at_start(proof, template) for template in sorted({t for t, _, _ in proof.at}))]
    wrong += [replace(proof, many=()) for _ in proof.many[:1]]
    wrong += [replace(proof, pairs=()) for _ in proof.pairs[:1]]
    for one in wrong:
        checked = check_proof(program, PROPERTY, one, Budget(CHECK_S))
        assert not isinstance(checked, Accepted), f"seed {seed}: a corrupted proof is accepted"
        found["corrupted proofs rejected"] += 1
    return found


def _false_at_start(proof: ThreadModularProof, template: str) -> ThreadModularProof:
    """No thread of this template would ever begin; it is created in all these programs."""
    others = tuple(one for one in proof.at if one[:2] != (template, START))
    count = proof.labels.count("(assert ")
    return replace(proof, labels=f"{proof.labels}\n(assert false)\n", at=(*others, (template, START, count)))


def main() -> int:
    first, last = int(sys.argv[1]), int(sys.argv[2])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 5.0
    kinds = [word for word in sys.argv[4:] if word in KINDS] or KINDS
    look = errors_kept if "errors" in sys.argv[4:] else compared
    budget.clock = time.process_time  # what else the machine does is not counted
    found, wrong = Counter[str](), 0
    for seed in range(first, last):
        try:
            found += look(seed, seconds, kinds)
        except InputError:
            continue
        except AssertionError as difference:
            wrong += 1
            print(difference, flush=True)
    print(f"{last - first} seeds, {wrong} differences:", ", ".join(f"{n} {what}" for what, n in sorted(found.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
