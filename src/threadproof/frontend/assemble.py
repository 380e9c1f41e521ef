"""Putting the program together: everything reachable from `main` is lowered, nothing else is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from threadproof.core.errors import InputError
from threadproof.core.source import NOWHERE, SourceLoc
from threadproof.frontend.heap_types import HeapTypes
from threadproof.frontend.library import Library
from threadproof.frontend.link import Alias, Definition, Linker, Unit, exported
from threadproof.frontend.llvm.module import (
    Argument,
    BasicBlock,
    CallInst,
    Instruction,
    LlvmAggregate,
    LlvmFunction,
    LlvmLocal,
    LlvmNumber,
    LlvmVariable,
    OddInst,
    ReturnInst,
    Symbol,
)
from threadproof.frontend.llvm.types import PTR, Arity, VoidType
from threadproof.frontend.lower.call import table_wins
from threadproof.frontend.lower.constants import ConstantImage
from threadproof.frontend.lower.function import lower_blocks, lower_function
from threadproof.frontend.lower.scope import Demand, Scope, Unlowerable
from threadproof.frontend.options import FrontendOptions
from threadproof.frontend.outside import Uses
from threadproof.ir.ctypes import type_name
from threadproof.ir.expr import GlobalRef
from threadproof.ir.instr import Alloc, Call, Instr, Storage, Sync
from threadproof.ir.program import (
    Block,
    DataModel,
    Function,
    GlobalVar,
    HeapUse,
    Lifetime,
    Mutability,
    Origin,
    Program,
    Relocation,
)
from threadproof.sync.facts import Act, does
from threadproof.sync.families.locks import ROBUST
from threadproof.sync.families.threads import ENDS

_REGISTER = frozenset(("atexit", "on_exit", "at_quick_exit"))

_CLEANUP = ("__pthread_register_cancel",)
_ONCE = ("pthread_once", "call_once")


class Assembler:
    def __init__(
        self, units: list[Unit], library: Library, data_model: DataModel, options: FrontendOptions, uses: Uses
    ) -> None:
        self._units = units
        self._lives, self._checks = options.locals, options.checks
        self._uses = uses
        self._data_model = data_model
        self._library = library
        self._linked: dict[str, Unit] = {}  # function or variable of the runtime library -> its file
        self._functions: dict[str, Function] = {}
        self._globals: dict[str, GlobalVar] = {}
        self._constructors: list[str] = []
        self._registers = self._before_exit = self._before_cancel = ""  # of the runtime, where something runs at exit
        self._demand = Demand(Linker(units), self._runtime, [], set(), {}, {}, {}, {}, self._uses, _runs_at_exit(units))

    def program(self, sources: Sequence[str]) -> Program:
        main = self._main()
        self._demand.ask(main)
        self._constructors = self._ask_listed("llvm.global_ctors")
        if self._demand.mentions(ROBUST):
            self._constructors.insert(0, self._library_function("__threadproof_robust_start"))
        if self._demand.mentions(_CLEANUP) or (self._demand.mentions(_ONCE) and self._demand.mentions(ENDS)):
            self._constructors.insert(0, self._library_function("__threadproof_cleanup_start"))
        destructors = self._ask_listed("llvm.global_dtors")
        at_exit = self._ask_exit() if self._demand.handlers else ""
        done = wrapped = 0
        while done < len(self._demand.order) or wrapped < len(self._demand.wrappers):
            while done < len(self._demand.order):
                self._lower(self._demand.order[done])
                done += 1
            for name in list(self._demand.wrappers)[wrapped:]:
                self._wrap(name)
                wrapped += 1
        self._environment()
        self._run_before_main(destructors)
        if at_exit:
            self._watch_thread_exits()
        functions, variables = self._in_source_order()
        name = sources[0] if len(sources) == 1 else " ".join(sources)
        outside = self._uses.outside(tuple(self._demand.undefined))
        notes = tuple(self._uses.notes)
        program = Program(
            name, self._data_model, functions, variables, "main", tuple(sources), notes, outside, at_exit=at_exit
        )
        return replace(program, blocks=self._blocks(program))

    def _blocks(self, program: Program) -> dict[str, HeapUse]:
        if not any(isinstance(instr, Alloc) and instr.storage is Storage.HEAP for instr in program.instrs()):
            return {}
        pointees = {name: ctype for unit in reversed(self._units) for name, ctype in unit.debug.pointees().items()}
        return HeapTypes(program.globals, pointees).of(program.functions)

    def _main(self) -> Definition:
        for unit in self._units:
            found = self._demand.linker.find(unit, "main")
            if found is not None and isinstance(found.item, LlvmFunction):
                return found
        files = ", ".join(unit.module.file for unit in self._units)
        raise InputError(
            f"no function 'main' in {files}: to a library add a driver, a main that creates threads and calls it"
        )

    def _ask_listed(self, marked: str) -> list[str]:
        """Names of the functions marked as constructors or destructors, in the order of their priorities."""
        found: list[tuple[int, str]] = []
        for unit in self._units:
            listed = unit.module.variables.get(marked)
            for entry in listed.initial.parts if listed and isinstance(listed.initial, LlvmAggregate) else ():
                match entry:
                    case LlvmAggregate(parts=(LlvmNumber(value=priority), Symbol(name=symbol), *_)):
                        definition = self._demand.linker.find(unit, symbol)
                        if definition is not None:
                            self._demand.ask(definition)
                            found.append((priority, definition.name))
                    case _:
                        pass
        return [name for _, name in sorted(found, key=lambda entry: entry[0])]

    def _runtime(self, symbol: str) -> Unit | None:
        """The file of the runtime library that defines the function or variable."""
        if symbol not in self._linked and self._library.defines(symbol):
            unit = self._library.unit(symbol)
            self._demand.linker.add_library(unit)
            self._linked.update((name, unit) for name in exported(unit.module))
        return self._linked.get(symbol)

    def _scope(self, unit: Unit) -> Scope:
        return Scope(unit, self._demand, table_wins, self._lives, self._checks)

    def _lower(self, definition: Definition) -> None:
        scope = self._scope(definition.unit)
        match definition.item:
            case LlvmFunction():
                self._functions[definition.name] = lower_function(definition.item, definition.name, scope)
            case LlvmVariable():
                self._globals[definition.name] = _variable(definition.item, definition.name, scope)
            case Alias():
                raise AssertionError("aliases are followed before")

    def _made_up(self, name: str, image: bytes, *relocations: Relocation) -> None:
        word = self._data_model.pointer_bytes
        self._globals[name] = GlobalVar(name, len(image), image, relocations, align=word)

    def _wrap(self, symbol: str) -> None:
        """A function that does what calling the library function does, for pointers to it."""
        name, unit, declared = self._demand.wrappers[symbol]
        scope = self._scope(unit)
        instructions: tuple[Instruction, ...] = (OddInst(f"a call of {symbol} through a pointer"),)
        if declared.arity is Arity.FIXED:
            args = tuple(Argument(LlvmLocal(param.type, param.name)) for param in declared.params)
            void = isinstance(declared.result, VoidType)
            call = CallInst(declared.type, Symbol(PTR, symbol), args, result="" if void else "result")
            instructions = (call, ReturnInst(None if void else LlvmLocal(declared.result, "result")))
        bare = LlvmFunction(symbol, "external", declared.result, declared.params, declared.arity)
        self._functions[name] = lower_blocks(bare, [BasicBlock("0", instructions)], name, scope)

    def _environment(self) -> None:
        """stdin and its kin point to something nobody looks into; what is defined nowhere has an address only."""
        word = self._data_model.pointer_bytes
        for name in self._demand.environment.values():
            opaque = f"<{name}>"
            self._made_up(opaque, bytes(1))
            self._made_up(name, bytes(word), Relocation(0, opaque))
        for name in self._demand.undefined.values():
            self._globals[name] = GlobalVar(name, 0, b"", origin=Origin.ELSEWHERE, align=word)

    def _library_function(self, symbol: str) -> str:
        """The name in the program of a function of the runtime library, which the program gets."""
        unit = self._runtime(symbol)
        found = None if unit is None else self._demand.linker.find(unit, symbol)
        assert found is not None, symbol
        self._demand.ask(found)
        return found.name

    def _ask_exit(self) -> str:
        """What runs when main returns."""
        self._registers = self._library_function("atexit")
        self._before_exit = self._library_function("__threadproof_before_thread_exit")
        self._before_cancel = self._library_function("__threadproof_before_cancel")
        return self._library_function("exit")

    def _run_before_main(self, destructors: list[str]) -> None:
        """Functions that run before main are called at its start; those that run after it are registered first."""
        if not self._constructors and not destructors:
            return
        main, bits = self._functions["main"], 8 * self._data_model.pointer_bytes
        first = main.blocks[0]
        registered = [Call(None, self._registers, (GlobalRef(name, bits),), loc=main.loc) for name in destructors]
        calls = [Call(None, name, (), loc=main.loc) for name in self._constructors]
        block = replace(first, instrs=(*registered, *calls, *first.instrs))
        self._functions["main"] = replace(main, blocks=(block, *main.blocks[1:]))

    def _watch_thread_exits(self) -> None:
        """Whether it is main that ends by pthread_exit or is cancelled is looked at before."""
        for name, function in self._functions.items():
            blocks = tuple(self._watched(block) for block in function.blocks)
            self._functions[name] = replace(function, blocks=blocks)

    def _watched(self, block: Block) -> Block:
        instrs: list[Instr] = []
        for instr in block.instrs:
            if does(instr, Act.EXIT):
                instrs.append(Call(None, self._before_exit, (), loc=instr.loc))
            elif isinstance(instr, Sync) and does(instr, Act.CANCEL):
                instrs.append(Call(None, self._before_cancel, instr.args, loc=instr.loc))
            instrs.append(instr)
        return replace(block, instrs=tuple(instrs))

    def _in_source_order(self) -> tuple[dict[str, Function], dict[str, GlobalVar]]:
        """As in the files, not as reached; the library and what was made up come last."""
        functions: dict[str, Function] = {}
        variables: dict[str, GlobalVar] = {}
        for unit in (*self._units, *dict.fromkeys(self._linked.values())):
            for symbol in unit.module.functions:
                name = unit.names.get(symbol)
                if name in self._functions:
                    functions.setdefault(name, self._functions[name])
            for symbol in unit.module.variables:
                name = unit.names.get(symbol)
                if name in self._globals:
                    variables.setdefault(name, self._globals[name])
        return {**functions, **self._functions}, {**variables, **self._globals}


def _runs_at_exit(units: list[Unit]) -> bool:
    """Whether the program marks functions as destructors or may register some."""
    return any("llvm.global_dtors" in u.module.variables or _REGISTER & u.module.functions.keys() for u in units)


def _refuse_preferred_writers(image: bytes, loc: SourceLoc, scope: Scope) -> None:
    """PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP: readers would have to wait for writers that wait."""
    flags = 48 if scope.types.pointer_bytes == 8 else 24
    if any(image[flags : flags + 1]):
        raise InputError(
            f"{loc}: a read-write lock that prefers writers is not modelled; use PTHREAD_RWLOCK_INITIALIZER"
        )


def _variable(variable: LlvmVariable, name: str, scope: Scope) -> GlobalVar:
    assert variable.initial is not None
    try:
        image = ConstantImage.of(variable.initial, scope)
    except Unlowerable as reason:
        raise InputError(f"{scope.unit.module.file}: the variable '{variable.name}' starts with {reason}") from None
    known = scope.unit.debug.global_variable(variable.debug)
    if known is not None and known.ctype is not None and type_name(known.ctype) == "pthread_rwlock_t":
        _refuse_preferred_writers(bytes(image.data), known.loc, scope)
    return GlobalVar(
        name,
        image.size,
        bytes(image.data),
        tuple(image.relocations),
        mutability=Mutability.CONSTANT if variable.storage == "constant" else Mutability.VARIABLE,
        lifetime=Lifetime.THREAD if variable.scope == "thread_local" else Lifetime.PROGRAM,
        align=variable.align or scope.types.align(variable.type),
        c_name="" if known is None else known.c_name,
        ctype=None if known is None else known.ctype,
        loc=NOWHERE if known is None else known.loc,
    )
