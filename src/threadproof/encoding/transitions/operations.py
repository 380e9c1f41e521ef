"""Synchronisation operations: guarded ones from their table, the others as rules over the variables of threads."""

from __future__ import annotations

from collections.abc import Sequence

from threadproof.automaton.letters import is_fork
from threadproof.automaton.program import Instance
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.sync_cases import WORD, guarded_step
from threadproof.encoding.transitions.allocation import SlotAllocation
from threadproof.encoding.transitions.memory import CellMemory
from threadproof.encoding.transitions.primitives import PrimitiveRule, Primitives
from threadproof.encoding.transitions.run import LetterRun
from threadproof.encoding.transitions.space import Space
from threadproof.ir.expr import Expr
from threadproof.ir.instr import Sync
from threadproof.ir.program import Spurious
from threadproof.smt.term import Term
from threadproof.sync.facts import DETACHING, Act, Family, sync_facts
from threadproof.sync.operations import (
    MUTEX_FIELDS,
    OPERATIONS,
    Cancellation,
    Case,
    Field,
    Guarded,
    lock_cases,
    unlock_cases,
)

_LOCK = Guarded("lock the mutex of a wait", 1, MUTEX_FIELDS, lock_cases())
_UNLOCK = Guarded("unlock the mutex of a wait", 1, MUTEX_FIELDS, unlock_cases())


class LetterOperations:
    def __init__(self, space: Space, memory: CellMemory, allocation: SlotAllocation, spurious: Spurious) -> None:
        self._space = space
        self._terms = space.terms
        self._memory = memory
        self._allocation = allocation
        self._primitives = Primitives(space, spurious)

    def execute(self, run: LetterRun, instr: Sync, starts: list[Instance]) -> None:
        operation, facts = OPERATIONS[instr.op], sync_facts(instr)
        if facts.family is Family.BLOCK:  # where a thread stands says whether it is inside
            run.depth += 1 if facts.act is Act.BEGIN else -1
            return
        args = [run.value(arg) for arg in instr.args]
        if self._space.cancels and operation.cancellation is Cancellation.POINT:
            if facts.act is Act.WAKE:
                raise CannotEncode("cancellation of threads that wait on condition variables")
            cancelled = self._primitives.is_cancelled(run)
            run.assume(cancelled if run.step.cancelled else self._terms.not_(cancelled))
            if run.step.cancelled:
                self._end(run, self._terms.bv(-1, self._space.bits))
                return
        if facts.act is Act.EXIT:
            self._end(run, args[0])
            return
        if isinstance(operation, Guarded):
            result = self._guarded(run, operation, instr.args, args, self._terms.true)
        elif is_fork(instr):
            if not run.step.enters:
                return  # nothing to start: the letter ends here
            rules = self._primitives.create(run, args, starts.pop(0), detached=instr.op in DETACHING)
            result = self._apply(run, instr.args, args, rules)
        elif facts.act in (Act.ENQUEUE, Act.WAKE):
            result = self._wait(run, instr, args)
        else:
            if facts.family is Family.CONDITION:
                self._memory.exists(run, instr.args[0], args[0])
            result = self._apply(run, instr.args, args, self._primitives.rules(run, instr, args))
        if instr.dst is not None:
            width = instr.dst.width
            wide = self._terms.zext(result, max(result.width, width))
            run.set_register(instr.dst.name, self._terms.extract(wide, width - 1, 0))

    # --- the end of a thread -----------------------------------------------------------------------------------------

    def return_from_thread(self, run: LetterRun, value: Term) -> None:
        if run.instance.template != self._space.automaton.main:
            self._end(run, value)

    def _end(self, run: LetterRun, value: Term) -> None:
        if self._space.has_destructors:
            raise CannotEncode("the end of a thread where destructors of keys may run")
        self._apply(run, (), (), self._primitives.end(run, value))
        self._allocation.leave(run, None)

    # --- guarded operations ------------------------------------------------------------------------------------------

    def _guarded(
        self, run: LetterRun, operation: Guarded, given: Sequence[Expr], args: Sequence[Term], when: Term
    ) -> Term:
        """The step of the operation, if `when`; it waits if none of its cases applies."""
        terms = self._terms
        words = {field.name: self._word(run, field, given, args, when) for field in operation.fields}
        done = guarded_step(terms, self._space.layout, operation, words, args, run.get(run.thread.handle))
        run.wait_for(terms.implies(when, done.moves))
        for field in operation.fields:
            if done.words[field.name] is words[field.name]:
                continue
            changes = terms.any(case_when for case, case_when in done.taken if _sets(case, field))
            changes, address = terms.and_(when, changes), self._address(field, args)
            self._memory.write(
                run,
                given[field.arg],
                address,
                field.bits // 8,
                done.words[field.name],
                changes,
                self._offset(field),
            )
            if field.arg:  # not the synchronisation object itself: a result
                reached = self._memory.reached(run, given[field.arg])
                run.access(reached, address, field.bits // 8, writes=True, atomic=False, when=changes)
        return done.result

    def _offset(self, field: Field) -> int:
        return field.offset64 if self._space.bits == 64 else field.offset32

    def _address(self, field: Field, args: Sequence[Term]) -> Term:
        base = args[field.arg]
        return self._terms.add(base, self._terms.bv(self._offset(field), base.width))

    def _word(self, run: LetterRun, field: Field, given: Sequence[Expr], args: Sequence[Term], when: Term) -> Term:
        terms, base = self._terms, args[field.arg]
        there, absent = when, None
        if field.if_null is not None:
            null = terms.eq(base, terms.bv(0, base.width))
            there, absent = terms.and_(when, terms.not_(null)), null
            if null is terms.true:
                return terms.bv(field.if_null, field.bits)
        value = self._memory.read(
            run, given[field.arg], self._address(field, args), field.bits // 8, there, self._offset(field)
        )
        return value if absent is None else terms.ite(absent, terms.bv(field.if_null or 0, field.bits), value)

    # --- condition variables -----------------------------------------------------------------------------------------

    def _wait(self, run: LetterRun, instr: Sync, args: Sequence[Term]) -> Term:
        """Waiting gives the mutex back in the same step, waking takes it."""
        terms, facts, mutex = self._terms, sync_facts(instr), (instr.args[1:], args[1:])
        if facts.act is Act.ENQUEUE:
            self._memory.exists(run, instr.args[0], args[0])
            failed = self._guarded(run, _UNLOCK, *mutex, terms.true)
            return self._apply(run, instr.args, args, self._primitives.enqueue(run, args, failed))
        waiting = self._primitives.is_waiting(run)
        result = self._apply(run, instr.args, args, self._primitives.wake(run, facts.attempt))
        self._guarded(run, _LOCK, *mutex, waiting)
        return result

    # --- rules -------------------------------------------------------------------------------------------------------

    def _apply(
        self, run: LetterRun, given: Sequence[Expr], args: Sequence[Term], rules: Sequence[PrimitiveRule]
    ) -> Term:
        """The first rule that holds; none: the thread waits."""
        terms = self._terms
        result, before = terms.bv(0, WORD), terms.true
        stored: dict[int, tuple[Term, Term, int]] = {}
        changes: list[tuple[Term, Term, Term]] = []
        for rule in rules:
            when = terms.and_(before, rule.when)
            before = terms.and_(before, terms.not_(rule.when))
            if rule.wrong is not None:
                run.trap(when, rule.wrong)
                continue
            result = terms.ite(when, rule.result, result) if rule.result.width == WORD else rule.result
            changes += [(when, variable, value) for variable, value in rule.sets.items()]
            for arg, value in rule.stores:
                wanted = terms.and_(when, terms.ne(args[arg], terms.bv(0, args[arg].width)))
                earlier = stored.get(arg, (terms.false, value, value.width))
                stored[arg] = (terms.or_(earlier[0], wanted), terms.ite(when, value, earlier[1]), value.width)
        run.wait_for(terms.not_(before))
        for arg, (wanted, value, width) in stored.items():
            if wanted is not terms.false:
                self._memory.write(run, given[arg], args[arg], width // 8, value, wanted)
                reached = self._memory.reached(run, given[arg])
                run.access(reached, args[arg], width // 8, writes=True, atomic=False, when=wanted)
        for when, variable, value in changes:
            run.set_if(when, variable, value)
        return result


def _sets(case: Case, field: Field) -> bool:
    return any(name == field.name for name, _ in case.sets)
