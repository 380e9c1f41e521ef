"""Whether a program creates threads in a loop, as far as its text says: then there may be more than can be listed."""

from __future__ import annotations

from threadproof.analysis.control.call_graph import address_taken, callees
from threadproof.analysis.control.loops import cycles
from threadproof.core.graph import reached
from threadproof.ir.instr import Call, Instr
from threadproof.ir.program import Program
from threadproof.sync.facts import Act, does


def creates_in_loops(program: Program) -> bool:
    taken = address_taken(program)
    creating = {f.name for f in program.functions.values() if any(does(one, Act.CREATE) for one in f.instrs())}

    def called(name: str) -> frozenset[str]:
        return callees(program.functions[name], taken) & program.functions.keys()

    def creates(instr: Instr) -> bool:
        """A creation, or a call that may come to one."""
        if does(instr, Act.CREATE) or not isinstance(instr, Call):
            return does(instr, Act.CREATE)
        first = {instr.callee} if isinstance(instr.callee, str) else taken
        return not creating.isdisjoint(reached(first & program.functions.keys(), called))

    for function in program.functions.values():
        looping = cycles(function)
        if any(block.label in looping and any(map(creates, block.instrs)) for block in function.blocks):
            return True
    return False
