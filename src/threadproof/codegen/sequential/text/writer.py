"""What the statements of one copy of a function are written with."""

from __future__ import annotations

from threadproof.codegen.sequential.text.scope import CopyScope
from threadproof.codegen.sequential.text.thread_lines import ThreadLines
from threadproof.codegen.sequential.values.expressions import Printer
from threadproof.codegen.sequential.values.scalars import CKind, Sign
from threadproof.ir.expr import Reg
from threadproof.ir.instr import Instr


class Writer:
    def __init__(self, lines: ThreadLines, scope: CopyScope) -> None:
        self.lines, self.scope = lines, scope
        self.module, self.flow, self.stops = lines.module, lines.flow, lines.stops
        self.thread = lines.thread
        self.printer = Printer(scope)

    @property
    def handle(self) -> str:
        """The running thread's: its number plus one."""
        return f"{self.thread.index + 1}"

    def put(self, text: str, instr: Instr) -> None:
        self.lines.put(text, instr.loc)

    def is_read(self, reg: Reg | None) -> bool:
        return reg is not None and reg.name in self.scope.facts.read

    def forget(self, name: str) -> str:
        return f"{self.scope.register(Reg(name, self.scope.kind(name).width)).text} = 0;"

    def beyond(self, what: str, instr: Instr) -> None:
        quoted = f"{what} at {instr.loc}".replace("\\", "/").replace('"', "'")
        self.put(f'beyond("{quoted}");', instr)


def from_number(kind: CKind) -> str:
    """The cast that makes a variable of this type of a number."""
    return "(void *)(uptr)" if kind.sign is Sign.POINTER else ""
