"""The programs of the test suite that are about unreach-call, sequentialized in all ways and compared with themselves:

    PYTHONPATH=src python tests/differential/sequential_programs.py [FIRST [LAST]] [--limit STATES]

Every program that is not compared is named, with the reason.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import yaml
from sequential import Comparison, PassedOver, compared

from threadproof.core.errors import ThreadproofError
from threadproof.ir.program import DataModel

LARGE = 200_000
"""States that the native search may look at."""
TESTS = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Case:
    path: Path
    model: DataModel

    @property
    def name(self) -> str:
        return str(self.path.parent.relative_to(TESTS))


def cases() -> list[Case]:
    found: list[Case] = []
    for folder in ("programs", "litmus", "regressions"):
        for file in sorted((TESTS / folder).glob("**/expect.yml")):
            expected = yaml.load(file.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
            if "unreach-call" in expected.get("verdicts", ()):
                found.append(Case(file.parent / "main.c", DataModel(expected.get("data_model", "LP64"))))
    return found


def compare(case: Case, limit: int) -> Comparison:
    return compared(case.path.read_text(encoding="utf-8"), case.model, limit, large=LARGE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("last", type=int, nargs="?")
    parser.add_argument("--limit", type=int, default=3_000, help="states that brute force may look at")
    options = parser.parse_args()
    chosen = cases()[options.first : options.last]
    wrong, passed, counted, began = 0, Counter[str](), Counter[str](), time.monotonic()
    for case in chosen:
        try:
            found = compare(case, options.limit)
        except PassedOver as reason:
            passed[str(reason)] += 1
            print(f"passed over: {case.name}: {reason}", flush=True)
            continue
        except ThreadproofError as error:
            found = None
            print(f"--- {case.name}: {error}", flush=True)
        if found is None or found.differences:
            wrong += 1
            print(f"--- {case.name}", *(found.differences if found else ()), sep="\n", flush=True)
        counted += found.counted if found else Counter()
    print(f"{len(chosen) - passed.total()} programs of {len(chosen)}, {wrong} differ, {time.monotonic() - began:.0f} s")
    for what, number in sorted(counted.items()):
        print(f"  {what}: {number}")
    for reason, number in sorted(passed.items()):
        print(f"  programs passed over, {reason}: {number}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
