"""Corrupted proofs: files that `verify --proof` wrote, changed at random, given to programs that violate the property.

    PYTHONPATH=src python tests/differential/proof_files.py FIRST LAST [RESULTS.txt]

Each seed takes a kind of proof, changes it in a few places, and has it checked twice: for its own program, where
it may still be a proof, and for one with an error, of the same shape, where nothing may be accepted. With RESULTS, what
is done is noted there, and not done again. The last line counts.
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
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Taken

OPTIONS = FrontendOptions(undefined=Taken.PURE)
CHECK_S = 20.0
SAFE = """#include <pthread.h>
extern void reach_error(void);
int x, y;
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
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  return 0;
}
"""
ERRORS = {
    Property.UNREACH_CALL: ("x > 2", "x > 1"),
    Property.NO_DATA_RACE: ("  pthread_create(&b", "  x = 5;\n  pthread_create(&b"),
    Property.NO_DEADLOCK: (
        "  pthread_mutex_lock(&m);\n  pthread_mutex_lock(&n);\n  y",
        "  pthread_mutex_lock(&n);\n  pthread_mutex_lock(&m);\n  y",
    ),
}
KINDS = (
    (Property.UNREACH_CALL, "explicit"),
    (Property.UNREACH_CALL, "dpor"),
    (Property.UNREACH_CALL, "bmc"),
    (Property.UNREACH_CALL, "impact"),
    (Property.UNREACH_CALL, "trace"),
    (Property.UNREACH_CALL, "cegar"),
    (Property.UNREACH_CALL, "modular"),
    (Property.UNREACH_CALL, "seq"),
    (Property.NO_DATA_RACE, "races"),
    (Property.NO_DEADLOCK, "deadlocks"),
)


@cache
def folder() -> str:
    return tempfile.mkdtemp(prefix="proof-files-")


@cache
def programs(prop: Property) -> tuple[str, str]:
    """One for which the property holds, and one for which it does not."""
    good, bad = Path(folder()) / "good.c", Path(folder()) / f"bad-{prop.value}.c"
    good.write_text(SAFE, encoding="utf-8")
    bad.write_text(SAFE.replace(*ERRORS[prop]), encoding="utf-8")
    return str(good), str(bad)


@cache
def proof_of(prop: Property, engine: str) -> dict[str, Any] | None:
    """None if the engine proves nothing here."""
    good, _ = programs(prop)
    [answer] = verify(good, [prop], engine=engine, frontend=OPTIONS, timeout=60)
    return proof_data(answer, [good], OPTIONS) if answer.verdict is Verdict.TRUE else None


def corrupted(data: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A few changes anywhere in the proof and its formulas."""
    changed = copy.deepcopy(data)
    for _ in range(chance.choice((1, 1, 2, 5))):
        _change(changed, chance.choice(("proof", "proof", "proof", "formulas")), chance)
    return changed


def _change(holder: Any, key: Any, chance: random.Random) -> None:
    value = holder[key]
    if isinstance(value, dict) and value and chance.random() < 0.95:
        _change(value, chance.choice(sorted(value)), chance)
    elif isinstance(value, list) and value and chance.random() < 0.8:
        _change(value, chance.randrange(len(value)), chance)
    elif isinstance(value, list) and value:
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


def _text(value: str, chance: random.Random) -> str:
    words = value.split(" ")
    index = chance.randrange(len(words))
    swaps = {"and": "or", "or": "and", "bvult": "bvule", "=": "distinct", "true": "false", "false": "true"}
    bare = words[index].strip("()")
    words[index] = words[index].replace(bare, swaps.get(bare, chance.choice(words).strip("()"))) if bare else ""
    return " ".join(words)


def compared(seed: int) -> Counter[str]:
    prop, engine = KINDS[seed % len(KINDS)]
    data = proof_of(prop, engine)
    if data is None:
        return Counter({f"{engine}: no proof": 1})
    good, bad = programs(prop)
    changed = corrupted(data, random.Random(seed))
    found = Counter({"corrupted": 1})
    code, said = checked(changed, [good], prop, MemoryModel.SC, OPTIONS, CHECK_S)
    found[f"{engine}, own program: {ExitCode(code).name}"] += 1
    for one in (changed, data):
        code, said = checked(one, [bad], prop, MemoryModel.SC, OPTIONS, CHECK_S)
        assert code != ExitCode.TRUE, f"seed {seed}, {engine}: accepted for a program with an error: {said}"
    found[f"{engine}, program with an error: not accepted"] += 1
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
