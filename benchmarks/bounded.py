"""Encoding and solving of `--engine bmc` on a sample of the SV-COMP tasks of a corpus.

    python benchmarks/bounded.py CORPUS OUT [--sample 120] [--seed 1] [--property P] [--seconds 20] [--before TREE]

The corpus is a folder with INDEX.csv: id, path, property, expected, data_model. With `--before`, the sources of an
earlier version, task by task in turn with it. Sums and the ratio are over the tasks that both versions decide.
OUT is a folder for results, a file of a sweep for each version: what it has is not asked again. Programs that grow are
in growth.py.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from corpus import chosen

from threadproof.sweep.runner import OURS, HowToAsk
from threadproof.sweep.session import swept
from threadproof.sweep.store import SweepRow
from threadproof.sweep.tasks import SweepTask

FIGURES = ("encoding_s", "solving_s")


def compared(tasks: list[SweepTask], out: Path, seconds: float, before: str | None) -> None:
    now = HowToAsk(("--engine", "bmc"), seconds)
    versions = {} if before is None else {"before": _of(before, now)}
    versions["now"] = now
    decided: list[list[SweepRow]] = []
    print(f"verdict, encoding s, solving s: {', '.join(versions)}")
    for task in tasks:
        rows = [swept([task], how, str(out / f"{name}.db"))[0] for name, how in versions.items()]
        shown = (f"{row.verdict:7} " + " ".join(f"{row.figure(name):7.3f}" for name in FIGURES) for row in rows)
        print(*shown, task.name, sep="   ", flush=True)
        if all(row.is_solved for row in rows):
            decided.append(rows)
            if len({row.verdict for row in rows}) > 1:
                raise SystemExit("the versions contradict each other")
    sums = [[sum(rows[n].figure(name) for rows in decided) for name in FIGURES] for n in range(len(versions))]
    for name, (encoding, solving) in zip(versions, sums, strict=True):
        print(f"{name:7} {len(decided)} tasks: encoding {encoding:.2f} s, solving {solving:.2f} s")
    if len(sums) > 1 and sums[0][0]:
        print(f"encoding now / before: {sums[1][0] / sums[0][0]:.2f}")


def _of(sources: str, how: HowToAsk) -> HowToAsk:
    return HowToAsk(how.options, how.timeout, program=("env", f"PYTHONPATH={sources}", *OURS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--sample", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--property", default="unreach-call")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--before", help="the folder src of an earlier version")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    tasks = chosen(options.corpus, options.property, "svcomp25/*", sample=options.sample, seed=options.seed)
    compared(tasks, options.out, options.seconds, options.before)


if __name__ == "__main__":
    main()
