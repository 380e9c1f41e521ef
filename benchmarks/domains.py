"""Operations per second of the abstract domains at realistic sizes: 40 variables of 64 bits, one core.

python benchmarks/domains.py [--variables 40] [--width 64] [--seconds 0.5]

Equations: a chain of known sums, differences and congruences, as weakening leaves it. The same elimination with lists
of Python's numbers stands beside numpy's. Boxes: the updates and guards of a loop body. Times are of the processor.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from random import Random

from threadproof.domains.box import StateBox
from threadproof.domains.equations import Equations
from threadproof.domains.howell import howell, matrix
from threadproof.domains.intervals import Intervals
from threadproof.domains.small_sets import SmallSets
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms

Rows = list[list[int]]


def rate(what: str, operation: Callable[[], object], seconds: float) -> float:
    count, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        operation()
        count += 1
    print(f"{what:48} {count / spent:12,.0f} /s")
    return count / spent


def equations(terms: Terms, columns: tuple[Term, ...], random: Random, states: int) -> Equations:
    """What holds in a few states that share sums: half the rows remain."""
    value = Equations(terms, columns).bottom()
    for _ in range(states):
        value = value.admit(state(columns, random))
    return value


def state(columns: tuple[Term, ...], random: Random) -> Assignment:
    """Every second variable is the sum of its neighbours, every fourth a multiple of 4."""
    values: dict[str, int] = {}
    for index, column in enumerate(columns):
        free = random.choice((random.randrange(100), random.getrandbits(column.width))) * (4 if index % 4 == 2 else 1)
        before = values.get(columns[index - 1].name, 0)
        values[column.name] = (before + index if index % 2 else free) & ((1 << column.width) - 1)
    return Assignment(values)


def plain_howell(rows: Rows, width: int) -> Rows:
    """With lists of Python's numbers: one row after the other."""
    size, done = 1 << width, 0
    work, columns = [list(row) for row in rows], len(rows[0])
    for column in range(columns):
        open_rows = [row for row in work[done:] if row[column]]
        if not open_rows:
            continue
        best = min(open_rows, key=lambda row: row[column] & -row[column])
        place = next(i for i in range(done, len(work)) if work[i] is best)
        work[done], work[place] = work[place], work[done]
        low = best[column] & -best[column]
        inverse = pow(best[column] // low, -1, size)
        best[:] = [entry * inverse % size for entry in best]
        for index in range(done + 1, len(work)):
            factor = work[index][column] // low
            if factor:
                work[index] = [(x - factor * y) % size for x, y in zip(work[index], best, strict=True)]
        if low > 1:
            work.append([entry * (size // low) % size for entry in best])
        done += 1
    return work[:done]


def measure_equations(terms: Terms, columns: tuple[Term, ...], seconds: float) -> None:
    random = Random(1)
    width = columns[0].width
    few, many = equations(terms, columns, random, 4), equations(terms, columns, random, len(columns) // 2)
    print(f"equations: {len(columns)} columns of {width} bits, {len(few.rows)} and {len(many.rows)} rows")
    fresh = [state(columns, random) for _ in range(64)]
    turn = iter(range(10**9))
    rate("admit a state", lambda: many.admit(fresh[next(turn) % 64]), seconds)
    rate("holds in a state", lambda: many.holds(fresh[next(turn) % 64]), seconds)
    rate("join", lambda: few.join(many), seconds)
    rate("meet", lambda: few.meet(many), seconds)
    rate("comparison", lambda: few.leq(many), seconds)
    x, y = columns[0], columns[1]
    step = {x: terms.add(x, terms.bv(1, width)), y: terms.sub(y, x)}
    rate("assign two sums", lambda: many.assign(step), seconds)
    rate("forget two", lambda: many.forget((x, y)), seconds)
    rate("assume an equation", lambda: many.assume(terms.eq(x, y)), seconds)
    rate("as terms", many.to_terms, seconds)
    rows: Rows = [[random.getrandbits(width) for _ in range(len(columns) + 1)] for _ in range(len(columns))]
    dense = matrix(rows, len(columns) + 1, width)
    fast = rate("normal form, dense, numpy", lambda: howell(dense, width), seconds)
    slow = rate("normal form, dense, lists of numbers", lambda: plain_howell(rows, width), seconds)
    sparse_rows: Rows = [[int(row[i]) for i in range(len(columns) + 1)] for row in many.rows]
    sparse = many.rows.copy()
    fast_sparse = rate("normal form, of a value, numpy", lambda: howell(sparse, width), seconds)
    slow_sparse = rate("normal form, of a value, lists of numbers", lambda: plain_howell(sparse_rows, width), seconds)
    print(f"numpy is {fast / slow:.0f} times as fast on dense rows, {fast_sparse / slow_sparse:.1f} times on these\n")


def measure_box(terms: Terms, columns: tuple[Term, ...], kind: str, seconds: float) -> None:
    random = Random(2)
    width = columns[0].width
    box = StateBox(terms, Intervals() if kind == "intervals" else SmallSets(), columns).bottom()
    for _ in range(4):
        box = box.admit(state(columns, random))
    x, y, z = columns[:3]
    guard = terms.and_(terms.slt(x, y), terms.ne(z, terms.bv(0, width)))
    step = {x: terms.add(x, terms.bv(1, width)), y: terms.make(Op.MUL, (z, terms.bv(3, width)))}
    other = box.assign(step)
    print(f"boxes of {kind}: {len(columns)} columns of {width} bits")
    rate("admit a state", lambda: box.admit(Assignment({})), seconds)
    rate("join", lambda: box.join(other), seconds)
    rate("comparison", lambda: box.leq(other), seconds)
    rate("assume a guard", lambda: box.assume(guard), seconds)
    rate("assign two", lambda: box.assign(step), seconds)
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variables", type=int, default=40)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=0.5)
    options = parser.parse_args()
    terms = Terms()
    columns = tuple(terms.bv_var(f"v{index}", options.width) for index in range(options.variables))
    measure_equations(terms, columns, options.seconds)
    for kind in ("intervals", "sets"):
        measure_box(terms, columns, kind, options.seconds)


if __name__ == "__main__":
    main()
