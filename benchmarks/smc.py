"""Statistical model checking: how much faster the native machine is than the reference.

python benchmarks/smc.py --speed

Both make the same runs; figures are of the runs alone, without compiling.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

PAPERS = Path(__file__).parent.parent / "tests" / "papers" / "lodin"
OBSERVER = """
[state.begin]
score = "i"
go = [ { when = "i + j > 3", to = "half" } ]
[state.half]
score = "i + j"
accept = true
"""
TIMES = 100  # runs of the native machine for one of the reference


def tasks(folder: Path) -> list[tuple[str, str, tuple[str, ...], str, Any]]:
    """What is timed: name, file, defines, query, options for few runs."""
    from threadproof.engines.smc.options import SmcOptions, SplittingKind, SplittingOptions

    observer = folder / "observer.toml"
    observer.write_text(OBSERVER, encoding="utf-8")
    split = SplittingOptions(SplittingKind.FIXED, str(observer), ("2", "4"), budget=50, repeat=4)
    error = "Pr[<=5000] (<> [0.VERIFIERError])"
    fib = ("NUM=4", "TARGET=21")
    return [
        ("plain runs, fib_8", "fib.c", fib, error, SmcOptions(runs=200)),
        ("observer, fib_8", "fib.c", fib, error, SmcOptions(splitting=split)),
        ("states, fib_8", "fib.c", fib, "EnumStatesSMC <=500 1", SmcOptions(runs=200)),
        ("states, gossip_2", "gossip.c", ("PROCS=2",), "EnumStatesSMC <=1000 1", SmcOptions(runs=20)),
        ("platform, ptrace", "ptrace.c", (), "Pr[<=400] (<> [1.poketext])", SmcOptions(runs=200, platform="ptrace")),
        ("states, ptrace", "ptrace.c", (), "EnumStatesSMC <=400 1", SmcOptions(runs=200, platform="ptrace")),
    ]


def speed() -> bool:
    """Steps a second on both machines, and whether their results are the same."""
    from threadproof import estimate
    from threadproof.engines.smc.options import SamplingMachine
    from threadproof.frontend import FrontendOptions
    from threadproof.ir.program import Taken

    alike = True
    print(f"{'':20} {'reference':>10} {'native':>10} {'ratio':>7}   same result")
    with tempfile.TemporaryDirectory() as folder:
        for name, file, defines, query, options in tasks(Path(folder)):
            options = replace(options, frontend=FrontendOptions(defines=defines, undefined=Taken.PURE))

            slow, few = (
                estimate(str(PAPERS / file), query, options=replace(options, machine=machine))
                for machine in (SamplingMachine.REFERENCE, SamplingMachine.NATIVE)
            )
            same = (slow.estimate, slow.runs, slow.steps) == (few.estimate, few.runs, few.steps)
            alike &= same
            many = replace(options, machine=SamplingMachine.NATIVE)
            if options.splitting is None:
                many = replace(many, runs=TIMES * options.runs)
            else:
                many = replace(many, splitting=replace(options.splitting, repeat=TIMES * options.splitting.repeat))
            fast = estimate(str(PAPERS / file), query, options=many)
            rates = [made.steps / made.wall_s for made in (slow, fast)]
            print(f"{name:20} {rates[0]:10.3g} {rates[1]:10.3g} {rates[1] / rates[0]:6.0f}x   {same}", flush=True)
    return alike


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speed", action="store_true")
    asked = parser.parse_args()
    return 0 if not asked.speed or speed() else 1


if __name__ == "__main__":
    sys.exit(main())
