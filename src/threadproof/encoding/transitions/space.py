"""The variables of a symbolic state: registers by thread instance and calling context, cells of memory, threads.

Where the threads stand is no part of it: that is `automaton.Places`. What is said here of phases (started, finished) is
what other threads can ask for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from threadproof.analysis.control.callees import Callees
from threadproof.analysis.control.loops import cycles
from threadproof.analysis.memory.observed import observed_roots
from threadproof.analysis.memory.partition import Partition
from threadproof.analysis.points_to import ObjectKind, PointsTo, Root, analyse
from threadproof.analysis.points_to.cloning import cloned
from threadproof.automaton.letters import Context
from threadproof.automaton.program import Instance, ProgramAutomaton
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions.blocks import never_freed, repeated, roomy
from threadproof.encoding.transitions.handles import KnownHandles, known_handles
from threadproof.encoding.transitions.objects import LIFE_BITS, ObjectLife, SymbolicCell, SymbolicObjects
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import Site, control_flow
from threadproof.ir.expr import Expr
from threadproof.ir.liveness import live_before
from threadproof.ir.program import Program
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms
from threadproof.sync.facts import DETACHING, Act, does, sync_facts

HANDLE_BITS = 32
ORDINAL_BITS = 16


@dataclass(frozen=True, slots=True, eq=False)
class ThreadVariables:
    """What others can ask of a thread instance."""

    handle: Term
    started: Term
    finished: Term
    result: Term
    detached: Term
    children: Term  # how many it has created
    waits_on: Term  # the condition variable it waits on; 0: none
    woken: Term  # whether a signal has chosen it
    cancelled: Term  # another thread asked it to end
    uncancellable: Term  # it does not want to, now
    specifics: tuple[Term, ...]  # its value of each key

    @property
    def all(self) -> tuple[Term, ...]:
        return (
            self.handle,
            self.started,
            self.finished,
            self.result,
            self.detached,
            self.children,
            self.waits_on,
            self.woken,
            self.cancelled,
            self.uncancellable,
            *self.specifics,
        )


class Space:
    """For at most so many instances of each template (one, if not said)."""

    def __init__(
        self,
        terms: Terms,
        program: Program,
        automaton: ProgramAutomaton,
        most: Mapping[str, int] | None = None,
        points_to: PointsTo | None = None,
        many: frozenset[str] = frozenset(),
    ) -> None:
        """Of templates in `many` there may be any number of threads: the instances stand for any of them."""
        self.terms = terms
        self.many = many
        self.program = program
        self.automaton = automaton
        self.bits = program.data_model.pointer_bits
        self.layout = program.layout()
        self.points_to = analyse(program) if points_to is None else points_to
        self.callees = Callees(program, self.points_to)
        self._scoped: dict[str, bool] = {}
        self.cloned = cloned(program)
        """With a copy of functions that allocate for every call: `objects` and `partition` are about it."""
        self.cloned_points_to = analyse(self.cloned.program) if self.cloned.functions else self.points_to
        self.partition = Partition(self.cloned.program, self.cloned_points_to)
        counts = {name: (most or {}).get(name, 1) for name in automaton.templates if name != automaton.main}
        self.instances = (
            Instance(automaton.main, 0),
            *(Instance(name, number) for name, often in counts.items() for number in range(often)),
        )
        creations = list(_key_creations(automaton))
        self.keys = tuple(terms.bool_var(f"key {number}") for number in range(len(set(creations))))
        self.has_destructors = any(self.callees.of(site, instr) for site, instr in creations)
        self.threads = {instance: self._thread(instance) for instance in self.instances}
        # Among any number of threads, nobody's place among main's children is certain.
        known = KnownHandles.of_main(automaton) if many else known_handles(automaton, counts)
        self.apart = known.apart  # instances whose memory lies where no other's can
        self.known = {
            self.threads[instance].handle: terms.bv(number, HANDLE_BITS)
            for instance, number in known.numbers.items()
            if instance in self.threads
        }
        handles = {instance: thread.handle for instance, thread in self.threads.items()}
        self.repeated = {name: repeated(thread) for name, thread in automaton.templates.items()}
        self.objects = SymbolicObjects(
            terms, program, automaton, self.partition, handles, self._outlived, self.cloned, self.repeated
        )
        self._told_apart = {site for _, _, site in self.objects.later}
        self.observed = observed_roots(self.cloned.program, self.cloned_points_to, self.partition)
        self.roomy = roomy(self.cloned.program, self.cloned_points_to, self.objects, self.observed)
        self.never_freed = never_freed(self.cloned.program, self.cloned_points_to, self.objects)
        self.owner = terms.bv_var("atomic", ORDINAL_BITS)  # the instance inside an atomic block; 0: none
        self.has_atomic = any(place.depth for thread in automaton.templates.values() for place in thread.locations)
        self.cancels = any(does(instr, Act.CANCEL) for instr in program.instrs())
        if not any(does(instr, Act.DETACH) or _detaches(instr) for instr in program.instrs()):
            self.known.update({thread.detached: terms.false for thread in self.threads.values()})
        self._registers: dict[tuple[Instance, Context, str, str], Term] = {}
        self._widths: dict[str, dict[str, int]] = {}
        self._live: dict[str, dict[str, tuple[frozenset[str], ...]]] = {}
        self._slot_registers: dict[str, dict[str, Site]] = {}

    def _thread(self, instance: Instance) -> ThreadVariables:
        terms = self.terms

        def truth(what: str) -> Term:
            return terms.bool_var(f"{what} {instance}")

        return ThreadVariables(
            terms.bv_var(f"handle {instance}", HANDLE_BITS),
            truth("started"),
            truth("finished"),
            terms.bv_var(f"result {instance}", self.bits),
            truth("detached"),
            terms.bv_var(f"children {instance}", HANDLE_BITS),
            terms.bv_var(f"waits on {instance}", self.bits),
            truth("woken"),
            truth("cancelled"),
            truth("uncancellable"),
            tuple(terms.bv_var(f"key {number} of {instance}", self.bits) for number in range(len(self.keys))),
        )

    def ordinal(self, instance: Instance) -> int:
        """A number above 0 for every instance."""
        return self.instances.index(instance) + 1

    # --- registers ---------------------------------------------------------------------------------------------------

    def register(self, instance: Instance, context: Context, function: str, name: str) -> Term:
        key = (instance, context, function, name)
        found = self._registers.get(key)
        if found is None:
            calls = "".join(f"{site.function}.{site.block}.{site.number}/" for site in context)
            variable = f"{instance}:{calls}{function}.{name}"
            found = self._registers[key] = self.terms.bv_var(variable, self.widths(function)[name])
        return found

    def is_own(self, instance: Instance, variables: Iterable[Term]) -> bool:
        """Whether they are all registers of this thread: nobody else reads them."""
        own = {term for (one, *_), term in self._registers.items() if one == instance}
        return own.issuperset(variables)

    def registers(self) -> frozenset[Term]:
        """Those that were asked for."""
        return frozenset(self._registers.values())

    def widths(self, function: str) -> dict[str, int]:
        found = self._widths.get(function)
        if found is None:
            body = self.program.functions[function]
            registers = [*body.params]
            for instr in body.instrs():
                registers += ir.defs(instr)
                registers += [dst for edge in ir.edges(instr) for dst, _ in edge.moves]
            found = self._widths[function] = {reg.name: reg.width for reg in registers}
        return found

    def live(self, function: str, block: str, number: int) -> frozenset[str]:
        if function not in self._live:
            self._live[function] = live_before(self.program.functions[function])
        return self._live[function][block][number]

    def slot_registers(self, function: str) -> dict[str, Site]:
        """Registers that hold the address of an allocation (there) and nothing else: they need no variable."""
        found = self._slot_registers.get(function)
        if found is None:
            body = self.program.functions[function]
            written: dict[str, int] = {}
            for instr in body.instrs():
                names = [reg.name for reg in ir.defs(instr)]
                names += [dst.name for edge in ir.edges(instr) for dst, _ in edge.moves]
                for name in names:
                    written[name] = written.get(name, 0) + 1
            flow = control_flow(body)
            found = {
                instr.dst.name: site
                for site, instr in zip(flow.sites, flow.instrs, strict=True)
                if isinstance(instr, ir.Alloc) and written[instr.dst.name] == 1 and site not in self._told_apart
            }
            self._slot_registers[function] = found
        return found

    def owners(self) -> dict[Term, Instance]:
        """The variables that are about one thread instance, as far as they were asked for."""
        found = {term: instance for (instance, *_), term in self._registers.items()}
        found.update({term: instance for instance, thread in self.threads.items() for term in thread.all})
        for one in self.objects:
            if one.owner is not None:
                own = [cell.term for cell in self.objects.cells(one)] + [one.size]
                own += [] if one.life is None else [one.life]
                found.update({term: one.owner for term in own if term.op is Op.VAR})
        return found

    # --- what may be kept ---------------------------------------------------------------------------------------------

    @cached_property
    def kept_roots(self) -> frozenset[Root]:
        """Objects whose address may be known when the call that made them is over: stored, returned, handed on.

        Not where a call keeps what it was given in locals of its own, such as its parameters: it is over before the
        call that gave it goes on, and with it what its locals say. But for locals that are kept themselves: another
        thread may read there what they say, and still know it when the call is over."""
        stores: list[tuple[frozenset[Root], frozenset[Root], frozenset[Root]]] = []
        for function in self.cloned.program.functions.values():
            for instr in function.instrs():
                own = self._own(function.name, instr.address) if isinstance(instr, ir.Store) else frozenset[Root]()
                for expr in _handed_on(instr):
                    roots = frozenset(one.root for one in self.cloned_points_to.expression(function.name, expr))
                    stores.append((own, roots, frozenset(one for one in roots if _made_in(one) == function.name)))
        found, before = frozenset[Root](), None
        while found != before:
            before = found
            found = found.union(*(made if own and own.isdisjoint(found) else roots for own, roots, made in stores))
        return found

    def _own(self, function: str, address: Expr) -> frozenset[Root]:
        """The locals of the function that it is the address of; none if it may be something else."""
        roots = frozenset(one.root for one in self.cloned_points_to.expression(function, address))
        mine = all(one.kind is ObjectKind.STACK and _made_in(one) == function for one in roots)
        return roots if mine else frozenset()

    def _outlived(self, root: Root) -> bool:
        """Whether it matters when a local dies. In a loop, the one of the round before may still be used."""
        assert root.site is not None
        function = self.cloned.program.functions[root.site.function]
        return self.scoped(function.name) or root in self.kept_roots or root.site.block in cycles(function)

    def scoped(self, function: str) -> bool:
        """Whether locals of the function (of the program with copies) may end before its call does."""
        if function not in self._scoped:
            body = self.cloned.program.functions[function]
            self._scoped[function] = any(isinstance(instr, ir.StackRestore) for instr in body.instrs())
        return self._scoped[function]

    # --- states ------------------------------------------------------------------------------------------------------

    def initial(self) -> dict[Term, Term]:
        """What every execution begins with. Registers, and memory that is not allocated yet, have no value."""
        terms = self.terms
        values: dict[Term, Term] = {self.owner: terms.bv(0, ORDINAL_BITS)}
        for instance, thread in self.threads.items():
            values[thread.started] = terms.bool(instance.template == self.automaton.main)
            for variable in (thread.finished, thread.detached, thread.woken, thread.cancelled, thread.uncancellable):
                values[variable] = terms.false
            for variable in (thread.result, thread.children, thread.waits_on, *thread.specifics):
                values[variable] = terms.bv(0, variable.width)
        values.update(dict.fromkeys(self.keys, terms.false))
        for found in self.objects:
            if found.life is not None:
                values[found.life] = terms.bv(ObjectLife.NEVER, LIFE_BITS)
            elif found.content is not None and not found.elsewhere:
                values.update({c.term: self.objects.initial(c) for c in self.objects.cells(found) if is_variable(c)})
        return {**values, **self.known}

    def facts(self) -> list[Term]:
        """What holds in every state that can be reached: handles of threads differ and are not 0."""
        terms, known = self.terms, self.known
        handles = [(thread.started, known.get(thread.handle, thread.handle)) for thread in self.threads.values()]
        zero = terms.bv(0, HANDLE_BITS)
        found = [terms.implies(started, terms.ne(handle, zero)) for started, handle in handles]
        for index, (started, handle) in enumerate(handles):
            for other_started, other in handles[:index]:
                found.append(terms.implies(terms.and_(started, other_started), terms.ne(handle, other)))
        return [fact for fact in found if fact is not terms.true]

    def global_words(self) -> dict[Term, tuple[int, int]]:
        """Variables for single words of global memory, with address and size."""
        return {
            cell.term: (self.layout.globals[one.root.name] + cell.start, cell.size)
            for one in self.objects
            if one.owner is None and one.root.name in self.layout.globals
            for cell in self.objects.cells(one)
            if is_variable(cell) and not cell.stride
        }

    def exchange(self, a: Instance, b: Instance) -> dict[Term, Term]:
        """The variables of two instances of one template, each for the other's."""
        return {**self.counterparts(a, b), **self.counterparts(b, a)}

    def counterparts(self, a: Instance, b: Instance) -> dict[Term, Term]:
        """For each variable of an instance, that of another one of its template: no two have the same."""
        assert a.template == b.template
        pairs = list(zip(self.threads[a].all, self.threads[b].all, strict=True))
        for found in [one for one in self.objects if one.owner == a]:
            wanted = (b, found.context, found.site, found.number)
            of_root = self.objects.of(found.root)
            other = next(one for one in of_root if (one.owner, one.context, one.site, one.number) == wanted)
            pairs += [(one.term, two.term) for one, two in zip(*map(self.objects.cells, (found, other)), strict=True)]
            if found.life is not None and other.life is not None:
                pairs.append((found.life, other.life))
            pairs.append((found.size, other.size))
        for letter in self.automaton.templates[a.template].letters:
            for context, function in {(step.context, step.site.function) for step in letter.steps}:
                for name in self.widths(function):
                    pairs.append(tuple(self.register(one, context, function, name) for one in (a, b)))  # type: ignore[arg-type]
        renaming = {one: two for one, two in pairs if one is not two}
        if len(set(renaming.values())) < len(renaming):
            raise CannotEncode(f"two variables of {a} that would be one of {b}")
        return renaming


def _detaches(instr: ir.Instr) -> bool:
    return isinstance(instr, ir.Sync) and instr.op in DETACHING


def _handed_on(instr: ir.Instr) -> list[Expr]:
    """Values that others may know from then on."""
    match instr:
        case ir.Store() | ir.Rmw():
            return [instr.value]
        case ir.CompareExchange():
            return [instr.desired]
        case ir.Return() if instr.value is not None:
            return [instr.value]
        case ir.Sync():
            return [instr.args[index] for index in sync_facts(instr).keeps]
        case _:
            return []


def _made_in(root: Root) -> str | None:
    return None if root.site is None else root.site.function


def is_variable(cell: SymbolicCell) -> bool:
    return cell.term.op is Op.VAR


def _key_creations(automaton: ProgramAutomaton) -> Iterator[tuple[Site, ir.Sync]]:
    """There may be as many keys as places that create one; more are a limit."""
    for letter in automaton.letters:
        for step in letter.steps:
            if isinstance(step.instr, ir.Sync) and does(step.instr, Act.KEY_CREATE):
                yield step.site, step.instr
