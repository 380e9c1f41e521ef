"""An LLVM module as we read it: values, instructions, functions, variables. Plain data without meaning.

Not frozen, unlike the program it becomes: these are made by the hundred thousand and forgotten at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from threadproof.frontend.llvm.types import Arity, FunctionType, Type, TypeTable

# --- values ---


@dataclass(eq=False, slots=True)
class LlvmLocal:
    type: Type
    name: str  # without the %


@dataclass(eq=False, slots=True)
class Symbol:
    """A global variable or function by name."""

    type: Type
    name: str  # without the @


@dataclass(eq=False, slots=True)
class LlvmNumber:
    """An integer, or the bit pattern of a float, as a number of the type's width."""

    type: Type
    value: int


@dataclass(eq=False, slots=True)
class Zero:
    """null and zeroinitializer."""

    type: Type


@dataclass(eq=False, slots=True)
class Undef:
    type: Type
    kind: str  # "undef" or "poison"


@dataclass(eq=False, slots=True)
class LlvmText:
    type: Type
    data: bytes


@dataclass(eq=False, slots=True)
class LlvmAggregate:
    type: Type
    parts: tuple[Value, ...]


@dataclass(eq=False, slots=True)
class ConstExpr:
    """A constant expression. `source` is getelementptr's element type."""

    type: Type
    opcode: str
    operands: tuple[Value, ...]
    source: Type | None = None


@dataclass(eq=False, slots=True)
class BlockAddress:
    type: Type
    function: str
    label: str


@dataclass(eq=False, slots=True)
class Odd:
    """A value we do not read; fails when used."""

    type: Type
    text: str


Value = LlvmLocal | Symbol | LlvmNumber | Zero | Undef | LlvmText | LlvmAggregate | ConstExpr | BlockAddress | Odd

# --- instructions ---


@dataclass(eq=False, slots=True, kw_only=True)
class _Instruction:
    result: str = ""  # the register's name without the %
    debug: int = -1  # number of the !DILocation


@dataclass(eq=False, slots=True)
class AllocaInst(_Instruction):
    type: Type
    count: Value | None
    align: int


@dataclass(eq=False, slots=True)
class LoadInst(_Instruction):
    type: Type
    address: Value
    order: str  # "" if not atomic
    volatility: str  # "volatile" or ""


@dataclass(eq=False, slots=True)
class StoreInst(_Instruction):
    value: Value
    address: Value
    order: str
    volatility: str


@dataclass(eq=False, slots=True)
class GepInst(_Instruction):
    source: Type
    base: Value
    indices: tuple[Value, ...]


@dataclass(eq=False, slots=True)
class BinaryInst(_Instruction):
    opcode: str
    left: Value
    right: Value


@dataclass(eq=False, slots=True)
class CompareInst(_Instruction):
    opcode: str  # icmp or fcmp
    predicate: str
    left: Value
    right: Value


@dataclass(eq=False, slots=True)
class CastInst(_Instruction):
    opcode: str
    value: Value
    type: Type


@dataclass(eq=False, slots=True)
class UnaryInst(_Instruction):
    opcode: str  # fneg or freeze
    value: Value


@dataclass(eq=False, slots=True)
class SelectInst(_Instruction):
    condition: Value
    then: Value
    otherwise: Value


@dataclass(eq=False, slots=True)
class PhiInst(_Instruction):
    type: Type
    incoming: tuple[tuple[str, Value], ...]  # (label, value)


@dataclass(eq=False, slots=True)
class ExtractInst(_Instruction):
    """extractvalue."""

    aggregate: Value
    indices: tuple[int, ...]


@dataclass(eq=False, slots=True)
class InsertInst(_Instruction):
    """insertvalue."""

    aggregate: Value
    value: Value
    indices: tuple[int, ...]


@dataclass(eq=False, slots=True)
class ExtractLaneInst(_Instruction):
    vector: Value
    index: Value


@dataclass(eq=False, slots=True)
class InsertLaneInst(_Instruction):
    vector: Value
    value: Value
    index: Value


@dataclass(eq=False, slots=True)
class ShuffleInst(_Instruction):
    left: Value
    right: Value
    mask: tuple[int | None, ...]  # lanes of both, None: any


@dataclass(eq=False, slots=True)
class RmwInst(_Instruction):
    opcode: str
    address: Value
    value: Value
    order: str


@dataclass(eq=False, slots=True)
class CmpXchgInst(_Instruction):
    address: Value
    expected: Value
    desired: Value
    order: str
    weak: bool


@dataclass(eq=False, slots=True)
class FenceInst(_Instruction):
    order: str
    scope: str  # "singlethread" or ""


@dataclass(eq=False, slots=True)
class Asm:
    template: str
    constraints: str
    dialect: str = ""  # "inteldialect", or "" for AT&T


@dataclass(eq=False, slots=True)
class Argument:
    value: Value
    byval: Type | None = None
    sret: Type | None = None  # the result is stored there


@dataclass(eq=False, slots=True)
class CallInst(_Instruction):
    type: FunctionType
    callee: Value | Asm
    args: tuple[Argument, ...]


@dataclass(eq=False, slots=True)
class BranchInst(_Instruction):
    target: str


@dataclass(eq=False, slots=True)
class CondBranchInst(_Instruction):
    condition: Value
    then: str
    otherwise: str


@dataclass(eq=False, slots=True)
class SwitchInst(_Instruction):
    value: Value
    default: str
    cases: tuple[tuple[int, str], ...]


@dataclass(eq=False, slots=True)
class IndirectBranchInst(_Instruction):
    address: Value
    targets: tuple[str, ...]


@dataclass(eq=False, slots=True)
class ReturnInst(_Instruction):
    value: Value | None


@dataclass(eq=False, slots=True)
class UnreachableInst(_Instruction):
    pass


@dataclass(eq=False, slots=True)
class DeclareRecord(_Instruction):
    """`#dbg_declare`: the C variable number `variable` lives at this address."""

    address: Value
    variable: int


@dataclass(eq=False, slots=True)
class OddInst(_Instruction):
    """An instruction we do not read; fails when reached."""

    what: str


Instruction = (
    AllocaInst
    | LoadInst
    | StoreInst
    | GepInst
    | BinaryInst
    | CompareInst
    | CastInst
    | UnaryInst
    | SelectInst
    | PhiInst
    | ExtractInst
    | InsertInst
    | ExtractLaneInst
    | InsertLaneInst
    | ShuffleInst
    | RmwInst
    | CmpXchgInst
    | FenceInst
    | CallInst
    | BranchInst
    | CondBranchInst
    | SwitchInst
    | IndirectBranchInst
    | ReturnInst
    | UnreachableInst
    | DeclareRecord
    | OddInst
)

# --- modules ---


@dataclass(eq=False, slots=True)
class Param:
    name: str
    type: Type
    byval: Type | None = None


@dataclass(eq=False, slots=True)
class BasicBlock:
    label: str
    instructions: tuple[Instruction, ...]


@dataclass(slots=True)
class LlvmFunction:
    """A declaration, or a definition whose lines are read only if the function is needed."""

    name: str
    linkage: str
    result: Type
    params: tuple[Param, ...]
    arity: Arity
    debug: int = -1  # number of the !DISubprogram
    lines: list[str] | None = None  # None: a declaration

    @property
    def type(self) -> FunctionType:
        return FunctionType(self.result, tuple(param.type for param in self.params), self.arity)


@dataclass(eq=False, slots=True)
class LlvmVariable:
    name: str
    linkage: str
    type: Type
    initial: Value | None  # None: defined elsewhere
    storage: str  # "global" or "constant"
    scope: str  # "thread_local" or ""
    align: int
    debug: tuple[int, ...] = ()


@dataclass(slots=True)
class LlvmModule:
    file: str
    types: TypeTable
    functions: dict[str, LlvmFunction] = field(default_factory=dict[str, LlvmFunction])
    variables: dict[str, LlvmVariable] = field(default_factory=dict[str, LlvmVariable])
    aliases: dict[str, tuple[str, Value]] = field(default_factory=dict[str, "tuple[str, Value]"])  # linkage, target
    metadata: dict[int, str] = field(default_factory=dict[int, str])


LOCAL_LINKAGES = ("internal", "private")
WEAK_LINKAGES = (
    "weak",
    "weak_odr",
    "linkonce",
    "linkonce_odr",
    "available_externally",
    "common",
    "extern_weak",
)
