"""Facts about synchronisation operations: one row per operation, every column in every row."""

from __future__ import annotations

from threadproof.ir.expr import registers
from threadproof.ir.instr import Instr, Sync
from threadproof.sync.facts.words import (
    Act,
    Attempt,
    Blocks,
    Family,
    LockMode,
    Locks,
    PointerSize,
    Seen,
    Stores,
    SyncFacts,
    Touches,
    WordUse,
)
from threadproof.sync.operations import (
    EBUSY,
    EINVAL,
    ENOTRECOVERABLE,
    ETIMEDOUT,
    MUTEX_FIELDS,
    OPERATIONS,
    OWNER,
    Field,
    Guarded,
    Operation,
    extent,
)

_A, _F, _NEVER, _NO, _TRY, _TIMED = Act, Family, Blocks.NEVER, Attempt.NO, Attempt.TRY, Attempt.TIMED
_OTHERS, _NOBODY, _FIXED, _STATE = Seen.BY_OTHERS, Seen.BY_NOBODY, Touches.FIXED, Touches.BY_STATE
_BUSY, _LATE, _FAILED = (EBUSY,), (ETIMEDOUT, EINVAL), (0xFFFFFFFF,)
_LOST = (ENOTRECOVERABLE,)


def _exclusive(holder: Field | None, failures: tuple[int, ...] = (), arg: int = 0) -> Locks:
    return Locks(arg, LockMode.EXCLUSIVE, failures, holder)


def _shared(holder: Field | None, failures: tuple[int, ...] = ()) -> Locks:
    return Locks(0, LockMode.SHARED, failures, holder)


def _field(operation: Operation, name: str) -> Field:
    assert isinstance(operation, Guarded)
    return next(field for field in operation.fields if field.name == name)


_WRITER, _SPINNER = _field(OPERATIONS["rw_wrlock"], "writer"), _field(OPERATIONS["spin_lock"], "holder")

_Row = tuple[Act, Family, Blocks, Attempt, Locks | None, int | None, tuple[int, ...], Seen, Touches]
# act, family, blocks, attempt, locks, releases, names, seen, touches
_GUARDED: dict[str, _Row] = {
    "mutex_lock": (_A.LOCK, _F.MUTEX, Blocks.HELD, _NO, _exclusive(OWNER), None, (), _OTHERS, _STATE),
    "mutex_trylock": (_A.LOCK, _F.MUTEX, _NEVER, _TRY, _exclusive(OWNER, _BUSY), None, (), _OTHERS, _STATE),
    "mutex_timedlock": (_A.LOCK, _F.MUTEX, _NEVER, _TIMED, _exclusive(OWNER, _LATE), None, (), _OTHERS, _STATE),
    "mutex_unlock": (_A.UNLOCK, _F.MUTEX, _NEVER, _NO, None, 0, (), _OTHERS, _FIXED),
    "mutex_init": (_A.INIT, _F.MUTEX, _NEVER, _NO, None, None, (), _OTHERS, _FIXED),
    "mutex_init_type": (_A.INIT, _F.MUTEX, _NEVER, _NO, None, None, (), _OTHERS, _FIXED),
    "mutex_destroy": (_A.DESTROY, _F.MUTEX, _NEVER, _NO, None, None, (), _OTHERS, _STATE),
    "robust_lock": (_A.LOCK, _F.MUTEX, Blocks.HELD, _NO, _exclusive(OWNER, _LOST), None, (), _OTHERS, _STATE),
    "robust_trylock": (_A.LOCK, _F.MUTEX, _NEVER, _TRY, _exclusive(OWNER, (*_LOST, *_BUSY)), None, (), _OTHERS, _STATE),
    "robust_timedlock": (
        *(_A.LOCK, _F.MUTEX, _NEVER, _TIMED, _exclusive(OWNER, (*_LOST, *_LATE)), None, (), _OTHERS, _STATE),
    ),
    "robust_unlock": (_A.UNLOCK, _F.MUTEX, _NEVER, _NO, None, 0, (), _OTHERS, _STATE),
    "robust_consistent": (_A.SET, _F.MUTEX, _NEVER, _NO, None, None, (), _OTHERS, _STATE),
    "robust_give_up": (_A.UNLOCK, _F.MUTEX, _NEVER, _NO, None, 0, (), _OTHERS, _STATE),
    "robust_destroy": (_A.DESTROY, _F.MUTEX, _NEVER, _NO, None, None, (), _OTHERS, _STATE),
    "robust_asked": (_A.GET, _F.MUTEX, _NEVER, _NO, None, None, (), _OTHERS, _STATE),
    "attr_set": (_A.SET, _F.ATTRIBUTES, _NEVER, _NO, None, None, (), _OTHERS, _STATE),
    "attr_get": (_A.GET, _F.ATTRIBUTES, _NEVER, _NO, None, None, (), _OTHERS, _STATE),
    "attr_init": (_A.INIT, _F.ATTRIBUTES, _NEVER, _NO, None, None, (), _OTHERS, _FIXED),
    "rw_rdlock": (_A.LOCK, _F.RWLOCK, Blocks.GUARD, _NO, _shared(_WRITER), None, (), _OTHERS, _STATE),
    "rw_tryrdlock": (_A.LOCK, _F.RWLOCK, _NEVER, _TRY, _shared(_WRITER, _BUSY), None, (), _OTHERS, _STATE),
    "rw_timedrdlock": (_A.LOCK, _F.RWLOCK, _NEVER, _TIMED, _shared(_WRITER, _LATE), None, (), _OTHERS, _STATE),
    "rw_wrlock": (_A.LOCK, _F.RWLOCK, Blocks.GUARD, _NO, _exclusive(_WRITER), None, (), _OTHERS, _STATE),
    "rw_trywrlock": (_A.LOCK, _F.RWLOCK, _NEVER, _TRY, _exclusive(_WRITER, _BUSY), None, (), _OTHERS, _STATE),
    "rw_timedwrlock": (_A.LOCK, _F.RWLOCK, _NEVER, _TIMED, _exclusive(_WRITER, _LATE), None, (), _OTHERS, _STATE),
    "rw_unlock": (_A.UNLOCK, _F.RWLOCK, _NEVER, _NO, None, 0, (), _OTHERS, _FIXED),
    "rw_init": (_A.INIT, _F.RWLOCK, _NEVER, _NO, None, None, (), _OTHERS, _FIXED),
    "spin_lock": (_A.LOCK, _F.SPIN, Blocks.HELD, _NO, _exclusive(_SPINNER), None, (), _OTHERS, _STATE),
    "spin_trylock": (_A.LOCK, _F.SPIN, _NEVER, _TRY, _exclusive(_SPINNER, _BUSY), None, (), _OTHERS, _STATE),
    "spin_unlock": (_A.UNLOCK, _F.SPIN, _NEVER, _NO, None, 0, (), _OTHERS, _FIXED),
    "spin_init": (_A.INIT, _F.SPIN, _NEVER, _NO, None, None, (), _OTHERS, _FIXED),
    "sem_wait": (_A.LOCK, _F.SEMAPHORE, Blocks.GUARD, _NO, _exclusive(None), None, (), _OTHERS, _STATE),
    "sem_trywait": (_A.LOCK, _F.SEMAPHORE, _NEVER, _TRY, _exclusive(None, _FAILED), None, (), _OTHERS, _STATE),
    "sem_timedwait": (_A.LOCK, _F.SEMAPHORE, _NEVER, _TIMED, _exclusive(None, _FAILED), None, (), _OTHERS, _STATE),
    "sem_post": (_A.UNLOCK, _F.SEMAPHORE, _NEVER, _NO, None, 0, (), _OTHERS, _FIXED),
    "sem_getvalue": (_A.GET, _F.SEMAPHORE, _NEVER, _NO, None, None, (), _OTHERS, _STATE),
    "sem_init": (_A.INIT, _F.SEMAPHORE, _NEVER, _NO, None, None, (), _OTHERS, _STATE),
    "barrier_arrive": (_A.ARRIVE, _F.BARRIER, _NEVER, _NO, None, None, (), _OTHERS, _STATE),
    "barrier_pass": (_A.PASS, _F.BARRIER, Blocks.GUARD, _NO, None, None, (), _OTHERS, _STATE),
    "barrier_init": (_A.INIT, _F.BARRIER, _NEVER, _NO, None, None, (), _OTHERS, _STATE),
    "once_enter": (_A.ENTER, _F.ONCE, Blocks.GUARD, _NO, None, None, (), _OTHERS, _STATE),
    "once_give_up": (_A.LEAVE, _F.ONCE, _NEVER, _NO, None, None, (), _OTHERS, _FIXED),
    "once_leave": (_A.LEAVE, _F.ONCE, _NEVER, _NO, None, None, (), _OTHERS, _FIXED),
    "look": (_A.LOOK, _F.ANY, _NEVER, _NO, None, None, (), _OTHERS, _STATE),
    "handle_equal": (_A.EQUAL, _F.THREAD, _NEVER, _NO, None, None, (0, 1), _NOBODY, _STATE),
}

_MUTEX = WordUse(1, extent(MUTEX_FIELDS), writes=True)
_CONDITION = WordUse(0, 1, writes=True)
# Not taken (EPERM) if `cond_enqueue` could not release it: who relies on this relies on releases of held locks only.
_AGAIN = _exclusive(OWNER, arg=1)

_Rest = tuple[tuple[int, ...], tuple[WordUse, ...], tuple[Stores, ...]]
# the columns above; keeps, uses, stores
_PRIMITIVES: dict[str, tuple[_Row, _Rest]] = {
    "thread_create": (
        (_A.CREATE, _F.THREAD, _NEVER, _NO, None, None, (), _OTHERS, _FIXED),
        ((1, 2), (), (Stores(0, PointerSize.SIZE),)),
    ),
    "thread_create_detached": (
        (_A.CREATE, _F.THREAD, _NEVER, _NO, None, None, (), _OTHERS, _FIXED),
        ((1, 2), (), (Stores(0, PointerSize.SIZE),)),
    ),
    "thread_join": (
        (_A.JOIN, _F.THREAD, Blocks.END, _NO, None, None, (0,), _OTHERS, _STATE),
        ((), (), (Stores(1, PointerSize.SIZE),)),
    ),
    "thread_join_int": (
        (_A.JOIN, _F.THREAD, Blocks.END, _NO, None, None, (0,), _OTHERS, _STATE),
        ((), (), (Stores(1, 4),)),
    ),
    "thread_detach": ((_A.DETACH, _F.THREAD, _NEVER, _NO, None, None, (0,), _OTHERS, _STATE), ((), (), ())),
    "thread_exit": ((_A.EXIT, _F.THREAD, _NEVER, _NO, None, None, (), _OTHERS, _FIXED), ((0,), (), ())),
    "thread_self": ((_A.SELF, _F.THREAD, _NEVER, _NO, None, None, (), _NOBODY, _STATE), ((), (), ())),
    "thread_cancel": ((_A.CANCEL, _F.THREAD, _NEVER, _NO, None, None, (0,), _OTHERS, _STATE), ((), (), ())),
    "cancel_point": ((_A.CANCEL_POINT, _F.THREAD, _NEVER, _NO, None, None, (), _OTHERS, _STATE), ((), (), ())),
    "cancel_state": (
        (_A.CANCEL_STATE, _F.THREAD, _NEVER, _NO, None, None, (), _OTHERS, _STATE),
        ((), (), (Stores(1, 4),)),
    ),
    "cond_enqueue": (
        (_A.ENQUEUE, _F.CONDITION, _NEVER, _NO, None, 1, (), _OTHERS, _FIXED),
        ((), (_CONDITION, _MUTEX), ()),
    ),
    "cond_relock": (
        (_A.WAKE, _F.CONDITION, Blocks.SIGNAL, _NO, _AGAIN, None, (), _OTHERS, _STATE),
        ((), (_CONDITION, _MUTEX), ()),
    ),
    "cond_relock_timed": (
        (_A.WAKE, _F.CONDITION, Blocks.SIGNAL, _TIMED, _AGAIN, None, (), _OTHERS, _STATE),
        ((), (_CONDITION, _MUTEX), ()),
    ),
    "cond_signal": ((_A.SIGNAL, _F.CONDITION, _NEVER, _NO, None, None, (), _OTHERS, _STATE), ((), (_CONDITION,), ())),
    "cond_broadcast": (
        (_A.BROADCAST, _F.CONDITION, _NEVER, _NO, None, None, (), _OTHERS, _STATE),
        ((), (_CONDITION,), ()),
    ),
    "key_create": (
        (_A.KEY_CREATE, _F.KEY, _NEVER, _NO, None, None, (), _OTHERS, _STATE),
        ((1,), (), (Stores(0, 4),)),
    ),
    "key_delete": ((_A.KEY_DELETE, _F.KEY, _NEVER, _NO, None, None, (), _OTHERS, _STATE), ((), (), ())),
    "key_set": ((_A.KEY_SET, _F.KEY, _NEVER, _NO, None, None, (), _NOBODY, _STATE), ((1,), (), ())),
    "key_get": ((_A.KEY_GET, _F.KEY, _NEVER, _NO, None, None, (), _NOBODY, _STATE), ((), (), ())),
    "atomic_begin": ((_A.BEGIN, _F.BLOCK, _NEVER, _NO, None, None, (), _OTHERS, _STATE), ((), (), ())),
    "atomic_end": ((_A.END, _F.BLOCK, _NEVER, _NO, None, None, (), _OTHERS, _STATE), ((), (), ())),
}


def _of_cases(operation: Guarded) -> _Rest:
    """What it keeps, uses and stores. Fields of its first argument are those of its object; a field of another
    argument that is set is a result."""
    written = {name for case in operation.cases for name, _ in case.sets}
    kept = {name for case in operation.cases for _, value in case.sets for name in registers(value)}
    uses: list[WordUse] = []
    stores: list[Stores] = []
    for arg in sorted({field.arg for field in operation.fields}):
        fields = [field for field in operation.fields if field.arg == arg]
        size = max(max(field.offset32, field.offset64) + field.bits // 8 for field in fields)
        writes = any(field.name in written for field in fields)
        if arg and writes:
            stores.append(Stores(arg, size))
        else:
            uses.append(WordUse(arg, size, writes))
    keeps = tuple(arg for arg in range(operation.arity) if f"arg{arg}" in kept)
    return keeps, tuple(uses), tuple(stores)


def _facts(operation: Operation) -> SyncFacts:
    if isinstance(operation, Guarded):
        return SyncFacts(*_GUARDED[operation.name], *_of_cases(operation))
    row, rest = _PRIMITIVES[operation.name]
    return SyncFacts(*row, *rest)


FACTS: dict[str, SyncFacts] = {name: _facts(operation) for name, operation in OPERATIONS.items()}


DETACHING = frozenset(("thread_create_detached", "thread_detach"))
"""After these nobody may join the thread."""

WAITS_FOR_THREAD, WAITS_FOR_MUTEX, WAITS_FOR_SIGNAL = "thread_join", "mutex_lock", "cond_wait"
"""What a blocked primitive waits for; a guarded operation that blocks waits by its own name."""


def sync_facts(instr: Sync) -> SyncFacts:
    return FACTS[instr.op]


def does(instr: Instr, *acts: Act) -> bool:
    """Whether the instruction is an operation that does one of these."""
    return isinstance(instr, Sync) and FACTS[instr.op].act in acts
