"""Small random programs for weak memory: `python -m threadproof.dev.programs.weak_programs SEED` prints one.

Two or three threads without branches store, load, fence, exchange and lock. A program is a value, from which C is
written and which axioms can be asked about (`tests/differential/weak_axioms.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random

BASE = 4  # more than any value stored


class WeakOrder(Enum):
    PLAIN = "plain"
    RELAXED = "relaxed"
    ACQUIRE = "acquire"
    RELEASE = "release"
    ACQ_REL = "acq_rel"
    SEQ_CST = "seq_cst"

    @property
    def builtin(self) -> str:
        return f"__ATOMIC_{self.name}"


@dataclass(frozen=True, slots=True)
class WeakStore:
    variable: str
    value: int
    order: WeakOrder = WeakOrder.PLAIN


@dataclass(frozen=True, slots=True)
class WeakLoad:
    register: str
    variable: str
    order: WeakOrder = WeakOrder.PLAIN


@dataclass(frozen=True, slots=True)
class WeakFence:
    order: WeakOrder = WeakOrder.SEQ_CST


@dataclass(frozen=True, slots=True)
class Exchange:
    register: str
    variable: str
    value: int
    order: WeakOrder = WeakOrder.SEQ_CST


@dataclass(frozen=True, slots=True)
class WeakLock:
    pass


@dataclass(frozen=True, slots=True)
class Unlock:
    pass


Op = WeakStore | WeakLoad | WeakFence | Exchange | WeakLock | Unlock


@dataclass(frozen=True, slots=True)
class WeakProgram:
    threads: tuple[tuple[Op, ...], ...]
    variables: tuple[str, ...]

    def registers(self, thread: int) -> tuple[str, ...]:
        return tuple(op.register for op in self.threads[thread] if isinstance(op, WeakLoad | Exchange))

    @property
    def observed(self) -> tuple[str, ...]:
        """What an outcome is about: the registers of each thread as one number, and every variable's last value."""
        return (*(_seen_by(t) for t in range(len(self.threads)) if self.registers(t)), *self.variables)

    def outcome(self, values: Mapping[str, int]) -> tuple[int, ...]:
        """From the values of registers and variables to those of what is observed."""
        packed = {
            _seen_by(t): sum(values[name] * BASE**place for place, name in enumerate(self.registers(t)))
            for t in range(len(self.threads))
        }
        return tuple((packed | dict(values))[name] for name in self.observed)


def _seen_by(thread: int) -> str:
    return f"seen{thread + 1}"


def random_program(seed: int) -> WeakProgram:
    rng = Random(f"weak memory {seed}")
    count = 2 if rng.random() < 0.75 else 3
    variables = ("x", "y", "z")[: rng.choice((2, 2, 3))]
    lengths = [rng.randint(2, 4), rng.randint(2, 3)] if count == 2 else [2, 2, rng.randint(1, 2)]
    atomics, locks = rng.random() < 0.4, rng.random() < 0.2
    threads = tuple(_thread(rng, index, length, variables, atomics, locks) for index, length in enumerate(lengths))
    used = {op.variable for ops in threads for op in ops if isinstance(op, WeakStore | WeakLoad | Exchange)}
    return WeakProgram(threads, tuple(name for name in variables if name in used))


def _thread(
    rng: Random, index: int, length: int, variables: Sequence[str], atomics: bool, locks: bool
) -> tuple[Op, ...]:
    """Mostly one variable after the other, beginning with a store: only a store can be overtaken."""
    first = rng.randrange(len(variables))
    mentioned = [variables[(first + place) % len(variables)] for place in range(length)]
    ops = [_op(rng, f"r{index}{place}", name, atomics) for place, name in enumerate(mentioned)]
    if rng.random() < 0.5:
        ops[0] = WeakStore(mentioned[0], rng.randint(1, 2))
    if locks and rng.random() < 0.7:
        begin = rng.randrange(len(ops))
        end = rng.randint(begin + 1, len(ops))
        return (*ops[:begin], WeakLock(), *ops[begin:end], Unlock(), *ops[end:])
    return tuple(ops)


def _op(rng: Random, register: str, variable: str, atomics: bool) -> Op:
    value = rng.randint(1, 2)
    kind = rng.random()
    if kind < 0.4:
        orders = (WeakOrder.RELAXED, WeakOrder.RELEASE, WeakOrder.SEQ_CST)
        return WeakStore(variable, value, rng.choice(orders) if atomics and rng.random() < 0.5 else WeakOrder.PLAIN)
    if kind < 0.9:
        orders = (WeakOrder.RELAXED, WeakOrder.ACQUIRE, WeakOrder.SEQ_CST)
        return WeakLoad(register, variable, rng.choice(orders) if atomics and rng.random() < 0.5 else WeakOrder.PLAIN)
    if kind < 0.97:
        orders = (WeakOrder.ACQUIRE, WeakOrder.RELEASE, WeakOrder.ACQ_REL, WeakOrder.SEQ_CST, WeakOrder.SEQ_CST)
        return WeakFence(rng.choice(orders))
    return Exchange(register, variable, value, rng.choice((WeakOrder.RELAXED, WeakOrder.SEQ_CST)))


# --- C ---------------------------------------------------------------------------------------------------------------


def source(program: WeakProgram, forbidden: Sequence[int] | None = None) -> str:
    """C; its assertion fails exactly in the outcome that is forbidden. What a thread has seen it writes out at its end,
    in one store, where that disturbs nothing."""
    threads = [_routine(program, thread) for thread in range(len(program.threads))]
    ids = [f"id{number}" for number in range(1, len(threads) + 1)]
    main = [f"pthread_t {', '.join(ids)};"]
    main += [f"pthread_create(&{name}, 0, t{number}, 0);" for number, name in enumerate(ids, start=1)]
    main += [f"pthread_join({name}, 0);" for name in ids]
    if forbidden is not None:
        same = zip(program.observed, forbidden, strict=True)
        main.append(f"assert(!({' && '.join(f'{name} == {value}' for name, value in same)}));")
    lines = [
        "#include <assert.h>",
        "#include <pthread.h>",
        f"int {', '.join(program.observed)};",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
        *(line for thread in threads for line in thread),
        *_function("int main(void)", main),
    ]
    return "\n".join(lines) + "\n"


def _routine(program: WeakProgram, thread: int) -> list[str]:
    registers = program.registers(thread)
    body = [_statement(op) for op in program.threads[thread]]
    if registers:
        digits = [name if not place else f"{BASE**place} * {name}" for place, name in enumerate(registers)]
        body.append(f"{_seen_by(thread)} = {' + '.join(digits)};")
    return _function(f"void *t{thread + 1}(void *arg)", body)


def _function(head: str, body: Sequence[str]) -> list[str]:
    return [f"{head} {{", *(f"    {line}" for line in body), "    return 0;", "}"]


def _statement(op: Op) -> str:
    match op:
        case WeakStore(order=WeakOrder.PLAIN):
            return f"{op.variable} = {op.value};"
        case WeakStore():
            return f"__atomic_store_n(&{op.variable}, {op.value}, {op.order.builtin});"
        case WeakLoad(order=WeakOrder.PLAIN):
            return f"int {op.register} = {op.variable};"
        case WeakLoad():
            return f"int {op.register} = __atomic_load_n(&{op.variable}, {op.order.builtin});"
        case WeakFence():
            return f"__atomic_thread_fence({op.order.builtin});"
        case Exchange():
            return f"int {op.register} = __atomic_exchange_n(&{op.variable}, {op.value}, {op.order.builtin});"
        case WeakLock():
            return "pthread_mutex_lock(&m);"
        case Unlock():
            return "pthread_mutex_unlock(&m);"


if __name__ == "__main__":
    sys.stdout.write(source(random_program(int(sys.argv[1]))))
