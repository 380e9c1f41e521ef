"""The whole C file of one machine: constants, tables, the kernel, one function per instruction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from threadproof.codegen.kernel import kernel
from threadproof.codegen.machine.capacity import ROOMS, Capacity, slot_is_number
from threadproof.codegen.machine.environment_text import environment_functions, environment_state
from threadproof.codegen.machine.gpu_text import merged_operations
from threadproof.codegen.machine.monitor import Monitor
from threadproof.codegen.machine.numbering import Body, Numbering, Placed
from threadproof.codegen.machine.operations import HALT_KINDS, UNDEFINED_KINDS, Operation
from threadproof.codegen.machine.sync_text import guarded_function, mutex_functions
from threadproof.codegen.machine.variant import Footprints, Processor, Variant
from threadproof.ir import instr as ir
from threadproof.ir.instr import HaltKind, UndefinedKind
from threadproof.ir.layout import FUNCTION_SPACING, align_up
from threadproof.ir.program import Function, Mutability, Origin
from threadproof.semantics.cancellation import WAITED_LATER
from threadproof.semantics.domains import program_constants
from threadproof.semantics.machine import MAX_ATOMIC, MAX_SILENT
from threadproof.semantics.outcome import OwnChoice
from threadproof.semantics.run import DESTRUCTOR_ROUNDS, LEAVES_DESTRUCTOR, MAX_FRAMES, Granularity, Solo, Spurious
from threadproof.semantics.state import CHUNK
from threadproof.semantics.sync_ops import JOINS_DETACHED
from threadproof.sync import footprint
from threadproof.sync.facts import WAITS_FOR_MUTEX, WAITS_FOR_SIGNAL, WAITS_FOR_THREAD, Act, does, sync_facts
from threadproof.sync.operations import (
    EAGAIN,
    EDEADLK,
    EINVAL,
    EPERM,
    ESRCH,
    ETIMEDOUT,
    KEYS_MAX,
    NO_KEY,
    OPERATIONS,
    Guarded,
)

ANY_NUMBER = 0xFFFFFFFF  # of arguments
_TRAPS = {
    "UB_NULL": UndefinedKind.NULL_DEREFERENCE,
    "UB_WILD": UndefinedKind.WILD_DEREFERENCE,
    "UB_BOUNDS": UndefinedKind.OUT_OF_BOUNDS,
    "UB_FREED": UndefinedKind.USE_AFTER_FREE,
    "UB_DEAD": UndefinedKind.DEAD_LOCAL,
    "UB_CONSTANT": UndefinedKind.WRITE_TO_CONSTANT,
    "UB_DOUBLE_FREE": UndefinedKind.DOUBLE_FREE,
    "UB_INVALID_FREE": UndefinedKind.INVALID_FREE,
    "UB_DIVISION": UndefinedKind.DIVISION_BY_ZERO,
    "UB_SHIFT": UndefinedKind.OVERSIZED_SHIFT,
    "UB_WILD_CALL": UndefinedKind.WILD_CALL,
    "UB_CALL": UndefinedKind.BAD_CALL,
}
_TEXTS = {
    "TEXT_ELSEWHERE": "the variable {name}, which is defined nowhere",
    "TEXT_FAR": "a pointer far outside its object",
    "TEXT_SCHEDULE": "a schedule that chooses a value that is not possible",
    "TEXT_COPIED": "reading a copied part of {name} that was never initialised",
    "TEXT_COPY": "a copy of arbitrary bytes into memory without a mask",
    "TEXT_LARGE": "an object larger than the memory a thread has in the address layout",
    "TEXT_RECURSION": f"recursion deeper than {MAX_FRAMES} calls",
    "TEXT_ATOMIC": f"an atomic block of more than {MAX_ATOMIC} instructions",
    "TEXT_DETACHED": JOINS_DETACHED,
    "TEXT_WAITED_LATER": WAITED_LATER,
    "TEXT_LEAVES_DESTRUCTOR": LEAVES_DESTRUCTOR,
    "TEXT_HANDLER": "a signal to what is no fitting function",
    "TEXT_WIDTH": "a call whose argument or result has another size than the function says",
    "SOURCE_UNINITIALISED": "uninitialised {name}",
    "SOURCE_MALLOC": OwnChoice.BLOCK.value,
    "SOURCE_WAIT": OwnChoice.TIMEOUT.value,
    "SOURCE_SIGNAL": OwnChoice.WAITER.value,
    "SOURCE_CANCEL": OwnChoice.CANCELLED.value,
    "OP_THREAD_JOIN": WAITS_FOR_THREAD,
    "OP_MUTEX_LOCK": WAITS_FOR_MUTEX,
    "OP_COND_WAIT": WAITS_FOR_SIGNAL,
    "OP_ATOMIC": "atomic block",
    "OP_FINISHED": "finished thread",
    "OP_ENVIRONMENT": "the environment",
}
_ROOM_NAMES = ("THREADS", "FRAMES", "REGS", "STACK_OBJECTS", "STACK_BYTES", "HEAP_OBJECTS", "HEAP_BYTES", "KEYS")
_BEFORE = ("words.h", "base.h", "state.h")
_AFTER = ("access.h", "floats.h", "memory.h", "objects.h", "threads.h", "conditions.h", "step.h")


def machine_text(
    numbering: Numbering,
    variant: Variant,
    capacity: Capacity,
    monitor: Monitor,
    processor: Processor = Processor.CPU,
) -> str:
    operations = [
        Operation(numbering, body, body.start + index, monitor.keeps).text_of(instr)
        for body in numbering.bodies.values()
        for index, instr in enumerate(body.instrs)
    ]
    used = {i.op for body in numbering.bodies.values() for i in body.instrs if isinstance(i, ir.Sync)}
    sync = [guarded_function(numbering, op) for op in sorted(used) if isinstance(OPERATIONS[op], Guarded)]
    mutex = mutex_functions(numbering)
    gpu = processor is Processor.GPU
    environment = numbering.environment
    parts: list[str] = [
        f"#define GPU {processor.value}",
        *_constants(numbering, variant, capacity),
        environment_state(environment),
        *map(kernel, _BEFORE),
        *([] if environment is None else environment_functions(environment, numbering)),
        *_tables(numbering, monitor),
        *map(kernel, _AFTER),
        mutex,
        *sync,
        *(
            merged_operations(operations, list(numbering.bodies.values()))
            if gpu
            else [*operations, *_operation_table(numbering)]
        ),
        *([] if gpu else [kernel("entry.h")]),
        *monitor.declarations,
        *monitor.functions(),
        *([] if environment is None else [kernel("environment.h")]),
        kernel("schedulers.h"),
        *([kernel("prints.h")] if monitor.prints else []),
        kernel("batch.h"),
        *([kernel("quick.h"), kernel("lanes.h")] if gpu else []),
    ]
    return "\n".join(parts)


def _constants(numbering: Numbering, variant: Variant, capacity: Capacity) -> Iterator[str]:
    plan, layout = numbering.layout.plan, numbering.layout
    instrs = [i for body in numbering.bodies.values() for i in body.instrs]
    acts = {sync_facts(i).act for i in instrs if isinstance(i, ir.Sync)}
    values: dict[str, int] = {
        "INSTRUCTION": int(variant.granularity is Granularity.INSTRUCTION),
        "SPURIOUS": int(variant.spurious is Spurious.ON),
        "SOLO_EVER": int(variant.solo is Solo.EVER),
        "FOOTPRINTS": int(variant.footprints is Footprints.ON),
        "DORMANT": variant.dormant,
        "BEYOND": footprint.BEYOND,
        "HEAP_BEYOND": footprint.HEAP,
        "KEYS_BEYOND": footprint.KEYS,
        "LARGEST_PLACE": footprint.LARGEST,
        "SLOTS": capacity.threads,
        "FRAMES": capacity.frames,
        "REGS": capacity.registers,
        "STACK_OBJECTS": capacity.stack_objects,
        "STACK_BYTES": capacity.stack_bytes,
        "HEAP_OBJECTS": capacity.heap_objects,
        "HEAP_BYTES": capacity.heap_bytes,
        "KEYS": capacity.keys,
        "KEYS_MAX": KEYS_MAX,
        "NO_KEY": NO_KEY,
        "GLOBAL_BYTES": max(8, numbering.global_bytes),
        "TLS_BYTES": max(8, numbering.tls_bytes),
        "MASKED_GLOBALS": int(numbering.masked),
        "HAS_ATOMIC": int(Act.BEGIN in acts),
        "CANCELS": int(Act.CANCEL in acts),
        "SLOT_IS_NUMBER": int(slot_is_number(numbering)),
        "POINTER_BITS": 8 * numbering.pointer_bytes,
        "ADDRESS_MASK": numbering.address_mask,
        "CODE": plan.code,
        "FUNCTION_SPACING": FUNCTION_SPACING,
        "MAIN_ARENA": plan.main_arena,
        "MAIN_STACK": plan.main_stack,
        "MAIN_SIZE": plan.main_size,
        "ARENAS": plan.arenas,
        "ARENA_STACK": plan.arena_stack,
        "ARENA_SIZE": plan.arena_size,
        "ARENA_COUNT": plan.arena_count,
        "RED_ZONE": plan.red_zone,
        "HALF_ZONE": plan.red_zone // 2,
        "TLS_SIZE": layout.tls_size,
        "STACK_OFFSET": align_up(layout.tls_size + plan.red_zone, 16),
        "GLOBAL_COUNT": len(numbering.globals),
        "TLS_COUNT": len(numbering.tls),
        "PC_COUNT": numbering.pc_count,
        "FN_COUNT": len(numbering.bodies),
        "ENTRY_FN": numbering.bodies[numbering.program.entry].index,
        "MAX_FRAMES": MAX_FRAMES,
        "MAX_SILENT": MAX_SILENT,
        "MAX_ATOMIC": MAX_ATOMIC,
        "DESTRUCTOR_ROUNDS": DESTRUCTOR_ROUNDS,
        "CHUNK": CHUNK,
        "TLS_UNSHARED": int(all(not numbering.shared(placed) for placed in numbering.tls)),
        "REFUSED": int(bool(numbering.refusal)),
        "TEXT_REFUSAL": numbering.texts.number(numbering.refusal),
        "E_PERM": EPERM,
        "E_SRCH": ESRCH,
        "E_AGAIN": EAGAIN,
        "E_DEADLK": EDEADLK,
        "E_INVAL": EINVAL,
        "E_TIMEDOUT": ETIMEDOUT,
        "HALT_RETURN": HALT_KINDS.index(HaltKind.RETURN),
        "HALT_EXIT": HALT_KINDS.index(HaltKind.EXIT),
        "NAME_DESTRUCTOR": numbering.names.number("destructor of a thread-specific key"),
        "NAME_ROUTINE": numbering.names.number("the start routine of a thread"),
        "TEXT_THREADS": numbering.texts.number(f"more than {plan.arena_count // 2} threads"),
        "ROOM_RECORD": len(ROOMS),
        **{name: UNDEFINED_KINDS.index(kind) for name, kind in _TRAPS.items()},
        **{name: numbering.texts.number(text) for name, text in _TEXTS.items()},
        **{f"ROOM_{name}": index for index, name in enumerate(_ROOM_NAMES)},
    }
    for name, value in values.items():
        yield f"#define {name} {value}{'ULL' if value >= 1 << 31 else ''}"


def _tables(numbering: Numbering, monitor: Monitor) -> Iterator[str]:
    bodies = list(numbering.bodies.values())
    # Everything that is named has been named by now: operations were written first.
    yield f"#define NAME_COUNT {len(numbering.names.texts)}"
    elsewhere = {v.name for v in numbering.program.globals.values() if v.origin is Origin.ELSEWHERE}
    yield _array("u8", "ELSEWHERE", (int(name in elsewhere) for name in numbering.names.texts))
    yield _array("u32", "FN_START", (body.start for body in bodies))
    yield _array("u32", "FN_SLOTS", (body.slot_count for body in bodies))
    yield _array("u32", "FN_PARAMS", (len(body.function.params) for body in bodies))
    yield _array("u32", "FN_MOST", (_most_arguments(body.function) for body in bodies))
    firsts = [0]
    for body in bodies:
        firsts.append(firsts[-1] + len(body.function.params))
    params = [(body, param) for body in bodies for param in body.function.params]
    yield _array("u32", "FN_ARGS", firsts)
    yield _array("u32", "ARG_WIDTH", (param.width for _, param in params))
    yield _array(
        "u32", "ARG_SLOT", (b.slots[p.name] if p.name in b.live[0] and p.width <= 64 else 0 for b, p in params)
    )
    yield _array("u32", "FN_PARAM_SLOT", (_param_slot(body, live=True) for body in bodies))
    yield _array("u32", "FN_DEAD_PARAM", (_param_slot(body, live=False) for body in bodies))
    yield _array("u32", "FN_PARAM_WIDTH", (_param_width(body) for body in bodies))
    yield _array("i32", "FN_NAME", (numbering.names.number(body.name) for body in bodies))
    returns = (int(isinstance(i, ir.Return)) for body in bodies for i in body.instrs)
    yield _array("u8", "IS_RETURN", returns)
    yield _array("u8", "NEW_THREADS", (new_thread(i) for body in bodies for i in body.instrs))
    yield _array("u16", "RESULT_SLOT", (slot for body in bodies for slot in _result_slots(body, monitor)))
    yield _array("u32", "RESULT_WIDTH", (width for body in bodies for width in _result_widths(body)))
    yield _array("Global", "GLOBALS", (_global(numbering, placed) for placed in numbering.globals))
    yield _array("Global", "TLS_OBJECTS", (_global(numbering, placed) for placed in numbering.tls))
    constant = [p for p in numbering.globals if p.variable.mutability is Mutability.CONSTANT]
    variable = [p for p in numbering.globals if p.variable.mutability is not Mutability.CONSTANT]
    yield _image("CONSTANT_BYTES", constant, max(1, numbering.constant_bytes))
    yield _image("GLOBAL_IMAGE", variable, max(8, numbering.global_bytes))
    yield _image("TLS_IMAGE", numbering.tls, max(8, numbering.tls_bytes))
    telling = [0, 1, -1, *program_constants(numbering.program)]
    yield f"#define TELLING_COUNT {len(telling)}"
    yield _array("i64", "TELLING", (f"(i64){value & (1 << 64) - 1}ULL" for value in telling))


def new_thread(instr: ir.Instr) -> int:
    """What an instruction does to a thread that was just created: 1: creates it, 2: detaches one."""
    return 1 if does(instr, Act.CREATE) else 2 if does(instr, Act.DETACH) else 0


def _array(kind: str, name: str, items: Iterable[object]) -> str:
    """At least one element: C has no empty arrays."""
    content = ", ".join(map(str, items)) or ("0" if kind != "Global" else "{0}")
    return f"static const {kind} {name}[] = {{ {content} }};"


def _most_arguments(function: Function) -> int:
    count = len(function.params)
    return ANY_NUMBER if function.takes(count + 1) else count


def _param_slot(body: Body, *, live: bool) -> int:
    """Slot of a single parameter that is read (or not); 0 if there is none."""
    params = body.function.params
    if len(params) != 1 or params[0].width > 64 or (params[0].name in body.live[0]) is not live:
        return 0
    return body.slots[params[0].name]


def _param_width(body: Body) -> int:
    return body.function.params[0].width if len(body.function.params) == 1 else 0


def _result_slots(body: Body, monitor: Monitor) -> Iterator[int]:
    """By return pc: the slot of the result of the call before, if anybody reads it."""
    for index in range(len(body.instrs)):
        call = body.instrs[index - 1] if index else None
        if not isinstance(call, ir.Call) or call.dst is None or call.dst.width > 64:
            yield 0
        elif call.dst.name in body.live[index] or (body.name, call.dst.name) in monitor.keeps:
            yield body.slots[call.dst.name]
        else:
            yield 0


def _result_widths(body: Body) -> Iterator[int]:
    for index in range(len(body.instrs)):
        call = body.instrs[index - 1] if index else None
        yield call.dst.width if isinstance(call, ir.Call) and call.dst is not None else 0


def _global(numbering: Numbering, placed: Placed) -> str:
    constant = placed.variable.mutability is Mutability.CONSTANT and placed in numbering.globals
    flags = (0 if numbering.shared(placed) else 1) | 4 | (8 if constant else 0)
    return f"{{ {placed.address}ULL, {placed.variable.size}ULL, {placed.offset}, {placed.name}, {flags}, 0 }}"


def _image(name: str, items: Iterable[Placed], size: int) -> str:
    """Zeros at the end are C's own: large arrays mostly begin with them alone."""
    image = bytearray(size)
    for placed in items:
        image[placed.offset : placed.offset + len(placed.content)] = placed.content
    content = ", ".join(map(str, image.rstrip(b"\0"))) or "0"
    return f"static const u8 {name}[{size}] = {{ {content} }};"


def _operation_table(numbering: Numbering) -> Iterator[str]:
    yield _array("Op", "OPS", (f"op_{pc}" for pc in range(numbering.pc_count))).replace("OPS[]", "OPS[PC_COUNT]")
