"""The statements random programs are made of: one group of makers per feature."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from threadproof.dev.programs.features import GLOBALS, Feature

_TYPES = ("char", "unsigned char", "short", "_Bool", "unsigned", "long long")


@dataclass(slots=True)
class GeneratedScope:
    """What a statement may mention: `writable` places are ints in range, `readable` ones are not assigned."""

    thread: int
    writable: list[str] = field(default_factory=list[str])
    readable: list[str] = field(default_factory=list[str])
    depth: int = 0
    atomic: bool = False  # inside an atomic block: nothing that blocks

    def inner(self, *, atomic: bool = False) -> GeneratedScope:
        return GeneratedScope(
            self.thread, list(self.writable), list(self.readable), self.depth + 1, atomic=self.atomic or atomic
        )


@dataclass(slots=True)
class Draft:
    """A program in the making."""

    rng: Random
    features: frozenset[Feature]
    threads: int
    nesting: int
    globals: list[str] = field(default_factory=list[str])
    places: list[str] = field(default_factory=list[str])  # shared ints
    helpers: list[list[str]] = field(default_factory=list[list[str]])
    names: int = 0

    def fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def declare_variables(self) -> None:
        """Shared ints for everyone, then what the features bring along."""
        rng = self.rng
        self.globals += [f"int x = {rng.randint(0, 1)};", f"int y = {rng.randint(0, 2)};"]
        self.places += ["x", "y"]
        if rng.random() < 0.3:
            self.globals.append(
                f"{rng.choice(('char', 'unsigned char', 'short', '_Bool', 'unsigned', 'long long'))} c = 1;"
            )
            self.places.append("c")
        if self.features & {Feature.CONDITION, Feature.TIMED} and Feature.MUTEX not in self.features:
            self.globals.append("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;")
        for feature in Feature:
            if feature in self.features and feature in GLOBALS:
                lines, places = GLOBALS[feature]
                self.globals += lines
                self.places += places
        if Feature.CALL in self.features:
            self._declare_helpers()
        if Feature.CHILD in self.features:
            inside = indented(plain_assignment(self, GeneratedScope(0)))
            self.helpers.append(["void *child(void *arg) {", *inside, "    return arg;", "}"])
        if Feature.ONCE in self.features:
            self.helpers.append(["void first(void) {", f"    {rng.choice(('x', 'y'))} += 1;", "}"])
        if Feature.KEY in self.features:
            self.helpers.append(["void last(void *held) {", "    x += (int)(long)held;", "}"])

    def _declare_helpers(self) -> None:
        scope = GeneratedScope(0, readable=["given"], depth=self.nesting)
        lines = plain_assignment(self, scope)
        result = value(self, scope)
        self.helpers.append(["int help(int given) {", *indented(lines), f"    return {result};", "}"])
        lines = [*plain_assignment(self, scope), *plain_assignment(self, scope)]
        self.helpers.append(["void __VERIFIER_atomic_both(int given) {", *indented(lines), "}"])


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


# --- expressions ---------------------------------------------------------------------------------------------------


def place(draft: Draft, scope: GeneratedScope) -> str:
    """Something that can be assigned."""
    return draft.rng.choice([*draft.places, *scope.writable, *scope.writable])


def read(draft: Draft, scope: GeneratedScope) -> str:
    return draft.rng.choice([*draft.places, *scope.writable, *scope.readable, *scope.readable])


def value(draft: Draft, scope: GeneratedScope) -> str:
    rng = draft.rng
    if rng.random() < 0.35:
        return str(rng.randint(0, 3))
    left = read(draft, scope)
    pick = rng.random()
    if pick < 0.25:
        return left
    if pick < 0.55:
        return f"{left} {rng.choice(('+', '-'))} {rng.randint(1, 2)}"
    if pick < 0.75:
        return f"{left} {rng.choice(('+', '-', '*', '^', '&', '|'))} {read(draft, scope)}"
    if pick < 0.85:
        return f"({left} {rng.choice(('/', '%', '>>', '<<'))} {rng.randint(1, 3)})"
    if pick < 0.9:
        return f"({rng.choice(('char', 'unsigned char', 'short'))})({left} + {rng.choice((1, 127, 255))})"
    if pick < 0.95:
        return f"({left} ? {rng.randint(0, 3)} : {read(draft, scope)})"
    return f"!{left}"


def condition(draft: Draft, scope: GeneratedScope) -> str:
    rng = draft.rng
    first = f"{read(draft, scope)} {rng.choice(('==', '!=', '<', '>', '<=', '>='))} {rng.randint(0, 3)}"
    if rng.random() < 0.2:
        return f"{first} {rng.choice(('&&', '||'))} {read(draft, scope)} != {rng.randint(0, 2)}"
    return first


# --- statements ----------------------------------------------------------------------------------------------------

Maker = Callable[[Draft, GeneratedScope], list[str]]


def body(draft: Draft, scope: GeneratedScope, count: int) -> list[str]:
    """So many statements, one after the other."""
    lines: list[str] = []
    for _ in range(count):
        lines += statement(draft, scope)
    return lines


def statement(draft: Draft, scope: GeneratedScope) -> list[str]:
    makers: list[Maker] = [*[plain_assignment] * 5, _local]
    if scope.depth < draft.nesting:
        makers.append(_choice_of_ways)
    special: list[Maker] = []
    for feature in Feature:
        if feature in draft.features:
            special += _MAKERS.get(feature, ())
            may_block = not scope.atomic or draft.rng.random() < 0.03
            if may_block:
                special += _BLOCKING.get(feature, ())
            if scope.depth < draft.nesting:
                special += _NESTING.get(feature, ())
                if may_block:
                    special += _NESTING_BLOCKING.get(feature, ())
    chosen = special if special and draft.rng.random() < 0.6 else makers
    return draft.rng.choice(chosen)(draft, scope)


def plain_assignment(draft: Draft, scope: GeneratedScope) -> list[str]:
    target, rng = place(draft, scope), draft.rng
    pick = rng.random()
    if pick < 0.2:
        return [f"{target}{rng.choice(('++', '--'))};"]
    if pick < 0.4:
        return [f"{target} {rng.choice(('+=', '-=', '^='))} {value(draft, scope)};"]
    return [f"{target} = {value(draft, scope)};"]


def _local(draft: Draft, scope: GeneratedScope) -> list[str]:
    name = draft.fresh("r")
    line = f"int {name} = {value(draft, scope)};"
    scope.writable.append(name)
    return [line]


def _choice_of_ways(draft: Draft, scope: GeneratedScope) -> list[str]:
    lines = [f"if ({condition(draft, scope)}) {{", *indented(statement(draft, scope.inner()))]
    if draft.rng.random() < 0.4:
        lines += ["} else {", *indented(statement(draft, scope.inner()))]
    return [*lines, "}"]


def _for(draft: Draft, scope: GeneratedScope) -> list[str]:
    name, inner = draft.fresh("i"), scope.inner()
    inner.readable.append(name)
    times = draft.rng.choice(("2", "2", "3", f"({read(draft, scope)} & 1) + 1"))
    return [f"for (int {name} = 0; {name} < {times}; {name}++) {{", *indented(statement(draft, inner)), "}"]


def _do_while(draft: Draft, scope: GeneratedScope) -> list[str]:
    name = draft.fresh("n")
    inside = indented(statement(draft, scope.inner()))
    return [f"int {name} = 2;", "do {", *inside, f"    {name}--;", f"}} while ({name} > 0);"]


def _switch(draft: Draft, scope: GeneratedScope) -> list[str]:
    lines = [f"switch ({read(draft, scope)}) {{"]
    for label in ("case 0:", "case 1:", "default:"):
        lines += [f"    {label} {plain_assignment(draft, scope)[0]} break;"]
    return [*lines, "}"]


def _section(lock: str, unlock: str) -> Maker:
    """Lock, one or two statements, unlock; rarely the unlock is forgotten."""

    def make(draft: Draft, scope: GeneratedScope) -> list[str]:
        inside = body(draft, scope.inner(), draft.rng.randint(1, 2))
        end = [] if draft.rng.random() < 0.05 else [unlock]
        return ["{", *indented([lock, *inside, *end]), "}"]

    return make


def _try_section(trylock: str, unlock: str) -> Maker:
    def make(draft: Draft, scope: GeneratedScope) -> list[str]:
        inside = [*statement(draft, scope.inner()), unlock]
        return [f"if ({trylock} == 0) {{", *indented(inside), "}"]

    return make


def _atomic_block(draft: Draft, scope: GeneratedScope) -> list[str]:
    inside = body(draft, scope.inner(atomic=True), draft.rng.randint(1, 2))
    return ["{", *indented(["__VERIFIER_atomic_begin();", *inside, "__VERIFIER_atomic_end();"]), "}"]


def _one(*texts: str) -> Maker:
    """One of these lines; `@` stands for a value, `#` for a place."""

    def make(draft: Draft, scope: GeneratedScope) -> list[str]:
        text = draft.rng.choice(texts)
        while "@" in text:
            text = text.replace("@", value(draft, scope), 1)
        while "#" in text:
            text = text.replace("#", place(draft, scope), 1)
        return [text]

    return make


def _compare_and_exchange(draft: Draft, scope: GeneratedScope) -> list[str]:
    name = draft.fresh("e")
    call = f"atomic_compare_exchange_strong(&a, &{name}, {value(draft, scope)})"
    ending = f"{place(draft, scope)} = {call};"
    if draft.rng.random() < 0.5:
        ending = f"if ({call}) {{ {plain_assignment(draft, scope)[0]} }}"
    return [f"int {name} = {draft.rng.randint(0, 1)};", ending]


def _exchange_loop(draft: Draft, scope: GeneratedScope) -> list[str]:
    """The usual way to change an atomic variable by any function."""
    name = draft.fresh("e")
    new = f"{name} {draft.rng.choice(('+', '^'))} {draft.rng.randint(1, 2)}"
    return [f"int {name} = a;", f"while (!atomic_compare_exchange_weak(&a, &{name}, {new})) {{", "}"]


def _flag_section(draft: Draft, scope: GeneratedScope) -> list[str]:
    inside = body(draft, scope.inner(), 1)
    return ["while (atomic_flag_test_and_set(&flag)) {", "}", *inside, "atomic_flag_clear(&flag);"]


def _computed_early(draft: Draft, scope: GeneratedScope) -> list[str]:
    """A value that may be undefined, stores, and only then its use."""
    name, rng = draft.fresh("r"), draft.rng
    first = f"int {name} = {rng.choice(('1 << x', 'x / y', 'y % x', '2 >> y'))};"
    return [first, *plain_assignment(draft, scope), f"{place(draft, scope)} = {name};"]


def _wait_for(draft: Draft, scope: GeneratedScope) -> list[str]:
    keyword = "if" if draft.rng.random() < 0.15 else "while"
    inside = [
        "pthread_mutex_lock(&m);",
        f"{keyword} ({condition(draft, scope)}) {{",
        "    pthread_cond_wait(&cv, &m);",
        "}",
        *plain_assignment(draft, scope),
        "pthread_mutex_unlock(&m);",
    ]
    return ["{", *indented(inside), "}"]


def _wait_a_while(draft: Draft, scope: GeneratedScope) -> list[str]:
    inside = [
        "pthread_mutex_lock(&m);",
        f"{place(draft, scope)} = pthread_cond_timedwait(&late, &m, &soon) != 0;",
        "pthread_mutex_unlock(&m);",
    ]
    return ["{", *indented(inside), "}"]


def _notify(draft: Draft, scope: GeneratedScope) -> list[str]:
    call = f"pthread_cond_{draft.rng.choice(('signal', 'broadcast'))}(&cv);"
    inside = ["pthread_mutex_lock(&m);", *plain_assignment(draft, scope), call, "pthread_mutex_unlock(&m);"]
    return ["{", *indented(inside), "}"]


def _create_child(draft: Draft, scope: GeneratedScope) -> list[str]:
    name = draft.fresh("own_id")
    wait = [] if draft.rng.random() < 0.2 else [*plain_assignment(draft, scope), f"pthread_join({name}, 0);"]
    return [f"pthread_t {name};", f"pthread_create(&{name}, 0, child, 0);", *wait]


def _spin(draft: Draft, scope: GeneratedScope) -> list[str]:
    inside = [] if draft.rng.random() < 0.6 else ["    sched_yield();"]
    return [f"while ({draft.rng.choice(('x', 'y'))} == {draft.rng.randint(0, 1)}) {{", *inside, "}"]


def _nondet(draft: Draft, scope: GeneratedScope) -> list[str]:
    name, rng = draft.fresh("k"), draft.rng
    scope.readable.append(name)
    pick = rng.random()
    if pick < 0.4:
        return [f"_Bool {name} = __VERIFIER_nondet_bool();"]
    low, high = rng.randint(-2, 0), rng.randint(0, 2)
    kind = rng.choice(("char", "int", "uchar", "short", "uint"))
    ctype = {"uchar": "unsigned char", "uint": "unsigned"}.get(kind, kind)
    bound = f"{name} <= {high}" if kind in ("uchar", "uint") else f"{name} >= {low} && {name} <= {high}"
    return [f"{ctype} {name} = __VERIFIER_nondet_{kind}();", f"__VERIFIER_assume({bound});"]


def _assume(draft: Draft, scope: GeneratedScope) -> list[str]:
    return [f"__VERIFIER_assume({condition(draft, scope)});"]


def _helper_call(draft: Draft, scope: GeneratedScope) -> list[str]:
    if draft.rng.random() < 0.3:
        return [f"__VERIFIER_atomic_both({value(draft, scope)});"]
    return [f"{place(draft, scope)} = help({value(draft, scope)});"]


def _local_by_address(draft: Draft, scope: GeneratedScope) -> list[str]:
    name = draft.fresh("v")
    scope.writable.append(name)
    return [f"int {name} = {value(draft, scope)};", f"{draft.rng.choice(('p', 'q'))} = &{name};"]


_point = _one(
    "*p = @;", "*p = @;", "p = &x;", "q = &y;", "p = q;", "q = &x;", "p = p == q ? &x : q;", "**far = @;", "far = &q;"
)  # fmt: skip

_MAKERS: dict[Feature, tuple[Maker, ...]] = {
    Feature.ARRAY: (_one("v[@ & 1] = @;", "v[(@) & 1]++;", "v[x] = @;"),),
    Feature.POINTER: (_point, _point, _point, _local_by_address),
    Feature.STRUCT: (_one("s = t;", "s = t;", "memcpy(&s, &t, sizeof s);", "s.a = @;", "t.b = @;", "(&s)->a = @;"),),
    Feature.BIT_FIELD: (_one("bits.low = @;", "bits.high = @;", "bits.low++;", "bits.high--;"),),
    Feature.UNION: (
        _one(
            "u.whole = @;", "u.half[1] = @;", "u.part[1] = @;", "u.part[@ & 3]++;", "# = u.half[0];", "u.whole ^= 256;"
        ),
    ),
    Feature.FLOAT: (_one("f = f * 2;", "f = @;", "# = f > 1;", "# = (int)f;", "f += 0.25;", "f = x / 2.0;"),),
    Feature.HANDLE: (_one("held = pthread_self();", "# = pthread_equal(held, pthread_self()) != 0;"),),
    Feature.ATOMIC: (
        _one("a++;", "a = @;", "# = a;", "atomic_fetch_add(&a, @);", "# = atomic_exchange(&a, @);", "a ^= 1;"),
        _compare_and_exchange,
    ),
    Feature.BUILTIN: (
        _one(
            "__atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);",
            "__sync_fetch_and_sub(&y, 1);",
            "# = __sync_bool_compare_and_swap(&x, 0, @);",
            "# = __sync_val_compare_and_swap(&y, 1, @);",
            "# = __atomic_load_n(&x, __ATOMIC_ACQUIRE);",
            "__atomic_store_n(&y, @, __ATOMIC_RELEASE);",
            "__sync_fetch_and_or(&x, 2);",
            "__atomic_fetch_nand(&y, 1, __ATOMIC_RELAXED);",
        ),
    ),
    Feature.FLAG: (_one("# = atomic_flag_test_and_set(&flag);", "atomic_flag_clear(&flag);"),),
    Feature.SEMAPHORE: (_one("sem_post(&sem);", "sem_post(&sem);", "sem_getvalue(&sem, &x);"),),
    Feature.NONDET: (_nondet, _nondet, _assume),
    Feature.HEAP: (_one("*h = @;", "# = *h;", "*h += 1;", "h = malloc(sizeof *h);", "free(h);", "h = 0;"),),
    Feature.CALL: (_helper_call, _helper_call, _one("# = hook(@);")),
    Feature.THREAD_LOCAL: (_one("own++;", "# = own;", "own = @;"),),
    Feature.OVERFLOW: (
        _one("big++;", "big += @;", "x = big + @;", "y = big << 1;", "big -= 2;", "x = -big;"),
        _one("# = 1 << (@);", "# = @ >> x;", "# = (@) / y;", "# = (@) % x;"),
        _computed_early,
    ),
    Feature.EXIT: (_one("return 0;", "pthread_exit(0);", "if (x == 1) { exit(0); }", "if (y) { return 0; }"),),
}

_BLOCKING: dict[Feature, tuple[Maker, ...]] = {
    Feature.ATOMIC: (_exchange_loop,),
    Feature.HANDLE: (_one("pthread_detach(pthread_self());", "# = pthread_join(held, 0);", "pthread_detach(held);"),),
    Feature.CONDITION: (_wait_for, _notify, _one("pthread_cond_signal(&cv);", "pthread_cond_broadcast(&cv);")),
    Feature.SEMAPHORE: (_one("sem_wait(&sem);", "# = sem_trywait(&sem);"),),
    Feature.BARRIER: (_one("pthread_barrier_wait(&barrier);", "# = pthread_barrier_wait(&barrier) != 0;"),),
    Feature.SPIN: (_spin,),
    Feature.CHILD: (_create_child,),
    Feature.TIMED: (_wait_a_while,),
    Feature.ONCE: (_one("pthread_once(&once, first);"),),
    Feature.KEY: (_one("pthread_setspecific(key, (void *)(long)(@));", "# = (int)(long)pthread_getspecific(key);"),),
    Feature.CANCEL: (_one("pthread_testcancel();", "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);"),),
}

_NESTING: dict[Feature, tuple[Maker, ...]] = {
    Feature.LOOP: (_for, _do_while, _switch),
    Feature.BLOCK: (_atomic_block,),
}

_NESTING_BLOCKING: dict[Feature, tuple[Maker, ...]] = {
    Feature.MUTEX: (
        _section("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
        _section("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
        _section("pthread_mutex_lock(&n);", "pthread_mutex_unlock(&n);"),
        _try_section("pthread_mutex_trylock(&m)", "pthread_mutex_unlock(&m);"),
    ),
    Feature.RECURSIVE: (
        _section("pthread_mutex_lock(&again);", "pthread_mutex_unlock(&again);"),
        _try_section("pthread_mutex_trylock(&again)", "pthread_mutex_unlock(&again);"),
    ),
    Feature.ERRORCHECK: (
        _section("pthread_mutex_lock(&strict);", "pthread_mutex_unlock(&strict);"),
        _section("x = pthread_mutex_lock(&strict);", "y = pthread_mutex_unlock(&strict);"),
        _try_section("pthread_mutex_trylock(&strict)", "pthread_mutex_unlock(&strict);"),
    ),
    Feature.FLAG: (_flag_section,),
    Feature.SPINLOCK: (
        _section("pthread_spin_lock(&lock);", "pthread_spin_unlock(&lock);"),
        _try_section("pthread_spin_trylock(&lock)", "pthread_spin_unlock(&lock);"),
    ),
    Feature.TIMED: (_try_section("pthread_mutex_timedlock(&m, &soon)", "pthread_mutex_unlock(&m);"),),
    Feature.SEMAPHORE: (_section("sem_wait(&sem);", "sem_post(&sem);"),),
    Feature.RWLOCK: (
        _section("pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);"),
        _section("pthread_rwlock_wrlock(&rw);", "pthread_rwlock_unlock(&rw);"),
        _try_section("pthread_rwlock_trywrlock(&rw)", "pthread_rwlock_unlock(&rw);"),
        _try_section("pthread_rwlock_tryrdlock(&rw)", "pthread_rwlock_unlock(&rw);"),
    ),
}
