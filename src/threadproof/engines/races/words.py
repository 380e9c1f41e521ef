"""Accesses and reasons as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from threadproof.analysis.abstract_threads.accesses import AccessAction, AccessAtomicity, ThreadAccess
from threadproof.analysis.abstract_threads.thread_facts import ThreadFacts
from threadproof.analysis.abstract_threads.thread_state import HeldLock
from threadproof.analysis.abstract_threads.threads import Repetition
from threadproof.analysis.points_to import ObjectKind, Place, Root
from threadproof.analysis.values.symbolic import Sum
from threadproof.engines.races.justify import Justified, Reason, overlapping
from threadproof.ir.show import show_expr
from threadproof.sync.facts import LockMode


class Words:
    def __init__(self, facts: ThreadFacts) -> None:
        self._facts = facts

    def thread(self, name: str) -> str:
        thread = self._facts.tree.threads[name]
        if thread.site is None:
            return "main"
        loc = (
            self._facts.tree.program.functions[thread.site.function]
            .block(thread.site.block)
            .instrs[thread.site.number]
            .loc
        )
        several = "" if thread.repetition is Repetition.ONCE else ", any number of times"
        return f"{thread.start} created at {loc}{several}"

    def root(self, root: Root) -> str:
        if root.kind in (ObjectKind.GLOBAL, ObjectKind.THREAD_LOCAL):
            variable = self._facts.tree.program.globals.get(root.name)
            return root.name if variable is None else variable.c_name or root.name
        if root.kind is ObjectKind.HEAP:
            return f"*({root.name})"
        assert root.site is not None
        known = self._facts.tree.program.functions[root.site.function].variables.get(root.name)
        return (known.c_name if known else root.name) + f" of {self._facts.tree.threads[root.site.function].start}"

    def place(self, place: Place) -> str:
        start, stride = place.offsets
        if stride == 1:
            return f"{self.root(place.root)}[...]"
        within = f"+{start}" if start else ""
        return f"{self.root(place.root)}{within}" + (f" (every {stride} bytes)" if stride else "")

    def lock(self, lock: HeldLock) -> str:
        shared = " (shared)" if lock.mode is LockMode.SHARED else ""
        if isinstance(lock.address, Sum):
            return f"the lock at {self._sum(lock.address)}{shared}"
        return self.place(lock.address) + shared

    def _sum(self, total: Sum) -> str:
        terms = [show_expr(symbol) if times == 1 else f"{times}*{show_expr(symbol)}" for symbol, times in total.terms]
        return " + ".join([*terms, str(total.constant)] if total.constant or not terms else terms)

    def access(self, record: ThreadAccess) -> str:
        atomically = " atomically" if record.atomicity is AccessAtomicity.ATOMIC else ""
        held = " and ".join(sorted(self.lock(lock) for lock in record.locks)) or "no lock"
        who = self._facts.tree.threads[record.thread].start
        return f"{who} {record.action.value} it{atomically} at {record.loc} holding {held}"

    def pair(self, first: ThreadAccess, second: ThreadAccess) -> str:
        where = self.place(overlapping(first, second)[0][0])
        return f"{where}: {self.access(first)}, {self.access(second)}"

    def because(self, accesses: Sequence[ThreadAccess], reasons: Sequence[Justified]) -> str:
        """What keeps the accesses to one object from racing."""
        if all(record.action is AccessAction.READ for record in accesses):
            return "is only read"
        if all(record.atomicity is AccessAtomicity.ATOMIC for record in accesses):
            return "every access is atomic"
        threads = dict.fromkeys(record.thread for record in accesses)
        if len(threads) == 1 and self._facts.tree.runs_once(next(iter(threads))):
            return f"only {self.thread(next(iter(threads)))} accesses it"
        common = [lock for lock in accesses[0].locks if all(_holds(record, lock) for record in accesses)]
        if common:
            return f"every access holds {self.lock(min(common, key=repr))}"
        return self._mixed(reasons)

    def _mixed(self, reasons: Sequence[Justified]) -> str:
        parts: dict[str, None] = {}
        for why in reasons:
            if why.reason is Reason.LOCK and why.lock is not None:
                parts[f"holding {self.lock(why.lock)}"] = None
            elif why.reason is Reason.FLAG and why.flag is not None:
                parts[f"told apart by the flag {self.place(why.flag)}"] = None
            elif why.reason is Reason.TURNS:
                parts["kept apart by two locks that are taken together"] = None
            elif why.reason is Reason.OWN:
                parts["made through different arguments of the threads"] = None
            elif why.reason is Reason.DRAWN:
                parts["made with different numbers drawn from a counter"] = None
            elif why.reason is Reason.PARTS:
                parts["made to parts of an array that loops have for themselves"] = None
            elif why.reason is not Reason.APART:
                parts[why.reason.value] = None
        return "each pair of accesses is " + " or ".join(parts) if parts else "accesses are apart"


def _holds(record: ThreadAccess, lock: HeldLock) -> bool:
    return any(one.address == lock.address and isinstance(one.address, Place) for one in record.locks)
