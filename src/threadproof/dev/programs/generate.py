"""Small random multi-threaded C programs: `python -m threadproof.dev.programs.generate --seed N` prints one.

A program is a function of a seed and a `ProgramShape` alone. It is real C (gnu11), ends in assertions about final
values that hold in some interleavings and fail in others, and is small enough that its states can be enumerated without
any reduction. `statements` says what each feature adds; this file puts the pieces together.

`generate_tiny` (`--tiny`) makes programs of a few visible steps without loops, whose interleavings can be listed one by
one; `tiny` holds their pieces.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from threadproof.dev.programs import tiny
from threadproof.dev.programs.features import DECLARATIONS, GLOBALS, HEADERS, SETUP, Feature
from threadproof.dev.programs.statements import Draft, GeneratedScope, body, condition, indented, value


@dataclass(frozen=True, slots=True)
class ProgramShape:
    """What programs may look like. Bounds are inclusive."""

    threads: tuple[int, int] = (2, 3)
    statements: tuple[int, int] = (1, 2)  # of each thread, before nesting; the fewest if there are many steps anyway
    features: tuple[int, int] = (1, 3)  # how many of `allowed` one program uses
    allowed: tuple[Feature, ...] = tuple(Feature)
    nesting: int = 2  # of if, loops and critical sections
    unjoined: float = 0.1  # probability that main does not wait for a thread


DEFAULT = ProgramShape()


def generate(seed: int, shape: ProgramShape = DEFAULT) -> str:
    """One C program."""
    rng = Random(f"threadproof {seed}")
    wanted = min(rng.randint(*shape.features), len(shape.allowed))
    chosen = frozenset(rng.sample(sorted(shape.allowed, key=lambda f: f.value), wanted))
    return _Program(rng, shape, chosen).text()


@dataclass(frozen=True, slots=True)
class TinyShape:
    """What tiny programs may look like. Bounds are inclusive."""

    threads: tuple[int, int] = (2, 3)  # besides main
    steps: tuple[int, int] = (1, 4)  # visible steps of each of them
    together: int = 7  # of all of them: the number of interleavings grows with its factorial
    main_steps: tuple[int, int] = (0, 2)  # of main, between creating and joining; mostly the fewest
    features: tuple[int, int] = (1, 2)
    allowed: tuple[Feature, ...] = tuple(tiny.PIECES)
    unjoined: float = 0.1


TINY = TinyShape()


def generate_tiny(seed: int, shape: TinyShape = TINY) -> str:
    """One C program of a few visible steps, without loops."""
    rng = Random(f"threadproof tiny {seed}")
    wanted = min(rng.randint(*shape.features), len(shape.allowed))
    chosen = rng.sample(sorted(shape.allowed, key=lambda f: f.value), wanted)
    return _Tiny(rng, shape, tuple(feature for feature in Feature if feature in chosen)).text()


class _Tiny:
    def __init__(self, rng: Random, shape: TinyShape, features: tuple[Feature, ...]) -> None:
        self._rng = rng
        self._shape = shape
        self._features = features
        self._writer = tiny.TinyWriter(rng, features)

    def text(self) -> str:
        steps = self._steps()
        routines = [
            [f"void *t{index}(void *arg) {{", *indented(self._writer.body(count)), "    return 0;", "}"]
            for index, count in enumerate(steps, start=1)
        ]
        helpers = [list(tiny.HELPERS[feature]) for feature in self._features if feature in tiny.HELPERS]
        return _assembled(frozenset(self._features), self._globals(), [*helpers, *routines, self._main(len(steps))])

    def _steps(self) -> list[int]:
        few = self._rng.random() < 0.75
        count = self._shape.threads[0] if few else self._shape.threads[1]
        steps = [self._rng.randint(*self._shape.steps) for _ in range(count)]
        while sum(steps) > self._shape.together and max(steps) > self._shape.steps[0]:
            steps[steps.index(max(steps))] -= 1
        return steps

    def _globals(self) -> list[str]:
        lines = [f"int x = {self._rng.randint(0, 1)};", f"int y = {self._rng.randint(0, 1)};"]
        if {Feature.CONDITION, Feature.TIMED} & set(self._features) and Feature.MUTEX not in self._features:
            lines.append("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;")
        return lines + [line for feature in self._features if feature in GLOBALS for line in GLOBALS[feature][0]]

    def _main(self, threads: int) -> list[str]:
        rng, shape, numbers = self._rng, self._shape, range(1, threads + 1)
        lines = [line for feature in self._features for line in SETUP.get(feature, ())]
        lines = [line.replace("THREADS", str(threads)) for line in lines]
        lines += [f"pthread_t {', '.join(f'id{i}' for i in numbers)};"]
        lines += [f"pthread_create(&id{i}, 0, t{i}, 0);" for i in numbers]
        if Feature.CANCEL in self._features:
            lines.append("pthread_cancel(id1);")
        own = rng.randint(*shape.main_steps) if rng.random() < 0.3 else shape.main_steps[0]
        lines += self._writer.body(own)
        lines += [f"pthread_join(id{i}, 0);" for i in numbers if rng.random() >= shape.unjoined]
        lines.append(f"assert({rng.choice(('x', 'y', 'x + y'))} {rng.choice(('==', '!=', '!='))} {rng.randint(0, 3)});")
        return ["int main(void) {", *indented(lines), "    return 0;", "}"]


class _Program:
    def __init__(self, rng: Random, shape: ProgramShape, features: frozenset[Feature]) -> None:
        self._rng = rng
        self._shape = shape
        self._loop = Feature.CREATE_LOOP in features
        few = self._loop or rng.random() < 0.88
        self._threads = shape.threads[0] if few else shape.threads[1]
        many_steps = self._loop or self._threads > shape.threads[0]
        self._statements = (shape.statements[0],) * 2 if many_steps else shape.statements
        self._draft = Draft(rng, features, self._threads, shape.nesting)

    def text(self) -> str:
        draft = self._draft
        draft.declare_variables()
        routines = self._routines()
        main = self._main()
        return _assembled(draft.features, draft.globals, [*draft.helpers, *routines, main])

    # --- threads --------------------------------------------------------------------------------------------------

    def _routines(self) -> list[list[str]]:
        if self._loop:
            return [self._routine("worker", 1)]
        return [self._routine(f"t{index}", index) for index in range(1, self._threads + 1)]

    def _routine(self, name: str, index: int) -> list[str]:
        scope = GeneratedScope(index)
        lines: list[str] = []
        if self._loop:
            lines.append("int me = (int)(long)arg;")
            scope.readable.append("me")
        elif Feature.ARGUMENT in self._draft.features:
            lines.append("int *mine = arg;")
            scope.writable.append("*mine")
        lines += body(self._draft, scope, self._rng.randint(*self._statements))
        returned = "0"
        if Feature.RESULT in self._draft.features:
            returned = f"(void *)(long)({value(self._draft, scope)})"
        return [f"void *{name}(void *arg) {{", *indented(lines), f"    return {returned};", "}"]

    # --- main -----------------------------------------------------------------------------------------------------

    def _main(self) -> list[str]:
        draft, rng = self._draft, self._rng
        scope = GeneratedScope(0)
        lines = [line for f in Feature if f in draft.features for line in SETUP.get(f, ())]
        lines = [line.replace("THREADS", str(self._threads)) for line in lines]
        if Feature.ARGUMENT in draft.features:
            lines.append("int local = 0;")
            scope.writable.append("local")
        lines += self._create_in_loop() if self._loop else self._create()
        if Feature.CANCEL in draft.features:
            lines.append(f"pthread_cancel({'ids[0]' if self._loop else 'id1'});")
        if rng.random() < 0.25:
            lines += body(draft, scope, 1)
        lines += self._join_in_loop() if self._loop else self._join()
        lines += self._free_at_end()
        lines += [f"assert({condition(draft, scope)});" for _ in range(rng.randint(1, 2))]
        return ["int main(void) {", *indented(lines), "    return 0;", "}"]

    def _create(self) -> list[str]:
        argument = "&local" if Feature.ARGUMENT in self._draft.features else "0"
        names = ", ".join(f"id{index}" for index in range(1, self._threads + 1))
        calls = [f"pthread_create(&id{i}, 0, t{i}, {argument});" for i in range(1, self._threads + 1)]
        return [f"pthread_t {names};", *calls]

    def _create_in_loop(self) -> list[str]:
        return [
            f"pthread_t ids[{self._threads}];",
            f"for (long i = 0; i < {self._threads}; i++) {{",
            "    pthread_create(&ids[i], 0, worker, (void *)i);",
            "}",
        ]

    def _join(self) -> list[str]:
        with_result = Feature.RESULT in self._draft.features
        lines = ["void *result = 0;"] if with_result else []
        for index in range(1, self._threads + 1):
            if self._rng.random() < self._shape.unjoined:
                continue
            lines.append(f"pthread_join(id{index}, {'&result' if with_result else '0'});")
            if with_result:
                lines.append(f"{self._rng.choice(('x', 'y'))} += (int)(long)result;")
        return lines

    def _join_in_loop(self) -> list[str]:
        if self._rng.random() < self._shape.unjoined:
            return []
        return [f"for (int i = 0; i < {self._threads}; i++) {{", "    pthread_join(ids[i], 0);", "}"]

    def _free_at_end(self) -> list[str]:
        heap = Feature.HEAP in self._draft.features
        return ["free(h);"] if heap and self._rng.random() < 0.7 else []


def _assembled(features: frozenset[Feature], variables: list[str], functions: list[list[str]]) -> str:
    headers = [line for feature in Feature if feature in features for line in HEADERS.get(feature, ())]
    headers = ["#include <assert.h>", "#include <pthread.h>", *headers]
    headers.sort(key=lambda line: not line.startswith("#define"))
    declarations = [line for feature in Feature if feature in features for line in DECLARATIONS.get(feature, ())]
    parts = [list(dict.fromkeys(headers)), declarations, variables, *functions]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    names = [feature.value for feature in Feature]
    parser = argparse.ArgumentParser(prog="python -m threadproof.dev.programs.generate", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--feature", action="append", choices=names, help="use only these features (repeatable)")
    parser.add_argument("--tiny", action="store_true", help="a few visible steps, no loops")
    options = parser.parse_args(arguments)
    chosen = tuple(Feature(name) for name in options.feature or ())
    if options.tiny and not set(chosen) <= set(tiny.PIECES):
        parser.error(f"tiny programs have {', '.join(feature.value for feature in tiny.PIECES)}")
    count = (len(chosen), len(chosen))
    if options.tiny:
        shape = TinyShape(allowed=chosen, features=count) if chosen else TINY
        sys.stdout.write(generate_tiny(options.seed, shape))
    else:
        shape = ProgramShape(allowed=chosen, features=count) if chosen else DEFAULT
        sys.stdout.write(generate(options.seed, shape))
    return 0


if __name__ == "__main__":
    sys.exit(main())
