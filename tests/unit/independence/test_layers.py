"""What each layer says of two statements, by hand. `tests/differential/swap_walk.py` holds them against the machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from two_threads import TwoThreads

from threadproof.automaton import End, Instance
from threadproof.independence import Always, Inclusion, InstanceLetter, Keeps, LayerName, Never, SwapAnswer, When
from threadproof.ir import instr as ir
from threadproof.smt.backend import SolverVerdict
from threadproof.smt.solver import Undecided

Reader = Callable[..., TwoThreads]
MUTEX = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int x, y;"
ATOMIC = "__VERIFIER_atomic_begin(); %s __VERIFIER_atomic_end();"


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    return lambda *args, **options: TwoThreads(tmp_path / "main.c", *args, **options)


@pytest.mark.parametrize(
    ("declared", "first", "second", "answer"),
    [
        ("int x, y;", "x = 1;", "y = 1;", Always(LayerName.SYNTACTIC)),
        ("int x, y, z;", "y = x;", "z = x;", Always(LayerName.SYNTACTIC)),
        (MUTEX, "pthread_mutex_lock(&m);", "pthread_mutex_lock(&n);", Always(LayerName.SYNTACTIC)),
        (MUTEX, "pthread_mutex_lock(&m);", "x = 1;", Always(LayerName.SYNTACTIC)),
        ("int x, y, *q = &y;", "x = 1;", "int *r = q; *r = 1;", Always(LayerName.POINTS_TO)),
        ("int x;", "__atomic_fetch_add(&x, 1, 5);", "__atomic_fetch_sub(&x, 2, 5);", Always(LayerName.SMT)),
        ("int x;", ATOMIC % "x = x + 1;", ATOMIC % "x = x + x;", Never()),
        ("int x;", "x = 1;", "x = 1;", Always(LayerName.SMT)),
        ("int x;", ATOMIC % "x = x | 1;", ATOMIC % "x = x + 2;", Always(LayerName.SMT)),
        ("int x;", "x = 1;", "x = 2;", Never()),
        ("int x, y;", "x = 1;", "y = x;", Never()),
        (MUTEX, "pthread_mutex_lock(&m);", "pthread_mutex_lock(&m);", Always(LayerName.SMT)),  # exclude each other
        ("sem_t s;", "sem_post(&s);", "sem_wait(&s);", Never()),
        # a read-lock given back by one who may not have it
        ("pthread_rwlock_t r;", "pthread_rwlock_rdlock(&r);", "pthread_rwlock_unlock(&r);", Never()),
    ],
)
def test_two_statements(read: Reader, declared: str, first: str, second: str, answer: SwapAnswer) -> None:
    one = read(declared, first, second, most=1)
    assert one.swap() == answer
    assert one.swap() == answer  # kept


def test_signals_and_keys_are_noticed_by_every_layer(read: Reader) -> None:
    """A signal and the beginning of a wait, the creation of a key and its use."""
    declared = MUTEX + "pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_key_t k;"
    one = read(declared, "pthread_cond_wait(&c, &m);", "pthread_cond_signal(&c);", most=1)
    begins = next(letter for letter in one.visible("one") if not letter.may_wait)
    assert not one.swaps.may_drop(InstanceLetter(Instance("one", 0), begins), one.letter("two"))
    keys = read(declared, "pthread_key_create(&k, 0);", ATOMIC % "y = pthread_setspecific(0, &x);", most=1)
    assert not isinstance(keys.swap(), Always)


def test_letters_of_one_thread_never_swap(read: Reader) -> None:
    one = read("int x, y;", "x = 1; y = 1;", "x = 1;")
    a, b = one.letter("one", 0), one.letter("one", 1)
    assert one.swaps.swap(a, b) == Never(LayerName.THREADS)
    assert one.swaps.swap(a, b, [one.terms.false]) == Never(LayerName.THREADS)


def test_instances_of_one_template_have_their_own_locals(read: Reader) -> None:
    one = read("int *q; int x, y;", "int l = 0; int *r = &l; *r = x;", "x = 1;")
    a, b = one.letter("one"), one.letter("one", number=1)
    assert isinstance(one.swaps.swap(a, b), Always)


def test_a_creation_does_not_swap_with_its_thread_nor_with_another_creation(read: Reader) -> None:
    more = "pthread_t r; pthread_create(&r, 0, two, 0);"
    one = read("void *two(void *); int x;", more, "x = 1;", most=3)
    [fork] = [letter for letter in one.visible("one") if letter.forks]
    forks = [letter for letter in one.visible("main") if letter.forks == ("two",)]
    child = Instance("two", 0)
    by_one = InstanceLetter(Instance("one", 0), fork, (child,))
    assert one.swaps.swap(by_one, one.letter("two")) == Never(LayerName.THREADS)
    assert one.swaps.swap(one.letter("two"), by_one) == Never(LayerName.THREADS)
    by_main = InstanceLetter(Instance("main", 0), forks[0], (child,))
    assert one.swaps.swap(by_one, by_main) == Never(LayerName.THREADS)
    other = InstanceLetter(Instance("one", 0), fork, (Instance("two", 1),))
    assert isinstance(one.swaps.swap(other, one.letter("two")), Always)  # of an instance that runs already


def test_a_join_waits_for_the_end_of_its_thread(read: Reader) -> None:
    one = read("int x;", "x = 1;", "x = 1;", after="pthread_join(s, 0);", most=1)
    [join] = [letter for letter in one.visible("main") if letter.joins]
    end = one.automaton.templates["one"].letters[-1]
    a, b = InstanceLetter(Instance("main", 0), join), InstanceLetter(Instance("one", 0), end)
    assert not one.swaps.may_drop(b, a)  # the end, then the join: not possible the other way round
    assert one.swaps.may_drop(a, b)  # not possible at all
    other = InstanceLetter(Instance("two", 0), one.automaton.templates["two"].letters[-1])
    assert not one.swaps.may_drop(b, a)
    assert isinstance(one.swaps.swap(a, other), Always | Inclusion | Never)


def test_under_an_assertion(read: Reader) -> None:
    """What holds under an assertion holds under more, without being asked again, and not under less."""
    one = read("int x, y;", ATOMIC % "x = x & 7;", ATOMIC % "x = x + 1;", most=1)
    terms, x, y = one.terms, one.word("x"), one.word("y")
    small, other = terms.ult(x, terms.bv(5, 32)), terms.eq(y, terms.bv(7, 32))
    assert one.swap(small) == Always(LayerName.SMT_GIVEN)
    asked = one.swaps.inclusions.counts.by_solver
    assert one.swap(small, other) == Always(LayerName.SMT_GIVEN)
    assert one.swap(terms.and_(small, other)) == Always(LayerName.SMT_GIVEN)
    assert one.swaps.inclusions.counts.by_solver == asked
    assert one.swap(other) == Never()
    assert one.swap() == Never()
    assert one.swap(terms.false) == Always(LayerName.SMT_GIVEN)


def test_contradictions(read: Reader) -> None:
    """An assertion that is plainly false allows everything; one that contradicts itself elsewhere need not be seen."""
    one = read("int x, y;", ATOMIC % "x = x & 7;", ATOMIC % "x = x + 1;", before="y = 1;", most=1)
    terms, x, y = one.terms, one.word("x"), one.word("y")
    zero = terms.bv(0, 32)
    assert one.swap(terms.slt(x, zero), terms.slt(zero, x)) == Always(LayerName.SMT_GIVEN)
    assert one.swap(terms.slt(y, zero), terms.slt(zero, y)) == Never()
    assert one.swap(terms.false) == Always(LayerName.SMT_GIVEN)
    assert one.swap() == Never()


def test_only_what_a_proof_used_is_kept_of_an_assertion(read: Reader) -> None:
    one = read("int x, y;", ATOMIC % "x = x & 7;", ATOMIC % "x = x + 1;", most=1)
    terms, x = one.terms, one.word("x")
    small, odd = terms.ult(x, terms.bv(5, 32)), terms.ne(x, terms.bv(1, 32))
    assert one.swap(small, odd) == Always(LayerName.SMT_GIVEN)
    asked = one.swaps.inclusions.counts.by_solver
    assert one.swap(small) == Always(LayerName.SMT_GIVEN)
    assert one.swaps.inclusions.counts.by_solver == asked


def test_a_state_that_refutes_is_tried_first(read: Reader) -> None:
    one = read("int x;", "x = 1;", "x = 2;", most=1)
    assert one.swap() == Never()
    asked = one.swaps.inclusions.counts.by_solver
    assert one.swap(one.terms.ne(one.word("x"), one.terms.bv(77, 32))) == Never()
    assert one.swaps.inclusions.counts.by_solver == asked


def test_direction(read: Reader) -> None:
    """x++ and `assume(x > 0); x--`: the guarded one first can be put behind, below the largest number; not before."""
    guarded = ATOMIC % "__VERIFIER_assume(x > 0); x--;"
    one = read("int x;", ATOMIC % "x++;", guarded, most=1)
    small = one.terms.slt(one.word("x"), one.terms.bv(100, 32))
    assert one.swap() == Never()
    assert one.back() == Never()
    assert one.back(small) == Inclusion(LayerName.SEMI)  # dec;inc is included in inc;dec
    assert one.swap(small) == Never()  # inc;dec from x = 0 is not possible the other way round
    one_more = one.terms.eq(one.word("x"), one.terms.bv(1, 32))
    assert one.swap(one_more) == Always(LayerName.SMT_GIVEN)


def test_a_trap_is_neither_hidden_nor_created(read: Reader) -> None:
    """The first makes the division of the second go wrong: without the order nobody would notice."""
    one = read("int x = 1, y;", "x = 0;", ATOMIC % "y = 5 / x;", most=1)
    zero = one.terms.eq(one.word("x"), one.terms.bv(0, 32))
    assert one.swap() == Never()
    assert one.back() == Never()
    assert one.swap(zero) == Always(LayerName.SMT_GIVEN)  # it goes wrong in both orders
    hides = read("int x = 1, y;", "x = 1;", ATOMIC % "y = 5 / x;", most=1)
    zero = hides.terms.eq(hides.word("x"), hides.terms.bv(0, 32))
    assert hides.swap(zero) == Never()


def test_inside_atomic_blocks_others_wait(read: Reader) -> None:
    loop = ATOMIC % "for (int i = 0; i < 3; i++) x++;"
    one = read("int x, y;", loop, "y = 1;", most=1)
    other = one.letter("two")
    inside = [letter for letter in one.automaton.templates["one"].letters if letter.source.depth or letter.target.depth]
    assert inside
    for letter in inside:
        a = InstanceLetter(Instance("one", 0), letter)
        enters, leaves = not letter.source.depth, not letter.target.depth
        assert one.swaps.may_drop(other, a) == (not enters)
        assert one.swaps.may_drop(a, other) == (not leaves)


def test_whoever_needs_deadlocks_is_told_who_disables_whom(read: Reader) -> None:
    one = read(MUTEX, "pthread_mutex_lock(&m);", "pthread_mutex_lock(&m);", most=1, keeps=Keeps.DEADLOCKS)
    assert one.swap() == Never()
    apart = read(MUTEX, "pthread_mutex_lock(&m);", "pthread_mutex_lock(&n);", most=1, keeps=Keeps.DEADLOCKS)
    assert isinstance(apart.swap(), Always)


def test_undecided_is_never(read: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    one = read("int x;", ATOMIC % "x = x | 1;", ATOMIC % "x = x + 2;", most=1)
    solver = type(one.swaps.inclusions._context.solver())  # pyright: ignore[reportPrivateUsage]
    with monkeypatch.context() as patch:
        patch.setattr(solver, "check", lambda *_, **__: Undecided(SolverVerdict.OUT_OF_TIME))
        assert one.swap() == Never()
    assert one.swap() == Never()  # not asked again under less or the same


def test_what_has_no_formula_never_swaps(read: Reader) -> None:
    one = read("int x; int *q;", "int **r = (int **)(long)x; *r = &x;", "x = 1;", most=1)
    answers = {type(one.swaps.swap(one.letter("one", i), one.letter("two"))) for i in range(len(one.visible("one")))}
    assert answers <= {Never, Always}
    assert Never in answers


def test_accesses_that_differ_by_their_addresses(read: Reader) -> None:
    """The condition is about the state before, and is all that is needed."""
    one = read("int a[4]; int i, j;", "int k = i; a[k] = 1;", "int k = j; a[k] = 2;", before="i = 1; j = 2;", most=1)
    a, b = one.letter("one", 1), one.letter("two", 1)
    answer = one.swaps.swap(a, b)
    assert isinstance(answer, When)
    assert one.swaps.swap(a, b, [answer.condition]) == Always(LayerName.SMT_GIVEN)
    assert isinstance(one.swaps.swap(a, b), When)  # what holds now is not taken for what holds always
    same = one.terms.not_(answer.condition)
    assert not isinstance(one.swaps.swap(a, b, [same]), Always | Inclusion)
    read_only = read("int a[4]; int i, j, s;", "int k = i; a[k] = 1;", "int k = j; s = a[k];", before="i = j = 1;")
    assert isinstance(read_only.swaps.swap(read_only.letter("one", 1), read_only.letter("two", 1)), When)


def test_a_condition_is_about_the_state_and_not_about_what_a_letter_leaves_open(read: Reader) -> None:
    one = read("int a[4], j;", ATOMIC % "a[__VERIFIER_nondet_int() & 3] = 1;", "int k = j; a[k] = 2;", before="j = 2;")
    assert one.swaps.swap(one.letter("one"), one.letter("two", 1)) == Never()


def test_under_one_lock_two_threads_are_never_at_once(read: Reader) -> None:
    body = "pthread_mutex_lock(&m); x = x * 2; pthread_mutex_unlock(&m);"
    one = read(MUTEX, body, "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);", most=1)
    for index in (1, 2):  # the load and the store
        assert one.swaps.swap(one.letter("one", index), one.letter("two", 1)) == Always(LayerName.LOCKS)
    assert one.swaps.swap(one.letter("one", 3), one.letter("two", 0)) == Never()  # unlock, then lock
    other = read(MUTEX, body, "pthread_mutex_lock(&n); x = 1; pthread_mutex_unlock(&n);", most=1)
    assert other.swaps.swap(other.letter("one", 2), other.letter("two", 1)) == Never()


@pytest.mark.parametrize(
    "breaks",
    [
        "pthread_mutex_unlock(&m); pthread_mutex_lock(&m); x = 1;",  # given back where it is not held
        "pthread_mutex_trylock(&m); x = 1;",  # perhaps not taken
        "pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); x = 1;",  # while the other holds it
        "*(int *)&m = 0; pthread_mutex_lock(&m); x = 1;",
        "if (y) pthread_mutex_lock(&m); x = 1;",
    ],
)
def test_locks_that_do_not_protect(read: Reader, breaks: str) -> None:
    one = read(MUTEX, "pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m);", breaks, before="y = 1;", most=1)
    stores = [one.letter("two", index) for index in range(len(one.visible("two")))]
    answers = [one.swaps.swap(one.letter("one", 1), store) for store in stores]
    assert all(answer.by is not LayerName.LOCKS for answer in answers)
    assert Never() in answers


@pytest.mark.parametrize(
    ("before", "trusted"),
    [
        ("pthread_mutex_init(&m, 0);", True),
        ("*(int *)&m = 0;", True),  # nobody holds it
        ("pthread_mutex_lock(&m); *(int *)&m = 0;", False),  # main is said to hold it, and does not
    ],
)
def test_locks_before_there_are_threads(read: Reader, before: str, trusted: bool) -> None:
    locks = "pthread_mutex_lock(&m); x = %d; pthread_mutex_unlock(&m);"
    one = read(MUTEX, locks % 1, locks % 2, before=before, after="x = 3;", most=1)
    by = one.swaps.swap(one.letter("one", 1), one.letter("two", 1)).by
    assert (by is LayerName.LOCKS) == trusted
    stores = [letter for letter in one.visible("main") if any(isinstance(i, ir.Store) for i in letter.instrs)]
    main = InstanceLetter(Instance("main", 0), stores[-1])
    assert one.swaps.swap(main, one.letter("one", 1)) == Never()


def test_waiting_on_a_condition_variable_gives_the_lock_back(read: Reader) -> None:
    waits = "pthread_mutex_lock(&m); x = 2; pthread_cond_wait(&c, &m); x = 3; pthread_mutex_unlock(&m);"
    locks = "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);"
    one = read(MUTEX + "pthread_cond_t c = PTHREAD_COND_INITIALIZER;", waits, locks, most=1)
    store = one.letter("two", 1)
    by = [one.swaps.swap(one.letter("one", index), store).by for index in range(len(one.visible("one")))]
    assert by.count(LayerName.LOCKS) == 2  # both stores; the others touch something else
    relock = next(i for i, letter in enumerate(one.visible("one")) if letter.may_wait and i)
    assert by[relock] is not LayerName.LOCKS


def test_one_answer_for_all_instances(read: Reader) -> None:
    """Under an assertion about the two that are meant: with equal arguments they do the same."""
    one = read("int x;", ATOMIC % "x = 3 * x + (int)(long)p;", "x = 1;", after="pthread_create(&t, 0, one, 0);", most=3)
    letters = [one.letter("one", number=number) for number in range(3)]
    pairs = [(a, b) for a in letters for b in letters if a is not b]
    assert [one.swaps.swap(a, b) for a, b in pairs] == [Never()] * 6
    assert one.swaps.inclusions.counts.by_solver <= 2
    [variable] = [v for v in one.encoder.transition(*letters[0]).reads if v.width == 64]
    own = [one.terms.bv_var(variable.name.replace("one:", f"{letter.instance}:", 1), 64) for letter in letters]
    own[0] = variable
    asked = one.swaps.inclusions.counts.by_solver
    for a, b in pairs:
        same = [one.terms.eq(own[x.instance.number], own[y.instance.number]) for x, y in pairs if {x, y} == {a, b}]
        others = [one.terms.eq(own[x.instance.number], own[y.instance.number]) for x, y in pairs if {x, y} != {a, b}]
        assert one.swaps.swap(a, b, same[:1]) == Always(LayerName.SMT_GIVEN)
        assert one.swaps.swap(a, b, others[:1]) == Never()
    assert one.swaps.inclusions.counts.by_solver - asked <= 4


def test_assertions_are_renamed_with_the_instances(read: Reader) -> None:
    one = read("int a[4], i;", "int k = i; a[k] = 1;", "int k = i; a[k] = 2;", before="i = 1;", most=3)
    letters = [one.letter("two", 1, number) for number in range(3)]
    other = one.letter("one", 1, 2)
    answers = [one.swaps.swap(other, b) for b in letters]
    assert all(isinstance(answer, When) for answer in answers)
    conditions = [answer.condition for answer in answers if isinstance(answer, When)]
    assert len(set(conditions)) == 3
    for number, b in enumerate(letters):
        for condition in conditions:
            swaps = isinstance(one.swaps.swap(other, b, [condition]), Always)
            assert swaps == (condition is conditions[number])


@pytest.mark.parametrize(
    ("declared", "first"),
    [
        ("__thread int t; int *q;", "q = &t;"),  # ends with its thread
        ("int *q; void leave(void) { pthread_exit(0); }", "int l = 0; q = &l; leave();"),  # of a call further out
    ],
)
def test_the_end_of_a_thread_ends_what_others_may_access(read: Reader, declared: str, first: str) -> None:
    """No static layer may miss it: behind the end the access goes wrong."""
    one = read(declared, first, "int *r = q; if (r) *r = 1;", most=1)
    ends = [letter for letter in one.automaton.templates["one"].letters if letter.target.at is End.FINISHED]
    stores = [letter for letter in one.visible("two") if any(isinstance(i, ir.Store) for i in letter.instrs)]
    assert ends
    assert stores
    for end in ends:
        for store in stores:
            a, b = InstanceLetter(Instance("one", 0), end), InstanceLetter(Instance("two", 0), store)
            assert not one.swaps.may_drop(a, b)
