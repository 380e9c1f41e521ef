"""The beginning and the end of threads."""

from __future__ import annotations

from threadproof.codegen.sequential.plan.flow import FlowNode
from threadproof.codegen.sequential.plan.threads import Pool
from threadproof.codegen.sequential.text.scope import CopyScope
from threadproof.codegen.sequential.text.writer import Writer
from threadproof.codegen.sequential.values.scalars import Sign
from threadproof.ir import instr as ir
from threadproof.ir.expr import Expr, GlobalRef
from threadproof.ir.instr import Instr
from threadproof.sync.facts import DETACHING


def create(writer: Writer, node: FlowNode, instr: ir.Sync) -> None:
    """A thread of the start routine's pool begins."""
    targets = writer.module.code.callees.of(node.site, instr)
    if len(targets) == 1 and isinstance(instr.args[1], GlobalRef):
        _start(writer, writer.thread.pools[targets[0]], instr, "")
        return
    where = writer.printer.pointer(instr.args[1])
    for number, target in enumerate(targets):
        mark = writer.module.function_mark(target)
        writer.put(f"{'else ' if number else ''}if ((void *){where.inner} == {mark}) {{", instr)
        _start(writer, writer.thread.pools[target], instr, "  ")
        writer.put("}", instr)
    writer.put("else __builtin_unreachable();", instr)


def _start(writer: Writer, pool: Pool, instr: ir.Sync, indent: str) -> None:
    if pool.enough and len(pool.members) == 1:
        for line in _begin(writer, pool.members[0], instr):
            writer.put(f"{indent}{line}", instr)
        return
    wish = f"T{pool.creator}_created_{pool.start}"
    name = writer.module.names.name(("created", pool.creator, pool.start), wish)
    writer.module.declare(name, f"u32 {name} = 0;")
    writer.put(f"{indent}switch ({name}++) {{", instr)
    for number, member in enumerate(pool.members):
        writer.put(f"{indent}case {number}: {' '.join(_begin(writer, member, instr))} break;", instr)
    writer.put(f'{indent}default: beyond("the bound on threads");', instr)
    writer.put(f"{indent}}}", instr)


def _begin(writer: Writer, member: int, instr: ir.Sync) -> list[str]:
    thread = writer.module.threads[member]
    scope = CopyScope(writer.module, thread, thread.copies[0])
    handle = writer.printer.place(instr.args[0], writer.module.pointer_bits // 8)
    value = f"(void *){member + 1}" if handle.kind.sign is Sign.POINTER else f"{member + 1}"
    lines = [f"{handle.text} = {value};", f"pc[{member}] = 1;"]
    if instr.op in DETACHING:
        writer.module.sync.add(instr.op)
        lines.append(f"detached[{member}] = 1;")
    for param in writer.module.code.function(thread.copies[0]).params:
        if param.name in scope.facts.read:
            argument = writer.printer.assigned(instr.args[2], scope.kind(param.name))
            lines.append(f"{scope.register(param).text} = {argument};")
    return lines


def end_thread(writer: Writer, value: Expr | None, instr: Instr) -> None:
    if writer.module.asks_results and value is not None:
        result = writer.printer.pointer(value).text
        if result != "0":
            writer.put(f"results[{writer.thread.index}] = {result};", instr)
    writer.put(f"pc[{writer.thread.index}] = FINISHED;", instr)
    writer.put("continue;", instr)
