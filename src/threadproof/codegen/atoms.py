"""What a monitor can say about a state, as C text: variables by their C names, and where threads stand.

A thread is told by its identity (`()` is main) or is the bound variable of `exists` and `forall`. A thread that does
not exist, or has finished, stands nowhere and has no registers (they read as 0).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from threadproof.codegen.capacity import slot_is_number
from threadproof.codegen.monitor import Text
from threadproof.codegen.numbering import Body, Numbering
from threadproof.core.errors import InputError
from threadproof.core.thread_id import ThreadId
from threadproof.core.thread_id import number as number_of
from threadproof.ir import instr as ir
from threadproof.ir.ctypes import Array, CType, Encoding, Enumeration, Pointer, Record, Scalar
from threadproof.ir.instr import Instr
from threadproof.ir.program import Lifetime

Who = ThreadId | str
"""A thread, or the name a quantifier gave it."""

_STEP = re.compile(r"\[(\d+)\]|\.(\w+)")
_LIVE = """static inline int a_live(State *S, u32 t) {
    return t < SLOTS && S->t[t].phase != PHASE_NONE && S->t[t].phase != PHASE_FINISHED;
}"""
_FRAME = """/* First register and first stack byte of a thread's innermost frame of a function. */
static inline int a_frame(State *S, u32 t, u32 fn, u32 *rb, u32 *base) {
    if (!a_live(S, t)) return 0;
    Thread *T = &S->t[t];
    *rb = T->rb; *base = T->base;
    for (u32 i = T->nframes; T->fn != fn && i-- > 0;)
        if (T->frames[i].fn == fn) { *rb = T->frames[i].rb; *base = T->frames[i].base; return 1; }
    return T->fn == fn;
}
static inline u64 a_register(State *S, u32 t, u32 fn, u32 slot) {
    u32 rb, base;
    return a_frame(S, t, fn, &rb, &base) ? S->t[t].regs[rb + slot] : 0;
}
static inline u64 a_local(State *S, u32 t, u32 fn, u32 offset, u32 size) {
    u32 rb, base;
    return a_frame(S, t, fn, &rb, &base) ? get_bytes(S->t[t].sdata + base + offset, size) : 0;
}"""


def variable(numbering: Numbering, path: str) -> Text:
    """A scalar global, or an element or member of one: `x`, `buffer[2].next`."""
    name = re.split(r"[.\[]", path, maxsplit=1)[0]
    placed = next((p for p in numbering.globals if (p.variable.c_name or p.variable.name) == name), None)
    if placed is None or placed.variable.lifetime is not Lifetime.PROGRAM:
        raise InputError(f"the program has no global variable '{name}'")
    offset, ctype = _inside(placed.variable.ctype, path[len(name) :], path)
    area = "CONSTANT_BYTES" if placed.variable.mutability.value == "constant" else "S->g"
    size = ctype.bits // 8 if ctype is not None else placed.variable.size
    return Text(_number(f"get_bytes({area} + {placed.offset + offset}, {size})", ctype, size))


def _inside(ctype: CType | None, rest: str, path: str) -> tuple[int, CType | None]:
    offset = 0
    while rest:
        step = _STEP.match(rest)
        match ctype:
            case Array() if step and step[1] and int(step[1]) < ctype.count:
                offset += int(step[1]) * (ctype.bits // ctype.count // 8)
                ctype = ctype.element
            case Record() if step and step[2] and any(m.name == step[2] for m in ctype.members):
                member = next(m for m in ctype.members if m.name == step[2])
                if member.offset_bits % 8 or member.bits % 8:
                    raise InputError(f"'{path}' is a bit-field")
                offset += member.offset_bits // 8
                ctype = member.type
            case _:
                raise InputError(f"'{path}' names no part of the variable")
        rest = rest[step.end() :]
    return offset, ctype


def _number(raw: str, ctype: CType | None, size: int) -> str:
    match ctype:
        case Scalar(encoding=Encoding.FLOAT) if size in (4, 8):
            return f"from_bits{8 * size}({raw})"
        case Scalar(encoding=Encoding.UNSIGNED | Encoding.BOOL) | Pointer():
            return raw
        case Scalar() | Enumeration() | None if size <= 8:
            shift = 64 - 8 * size
            return f"((i64)({raw} << {shift}) >> {shift})"
        case _:
            raise InputError("only numbers can be watched, not whole arrays and records")


# --- threads -------------------------------------------------------------------------------------------------------


def _slot(numbering: Numbering, who: Who) -> str:
    if isinstance(who, str):
        return who
    number = number_of(who)
    return str(number if slot_is_number(numbering) or not number else (number + 1) // 2)


def _at_any(numbering: Numbering, who: Who, what: str, holds: Callable[[Body, Instr], bool]) -> Text:
    """The thread's next instruction is one of those."""
    table = "AT_" + re.sub(r"\W", lambda odd: f"_{ord(odd[0]):x}", what)
    marks = [int(holds(body, instr)) for body in numbering.bodies.values() for instr in body.instrs]
    if not any(marks):
        raise InputError(f"nothing in the program is {what}")
    declaration = f"static const u8 {table}[] = {{ {', '.join(map(str, marks))} }};"
    slot = _slot(numbering, who)
    return Text(f"(a_live(S, {slot}) && {table}[S->t[{slot}].pc])", (_LIVE, declaration))


def calls(numbering: Numbering, who: Who, function: str) -> Text:
    """The thread's next instruction calls the function: one of the program, or an external one that was given a
    value (`__VERIFIER_nondet_int`)."""

    def holds(body: Body, instr: Instr) -> bool:
        match instr:
            case ir.Call(callee=str()):
                return instr.callee == function
            case ir.Nondet():
                return instr.source == function
            case ir.Sync():
                return instr.op == function
            case _:
                return False

    return _at_any(numbering, who, f"a call of {function}", holds)


def at_line(numbering: Numbering, who: Who, line: int, file: str = "") -> Text:
    """The thread's next instruction belongs to that source line."""
    return _at_any(numbering, who, f"at {file}:{line}", lambda _, i: i.loc.line == line and i.loc.file.endswith(file))


def in_function(numbering: Numbering, who: Who, function: str) -> Text:
    return _at_any(numbering, who, f"in {function}", lambda body, _: body.name == function)


def register(numbering: Numbering, who: Who, function: str, name: str) -> Text:
    """A register of the thread's innermost frame of the function; it keeps its value when it is dead."""
    body = _body(numbering, function)
    slot = body.slots.get(name)
    if slot is None:
        raise InputError(f"the function {function} has no register {name}")
    text = f"a_register(S, {_slot(numbering, who)}, {body.index}, {slot})"
    return Text(text, (_LIVE, _FRAME), frozenset({(function, name)}))


def local(numbering: Numbering, who: Who, function: str, c_name: str) -> Text:
    """A C variable of the thread's innermost frame of the function, while it lives in memory."""
    body = _body(numbering, function)
    for place in body.locals.values():
        known = body.function.variables.get(place.name)
        if known is not None and known.c_name == c_name:
            slot = _slot(numbering, who)
            text = f"a_local(S, {slot}, {body.index}, {place.offset}, {place.size})"
            return Text(_number(text, known.ctype, place.size), (_LIVE, _FRAME))
    raise InputError(f"the function {function} has no variable '{c_name}' in memory")


def _body(numbering: Numbering, function: str) -> Body:
    found = numbering.bodies.get(function)
    if found is None:
        raise InputError(f"the program has no function '{function}'")
    return found


def thread_count() -> Text:
    """How many threads have not finished."""
    function = """static inline u64 a_threads(State *S) {
    u64 n = 0;
    for (u32 t = 0; t < SLOTS; t++) n += (u64)a_live(S, t);
    return n;
}"""
    return Text("a_threads(S)", (_LIVE, function))


def exists(variable_name: str, inside: Text) -> Text:
    """Some live thread satisfies `inside`, in which it is called `variable_name`."""
    return _quantified(variable_name, inside, "exists")


def forall(variable_name: str, inside: Text) -> Text:
    return _quantified(variable_name, inside, "forall")


def _quantified(name: str, inside: Text, how: str) -> Text:
    wanted, found = ("", 1) if how == "exists" else ("!", 0)
    loop = f"for (u32 {name} = 0; {name} < SLOTS; {name}++)"
    test = f"if (a_live(S, {name}) && {wanted}({inside.text})) {{ found = {found}; break; }}"
    text = f"({{ int found = {1 - found}; {loop} {test} found; }})"
    return Text(text, (_LIVE, *inside.declarations), inside.keeps)


def combined(template: str, parts: Iterable[Text]) -> Text:
    """`{}` in the template stand for the parts: `combined("{} == 8 || {} == 8", [i, j])`."""
    given = list(parts)
    declarations = tuple(dict.fromkeys(line for part in given for line in part.declarations))
    keeps = frozenset(keep for part in given for keep in part.keeps)
    return Text(template.format(*(f"({part.text})" for part in given)), declarations, keeps)
