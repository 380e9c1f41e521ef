"""What each synchronisation operation does, as data.

A `Guarded` operation reads fields of its object, takes the first case whose condition holds, updates fields and
returns a result, all in one indivisible step; when no case holds it blocks. Conditions and values are ordinary `ir`
expressions over the field names, `arg0`, `arg1`, ... and `self` (the running thread's handle), so that the reference
semantics evaluates them, the code generator prints them as C and the encoding turns them into terms.

A `Primitive` touches what no field can hold (the set of threads, who waits for a condition variable) and is written
out by each reader; `tests/differential` compares the readers.

Synchronisation objects keep their state in their own first bytes, zero being the initial state, so static
initialisers, calloc and arrays of them just work. Offsets agree with glibc where its static initialisers matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Convert, ConvertOp, Expr, Reg
from threadproof.ir.instr import UndefinedKind
from threadproof.sync.footprint import Mode

SUCCESS = Const(0, 32)


class Cancellation(Enum):
    NEVER = "never"
    POINT = "point"  # a cancelled thread ends here instead


@dataclass(frozen=True, slots=True)
class Field:
    """A word of the object that argument `arg` points to."""

    name: str
    arg: int
    offset32: int
    offset64: int
    bits: int = 32
    if_null: int | None = None  # reading through a null pointer gives this (optional attributes)


@dataclass(frozen=True, slots=True)
class Case:
    when: Expr
    sets: tuple[tuple[str, Expr], ...] = ()
    result: Expr = SUCCESS
    note: UndefinedKind | None = None  # legal for us, undefined for POSIX: worth a remark in the trace
    counts: Mode | None = None  # how it touches its object, if it commutes with its like

    @property
    def mode(self) -> Mode:
        if self.counts is not None:
            return self.counts
        return Mode.WRITE if self.sets else Mode.READ


@dataclass(frozen=True, slots=True)
class Guarded:
    name: str
    arity: int
    fields: tuple[Field, ...]
    cases: tuple[Case, ...]
    cancellation: Cancellation = Cancellation.NEVER


@dataclass(frozen=True, slots=True)
class Primitive:
    name: str
    arity: int
    says: str
    cancellation: Cancellation = Cancellation.NEVER


Operation = Guarded | Primitive

EPERM, ESRCH, EAGAIN, EBUSY, EINVAL, EDEADLK, ETIMEDOUT = 1, 3, 11, 16, 22, 35, 110
EOWNERDEAD, ENOTRECOVERABLE = 130, 131
KEYS_MAX = 1024  # PTHREAD_KEYS_MAX
NO_KEY = 1  # the destructor of a deleted key; no function has this address
BARRIER_SERIAL_THREAD = 0xFFFFFFFF

TRUE = Const(1, 1)
SELF = Reg("self", 32)


def _n(value: int) -> Const:
    return Const(value, 32)


def _r(name: str) -> Reg:
    return Reg(name, 32)


def _arg(index: int, width: int = 32) -> Reg:
    return Reg(f"arg{index}", width)


def _eq(left: Expr, right: Expr) -> Expr:
    return Compare(CompareOp.EQ, left, right)


def _gt(left: Expr, right: Expr) -> Expr:
    return Compare(CompareOp.ULT, right, left)


def _and(left: Expr, right: Expr) -> Expr:
    return Binary(BinaryOp.AND, left, right)


def _plus(left: Expr, value: int) -> Expr:
    return Binary(BinaryOp.ADD, left, Const(value & 0xFFFFFFFF, 32))


# --- mutexes -------------------------------------------------------------------------------------------------

OWNER, COUNT, KIND = Field("owner", 0, 0, 0), Field("count", 0, 4, 4), Field("kind", 0, 12, 16)
NORMAL, RECURSIVE, ERRORCHECK = 0, 1, 2
_MUTEX = (OWNER, COUNT, KIND)


def _kind_is(kind: int) -> Expr:
    return _eq(_and(_r("kind"), _n(3)), _n(kind))


_FREE = _eq(_r("owner"), _n(0))
_MINE = _eq(_r("owner"), SELF)
_TAKE = Case(_FREE, (("owner", SELF), ("count", _n(1))))
_AGAIN = Case(_and(_kind_is(RECURSIVE), _MINE), (("count", _plus(_r("count"), 1)),))
_SELF_DEADLOCK = Case(_and(_kind_is(ERRORCHECK), _MINE), result=_n(EDEADLK))
_BUSY = Case(TRUE, result=_n(EBUSY))
# A timed operation never runs out of time while it could succeed; one that waits may do so at every moment. Its last
# argument is what it gives then: ETIMEDOUT, or EINVAL if the time itself is none.
_LATE = Case(TRUE, result=_arg(1))
_NO_TIME = Case(_eq(_arg(1), _n(EINVAL)), result=_n(EINVAL))

_UNLOCK_CASES = (
    Case(
        _and(_and(_kind_is(RECURSIVE), _MINE), _gt(_r("count"), _n(1))),
        (("count", _plus(_r("count"), -1)),),
    ),
    Case(_MINE, (("owner", _n(0)), ("count", _n(0)))),
    Case(_kind_is(RECURSIVE), result=_n(EPERM), note=UndefinedKind.UNLOCK_NOT_LOCKED),
    Case(_kind_is(ERRORCHECK), result=_n(EPERM), note=UndefinedKind.UNLOCK_NOT_LOCKED),
    Case(_FREE, note=UndefinedKind.UNLOCK_NOT_LOCKED),
    # Another thread's normal mutex: undefined for POSIX; it becomes free, as with glibc.
    Case(TRUE, (("owner", _n(0)), ("count", _n(0))), note=UndefinedKind.UNLOCK_NOT_LOCKED),
)

_ATTR_KIND = Field("attr_kind", 1, 0, 0, if_null=0)

_MUTEX_OPS = (
    Guarded("mutex_lock", 1, _MUTEX, (_TAKE, _AGAIN, _SELF_DEADLOCK)),
    Guarded("mutex_trylock", 1, _MUTEX, (_TAKE, _AGAIN, _BUSY)),
    Guarded("mutex_timedlock", 2, _MUTEX, (_TAKE, _AGAIN, _SELF_DEADLOCK, _LATE)),
    Guarded("mutex_unlock", 1, _MUTEX, _UNLOCK_CASES),
    Guarded(
        "mutex_init",
        2,
        (*_MUTEX, _ATTR_KIND),
        (Case(TRUE, (("owner", _n(0)), ("count", _n(0)), ("kind", _r("attr_kind")))),),
    ),
    Guarded(
        "mutex_init_type",  # C11: the kind is an argument; 1 is mtx_recursive, other bits do not matter in glibc
        2,
        _MUTEX,
        (Case(TRUE, (("owner", _n(0)), ("count", _n(0)), ("kind", _and(_arg(1), _n(1))))),),
    ),
    Guarded("mutex_destroy", 1, _MUTEX, (Case(_FREE), _BUSY)),
    Guarded(
        "attr_set",  # the kind; the other bits of the word are settings that do not matter here
        2,
        (Field("attr", 0, 0, 0),),
        (
            Case(_gt(_arg(1), _n(3)), result=_n(EINVAL)),
            Case(TRUE, (("attr", Binary(BinaryOp.OR, _and(_r("attr"), _n(0xFFFFFFFC)), _arg(1))),)),
        ),
    ),
    Guarded(
        "attr_get",
        2,
        (Field("attr", 0, 0, 0), Field("out", 1, 0, 0)),
        (Case(TRUE, (("out", _and(_r("attr"), _n(3))),)),),
    ),
    Guarded("attr_init", 1, (Field("attr", 0, 0, 0),), (Case(TRUE, (("attr", _n(0)),)),)),
)

# --- mutexes of programs that have robust ones -------------------------------------------------------------------
# The count also says what became of the owner. A free mutex with a count other than zero is of a dead owner, or is not
# recoverable. The runtime library has to know which robust mutexes a thread holds: results say which of them are.

_ROBUST, _INCONSISTENT, _DEAD, _NOT_RECOVERABLE = 1 << 30, 1 << 31, 1 << 30, 1 << 29
_COUNTED = _NOT_RECOVERABLE - 1
TAKEN_ROBUST = 256  # and so given back: 0 for the program


def _has(word: str, bit: int) -> Expr:
    return Compare(CompareOp.NE, _and(_r(word), _n(bit)), _n(0))


_IS_ROBUST = _has("kind", _ROBUST)
_ROBUST_MINE = _and(_IS_ROBUST, _MINE)
_OF_THE_DEAD = Case(
    _and(_FREE, _has("count", _DEAD)), (("owner", SELF), ("count", _n(_INCONSISTENT | 1))), _n(EOWNERDEAD)
)
_ROBUST_TAKES = (
    Case(_and(_FREE, _and(_IS_ROBUST, _eq(_r("count"), _n(0)))), _TAKE.sets, _n(TAKEN_ROBUST)),
    _OF_THE_DEAD,
    Case(_and(_FREE, _IS_ROBUST), result=_n(ENOTRECOVERABLE)),
    _TAKE,
    Case(_and(_AGAIN.when, _IS_ROBUST), _AGAIN.sets, _n(TAKEN_ROBUST)),
    _AGAIN,
)
_ROBUST_TRY_SELF = Case(_and(_ROBUST_MINE, _kind_is(ERRORCHECK)), result=_n(EDEADLK))
_STILL_MINE = _and(_and(_ROBUST_MINE, _kind_is(RECURSIVE)), _gt(_and(_r("count"), _n(_COUNTED)), _n(1)))
_ONE_LESS = (("count", _plus(_r("count"), -1)),)
_GIVEN_UP = (("owner", _n(0)), ("count", Binary(BinaryOp.OR, _and(_r("count"), _n(_INCONSISTENT)), _n(_DEAD))))

_ROBUST_OPS = (
    Guarded("robust_lock", 1, _MUTEX, (*_ROBUST_TAKES, _SELF_DEADLOCK)),
    Guarded("robust_trylock", 1, _MUTEX, (*_ROBUST_TAKES, _ROBUST_TRY_SELF, _BUSY)),
    Guarded("robust_timedlock", 2, _MUTEX, (*_ROBUST_TAKES, _SELF_DEADLOCK, _LATE)),
    Guarded(
        "robust_unlock",
        1,
        _MUTEX,
        (
            Case(_and(_STILL_MINE, _has("count", _INCONSISTENT)), _ONE_LESS, _n(ENOTRECOVERABLE)),
            Case(_STILL_MINE, _ONE_LESS, _n(TAKEN_ROBUST)),
            Case(
                _and(_ROBUST_MINE, _has("count", _INCONSISTENT)),
                (("owner", _n(0)), ("count", _n(_NOT_RECOVERABLE))),
                _n(TAKEN_ROBUST),
            ),
            Case(_ROBUST_MINE, (("owner", _n(0)), ("count", _n(0))), _n(TAKEN_ROBUST)),
            Case(_IS_ROBUST, result=_n(EPERM)),
            *_UNLOCK_CASES,
        ),
    ),
    Guarded(
        "robust_consistent",  # as glibc, whoever calls it
        1,
        _MUTEX,
        (
            Case(
                _and(_IS_ROBUST, _has("count", _INCONSISTENT)),
                (("count", _and(_r("count"), _n(0xFFFFFFFF ^ _INCONSISTENT))),),
            ),
            Case(TRUE, result=_n(EINVAL)),
        ),
    ),
    Guarded(
        "robust_give_up",  # its owner ends
        1,
        _MUTEX,
        (Case(_ROBUST_MINE, _GIVEN_UP), Case(TRUE)),
    ),
    Guarded("robust_destroy", 1, _MUTEX, (Case(_IS_ROBUST), Case(_FREE), _BUSY)),
    Guarded(
        "robust_asked",
        1,
        _MUTEX,
        (Case(TRUE, result=Convert(ConvertOp.ZEXT, _IS_ROBUST, 32)),),
    ),
)

# --- read-write locks ------------------------------------------------------------------------------------------

_RW = (Field("readers", 0, 0, 0), Field("writer", 0, 4, 4))
_NO_WRITER = _eq(_r("writer"), _n(0))
_READ = Case(_NO_WRITER, (("readers", _plus(_r("readers"), 1)),), counts=Mode.SHARE)
_WRITE = Case(_and(_NO_WRITER, _eq(_r("readers"), _n(0))), (("writer", SELF),))
_WRITER_AGAIN = Case(_eq(_r("writer"), SELF), result=_n(EDEADLK))

_RWLOCK_OPS = (
    Guarded("rw_rdlock", 1, _RW, (_READ, _WRITER_AGAIN)),
    Guarded("rw_tryrdlock", 1, _RW, (_READ, _BUSY)),
    Guarded("rw_timedrdlock", 2, _RW, (_NO_TIME, _READ, _WRITER_AGAIN, _LATE)),
    Guarded("rw_wrlock", 1, _RW, (_WRITE, _WRITER_AGAIN)),
    Guarded("rw_trywrlock", 1, _RW, (_WRITE, _BUSY)),
    Guarded("rw_timedwrlock", 2, _RW, (_NO_TIME, _WRITE, _WRITER_AGAIN, _LATE)),
    Guarded(
        "rw_unlock",
        1,
        _RW,
        (
            Case(_eq(_r("writer"), SELF), (("writer", _n(0)),)),
            Case(_gt(_r("readers"), _n(0)), (("readers", _plus(_r("readers"), -1)),), counts=Mode.SHARE),
            Case(TRUE, note=UndefinedKind.UNLOCK_NOT_LOCKED),
        ),
    ),
    Guarded("rw_init", 1, _RW, (Case(TRUE, (("readers", _n(0)), ("writer", _n(0)))),)),
)

# --- spin locks, semaphores, barriers, once ----------------------------------------------------------------------

_SPIN = (Field("holder", 0, 0, 0),)
_SPIN_FREE = _eq(_r("holder"), _n(0))
_SPIN_OPS = (
    Guarded("spin_lock", 1, _SPIN, (Case(_SPIN_FREE, (("holder", SELF),)),)),
    Guarded("spin_trylock", 1, _SPIN, (Case(_SPIN_FREE, (("holder", SELF),)), _BUSY)),
    Guarded(
        "spin_unlock",
        1,
        _SPIN,
        (Case(_SPIN_FREE, note=UndefinedKind.UNLOCK_NOT_LOCKED), Case(TRUE, (("holder", _n(0)),))),
    ),
    Guarded("spin_init", 1, _SPIN, (Case(TRUE, (("holder", _n(0)),)),)),
)

_SEM = (Field("value", 0, 0, 0),)
_SEM_MAX = 0x7FFFFFFF  # SEM_VALUE_MAX
_SEM_TAKE = Case(_gt(_r("value"), _n(0)), (("value", _plus(_r("value"), -1)),))
_MINUS_ONE = Case(TRUE, result=_n(0xFFFFFFFF))
_SEM_OPS = (
    Guarded("sem_wait", 1, _SEM, (_SEM_TAKE,), cancellation=Cancellation.POINT),
    Guarded("sem_trywait", 1, _SEM, (_SEM_TAKE, _MINUS_ONE)),
    Guarded(
        "sem_timedwait",
        2,
        _SEM,
        (Case(_eq(_arg(1), _n(EINVAL)), result=_n(0xFFFFFFFF)), _SEM_TAKE, _MINUS_ONE),
        cancellation=Cancellation.POINT,
    ),
    Guarded(
        "sem_post",
        1,
        _SEM,
        (
            Case(_eq(_r("value"), _n(_SEM_MAX)), result=_n(0xFFFFFFFF)),
            Case(TRUE, (("value", _plus(_r("value"), 1)),), counts=Mode.POST),
        ),
    ),
    Guarded(
        "sem_getvalue",
        2,
        (*_SEM, Field("out", 1, 0, 0)),
        (Case(TRUE, (("out", _r("value")),)),),
    ),
    Guarded(
        "sem_init",
        2,
        _SEM,
        (Case(_gt(_arg(1), _n(_SEM_MAX)), result=_n(0xFFFFFFFF)), Case(TRUE, (("value", _arg(1)),))),
    ),
)

_BARRIER = (Field("needed", 0, 0, 0), Field("arrived", 0, 4, 4), Field("round", 0, 8, 8))
_MOST_ARRIVALS = 0x7FFFFFFF  # glibc's bound
_LAST = _eq(_plus(_r("arrived"), 1), _r("needed"))
# The ticket tells the second half which round was joined (odd: I was the last one).
_TICKET = Binary(BinaryOp.SHL, _r("round"), _n(1))
_MY_ROUND = Binary(BinaryOp.LSHR, _arg(1), _n(1))
_ROUND = Binary(BinaryOp.AND, _r("round"), _n(0x7FFFFFFF))


def _round_is(parity: int) -> Expr:
    return _eq(_and(_r("round"), _n(1)), _n(parity))


def _completes(parity: int, counts: Mode) -> Case:
    sets = (("arrived", _n(0)), ("round", _plus(_r("round"), 1)))
    ticket = Binary(BinaryOp.OR, _TICKET, _n(1))
    return Case(_and(_LAST, _round_is(parity)), sets, ticket, counts=counts)


def _joins(parity: int, counts: Mode) -> Case:
    return Case(_round_is(parity), (("arrived", _plus(_r("arrived"), 1)),), _TICKET, counts=counts)


_BARRIER_OPS = (
    Guarded(
        "barrier_arrive",
        1,
        _BARRIER,
        (
            _completes(0, Mode.COMPLETE_EVEN),
            _completes(1, Mode.COMPLETE_ODD),
            _joins(0, Mode.ARRIVE_EVEN),
            _joins(1, Mode.ARRIVE_ODD),
        ),
    ),
    Guarded(
        "barrier_pass",
        2,
        _BARRIER,
        (
            Case(_eq(_and(_arg(1), _n(1)), _n(1)), result=_n(BARRIER_SERIAL_THREAD)),
            Case(Compare(CompareOp.NE, _ROUND, _MY_ROUND)),
        ),
    ),
    Guarded(
        "barrier_init",
        2,
        _BARRIER,
        (
            Case(_eq(_arg(1), _n(0)), result=_n(EINVAL)),
            Case(_gt(_arg(1), _n(_MOST_ARRIVALS - 1)), result=_n(EINVAL)),
            Case(TRUE, (("needed", _arg(1)), ("arrived", _n(0)), ("round", _n(0)))),
        ),
    ),
)

_ONCE = (Field("once", 0, 0, 0),)
_ONCE_OPS = (
    Guarded(
        "once_enter",  # 1: run the routine, then once_leave; 0: somebody has; blocks while somebody does
        1,
        _ONCE,
        (
            Case(_eq(_r("once"), _n(0)), (("once", _n(1)),), result=_n(1)),
            Case(_eq(_r("once"), _n(2))),
        ),
    ),
    Guarded("once_give_up", 1, _ONCE, (Case(TRUE, (("once", _n(0)),)),)),
    Guarded("once_leave", 1, _ONCE, (Case(TRUE, (("once", _n(2)),)),)),
)

# --- what no field can hold -----------------------------------------------------------------------------------------

POINT = Cancellation.POINT
_PRIMITIVES = (
    Primitive("thread_create", 3, "stores the new handle through arg0, starts arg1(arg2); returns 0"),
    Primitive("thread_create_detached", 3, "as thread_create; nobody may join the thread"),
    Primitive("thread_join", 2, "waits for the end of thread arg0; its result goes to *arg1", POINT),
    Primitive("thread_join_int", 2, "as thread_join, with an int result (C11)", POINT),
    Primitive("thread_detach", 1, "marks thread arg0 as never to be joined; EINVAL if it is already"),
    Primitive("thread_exit", 1, "ends the running thread with result arg0, after its key destructors"),
    Primitive("thread_self", 0, "the running thread's handle"),
    Primitive("thread_cancel", 1, "asks thread arg0 to end at its next cancellation point"),
    Primitive("cancel_point", 0, "ends the thread if it was cancelled", POINT),
    Primitive(
        "cancel_state",
        2,
        "enables (0) or disables (1) cancellation, else EINVAL; the old state goes to *arg1",
    ),
    Primitive(
        "cond_enqueue",
        2,
        "joins the waiters of arg0 and unlocks mutex arg1, in one step; if that fails, nothing",
    ),
    Primitive(
        "cond_relock",
        2,
        "waits for a wake-up (or a spurious one), then takes the mutex arg1; EPERM at once if unlocking it failed",
        POINT,
    ),
    Primitive("cond_relock_timed", 2, "as cond_relock, or times out (ETIMEDOUT) at any moment", POINT),
    Primitive("cond_signal", 1, "wakes one waiter of arg0, any of them"),
    Primitive("cond_broadcast", 1, "wakes all waiters of arg0"),
    Primitive(
        "key_create",
        2,
        "a new key goes to *arg0, with destructor arg1; null for every thread; EAGAIN if there are 1024",
    ),
    Primitive("key_delete", 1, "there is no such key any more; EINVAL if there was none"),
    Primitive("key_set", 2, "the running thread's value of key arg0 becomes arg1; EINVAL: no such key"),
    Primitive("key_get", 1, "the running thread's value of key arg0"),
    Primitive("atomic_begin", 0, "no other thread moves until atomic_end"),
    Primitive("atomic_end", 0, "ends the atomic block"),
)

_OTHER_OPS = (
    Guarded(
        "look",  # the object from its first word to its last (arg1) must be there; both answers are the same
        2,
        (Field("first", 0, 0, 0), Field("last", 1, 0, 0)),
        (Case(_eq(_r("first"), _r("last"))), Case(TRUE)),
    ),
    Guarded(
        "handle_equal",
        2,
        (),
        (Case(TRUE, result=Convert(ConvertOp.ZEXT, _eq(_arg(0), _arg(1)), 32)),),
    ),
)

OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        *_MUTEX_OPS,
        *_ROBUST_OPS,
        *_RWLOCK_OPS,
        *_SPIN_OPS,
        *_SEM_OPS,
        *_BARRIER_OPS,
        *_ONCE_OPS,
        *_PRIMITIVES,
        *_OTHER_OPS,
    )
}


def unlock_cases() -> tuple[Case, ...]:
    """The cases of mutex_unlock: waiting on a condition variable unlocks in the same way."""
    return _UNLOCK_CASES


def lock_cases() -> tuple[Case, ...]:
    """The cases of mutex_lock: waking from a condition variable locks in the same way."""
    return (_TAKE, _AGAIN)


MUTEX_FIELDS = _MUTEX
ATOMIC_BEGIN, ATOMIC_END, LOOK = "atomic_begin", "atomic_end", "look"


def extent(fields: tuple[Field, ...]) -> int:
    """Bytes of the synchronisation object that the fields lie in (the larger of the data models)."""
    return max((max(f.offset32, f.offset64) + f.bits // 8 for f in fields if not f.arg), default=1)
