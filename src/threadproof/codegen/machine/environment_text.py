"""The environment a program runs in, as C text inside the step machine: state of its own, meanings of functions, who
may move and how likely, signals. `kernel/environment.h` says what the texts may use and lets it take part in a run.

The smc engine's platforms are such environments; docs/howto/write-a-platform.md shows one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadproof.codegen.machine.numbering import Numbering


@dataclass(frozen=True, slots=True)
class NativeSignal:
    """A transition of the environment while `when` holds: the thread runs `handler` before it goes on."""

    when: str
    thread: str
    handler: str  # its address
    args: tuple[str, ...] = ()
    then: str = ""  # statements: what it does to the environment
    weight: str = "1"


@dataclass(frozen=True, slots=True)
class NativeEnvironment:
    """Expressions and statements of C over `env`, whose fields are signed numbers of 64 bits."""

    fields: Mapping[str, int]
    """Their values at the beginning."""
    functions: Mapping[str, str]
    """Statements by name of the function; without `return`."""
    active: str = ""
    """Whether a thread may move; empty: always."""
    weight: str = ""
    """How likely a thread is; empty: all alike."""
    signals: tuple[NativeSignal, ...] = ()
    choose: Mapping[str, str] = field(default_factory=dict[str, str])
    """Values of nondeterministic sources; those that are not here are uniform."""

    def names(self) -> tuple[str, ...]:
        """Of the words of its state; there is at least one."""
        return tuple(self.fields) or ("nothing",)


def environment_state(environment: NativeEnvironment | None) -> str:
    """For the state block."""
    if environment is None:
        return "#define ENVIRONMENT 0"
    words = ", ".join(environment.names())
    return f"#define ENVIRONMENT 1\ntypedef struct {{ long long {words}; }} Env;"


def environment_functions(environment: NativeEnvironment, numbering: Numbering) -> Iterator[str]:
    """Everything that depends on the environment: behind its words, before the kernel's memory."""
    values = ", ".join(str(value) for value in environment.fields.values()) or "0"
    yield f"static const Env FIRST_ENV = {{ {values} }};"
    for name, body in environment.functions.items():
        yield (
            f"ENV_FUNCTION(call_{name}) {{\n    Env next = S->env, *env = &next;\n    {{ {body} }}\n"
            "    S->env = next;\n    return 0;\n}"
        )
    yield f"static int env_active(const Env *env, i64 thread) {{ return !!({environment.active or 1}); }}"
    yield f"static double env_weight(const Env *env, i64 thread) {{ return (double)({environment.weight or 1}); }}"
    yield from _signals(environment.signals)
    yield f"#define ENV_CHOOSES {int(bool(environment.choose))}"
    yield "static int env_chosen(Rng *rng, int source, u64 *out) {\n    switch (source) {"
    for source, value in environment.choose.items():
        yield f"    case {numbering.texts.number(source)}: *out = (u64)(i64)({value}); return 1;"
    yield "    }\n    return 0;\n}"


def _signals(signals: tuple[NativeSignal, ...]) -> Iterator[str]:
    yield f"#define SIGNALS {len(signals)}"
    yield f"typedef struct {{ i64 thread; u64 handler, args[{max((len(s.args) for s in signals), default=0) + 1}];"
    yield "    u32 count; double weight; } Signal;"
    yield "static int env_signal(const Env *env, u32 which, Signal *s) {\n    switch (which) {"
    for number, one in enumerate(signals):
        args = " ".join(f"s->args[{at}] = (u64)({text});" for at, text in enumerate(one.args))
        yield (
            f"    case {number}: if (!({one.when})) return 0; s->thread = {one.thread};"
            f" s->handler = (u64)({one.handler}); s->count = {len(one.args)};"
            f" s->weight = (double)({one.weight}); {args} return 1;"
        )
    yield "    }\n    return 0;\n}"
    yield "static void env_delivered(Env *env, u32 which) {\n    switch (which) {"
    for number, one in enumerate(signals):
        yield f"    case {number}: {{ {one.then} }} break;"
    yield "    }\n}"
