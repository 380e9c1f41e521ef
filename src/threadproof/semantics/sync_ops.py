"""The sync table's operations, executed. Guarded ones are read from their data, primitives are written out here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from threadproof.core.source import SourceLoc
from threadproof.core.thread_id import handle
from threadproof.core.thread_id import number as number_of
from threadproof.ir.expr import Expr
from threadproof.ir.instr import UndefinedKind
from threadproof.ir.layout import Layout
from threadproof.semantics.evaluate import Evaluator, ExpressionCompiler
from threadproof.semantics.outcome import Happening, OwnChoice, Telling, Trap, Unsupportable
from threadproof.semantics.run import BlockedHere, Run, Spurious, fitted
from threadproof.semantics.state import CANCELLABLE, Frame, Pending, Phase, Thread
from threadproof.semantics.waiters import begin_to_wait, stop_waiting, waiters_of, wake_up
from threadproof.sync.facts import WAITS_FOR_MUTEX, WAITS_FOR_SIGNAL, WAITS_FOR_THREAD
from threadproof.sync.footprint import KEYS, Mode, Touch, cancel_place, thread_place
from threadproof.sync.operations import (
    EAGAIN,
    EDEADLK,
    EINVAL,
    EPERM,
    ESRCH,
    ETIMEDOUT,
    KEYS_MAX,
    MUTEX_FIELDS,
    NO_KEY,
    OPERATIONS,
    Case,
    Field,
    Guarded,
    extent,
    lock_cases,
    unlock_cases,
)

Action = Callable[[Run, list[Any], SourceLoc], Any]
"""Executes an operation on its evaluated arguments: the result, or raises BlockedHere before any change."""

JOINS_DETACHED = "joining a detached thread"


class SyncOps:
    """Actions for every operation, compiled once per machine."""

    def __init__(self, layout: Layout, pointer_bits: int) -> None:
        self._layout = layout
        self._wide = pointer_bits == 64
        self._pointer_bits = pointer_bits
        self._cache: dict[str, Evaluator] = {}
        self._unlock = self._cases(MUTEX_FIELDS, unlock_cases(), 2)
        self._lock = self._cases(MUTEX_FIELDS, lock_cases(), 2)
        self._actions: dict[str, Action] = {}

    def action(self, name: str) -> Action:
        found = self._actions.get(name)
        if found is None:
            operation = OPERATIONS[name]
            found = self._guarded(operation) if isinstance(operation, Guarded) else getattr(self, f"_{name}")
            self._actions[name] = found
        return found

    # --- guarded operations ----------------------------------------------------------------------------------------

    def _guarded(self, operation: Guarded) -> Action:
        attempt = self._cases(operation.fields, operation.cases, operation.arity)

        def act(run: Run, args: list[Any], loc: SourceLoc) -> Any:
            plan = attempt(run, args, loc)
            if plan is None:
                raise BlockedHere(operation.name, args[0])
            return plan()

        return act

    def _cases(
        self, fields: tuple[Field, ...], cases: tuple[Case, ...], arity: int
    ) -> Callable[[Run, list[Any], SourceLoc], Callable[[], Any] | None]:
        """A function that finds the case that applies now and gives the closure that carries it out."""
        names = ["", "self", *(f"arg{i}" for i in range(arity)), *(field.name for field in fields)]
        slots = {name: index for index, name in enumerate(names)}
        compiler = ExpressionCompiler(self._layout, slots, self._cache)

        def compiled(expr: Expr) -> Evaluator:
            return compiler.compile(expr)

        table = [
            (compiled(case.when), [(name, compiled(value)) for name, value in case.sets], compiled(case.result), case)
            for case in cases
        ]
        by_name = {field.name: field for field in fields}
        size = extent(fields)

        def attempt(run: Run, args: list[Any], loc: SourceLoc) -> Callable[[], Any] | None:
            words = [arg & 0xFFFFFFFF if isinstance(arg, int) else 0 for arg in args]
            r = [0, run.handle(), *words, *(self._read(run, field, args) for field in fields)]
            for when, sets, result, case in table:
                if when(r, None):
                    values = [(by_name[name], value(r, None)) for name, value in sets]
                    return lambda: self._carry_out(run, args, values, result(r, None), case, size, loc)
            return None

        return attempt

    def _address(self, field: Field, args: list[Any]) -> Any:
        base, offset = args[field.arg], field.offset64 if self._wide else field.offset32
        return base + offset if isinstance(base, int) else base

    def _read(self, run: Run, field: Field, args: list[Any]) -> int:
        if field.if_null is not None and args[field.arg] == 0:
            return field.if_null
        return run.peek_word(self._address(field, args), field.bits)

    def _carry_out(
        self,
        run: Run,
        args: list[Any],
        values: list[tuple[Field, Any]],
        result: Any,
        case: Case,
        size: int,
        loc: SourceLoc,
    ) -> Any:
        if args:
            run.effects.append(Touch(args[0], size, case.mode))
        for field, value in values:
            if field.arg:  # not the synchronisation object itself: a result
                run.store_result(self._address(field, args), value, field.bits, loc)
            else:
                run.poke_word(self._address(field, args), value, field.bits)
        if case.note is not None:
            run.effects.append(Happening(Telling.NOTE, case.note.value, loc, args[0] if args else 0))
        return result

    # --- threads -----------------------------------------------------------------------------------------------------

    def _thread_create(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        return self._created(run, args, loc, detached=False)

    def _thread_create_detached(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        return self._created(run, args, loc, detached=True)

    def _created(self, run: Run, args: list[Any], loc: SourceLoc, *, detached: bool) -> Any:
        where, function, argument = args
        code = run.static.functions_at.get(function) if isinstance(function, int) else None
        if code is None:
            raise Trap(UndefinedKind.WILD_CALL, "the start routine of a thread")
        if len(code.params) > 1:
            raise Trap(UndefinedKind.BAD_CALL, "the start routine of a thread")
        creator = run.thread
        child = (*creator.id, creator.children)
        if code.params:
            argument = fitted(argument, self._pointer_bits, code.function.params[0].width)
        new = self._new_thread(child, code.name, code.slot_count, code.params, argument)
        run.store_result(where, handle(child), self._pointer_bits, loc)
        touch(run, thread_place(handle(child)), Mode.WRITE)
        run.thread = creator._replace(children=creator.children + 1)
        run.thread_created(number_of(child), new._replace(detached=detached))
        return 0

    def _new_thread(self, child: Any, function: str, slots: int, params: tuple[int, ...], argument: Any) -> Thread:
        layout = self._layout
        regs: list[Any] = [layout.arena(child)] + [None] * slots
        for slot in params:
            regs[slot] = argument
        stack, heap = layout.stack_start(child), layout.heap_start(child)
        frame = Frame(function, 0, tuple(regs), 0, stack)
        return Thread(child, (frame,), Phase.RUNNING, Pending.LOCAL, (), stack, (), heap)

    def _joined(self, run: Run, args: list[Any], bits: int, loc: SourceLoc) -> Any:
        touch_thread(run, args[0], Mode.WRITE)
        found = run.thread_by_handle(args[0])
        if found is None:
            return ESRCH
        number, thread = found
        if thread.detached:
            raise Unsupportable(JOINS_DETACHED)
        if number == run.number:
            return EDEADLK
        if thread.phase is not Phase.FINISHED:
            raise BlockedHere(WAITS_FOR_THREAD, args[0])
        if args[1] != 0:
            if not isinstance(thread.result, int):
                raise Unsupportable("a thread's result that points far outside its object")
            run.store_result(args[1], thread.result, bits, loc)
        run.change_thread(number, thread._replace(result=0))  # taken: nobody can ask again
        return 0

    def _thread_join(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        return self._joined(run, args, self._pointer_bits, loc)

    def _thread_join_int(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        return self._joined(run, args, 32, loc)

    def _thread_detach(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        touch_thread(run, args[0], Mode.WRITE)
        found = run.thread_by_handle(args[0])
        if found is None:
            return ESRCH
        number, thread = found
        if thread.detached:
            return EINVAL
        result = 0 if thread.phase is Phase.FINISHED else thread.result
        run.change_thread(number, thread._replace(detached=True, result=result))
        return 0

    def _thread_self(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        return run.handle()

    def _thread_cancel(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        touch_thread(run, args[0], Mode.READ)
        found = run.thread_by_handle(args[0])
        if found is None:
            return ESRCH
        number, thread = found
        touch(run, cancel_place(args[0]), Mode.WRITE)
        if thread.phase in CANCELLABLE:
            run.change_thread(number, thread._replace(cancelled=True))
        return 0

    def _cancel_point(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        return 0

    def _cancel_state(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        if args[0] not in (0, 1):
            return EINVAL
        if args[1] != 0:
            run.store_result(args[1], int(run.thread.cancel_disabled), 32, loc)
        run.thread = run.thread._replace(cancel_disabled=args[0] == 1)
        return 0

    # --- condition variables -----------------------------------------------------------------------------------------

    def _cond_enqueue(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        run.find(args[0])
        touch(run, args[0], Mode.WRITE)
        unlock = self._unlock(run, [args[1], 0], loc)
        assert unlock is not None, "unlocking never blocks"
        if unlock():
            return EPERM
        begin_to_wait(run, args[0])
        return 0

    def _cond_relock(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        waiting = run.thread.waiting
        if waiting is None:
            return EPERM
        if not waiting.woken and run.static.spurious is Spurious.OFF:
            raise BlockedHere(WAITS_FOR_SIGNAL, args[0])
        return self.take_mutex(run, args, loc, 0)

    def _cond_relock_timed(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        waiting = run.thread.waiting
        if waiting is None:
            return EPERM
        self.needs_mutex(run, args, loc)
        woken = run.static.spurious is Spurious.ON or waiting.woken
        timed_out = run.choose(OwnChoice.TIMEOUT.value, 0 if woken else 1, 1, 32, loc)
        return self.take_mutex(run, args, loc, ETIMEDOUT if timed_out else 0)

    def needs_mutex(self, run: Run, args: list[Any], loc: SourceLoc) -> None:
        """Who has waited cannot go on while another thread has the mutex."""
        if self._lock(run, [args[1], 0], loc) is None:
            raise BlockedHere(WAITS_FOR_MUTEX, args[1])

    def take_mutex(self, run: Run, args: list[Any], loc: SourceLoc, result: int = 0) -> Any:
        lock = self._lock(run, [args[1], 0], loc)
        if lock is None:
            raise BlockedHere(WAITS_FOR_MUTEX, args[1])
        lock()
        touch(run, args[0], stop_waiting(run))
        return result

    def _cond_signal(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        run.find(args[0])
        waiters = waiters_of(run, args[0])
        touch(run, args[0], Mode.WRITE if waiters else Mode.READ)
        if waiters:
            pick = run.choose(OwnChoice.WAITER.value, 0, len(waiters) - 1, 32, loc)
            wake_up(run, args[0], waiters[pick : pick + 1])
        return 0

    def _cond_broadcast(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        run.find(args[0])
        waiters = waiters_of(run, args[0])
        touch(run, args[0], Mode.WRITE if waiters else Mode.READ)
        wake_up(run, args[0], waiters)
        return 0

    # --- thread-specific data ----------------------------------------------------------------------------------------

    def _key_create(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        free = [key for key, destructor in enumerate(run.keys) if destructor == NO_KEY]
        key = free[0] if free else len(run.keys)
        touch(run, KEYS, Mode.WRITE)
        if key == KEYS_MAX:
            return EAGAIN
        run.store_result(args[0], key, 32, loc)
        run.keys = (*run.keys[:key], args[1], *run.keys[key + 1 :])
        return 0

    def _key_delete(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        key = args[0]
        if not _is_key(run, key):
            return EINVAL
        touch(run, KEYS, Mode.WRITE)
        run.keys = (*run.keys[:key], NO_KEY, *run.keys[key + 1 :])
        for number, thread in {**run.threads, run.number: run.thread}.items():
            if any(k == key for k, _ in thread.specifics):
                left = tuple((k, v) for k, v in thread.specifics if k != key)
                run.change_thread(number, thread._replace(specifics=left))
        return 0

    def _key_set(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        key, value = args
        if not _is_key(run, key):
            return EINVAL
        others = [(k, v) for k, v in run.thread.specifics if k != key]
        mine = [] if value == 0 else [(key, value)]
        run.thread = run.thread._replace(specifics=tuple(sorted([*others, *mine], key=lambda pair: pair[0])))
        return 0

    def _key_get(self, run: Run, args: list[Any], loc: SourceLoc) -> Any:
        return next((v for k, v in run.thread.specifics if k == args[0]), 0)


def _is_key(run: Run, key: int) -> bool:
    return 0 <= key < len(run.keys) and run.keys[key] != NO_KEY


def touch(run: Run, place: int, mode: Mode) -> None:
    run.effects.append(Touch(place, 1, mode))


def touch_thread(run: Run, value: Any, mode: Mode) -> None:
    if isinstance(value, int):
        touch(run, thread_place(value), mode)
