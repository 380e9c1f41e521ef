"""Questions per second of one `Context`, and how much memory they leave behind: it must stay flat over 100,000 of
them.

python benchmarks/smt.py [--questions 100000] [--solver bitwuzla|z3] [--atoms 6] [--variables 20]

Each question is an implication between conjunctions over 32-bit variables, with constants that did not occur before:
what an abstraction engine asks, and with terms that no cache knows. Times are of the processor.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from random import Random

from threadproof.smt.context import Context
from threadproof.smt.solver import SolverName
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms


def resident() -> float:
    """Megabytes that the process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


def atom(terms: Terms, random: Random, variables: list[Term]) -> Term:
    a, b = random.sample(variables, 2)
    number = terms.bv(random.getrandbits(32), 32)
    left = terms.add(a, number) if random.random() < 0.5 else a
    op = random.choice((Op.SLT, Op.ULT, Op.EQ))
    return terms.make(op, (left, random.choice((b, terms.bv(random.randrange(1000), 32)))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=100_000)
    parser.add_argument("--solver", choices=[name.value for name in SolverName], default="bitwuzla")
    parser.add_argument("--atoms", type=int, default=6)
    parser.add_argument("--variables", type=int, default=20)
    options = parser.parse_args()
    terms, random = Terms(), Random(1)
    variables = [terms.bv_var(f"v{index}", 32) for index in range(options.variables)]
    context = Context(terms, SolverName(options.solver))
    start, last, told = time.process_time(), time.process_time(), max(1, options.questions // 20)
    for number in range(1, options.questions + 1):
        a = terms.all(atom(terms, random, variables) for _ in range(options.atoms))
        b = terms.any(atom(terms, random, variables) for _ in range(options.atoms))
        context.implies(a, b)
        if number % told == 0:
            now = time.process_time()
            speed = told / (now - last)
            print(f"{number:8,} questions {speed:8,.0f} /s {resident():8.0f} MB  {len(terms):10,} terms made")
            last = now
    print(f"{options.questions / (time.process_time() - start):,.0f} questions per second; {context.asked}")


if __name__ == "__main__":
    main()
