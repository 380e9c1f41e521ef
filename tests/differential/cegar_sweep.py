"""The engine `cegar` against `explicit` on random programs with unbounded loops over small domains, and its checker.

    PYTHONPATH=src python tests/differential/cegar_sweep.py FIRST LAST [SECONDS [CONFIGURATION...]]
    PYTHONPATH=src python tests/differential/cegar_sweep.py FIRST LAST SECONDS pointers

In each configuration: what it proves passes the check of its proof, and `explicit` knows no error; what it finds
replays. With `pointers`: programs with pointers, in the four reductions. Then the proofs are corrupted
(`product_corruptions.py`), and must not pass. The last line counts what was compared.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from impact_sweep import PROPERTY, program_of
from loop_programs import joined_program, loop_program
from pointer_programs import pointer_program

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "evidence"))
from product_corruptions import GENERAL, Product, corrupted

from threadproof.core import budget
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.proofs import ReducedProduct
from threadproof.core.result import Safe, Unsafe
from threadproof.engines import cegar, explicit
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Rejected, check_proof
from threadproof.evidence.replay import Replay, machine_for
from threadproof.ir.program import Program

CONFIGURATIONS: dict[str, Mapping[str, str | int]] = {
    "values": {"domain": "expl"},
    "predicates": {"domain": "pred-cart"},
    "values, told apart": {"domain": "expl", "maxenum": 8},
    "predicates, all together": {"domain": "pred-bool"},
    "both": {"domain": "prod"},
    "both, depth first, without a reduction": {"domain": "prod", "search": "dfs", "por": "none"},
    "predicates by place, of postconditions": {"domain": "pred-cart", "precision": "local", "refinement": "newton-sp"},
}
POINTERS: dict[str, Mapping[str, str | int]] = {
    "no reduction": {"domain": "expl", "por": "none"},
    "static": {"domain": "prod", "por": "static"},
    "abstraction-aware": {"domain": "expl", "por": "aa"},
    "abstraction-aware, with pointers": {"domain": "expl", "por": "aa-pointers", "pointers": "always"},
}
CHECK_S = 300.0


def compared(seed: int, seconds: float = 5.0, which: Sequence[str] = tuple(CONFIGURATIONS)) -> Counter[str]:
    """What was compared; differences raise."""
    if which[0] in POINTERS:
        source = pointer_program(seed)
    else:
        source = joined_program(seed) if seed % 2 else loop_program(seed)
    found = Counter[str]()
    program = program_of(source)
    known = explicit.check(Task(program, PROPERTY), Budget(seconds), Silent())
    said = type(known).__name__.lower()
    for name in which:
        task = Task(program, PROPERTY, options={**CONFIGURATIONS, **POINTERS}[name])
        result = cegar.check(task, Budget(seconds), Silent())
        found[f"{said}, {name}: {type(result).__name__}"] += 1
        if isinstance(result, Unsafe):
            replayed = Replay(machine_for(program, PROPERTY), PROPERTY).run(result.schedule)
            assert replayed is not None, f"seed {seed}, {name}: a schedule that does not replay\n{source}"
        if isinstance(result, Safe):
            assert not isinstance(known, Unsafe), f"seed {seed}, {name}: proved, but explicit knows an error\n{source}"
            assert isinstance(result.proof, ReducedProduct)
            check = check_proof(program, PROPERTY, result.proof, Budget(CHECK_S))
            assert not isinstance(check, Rejected), f"seed {seed}, {name}: {check.why}\n{source}"
            found["proofs"] += 1
            found["corrupted"] += _corrupted(program, result.proof, Random(seed))
    return found


def _corrupted(program: Program, proof: ReducedProduct, rng: Random) -> int:
    """How many corrupted ones were refused."""
    product, refused = Product(program, proof, PROPERTY), 0
    for way in GENERAL:
        wrong = corrupted(product, way, rng)
        if wrong is not None:
            check = check_proof(program, PROPERTY, wrong, Budget(CHECK_S))
            assert isinstance(check, Rejected), f"a corrupted proof passed: {way.__name__}"
            refused += 1
    return refused


def main() -> int:
    first, last = int(sys.argv[1]), int(sys.argv[2])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 5.0
    budget.clock = time.process_time  # what else the machine does is not counted
    which = tuple(POINTERS) if sys.argv[4:] == ["pointers"] else sys.argv[4:] or tuple(CONFIGURATIONS)
    counts: Counter[str] = Counter()
    differences = 0
    for seed in range(first, last):
        try:
            counts += compared(seed, seconds, which)
        except AssertionError as difference:
            print(f"seed {seed}: {difference}", flush=True)
            differences += 1
    for name, often in sorted(counts.items()):
        print(f"{often:6} {name}")
    print(f"{last - first} programs, {differences} differences")
    return differences > 0


if __name__ == "__main__":
    sys.exit(main())
