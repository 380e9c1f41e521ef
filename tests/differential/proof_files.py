"""Corrupted proofs: files that `verify --proof` wrote, changed at random, given to programs that violate the property.

    PYTHONPATH=src python tests/differential/proof_files.py FIRST LAST [RESULTS.txt]

Each seed takes a kind of proof, changes it in a few places, and has it checked twice: for its own program, where
it may still be a proof (then the changes are printed, to be looked at), and for one with an error, of the same shape,
where nothing may be accepted. Of each kind, the proof as it is is given to programs that violate other properties, as a
proof of those; there the checker of its kind is asked without random runs, which would find the error by themselves.
With RESULTS, what is done is noted there, and not done again. The last line counts.
"""

from __future__ import annotations

import copy
import json
import random
import sys
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from threadproof import verify
from threadproof.cli.main import ExitCode
from threadproof.cli.proof_check import checked
from threadproof.cli.proofs import proof_data
from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.proofs import CompleteExploration, CompleteUnwinding, SequentializedProof
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.evidence.proofs import Accepted, check_proof
from threadproof.evidence.proofs.files import proof_from_json
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Taken
from threadproof.portfolio import prepare

OPTIONS = FrontendOptions(undefined=Taken.PURE)
CHECK_S = 20.0
SAFE = """#include <pthread.h>
extern void reach_error(void);
int x, y, z[2];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *inc(void *p) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  x = x + 1;
  if (x > 2) reach_error();
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, inc, 0);
  pthread_create(&b, 0, inc, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  y = 1;
  z[y] = y;
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  return 0;
}
"""
LOOP = """#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
unsigned x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *both(void *p) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    pthread_mutex_lock(&m);
    x++;
    if (i != -1) y++;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, both, 0);
  pthread_mutex_lock(&m);
  if (x != y) reach_error();
  pthread_mutex_unlock(&m);
  return 0;
}
"""
OF_LOOP = " of a loop"
LOOP_ERROR = ("i != -1", "i != 1")
ERRORS = {
    Property.UNREACH_CALL: ("x > 2", "x > 1"),
    Property.NO_DATA_RACE: ("  pthread_create(&b", "  x = 5;\n  pthread_create(&b"),
    Property.NO_DEADLOCK: (
        "  pthread_mutex_lock(&m);\n  pthread_mutex_lock(&n);\n  y",
        "  pthread_mutex_lock(&n);\n  pthread_mutex_lock(&m);\n  y",
    ),
    Property.NO_OVERFLOW: ("x = x + 1", "x = x + 1 + (x > 0) * 2147483647"),
    Property.VALID_MEMSAFETY: ("z[y]", "z[y + 1]"),
}
WEAK = MemoryModel.TSO
KINDS = (
    (Property.UNREACH_CALL, "explicit"),
    (Property.UNREACH_CALL, "dpor"),
    (Property.UNREACH_CALL, "bmc"),
    (Property.UNREACH_CALL, "impact"),
    (Property.UNREACH_CALL, "trace"),
    (Property.UNREACH_CALL, "cegar"),
    (Property.VALID_MEMSAFETY, "modular"),
    (Property.UNREACH_CALL, "seq"),
    (Property.NO_DATA_RACE, "races"),
    (Property.NO_DEADLOCK, "deadlocks"),
    (Property.NO_OVERFLOW, "impact"),
    (Property.NO_DATA_RACE, "impact"),
    (Property.NO_DEADLOCK, "impact"),
    (Property.VALID_MEMSAFETY, "trace"),
    (Property.NO_OVERFLOW, "modular"),
    (Property.UNREACH_CALL, f"impact {WEAK.value}"),
    *((Property.UNREACH_CALL, f"{engine}{OF_LOOP}") for engine in ("impact", "trace", "cegar", "modular")),
)


@cache
def folder() -> str:
    return tempfile.mkdtemp(prefix="proof-files-")


@cache
def programs(prop: Property, of_loop: bool = False) -> tuple[str, str]:
    """One for which the property holds, and one for which it does not."""
    name = "loop" if of_loop else f"no-{prop.value}"
    good, bad = Path(folder()) / f"{name}-good.c", Path(folder()) / f"{name}-bad.c"
    text, error = (LOOP, LOOP_ERROR) if of_loop else (SAFE, ERRORS[prop])
    good.write_text(text, encoding="utf-8")
    bad.write_text(text.replace(*error), encoding="utf-8")
    return str(good), str(bad)


def model_of(engine: str) -> MemoryModel:
    return WEAK if engine.endswith(WEAK.value) else MemoryModel.SC


@cache
def proof_of(prop: Property, engine: str) -> dict[str, Any] | None:
    """None if the engine proves nothing here."""
    good, _ = programs(prop, engine.endswith(OF_LOOP))
    name, model = engine.split()[0], model_of(engine)
    [answer] = verify(good, [prop], engine=name, frontend=OPTIONS, timeout=60, memory_model=model)
    return proof_data(answer, [good], OPTIONS) if answer.verdict is Verdict.TRUE else None


def corrupted(data: dict[str, Any], chance: random.Random) -> tuple[dict[str, Any], list[str]]:
    """A few changes anywhere in the proof and its formulas, and what they are."""
    changed, said = copy.deepcopy(data), list[str]()
    most = chance.choice((1, 1, 2, 5))
    while len(said) < most or changed == data:
        said.append(_change(changed, chance.choice(("proof", "proof", "proof", "formulas")), chance))
    return changed, said


def _change(holder: Any, key: Any, chance: random.Random) -> str:
    """Says where, and what."""
    value = holder[key]
    if isinstance(value, dict) and value and chance.random() < 0.95:
        return f"{key}.{_change(value, chance.choice(sorted(value)), chance)}"
    if isinstance(value, list) and value and chance.random() < 0.8:
        return f"{key}.{_change(value, chance.randrange(len(value)), chance)}"
    before = json.dumps(value)
    if isinstance(value, list) and value:
        match chance.randrange(3):
            case 0:
                del value[chance.randrange(len(value))]
            case 1:
                value.append(copy.deepcopy(chance.choice(value)))
            case _:
                chance.shuffle(value)
    elif isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, int):
        holder[key] = chance.choice((value + 1, value - 1, 0, -1, None, str(value)))
    elif isinstance(value, str) and value:
        holder[key] = _text(value, chance)
    else:
        holder[key] = chance.choice((None, 0, "", [], {}))
    return f"{key}: {_difference(before, json.dumps(holder[key]))}"


def _difference(before: str, after: str) -> str:
    """The part in which they differ."""
    if before == after:
        return "unchanged"
    ends = list(zip(before, after, strict=False)), list(zip(before[::-1], after[::-1], strict=False))
    first, last = (next((i for i, (a, b) in enumerate(one) if a != b), len(one)) for one in ends)
    last = min(last, min(len(before), len(after)) - first)
    return f"{before[max(0, first - 30) : len(before) - last][:90]} -> {after[first : len(after) - last][:60]}"


def _text(value: str, chance: random.Random) -> str:
    words = value.split(" ")
    if len(words) == 1:
        return chance.choice((value + "_", value[:-1], ""))
    index = chance.randrange(len(words))
    swaps = {"and": "or", "or": "and", "bvult": "bvule", "=": "distinct", "true": "false", "false": "true"}
    bare = words[index].strip("()")
    words[index] = words[index].replace(bare, swaps.get(bare, chance.choice(words).strip("()"))) if bare else ""
    return " ".join(words)


@cache
def given_elsewhere(prop: Property, engine: str) -> int:
    """The proof as it is, for programs with errors; how often it is not accepted."""
    data, model, tried = proof_of(prop, engine), model_of(engine), 0
    assert data is not None
    proof = proof_from_json(data["proof"])
    for other in ERRORS:
        _, bad = programs(other)
        code, said = checked(data, [bad], other, model, OPTIONS, CHECK_S)
        assert code != ExitCode.TRUE, f"{engine}, {prop}: accepted for {other} of a program with an error: {said}"
        tried += 1
        if not isinstance(proof, CompleteExploration | CompleteUnwinding | SequentializedProof):
            found = check_proof(prepare([bad], other, OPTIONS), other, proof, Budget(CHECK_S), model)
            by_runs_alone = other is prop is Property.NO_DATA_RACE and engine == "races"
            assert by_runs_alone or not isinstance(found, Accepted), f"{engine}, {prop}: accepted for {other}"
    return tried


def compared(seed: int) -> Counter[str]:
    prop, engine = KINDS[seed % len(KINDS)]
    data = proof_of(prop, engine)
    name = f"{engine} {prop.value}"
    if data is None:
        return Counter({f"{name}: no proof": 1})
    good, bad = programs(prop, engine.endswith(OF_LOOP))
    found = Counter({"corrupted": 1, "given to programs with other errors": 0})
    if seed < len(KINDS):
        found["given to programs with other errors"] += given_elsewhere(prop, engine)
    changed, changes = corrupted(data, random.Random(seed))
    code, said = checked(changed, [good], prop, model_of(engine), OPTIONS, CHECK_S)
    if code == ExitCode.TRUE:
        print(f"seed {seed}, {name}: accepted for its own program after {'; '.join(changes)}", flush=True)
    found[f"{name}, own program: {ExitCode(code).name}"] += 1
    code, said = checked(changed, [bad], prop, model_of(engine), OPTIONS, CHECK_S)
    assert code != ExitCode.TRUE, f"seed {seed}, {name}: accepted for a program with an error: {said}"
    found["programs with an error: not accepted"] += 1
    found["of these, noticed by random runs alone"] += "rejected: a run shows" in said
    return found


def main() -> None:
    first, last = int(sys.argv[1]), int(sys.argv[2])
    results = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    lines = results.read_text().splitlines() if results is not None and results.exists() else []
    done = {int(seed): Counter[str](json.loads(found)) for seed, _, found in (line.partition(" ") for line in lines)}
    for seed in range(first, last):
        if seed in done:
            continue
        done[seed] = compared(seed)
        if results is not None:
            with open(results, "a", encoding="utf-8") as out:
                out.write(f"{seed} {json.dumps(done[seed])}\n")
    print(dict(sorted(sum(done.values(), Counter[str]()).items())))


if __name__ == "__main__":
    main()
