"""What one thread holds, and knows of its registers, from step to step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from threadproof.automaton import End, Letter, Location, ProgramAutomaton, Step
from threadproof.core.lock_words import has_set, has_told, seen_unset, waiting_for
from threadproof.encoding.thread_values import ThreadValues, ValueRun, variable_name
from threadproof.engines.deadlocks.addresses import addresses, deciding
from threadproof.engines.deadlocks.alternatives import Alternative, Implications, Placed
from threadproof.engines.deadlocks.lock_uses import LockUses, is_lock, is_single
from threadproof.ir.expr import Const, Expr, Reg, registers
from threadproof.ir.instr import Assign, Call, Load, Sync, edges
from threadproof.ir.program import Program
from threadproof.smt.term import Term, variables
from threadproof.smt.terms import Terms
from threadproof.sync.facts import Act, Attempt, LockMode, does, sync_facts
from threadproof.sync.operations import OPERATIONS, Guarded


@dataclass(slots=True)
class HoldingThread:
    """On its way through a letter. Addresses and formulas are over its registers before the letter; `maybe_facts` are
    over those behind it, and may have ceased to hold."""

    of: Alternative
    run: ValueRun
    maybe: frozenset[str]
    surely: frozenset[str]
    alone: bool
    placed: Placed
    done: frozenset[str]
    loads: tuple[tuple[Term, str, str], ...] = ()
    maybe_facts: list[Term] = field(default_factory=list[Term])
    taken_at: list[Term] = field(default_factory=list[Term])  # addresses, over registers behind the letter

    @property
    def names(self) -> frozenset[str]:
        return self.maybe | {name for name, _ in self.placed}


class Holding:
    def __init__(
        self, program: Program, automaton: ProgramAutomaton, names: LockUses, terms: Terms, implications: Implications
    ) -> None:
        self._program = program
        self._names = names
        self._terms = terms
        self._implications = implications
        self._values = ThreadValues(program, terms)
        self._deciding = deciding(program, automaton, names.unclear)
        self._values.followed = bool(self._deciding or names.flags or names.unclear)
        self._addresses = addresses(automaton, self._values, names.unclear)

    def orders(self, location: Location) -> tuple[Term, ...]:
        """Between addresses that are used in the function that the location is in."""
        found = combinations(self._addresses.get(location.context, ()), 2)
        pairs = [pair for one, other in found if one.width == other.width for pair in ((one, other), (other, one))]
        return tuple(self._terms.ult(one, other) for one, other in pairs)

    def begin(self, one: Alternative) -> HoldingThread:
        facts = tuple(one.facts)
        thread = HoldingThread(one, ValueRun(self._values), one.maybe, one.surely, one.alone, one.placed, one.done)
        thread.maybe_facts += facts
        thread.taken_at += [address for _, address in one.placed]
        return thread

    def end(self, letter: Letter, thread: HoldingThread) -> Alternative | None:
        """Over the registers behind the letter; None if it cannot be."""
        given = frozenset((*thread.of.facts, *thread.run.conditions))
        if given and self._implications.holds(given, self._terms.false):
            return None
        values = thread.run.values
        facts = frozenset(one for one in thread.maybe_facts if self._still(one, values, given))
        done = thread.done
        for value, flag, lock in thread.loads:
            zero = self._terms.eq(value, self._terms.bv(0, value.width))
            done |= {seen_unset(flag, lock)} if self._implications.holds(given, zero) else frozenset[str]()
        if isinstance(letter.target.at, End):
            return Alternative(thread.maybe | thread.names, thread.surely, thread.alone, done=done)
        maybe, placed = set(thread.maybe), list[tuple[str, Term]]()
        for name, address in thread.placed:
            at = self._where(letter.target, address, thread, given)
            if at is None:
                maybe.add(name)
            elif (name, at) not in placed:
                placed.append((name, at))
        return Alternative(frozenset(maybe), thread.surely, thread.alone, tuple(placed), facts, done)

    def _now(self, term: Term, values: dict[str, Term]) -> Term:
        found = {one: values[one.name] for one in variables([term]) if one.name in values}
        return self._terms.substitute([term], found)[0] if found else term

    def _still(self, fact: Term, values: dict[str, Term], given: frozenset[Term]) -> bool:
        now = self._now(fact, values)
        return now is self._terms.true or now in given

    def _where(self, at: Location, address: Term, thread: HoldingThread, given: frozenset[Term]) -> Term | None:
        values, contexts = thread.run.values, [at.context[:n] for n in range(len(at.context), -1, -1)]
        known = [one for context in contexts for one in self._addresses.get(context, ())]
        for one in (*thread.taken_at, *known):
            if self._now(one, values) is address:
                return one
        for one in known:
            now = self._now(one, values)
            if now.width == address.width and self._implications.holds(given, self._terms.eq(now, address)):
                return one
        return None

    # --- steps -------------------------------------------------------------------------------------------------------

    def step(self, step: Step, thread: HoldingThread) -> Iterator[HoldingThread]:
        instr = step.instr
        flag = self._names.sets(step) if self._names.flags else None
        thread.done |= {has_set(flag)} if flag is not None else frozenset[str]()
        if isinstance(instr, Sync):
            yield from self._operation(step, instr, thread)
            return
        self._after(step, thread)
        if isinstance(instr, Load) and self._names.flags:
            read = self._names.variable(step, instr.address)
            if read is not None and read in self._names.flags and instr.dst.width == 8 * instr.size:
                value = thread.run.register(step, instr.dst)
                thread.loads += tuple((value, read, lock) for lock in sorted(thread.surely))
        if thread.run.is_possible:
            yield thread

    def _after(self, step: Step, thread: HoldingThread) -> None:
        """Registers, and what may be said of them."""
        if self._values.followed:
            thread.maybe_facts += self._said(step)
        thread.run.after(step)

    def _said(self, step: Step) -> Iterator[Term]:
        plain, function = ValueRun(self._values), step.site.function
        condition = step.condition
        if condition is not None and not isinstance(step.instr, Call | Sync) and self._decides(function, condition):
            yield self._terms.eq(plain.term(step, condition), self._terms.bv(1, 1))
        instr, ways = step.instr, edges(step.instr)
        given: list[tuple[Reg, Expr]] = [(instr.dst, instr.value)] if isinstance(instr, Assign) else []
        given += ways[step.taken or 0].moves if ways else ()
        for dst, value in given:
            if (function, dst.name) in self._deciding:
                yield self._terms.eq(plain.register(step, dst), plain.term(step, value))
        if isinstance(instr, Call) and step.enters:
            inner = (*step.context, step.site)
            for parameter, value in zip(self._program.functions[step.enters].params, instr.args, strict=False):
                if (step.enters, parameter.name) in self._deciding and parameter.width == value.width:
                    name = variable_name(inner, step.enters, parameter.name)
                    yield self._terms.eq(self._terms.bv_var(name, parameter.width), plain.term(step, value))

    def _decides(self, function: str, expr: Expr) -> bool:
        names = set(registers(expr))
        return bool(names) and all((function, name) in self._deciding for name in names)

    def _operation(self, step: Step, instr: Sync, thread: HoldingThread) -> Iterator[HoldingThread]:
        facts = sync_facts(instr)
        thread.alone = thread.alone and not does(instr, Act.CREATE)
        if does(instr, Act.BROADCAST) and (condition := self._names.variable(step, instr.args[0])) is not None:
            thread.done |= {has_told(flag, condition) for flag in self._names.flags if has_set(flag) in thread.done}
        if not is_lock(instr):
            self._after(step, thread)
            yield thread
            return
        if facts.act is Act.ENQUEUE:
            self._enqueue(step, instr, thread)
        if facts.releases is not None:
            self._release(step, instr.args[facts.releases], thread)
        if facts.act is Act.WAKE:
            thread.done -= {waiting_for(f, lock, k) for f in self._names.flags for lock, k in self._names.waits}
        if facts.locks is None:
            self._after(step, thread)
            yield thread
        else:
            yield from self._take(step, instr, thread)

    def _enqueue(self, step: Step, instr: Sync, thread: HoldingThread) -> None:
        condition, locks = self._names.variable(step, instr.args[0]), self._names.of(step, instr.args[1])
        if condition is not None and locks <= thread.surely:
            read = ((flag, lock) for flag in self._names.flags for lock in locks)
            thread.done |= {waiting_for(f, lock, condition) for f, lock in read if seen_unset(f, lock) in thread.done}

    def _release(self, step: Step, address: Expr, thread: HoldingThread) -> None:
        names = self._names.of(step, address)
        thread.surely -= names
        thread.loads = tuple(one for one in thread.loads if one[2] not in names)
        thread.done -= {seen_unset(flag, lock) for flag in self._names.flags for lock in names}
        if is_single(names):
            thread.maybe -= names
        if thread.placed:
            given = frozenset((*thread.of.facts, *thread.run.conditions))
            here = thread.run.term(step, address)
            thread.placed = tuple((n, at) for n, at in thread.placed if not self._same(given, at, here))

    def _same(self, given: frozenset[Term], one: Term, other: Term) -> bool:
        if one is other or one.width != other.width:
            return one is other
        return self._implications.holds(given, self._terms.eq(one, other))

    def _take(self, step: Step, instr: Sync, thread: HoldingThread) -> Iterator[HoldingThread]:
        locks = sync_facts(instr).locks
        assert locks is not None
        address, waits = instr.args[locks.arg], sync_facts(instr).attempt is Attempt.NO
        names, here = self._names.of(step, address), thread.run.term(step, address)
        codes = None if waits or instr.dst is None else _results(instr)
        for code in (None,) if codes is None else codes:
            after = HoldingThread(
                thread.of, thread.run.copy(), thread.maybe, thread.surely, thread.alone, thread.placed, thread.done,
                thread.loads, list(thread.maybe_facts), list(thread.taken_at),
            )  # fmt: skip
            self._after(step, after)
            if code is not None and instr.dst is not None:
                after.run.put(step, instr.dst, self._terms.bv(code, instr.dst.width))
                dst = ValueRun(self._values).register(step, instr.dst)
                after.maybe_facts.append(self._terms.eq(dst, self._terms.bv(code, dst.width)))
            if code is None or code not in locks.failures:
                exclusive = locks.sharing is LockMode.EXCLUSIVE and (waits or code is not None)
                self._has(step, address, after, names, here, exclusive=exclusive)
            yield after

    def _has(
        self, step: Step, address: Expr, thread: HoldingThread, names: frozenset[str], here: Term, *, exclusive: bool
    ) -> None:
        if is_single(names):
            thread.maybe |= names
            thread.surely |= names if exclusive and names.isdisjoint(self._names.odd) else frozenset()
            return
        thread.placed += tuple((name, here) for name in sorted(names))
        thread.taken_at.append(ValueRun(self._values).term(step, address))


def _results(instr: Sync) -> tuple[int, ...] | None:
    """All that an operation may say, if that is known."""
    operation = OPERATIONS[instr.op]
    given = [case.result for case in operation.cases] if isinstance(operation, Guarded) else []
    known = [one.value for one in given if isinstance(one, Const)]
    return tuple(sorted(set(known))) if known and len(known) == len(given) else None
