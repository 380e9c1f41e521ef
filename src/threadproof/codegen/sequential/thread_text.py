"""The switch of one thread: its functions one after the other, jumps as `goto`, changes of threads as `continue`."""

from __future__ import annotations

from threadproof.codegen.sequential.expressions import Object, Printer, Typed
from threadproof.codegen.sequential.flow import Flow, Node
from threadproof.codegen.sequential.module import Module
from threadproof.codegen.sequential.refusal import NoC
from threadproof.codegen.sequential.shapes import Kind, shape
from threadproof.codegen.sequential.stops import JOINS, LOCAL, Stops
from threadproof.codegen.sequential.threads import Copy, ThreadCode
from threadproof.core.source import SourceLoc
from threadproof.ir import instr as ir
from threadproof.ir.expr import Const, Expr, GlobalRef, Reg, TlsRef
from threadproof.ir.instr import Edge
from threadproof.ir.program import Origin

_BEGIN = "\x00"  # marks a label's line until it is known whether anything jumps there


class CopyScope:
    """What names mean inside one copy of a function."""

    def __init__(self, module: Module, thread: ThreadCode, copy: Copy) -> None:
        self.module, self.thread, self.copy = module, thread, copy
        self.pointer_bits = module.pointer_bits
        self.facts = module.facts(copy.function)
        self.recursive = copy.function in module.code.recursive

    @property
    def prefix(self) -> str:
        return f"T{self.thread.index}_{self.copy.function}{'_atomic' if self.copy.atomic else ''}"

    def depth(self) -> str:
        name = self.module.names.name(("depth", self.thread.index, self.copy), f"{self.prefix}_depth")
        self.module.declare(name, f"u32 {name} = 0;")
        return name

    def kind(self, name: str) -> Kind:
        return self.facts.kinds[name]

    def register(self, reg: Reg, plus: str = "") -> Typed:
        name = self.module.register_name(self.thread.index, self.copy, reg.name)
        kind = self.kind(reg.name)
        space = "" if kind.text.endswith("*") else " "
        if not self.recursive:
            self.module.declare(name, f"{kind.text}{space}{name} = 0;")
            return Typed(name, kind)
        self.module.declare(name, f"{kind.text}{space}{name}[DEPTH] = {{0}};")
        return Typed(f"{name}[{self.depth()}{plus}]", kind)

    def object_at(self, address: Expr) -> Object | None:
        match address:
            case GlobalRef() if address.name in self.module.program.globals:
                if self.module.program.globals[address.name].origin is Origin.ELSEWHERE:
                    raise NoC(f"the variable {address.name}, which is defined nowhere")
                return self.module.global_object(address.name, None)
            case TlsRef():
                return self.module.global_object(address.name, self.thread.index)
            case Reg() if address.name in self.facts.objects:
                return self.local(address.name)
            case _:
                return None

    def local(self, register: str) -> Object:
        """A local variable that lives in memory: a variable of main, with arbitrary content like its original."""
        alloc = self.facts.objects[register]
        function = self.module.program.functions[self.copy.function]
        variable = function.variables.get(alloc.name)
        assert isinstance(alloc.size, Const)
        size = alloc.size.value
        ctype = None if variable is None else variable.ctype
        found = self.module.typed(shape(ctype, size, alloc.align, self.pointer_bits))
        wish = variable.c_name if variable is not None else f"{self.copy.function}_{register.lstrip('%')}"
        key = ("object", self.thread.index, self.copy, register)
        name = self.module.names.name(key, f"T{self.thread.index}_{wish}")
        if not self.recursive:
            self.module.declare(name, f"{found.declare(name)};")
            return Object(name, found)
        self.module.declare(name, f"{found.declare(f'{name}[DEPTH]')};")
        return Object(f"{name}[{self.depth()}]", found)

    def function_mark(self, name: str) -> str:
        return self.module.function_mark(name)


class ThreadText:
    """Writes the lines of one thread's switch."""

    def __init__(self, module: Module, flow: Flow, stops: Stops) -> None:
        self.module, self.flow, self.stops = module, flow, stops
        self.thread = flow.thread
        self.lines: list[str] = []
        self.falling = False  # whether control comes here from the line before
        self.entering = False  # whether this is still the straight beginning of the thread
        self._jumped: set[str] = set()
        self._line = SourceLoc("", 0)

    # --- lines -------------------------------------------------------------------------------------------------------

    def put(self, text: str, loc: SourceLoc | None = None) -> None:
        comment = ""
        if loc is not None and loc.line and (loc.file, loc.line) != (self._line.file, self._line.line):
            self._line = loc
            comment = f"  // {self.module.source(loc)}"
        self.lines.append(f"  {text}{comment}")

    def label(self, name: str) -> None:
        self.lines.append(f"{_BEGIN}{name}")

    def goto(self, name: str) -> str:
        self._jumped.add(name)
        return f"goto {name};"

    def text(self) -> list[str]:
        """All lines, without the labels nobody jumps to."""
        for copy in self.thread.copies:
            self._copy(copy)
        index = self.thread.index
        self.lines.append(f"case {self.stops.ending}:")
        self.lines.append("  abort();")
        found: list[str] = []
        for line in self.lines:
            if not line.startswith(_BEGIN):
                found.append(line)
            elif line[1:] in self._jumped:
                found.append(f"{line[1:]}:;")
        used = any(f"pc[{index}] = {self.stops.ending};" in line for line in found)
        return found if used else found[:-2]

    # --- code --------------------------------------------------------------------------------------------------------

    def block_label(self, copy: Copy, block: str) -> str:
        scope = CopyScope(self.module, self.thread, copy)
        return self.module.names.name(("label", self.thread.index, copy, block), f"{scope.prefix}_L{block}")

    def _copy(self, copy: Copy) -> None:
        from threadproof.codegen.sequential.statements import Statements

        function = self.module.code.function(copy)
        if copy != self.thread.copies[0]:
            self.lines += ["", f"  // {function.name}{' (inside an atomic block)' if copy.atomic else ''}"]
        statements = Statements(self, CopyScope(self.module, self.thread, copy))
        self.falling, self._line = False, SourceLoc("", 0)
        order = [b for b in function.blocks if self.module.code.depths(copy).reached(b.label)]
        for position, block in enumerate(order):
            following = order[position + 1].label if position + 1 < len(order) else None
            self.label(self.block_label(copy, block.label))
            called = not position and bool(self.flow.callers[copy])
            first = Node(copy, block.label, 0)
            self.falling |= called or (first != self.flow.start and self.stops.can_stay(first))  # by `goto`
            for number, instr in enumerate(block.instrs):
                node = Node(copy, block.label, number)
                self._stop(node)
                statements.write(node, instr, following)
                self.entering &= isinstance(instr, LOCAL) and node not in self.stops.visible

    def _stop(self, node: Node) -> None:
        """A new thread goes on to its first instruction that others can notice: nobody could tell the difference."""
        number = self.stops.numbers.get(node)
        if number is None:
            return
        if self.falling and not self.entering:
            self._give_way(node, number)
        self.entering = node == self.flow.start and self.thread.index > 0 and not self.stops.everywhere
        self.lines.append(f"case {number}:")
        self.falling = True
        self._line = SourceLoc("", 0)

    def _give_way(self, node: Node, number: int) -> None:
        """Before a numbered place: let another thread move, or go on if nobody minds."""
        leaving = f"pc[{self.thread.index}] = {number}"
        if node not in self.stops.visible and not self.stops.everywhere:
            return  # the head of a loop: only what comes round again gives way
        if not self.stops.can_stay(node):
            self.put(f"{leaving};")
            self.put("continue;")
            return
        touched = self.module.tables.step(self.stops, node)
        minds = f"conflict({self.thread.index}, {touched.reads}, {touched.writes})"
        instr = self.flow.nodes[node]
        if isinstance(instr, ir.Sync) and instr.op in JOINS:
            self.module.helpers.add("running")
            handle = Printer(CopyScope(self.module, self.thread, node.copy)).unsigned(instr.args[0]).text
            minds = f"running({handle}) || {minds}"
        self.put(f"if ({minds}) {{ {leaving}; continue; }}")

    def jump(self, source: Node, edge: Edge, following: str | None) -> str:
        """The statement that goes to a block; empty if it is the next line anyway."""
        target = Node(source.copy, edge.target, 0)
        number = self.stops.numbers.get(target)
        loops = self.module.code.loops[source.copy.function]
        returns = target in self.stops.heads and source.block in loops.bodies.get(edge.target, ())
        if number is not None and number != 1 and (returns or self.stops_always(target)):
            return f"pc[{self.thread.index}] = {number}; continue;"
        if edge.target == following:
            return ""
        return self.goto(self.block_label(source.copy, edge.target))

    def stops_always(self, node: Node) -> bool:
        """Whether whoever comes here gives up its turn."""
        return (node in self.stops.visible and not self.stops.can_stay(node)) or self.stops.everywhere
