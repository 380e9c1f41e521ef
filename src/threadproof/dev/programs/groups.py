"""Random programs with groups of threads that have little to do with each other, for reductions that choose sets.

Each thread has a home: a variable, and perhaps a lock, that it shares with some other. Now and then it visits another
home, waits for another thread to end, perhaps before all else, or creates one. Main creates and joins in any order, and
looks in between. Few steps each.
"""

from __future__ import annotations

from random import Random

HEAD = """#include <pthread.h>
#include <semaphore.h>
void reach_error(void);
void __VERIFIER_assume(int);
_Bool __VERIFIER_nondet_bool(void);
int x[3];
pthread_mutex_t m[3];
sem_t s;
pthread_t t1, t2, t3, t4;
"""
HOMES = 3


class Groups:
    def __init__(self, seed: int) -> None:
        self._random = Random(f"threadproof groups {seed}")
        self._threads = self._random.choice([3, 3, 4])
        self._nested = self._random.random() < 0.3  # whether the first thread creates the last
        mine = range(2, self._threads + (not self._nested))
        self._waits = {number: self._random.randrange(1, number) for number in mine if self._random.random() < 0.2}

    def program(self) -> str:
        routines = [self._thread(number) for number in range(self._threads, 0, -1)]
        return HEAD + "".join(routines) + self._main()

    def _thread(self, number: int) -> str:
        home = number % 2
        steps = [self._step(number, home) for _ in range(self._random.choice([1, 1, 2]))]
        if number in self._waits:
            steps.insert(0, "pthread_join((pthread_t)p, 0);")
        if number == 1 and self._nested:
            steps.insert(self._random.randrange(len(steps) + 1), self._create(self._threads))
        return f"void *f{number}(void *p) {{\n  {' '.join(steps)}\n  return 0; }}\n"

    def _step(self, number: int, home: int) -> str:
        other = self._random.randrange(HOMES)
        chance = self._random.random()
        if chance < 0.55:
            return self._work(home)
        if chance < 0.70:
            return f"if (x[{home}] == {self._random.randint(1, 3)}) {self._work(other)}"
        if chance < 0.78 and number > 1:
            return f"pthread_join(t{self._random.randrange(1, number)}, 0); {self._work(home)}"
        if chance < 0.86:
            return self._random.choice(["sem_post(&s);", f"sem_wait(&s); {self._work(other)}"])
        if chance < 0.93:
            return f"__VERIFIER_assume(x[{home}] < {self._random.randint(1, 3)});"
        return f"if (__VERIFIER_nondet_bool()) {self._work(home)}"

    def _work(self, home: int) -> str:
        place, value = f"x[{home}]", self._random.randint(1, 3)
        change = self._random.choice([f"{place}++;", f"{place} = {value};", f"{place} *= 2;"])
        if self._random.random() < 0.35:
            return f"{{ pthread_mutex_lock(&m[{home}]); {change} pthread_mutex_unlock(&m[{home}]); }}"
        return f"{{ {change} }}"

    def _create(self, number: int) -> str:
        given = f"(void *)t{self._waits[number]}" if number in self._waits else "0"
        return f"pthread_create(&t{number}, 0, f{number}, {given});"

    def _main(self) -> str:
        mine = self._threads - 1 if self._nested else self._threads
        order = list(range(1, mine + 1))
        if not self._waits:
            self._random.shuffle(order)
        lines = [self._create(number) for number in order]
        joins = [f"pthread_join(t{number}, 0);" for number in range(1, mine + 1) if self._random.random() < 0.8]
        self._random.shuffle(joins)
        looks = [self._look() for _ in range(2)]
        between = self._random.randrange(len(joins) + 1)
        lines += [*joins[:between], looks[0], *joins[between:], looks[1], "return 0;"]
        return "int main(void) {\n  sem_init(&s, 0, 0);\n  " + "\n  ".join(lines) + "\n}\n"

    def _look(self) -> str:
        home, value = self._random.randrange(2), self._random.randint(0, 4)
        both = f"x[0] == {self._random.randint(0, 3)} && x[1] == {value}"
        return f"if ({self._random.choice([f'x[{home}] == {value}', both])}) reach_error();"


def generate_groups(seed: int) -> str:
    return Groups(seed).program()
