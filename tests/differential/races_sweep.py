"""The static race prover against the explicit search: whatever it proves, the search must not refute.

    PYTHONPATH=src python tests/differential/races_sweep.py FIRST LAST [--shape default|larger|tiny] [--seconds S]

Random programs; the last line counts programs, proofs, proofs the search confirmed, and contradictions.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from samples import SHAPES, data_model, seeds_parser

from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Safe, Unsafe
from threadproof.engines import explicit, races
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel, Taken
from threadproof.portfolio import prepare


def contradicted(source: str, model: DataModel, seconds: float) -> tuple[bool, bool, bool]:
    """Whether the prover proves the program, whether the search does, and whether the search refutes it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "main.c"
        path.write_text(source, encoding="utf-8")
        program = prepare([str(path)], Property.NO_DATA_RACE, FrontendOptions(data_model=model, undefined=Taken.PURE))
    task = Task(program, Property.NO_DATA_RACE)
    if not isinstance(races.prove(task, Budget(900), Silent()).result, Safe):
        return False, False, False
    found = explicit.check(task, Budget(seconds), Silent())
    return True, isinstance(found, Safe), isinstance(found, Unsafe)


def main() -> int:
    parser = seeds_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="for the search, per program")
    options = parser.parse_args()
    programs = proved = confirmed = wrong = 0
    for seed in range(options.first, options.last):
        source = SHAPES[options.shape](seed)
        try:
            proof, agreed, refuted = contradicted(source, data_model(seed), options.seconds)
        except InputError:
            continue
        programs, proved, confirmed, wrong = programs + 1, proved + proof, confirmed + agreed, wrong + refuted
        if refuted:
            print(f"--- seed {seed}: proved, but there is a race", source, sep="\n", flush=True)
    print(f"{programs} programs, {proved} proved, {confirmed} of them also by search, {wrong} refuted")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
