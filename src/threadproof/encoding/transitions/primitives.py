"""Operations on threads in one declarative form: rules over the variables of thread instances.

The first rule whose condition holds says what happens; if none holds, the thread waits. Each rule is the text of
`sync.operations` for one case; `semantics.sync_ops` is what they are held against.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from threadproof.automaton.program import Instance
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.sync_cases import WORD
from threadproof.encoding.transitions.handles import child_handle
from threadproof.encoding.transitions.run import LetterRun
from threadproof.encoding.transitions.space import ORDINAL_BITS, Space, ThreadVariables
from threadproof.encoding.transitions.transition import Wrong
from threadproof.ir.instr import Sync, UndefinedKind
from threadproof.ir.program import Spurious
from threadproof.smt.term import Term
from threadproof.sync.facts import Act, Attempt, sync_facts
from threadproof.sync.operations import EDEADLK, EINVAL, EPERM, ESRCH, ETIMEDOUT

WHICH_WAITER = "which waiter the signal wakes"
_DETACHED = NotEncoded("joining a detached thread")
_KEYS = NotEncoded("more keys than places that create one")


@dataclass(frozen=True, slots=True)
class PrimitiveRule:
    when: Term
    result: Term
    sets: Mapping[Term, Term] = field(default_factory=dict[Term, Term])
    stores: tuple[tuple[int, Term], ...] = ()  # what goes where an argument points to, unless that is null
    wrong: Wrong | None = None


class Primitives:
    def __init__(self, space: Space, spurious: Spurious) -> None:
        self._space = space
        self._terms = space.terms
        self._spurious = spurious
        self._table: dict[Act, Callable[[LetterRun, Sequence[Term]], list[PrimitiveRule]]] = {
            Act.DETACH: self._detach,
            Act.SELF: self._self,
            Act.CANCEL_POINT: lambda run, args: [self._rule()],
            Act.SIGNAL: self._signal,
            Act.BROADCAST: self._broadcast,
            Act.CANCEL: self._cancel,
            Act.CANCEL_STATE: self._cancel_state,
            Act.KEY_CREATE: self._key_create,
            Act.KEY_DELETE: self._key_delete,
            Act.KEY_SET: self._key_set,
            Act.KEY_GET: self._key_get,
        }

    def rules(self, run: LetterRun, instr: Sync, args: Sequence[Term]) -> list[PrimitiveRule]:
        facts = sync_facts(instr)
        if facts.act is Act.JOIN:
            return self._join(run, args, 8 * facts.stores[0].bytes(self._space.bits // 8))
        found = self._table.get(facts.act)
        if found is None:
            raise CannotEncode(f"the operation {instr.op}")
        return found(run, args)

    def _rule(
        self, when: Term | None = None, result: int = 0, sets: Mapping[Term, Term] | None = None
    ) -> PrimitiveRule:
        return PrimitiveRule(self._terms.true if when is None else when, self._terms.bv(result, WORD), sets or {})

    def _is(self, run: LetterRun, thread: ThreadVariables, handle: Term) -> Term:
        """Whether this is the handle of the instance, which has been started."""
        own = self._terms.zext(run.get(thread.handle), max(handle.width, WORD))
        same = self._terms.eq(self._terms.extract(own, handle.width - 1, 0), handle)
        return self._terms.and_(run.get(thread.started), same)

    # --- threads -----------------------------------------------------------------------------------------------------

    def create(self, run: LetterRun, args: Sequence[Term], child: Instance, *, detached: bool) -> list[PrimitiveRule]:
        """Starts this instance, the next of its template. Its routine is one of those that points-to knows."""
        terms, space, step = self._terms, self._space, run.step
        if child not in space.threads or child.template != step.enters:
            raise CannotEncode(f"more threads of {child.template} than there is room for")
        thread, own, routine = space.threads[child], run.thread, args[1]
        names = space.callees.of(step.site, step.instr)  # type: ignore[arg-type]
        places = {name: terms.bv(space.layout.functions[name], routine.width) for name in names}
        wild = terms.not_(terms.any(terms.eq(routine, place) for place in places.values()))
        handle = child_handle(terms, run.get(own.handle), run.get(own.children))
        handle = space.known.get(thread.handle, handle)
        children = terms.add(run.get(own.children), terms.bv(1, WORD))
        sets = {thread.started: terms.true, thread.handle: handle, own.children: children}
        sets[thread.detached] = terms.bool(detached)
        for param in space.program.functions[child.template].params:
            if param.width > args[2].width:
                raise CannotEncode("the parameter of a thread's routine")
            register = space.register(child, (), child.template, param.name)
            sets[register] = terms.extract(args[2], param.width - 1, 0)
        turn = terms.not_(run.get(thread.started))
        if child.number and child.template not in space.many:
            turn = terms.and_(turn, run.get(space.threads[Instance(child.template, child.number - 1)].started))
        here = terms.and_(terms.eq(routine, places[child.template]), turn)
        run.assume(terms.or_(wild, here))  # other routines, other letters: nobody waits for that
        wide = terms.zext(handle, max(space.bits, WORD))
        return [
            PrimitiveRule(wild, terms.bv(0, WORD), wrong=UndefinedKind.WILD_CALL),
            PrimitiveRule(terms.true, terms.bv(0, WORD), sets, ((0, terms.extract(wide, space.bits - 1, 0)),)),
        ]

    def _join(self, run: LetterRun, args: Sequence[Term], bits: int) -> list[PrimitiveRule]:
        terms, threads = self._terms, self._space.threads
        is_it = self._joined(run, args[0])
        nobody = terms.not_(terms.any(is_it.values()))
        found = [self._rule(nobody, ESRCH)]
        for instance, thread in threads.items():
            detached = terms.and_(is_it[instance], run.get(thread.detached))
            found.append(PrimitiveRule(detached, terms.bv(0, WORD), wrong=_DETACHED))
        found.append(self._rule(is_it[run.instance], EDEADLK))
        for instance, thread in threads.items():
            if instance != run.instance:
                over = terms.and_(is_it[instance], run.get(thread.finished))
                result = terms.extract(run.get(thread.result), bits - 1, 0)
                taken = {thread.result: terms.bv(0, self._space.bits)}
                found.append(PrimitiveRule(over, terms.bv(0, WORD), taken, ((1, result),)))
        return found

    def _joined(self, run: LetterRun, handle: Term) -> dict[Instance, Term]:
        """When each thread is the one to be joined. Often the automaton knows which it is."""
        threads, known = self._space.threads, run.step.joined
        if known and Instance(known, 0) in threads:
            return {instance: self._terms.bool(instance == Instance(known, 0)) for instance in threads}
        return {instance: self._is(run, thread, handle) for instance, thread in threads.items()}

    def _detach(self, run: LetterRun, args: Sequence[Term]) -> list[PrimitiveRule]:
        terms, threads = self._terms, self._space.threads
        is_it = {instance: self._is(run, thread, args[0]) for instance, thread in threads.items()}
        found = [self._rule(terms.not_(terms.any(is_it.values())), ESRCH)]
        for instance, thread in threads.items():
            again = terms.and_(is_it[instance], run.get(thread.detached))
            found.append(self._rule(again, EINVAL))
            zero = terms.bv(0, self._space.bits)
            result = terms.ite(run.get(thread.finished), zero, run.get(thread.result))
            found.append(self._rule(is_it[instance], sets={thread.detached: terms.true, thread.result: result}))
        return found

    def end(self, run: LetterRun, value: Term) -> list[PrimitiveRule]:
        """The thread is over. Nobody can ask for the result of one that is detached."""
        terms, thread = self._terms, run.thread
        wide = terms.zext(value, max(value.width, self._space.bits))
        zero = terms.bv(0, self._space.bits)
        result = terms.ite(run.get(thread.detached), zero, terms.extract(wide, self._space.bits - 1, 0))
        sets: dict[Term, Term] = {thread.finished: terms.true, thread.result: result, thread.waits_on: zero}
        return [self._rule(sets={**sets, thread.woken: terms.false, **dict.fromkeys(thread.specifics, zero)})]

    def _self(self, run: LetterRun, args: Sequence[Term]) -> list[PrimitiveRule]:
        return [PrimitiveRule(self._terms.true, run.get(run.thread.handle))]

    # --- cancellation ------------------------------------------------------------------------------------------------

    def is_cancelled(self, run: LetterRun) -> Term:
        """Whether the running thread ends at a cancellation point."""
        return self._terms.and_(run.get(run.thread.cancelled), self._terms.not_(run.get(run.thread.uncancellable)))

    def _cancel(self, run: LetterRun, args: Sequence[Term]) -> list[PrimitiveRule]:
        terms, threads = self._terms, self._space.threads.values()
        is_it = [self._is(run, thread, args[0]) for thread in threads]
        found = [self._rule(terms.not_(terms.any(is_it)), ESRCH)]
        for thread, this in zip(threads, is_it, strict=True):
            now = terms.or_(run.get(thread.cancelled), terms.not_(run.get(thread.finished)))
            found.append(self._rule(this, sets={thread.cancelled: now}))
        return found

    def _cancel_state(self, run: LetterRun, args: Sequence[Term]) -> list[PrimitiveRule]:
        terms, off = self._terms, run.thread.uncancellable
        before = terms.ite(run.get(off), terms.bv(1, WORD), terms.bv(0, WORD))
        wanted = terms.eq(args[0], terms.bv(1, args[0].width))
        known = terms.ule(args[0], terms.bv(1, args[0].width))
        return [
            PrimitiveRule(known, terms.bv(0, WORD), {off: wanted}, ((1, before),)),
            self._rule(result=EINVAL),
        ]

    # --- keys --------------------------------------------------------------------------------------------------------

    def _key_create(self, run: LetterRun, args: Sequence[Term]) -> list[PrimitiveRule]:
        terms, before = self._terms, self._terms.true
        found: list[PrimitiveRule] = []
        for number, key in enumerate(self._space.keys):
            free = terms.and_(before, terms.not_(run.get(key)))
            stores = ((0, terms.bv(number, WORD)),)
            found.append(PrimitiveRule(free, terms.bv(0, WORD), {key: terms.true}, stores))
            before = terms.and_(before, run.get(key))
        return [*found, PrimitiveRule(before, terms.bv(0, WORD), wrong=_KEYS)]

    def _is_key(self, run: LetterRun, number: int, key: Term) -> Term:
        return self._terms.and_(
            run.get(self._space.keys[number]), self._terms.eq(key, self._terms.bv(number, key.width))
        )

    def _key_delete(self, run: LetterRun, args: Sequence[Term]) -> list[PrimitiveRule]:
        terms, threads = self._terms, self._space.threads.values()
        found: list[PrimitiveRule] = []
        for number, key in enumerate(self._space.keys):
            gone: dict[Term, Term] = {t.specifics[number]: terms.bv(0, self._space.bits) for t in threads}
            found.append(self._rule(self._is_key(run, number, args[0]), sets={key: terms.false, **gone}))
        return [*found, self._rule(result=EINVAL)]

    def _key_set(self, run: LetterRun, args: Sequence[Term]) -> list[PrimitiveRule]:
        own = run.thread.specifics
        numbers = range(len(self._space.keys))
        rules = [self._rule(self._is_key(run, n, args[0]), sets={own[n]: args[1]}) for n in numbers]
        return [*rules, self._rule(result=EINVAL)]

    def _key_get(self, run: LetterRun, args: Sequence[Term]) -> list[PrimitiveRule]:
        terms, value = self._terms, self._terms.bv(0, self._space.bits)
        for number, own in enumerate(run.thread.specifics):
            value = terms.ite(self._is_key(run, number, args[0]), run.get(own), value)
        return [PrimitiveRule(terms.true, value)]

    # --- condition variables -----------------------------------------------------------------------------------------

    def _waiting(self, run: LetterRun, condition: Term) -> dict[Instance, Term]:
        """Other threads that wait for a signal there."""
        terms = self._terms
        return {
            instance: terms.and_(terms.eq(run.get(t.waits_on), condition), terms.not_(run.get(t.woken)))
            for instance, t in self._space.threads.items()
            if instance != run.instance
        }

    def _signal(self, run: LetterRun, args: Sequence[Term]) -> list[PrimitiveRule]:
        """The input is the number of the instance that is woken."""
        terms = self._terms
        waiting = self._waiting(run, args[0])
        nobody = terms.not_(terms.any(waiting.values()))
        chosen = run.input(WHICH_WAITER, ORDINAL_BITS)
        found = [self._rule(nobody)]
        for instance, waits in waiting.items():
            this = terms.eq(chosen, terms.bv(self._space.ordinal(instance), ORDINAL_BITS))
            woken = self._space.threads[instance].woken
            found.append(self._rule(terms.and_(waits, this), sets={woken: terms.true}))
        run.assume(terms.any(rule.when for rule in found))  # it chooses somebody who waits, and waits for nobody itself
        return found

    def _broadcast(self, run: LetterRun, args: Sequence[Term]) -> list[PrimitiveRule]:
        threads = self._space.threads
        sets = {
            threads[instance].woken: self._terms.or_(run.get(threads[instance].woken), waits)
            for instance, waits in self._waiting(run, args[0]).items()
        }
        return [self._rule(sets=sets)]

    def is_waiting(self, run: LetterRun) -> Term:
        return self._terms.ne(run.get(run.thread.waits_on), self._terms.bv(0, self._space.bits))

    def enqueue(self, run: LetterRun, args: Sequence[Term], failed: Term) -> list[PrimitiveRule]:
        """The thread has tried to give its mutex back; `failed` is what it was told."""
        waits = self._terms.eq(failed, self._terms.bv(0, WORD))
        thread = run.thread
        return [
            self._rule(waits, sets={thread.waits_on: args[0], thread.woken: self._terms.false}),
            self._rule(result=EPERM),
        ]

    def wake(self, run: LetterRun, attempt: Attempt) -> list[PrimitiveRule]:
        """A waiting thread may go on (it also needs its mutex), and is told why. Who does not wait could not give its
        mutex back."""
        terms, thread = self._terms, run.thread
        sets: dict[Term, Term] = {thread.waits_on: terms.bv(0, self._space.bits), thread.woken: terms.false}
        woken = terms.true if self._spurious is Spurious.ON else run.get(thread.woken)
        found = [self._rule(terms.not_(self.is_waiting(run)), EPERM, sets)]
        if attempt is not Attempt.TIMED:
            return [*found, self._rule(woken, sets=sets)]
        late = terms.eq(run.input("whether the wait times out", WORD), terms.bv(1, WORD))
        return [*found, self._rule(terms.or_(late, terms.not_(woken)), ETIMEDOUT, sets), self._rule(sets=sets)]
