"""Where a thread's store buffer is empty in every execution: in atomic blocks, in main before there are threads."""

from __future__ import annotations

from threadproof.analysis.control.callees import Callees
from threadproof.automaton.facts import CannotUnfold
from threadproof.core.graph import reached
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import Site, control_flow, sites
from threadproof.ir.program import Function, Program
from threadproof.sync.facts import Act, does


class CannotBuffer(CannotUnfold):
    """The program is not rewritten; the text says why."""


def in_atomic_blocks(program: Program, callees: Callees, roots: set[str]) -> set[Site]:
    """Behind the beginning of an atomic block, which drains, up to its end. Raises CannotBuffer."""
    depths, found = dict.fromkeys(sorted(roots), 0), set[Site]()
    todo = list(depths)
    while todo:
        function = program.functions[todo.pop()]
        for site, depth in _depths(function, depths[function.name]).items():
            if depth:
                found.add(site)
            instr = function.block(site.block).instrs[site.number]
            for callee in callees.of(site, instr) if isinstance(instr, ir.Call) else ():
                if callee not in depths:
                    depths[callee] = depth
                    todo.append(callee)
                elif depths[callee] != depth:
                    raise CannotBuffer("a function that is called inside atomic blocks and outside")
    return found


def _depths(function: Function, first: int) -> dict[Site, int]:
    """Of atomic blocks, before each instruction that can be reached."""
    flow = control_flow(function)
    found, todo = {0: first}, [0]
    while todo:
        at = todo.pop()
        instr, depth = flow.instrs[at], found[at]
        if isinstance(instr, ir.Return) and depth != first:
            raise CannotBuffer("an atomic block that does not end in the function where it began")
        depth += does(instr, Act.BEGIN) - does(instr, Act.END)
        for after in flow.after[at]:
            if after not in found:
                found[after] = depth
                todo.append(after)
            elif found[after] != depth:
                raise CannotBuffer("ways that meet, inside an atomic block and outside")
    return {flow.sites[at]: depth for at, depth in found.items()}


def before_threads(program: Program, callees: Callees) -> set[Site]:
    """In main, as long as it has created no thread and called no function that stores or creates threads."""
    fills = {
        name
        for name, function in program.functions.items()
        if any(isinstance(instr, ir.Store) or does(instr, Act.CREATE) for instr in function.instrs())
    }

    def called(name: str) -> list[str]:
        found = ((site, instr) for site, instr in sites(program.functions[name]) if isinstance(instr, ir.Call))
        return [callee for site, call in found for callee in callees.of(site, call)]

    flow = control_flow(program.functions[program.entry])
    later: set[int] = set()
    for at, (site, instr) in enumerate(zip(flow.sites, flow.instrs, strict=True)):
        started = callees.of(site, instr) if isinstance(instr, ir.Call) else ()
        if does(instr, Act.CREATE) or not fills.isdisjoint(reached(started, called)):
            later.update(reached(flow.after[at], lambda one: flow.after[one]))
    return {site for at, site in enumerate(flow.sites) if at not in later}
