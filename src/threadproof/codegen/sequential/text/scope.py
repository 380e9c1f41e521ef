"""What names mean inside one copy of a function."""

from __future__ import annotations

from threadproof.codegen.sequential.plan.threads import FunctionCopy, ThreadCode
from threadproof.codegen.sequential.refusal import NoC
from threadproof.codegen.sequential.text.module import Module
from threadproof.codegen.sequential.values.scalars import CKind, check_width, unsigned
from threadproof.codegen.sequential.values.shapes import shape
from threadproof.codegen.sequential.values.typed import Object, Typed
from threadproof.ir.expr import Const, Expr, GlobalRef, Reg, TlsRef
from threadproof.ir.program import Origin


class CopyScope:
    """Registers and locals are variables of the generated main; those of a recursive function are arrays of frames."""

    def __init__(self, module: Module, thread: ThreadCode, copy: FunctionCopy) -> None:
        self.module, self.thread, self.copy = module, thread, copy
        self.pointer_bits = module.pointer_bits
        self.facts = module.facts(copy.function)
        self.recursive = copy.function in module.code.recursive

    @property
    def prefix(self) -> str:
        return f"{self.thread.name}_{self.copy.function}{'_atomic' if self.copy.atomic else ''}"

    # --- variables of the text itself --------------------------------------------------------------------------------

    def depth(self) -> str:
        name = self._name("depth", f"{self.prefix}_depth")
        self.module.declare(name, f"u32 {name} = 0;")
        return name

    def result(self) -> str:
        """For what the function returns."""
        kind = unsigned(self.module.code.function(self.copy).result_width)
        name = self._name("result", f"{self.thread.name}_{self.copy.function}_result")
        self.module.declare(name, f"{kind.text} {name} = 0;")
        return name

    def return_location(self, plus: str = "") -> str:
        """The number of the call to return to, 0 for none; `plus` as in `register`."""
        name = self._name("return", f"{self.thread.name}_return_{self.copy.function}")
        return self._cell(unsigned(32), name, plus)

    def _name(self, what: str, wish: str) -> str:
        return self.module.names.name((what, self.thread.index, self.copy), wish)

    def _cell(self, kind: CKind, name: str, plus: str) -> str:
        """A variable that begins as zero, in the running frame."""
        space = "" if kind.text.endswith("*") else " "
        if not self.recursive:
            self.module.declare(name, f"{kind.text}{space}{name} = 0;")
            return name
        self.module.declare(name, f"{kind.text}{space}{name}[DEPTH] = {{0}};")
        return f"{name}[{self.depth()}{plus}]"

    # --- variables of the program ------------------------------------------------------------------------------------

    def kind(self, name: str) -> CKind:
        return self.facts.kinds[name]

    def register(self, reg: Reg, plus: str = "") -> Typed:
        """In the running frame; ` + 1` is the one that a call is about to enter, `--` the one that is left."""
        kind = self.kind(reg.name)
        check_width(kind.width, self.pointer_bits)
        return Typed(self._cell(kind, self.module.register_name(self.thread.index, self.copy, reg.name), plus), kind)

    def aside(self, reg: Reg) -> Reg:
        """Another register of the same type, to keep a value in for a moment."""
        name = f"{reg.name}_old"
        self.facts.kinds.setdefault(name, self.kind(reg.name))
        return Reg(name, reg.width)

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
        variable = self.module.program.functions[self.copy.function].variables.get(alloc.name)
        assert isinstance(alloc.size, Const)
        ctype = None if variable is None else variable.ctype
        found = self.module.typed(shape(ctype, alloc.size.value, alloc.align, self.pointer_bits))
        wish = variable.c_name if variable is not None else f"{self.copy.function}_{register.lstrip('%')}"
        key = ("object", self.thread.index, self.copy, register)
        name = self.module.names.name(key, f"{self.thread.name}_{wish}")
        if not self.recursive:
            self.module.declare(name, f"{found.declare(name)};")
            return Object(name, found)
        self.module.declare(name, f"{found.declare(f'{name}[DEPTH]')};")
        return Object(f"{name}[{self.depth()}]", found)

    def function_mark(self, name: str) -> str:
        return self.module.function_mark(name)
