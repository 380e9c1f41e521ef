"""Encoding and solving of `--engine bmc` on a sample of the SV-COMP tasks of a corpus.

    python benchmarks/bounded.py --corpus DIR [--sample 120] [--seed 1] [--property P] [--seconds 20] [--before TREE]

The corpus is a folder with INDEX.csv: id, path, property, expected, data_model. With `--before`, the sources of an
earlier version, task by task in turn with it. Sums and the ratio are over the tasks that both versions decide.
Programs that grow are in growth.py.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any


def asked(task: dict[str, str], corpus: Path, seconds: int, sources: str | None) -> tuple[str, float, float]:
    """Verdict, seconds of encoding and of solving."""
    environment = {**os.environ, **({} if sources is None else {"PYTHONPATH": sources})}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "answer.json"
        command = [sys.executable, "-m", "threadproof", "verify", str(corpus / task["path"]), "--engine", "bmc"]
        command += ["--property", task["property"], "--data-model", task["data_model"] or "ILP32"]
        command += ["--timeout", str(seconds), "--json", str(out)]
        subprocess.run(command, capture_output=True, env=environment, check=False)
        text = out.read_text(encoding="utf-8") if out.exists() else '{"verdict": "error"}'
    answer: dict[str, Any] = json.loads(text)
    stats: dict[str, float] = answer.get("stats") or {}
    return answer["verdict"], stats.get("encoding_s", 0.0), stats.get("solving_s", 0.0)


def tasks(corpus: Path, prop: str, sample: int, seed: int) -> list[dict[str, str]]:
    with (corpus / "INDEX.csv").open(newline="", encoding="utf-8") as file:
        rows = [r for r in csv.DictReader(file) if r["property"] == prop and r["id"].startswith("svcomp25/")]
    rows.sort(key=lambda row: row["id"])
    return rows if sample >= len(rows) else sorted(random.Random(seed).sample(rows, sample), key=lambda row: row["id"])


def of_corpus(corpus: Path, chosen: list[dict[str, str]], seconds: int, before: str | None) -> None:
    versions = [None] if before is None else [before, None]
    sums = [[0.0, 0.0] for _ in versions]
    decided = 0
    print("verdict, encoding s, solving s" + ("" if before is None else ": before, now"))
    for task in chosen:
        answers = [asked(task, corpus, seconds, sources) for sources in versions]
        if all(verdict in ("true", "false") for verdict, _, _ in answers):
            decided += 1
            for total, (_, encoding, solving) in zip(sums, answers, strict=True):
                total[0] += encoding
                total[1] += solving
        print(*(f"{v:7} {e:7.3f} {s:7.3f}" for v, e, s in answers), task["id"], sep="   ", flush=True)
        if len({verdict for verdict, _, _ in answers if verdict in ("true", "false")}) > 1:
            raise SystemExit("the versions contradict each other")
    for name, (encoding, solving) in zip(["now"] if before is None else ["before", "now"], sums, strict=True):
        print(f"{name:7} {decided} tasks: encoding {encoding:.2f} s, solving {solving:.2f} s")
    if before is not None and sums[0][0]:
        print(f"encoding now / before: {sums[1][0] / sums[0][0]:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--property", default="unreach-call")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--before", help="the folder src of an earlier version")
    options = parser.parse_args()
    chosen = tasks(options.corpus, options.property, options.sample, options.seed)
    of_corpus(options.corpus, chosen, options.seconds, options.before)


if __name__ == "__main__":
    main()
