"""The commands of a session: a table, and functions from a session and words to a session or a refusal.

A command that changes the session can be undone, whatever it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from threadproof.core.errors import InputError
from threadproof.core.schedule import Move
from threadproof.core.thread_id import ThreadId, name, number
from threadproof.simulate import files
from threadproof.simulate.evaluate import NameScope, Undetermined, Wrong, value_of
from threadproof.simulate.goals import goal_of
from threadproof.simulate.picture import write_picture
from threadproof.simulate.runs import MAX_STEPS, Interrupt, Mover, by_chance, by_focus, by_schedule, go, never, returned
from threadproof.simulate.session import Refusal, Session, advance, begin, retreat
from threadproof.simulate.syntax import SyntaxProblem

Answer = Session | Refusal


@dataclass(frozen=True, slots=True)
class CommandCall:
    """One command as given: the text after its name, and a way to stop it."""

    text: str
    interrupt: Interrupt

    @property
    def words(self) -> list[str]:
        return self.text.split()


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    short: str
    usage: str
    says: str
    act: Callable[[Session, CommandCall], Answer]


def perform(session: Session, line: str, interrupt: Interrupt | None = None) -> Answer:
    """Do what a line says. The answer to a question, and a thread's name, are commands by themselves."""
    word, _, rest = line.strip().partition(" ")
    call = CommandCall(rest.strip(), interrupt or Interrupt())
    command = BY_NAME.get(word)
    if command is None and re.fullmatch(r"-?(0[xX][0-9a-fA-F]+|\d+)", word):
        command, call = BY_NAME["choose"], replace(call, text=word)
    if command is None and thread_named(session, word) is not None:
        command, call = BY_NAME["thread"], replace(call, text=word)
    if command is None and _THREAD_NAME.fullmatch(word):
        return no_thread(session, word)
    if command is None:
        return f"there is no command '{word}': `help` lists them"
    try:
        answer = command.act(replace(session, said=""), call)
    except (Wrong, Undetermined, SyntaxProblem, InputError) as problem:
        return str(problem)
    if isinstance(answer, str) or command.name == "undo":
        return answer
    return replace(answer, previous=session)


_THREAD_NAME = re.compile(r"main|T\d+(\.\d+)*")


def no_thread(session: Session, text: str) -> Refusal:
    known = ", ".join(name(t.id) for _, t in sorted(session.state.threads.items()))
    return f"there is no thread '{text}': choose one of {known}"


def thread_named(session: Session, text: str) -> ThreadId | None:
    return next((t.id for t in session.state.threads.values() if name(t.id) == text), None)


# --- moving ------------------------------------------------------------------------------------------------------


def _step(session: Session, call: CommandCall) -> Answer:
    words = call.words
    if words and words[0] == "until":
        return _run_until(session, by_focus, call.text.removeprefix("until"), call)
    thread = thread_named(session, words[0]) if words else None
    if thread is not None:
        session = replace(session, focus=thread, asking=None)
        words = words[1:]
    elif words and not words[0].isdecimal():
        return no_thread(session, words[0])
    count = _count(words)
    return count if isinstance(count, str) else go(session, by_focus, never, count, call.interrupt)


def _until(session: Session, call: CommandCall) -> Answer:
    return _run_until(session, by_focus, call.text, call)


def _next(session: Session, call: CommandCall) -> Answer:
    return _with(session, by_schedule, call)


def _random(session: Session, call: CommandCall) -> Answer:
    return _with(session, by_chance, call)


def _with(session: Session, mover: Mover, call: CommandCall) -> Answer:
    if call.words[:1] == ["until"]:
        return _run_until(session, mover, call.text.removeprefix("until"), call)
    count = _count(call.words)
    return count if isinstance(count, str) else go(session, mover, never, count, call.interrupt)


def _run_until(session: Session, mover: Mover, text: str, call: CommandCall) -> Answer:
    if not text.strip():
        return "until what? a line (12, file.c:12), a function, a condition (x == 3 && !flag), or `end`"
    goal = goal_of(session, text.strip())
    return goal if isinstance(goal, str) else go(session, mover, goal, MAX_STEPS, call.interrupt)


def _count(words: list[str]) -> int | Refusal:
    if not words:
        return 1
    if len(words) == 1 and words[0].isdecimal() and 0 < int(words[0]) <= MAX_STEPS:
        return int(words[0])
    return f"expected a number of steps from 1 to {MAX_STEPS:,}, found '{' '.join(words)}'"


def _finish(session: Session, call: CommandCall) -> Answer:
    if number(session.focus) not in session.state.threads:
        return f"there is no thread {name(session.focus)} now"
    return go(session, by_focus, returned(session), MAX_STEPS, call.interrupt)


def _choose(session: Session, call: CommandCall) -> Answer:
    question = session.asking
    if question is None:
        return "no step waits for a value"
    try:
        value = int(call.text, 0)
    except ValueError:
        return f"expected a number, found '{call.text}'"
    if not question.choose.low <= value <= question.choose.high:
        return f"{value} is not between {question.choose.low} and {question.choose.high}"
    return advance(replace(session, asking=None), Move(question.thread, (*question.answers, value)))


def _thread(session: Session, call: CommandCall) -> Answer:
    thread = thread_named(session, call.text)
    if thread is None:
        return no_thread(session, call.text)
    return replace(session, focus=thread, asking=None)


def _back(session: Session, call: CommandCall) -> Answer:
    if call.text == "all":
        return retreat(session, session.here.count)
    if session.asking is not None and not call.text:
        return replace(session, asking=None)
    count = _count(call.words)
    return count if isinstance(count, str) else retreat(session, count)


def _undo(session: Session, call: CommandCall) -> Answer:
    return "nothing to undo" if session.previous is None else session.previous


# --- looking and keeping --------------------------------------------------------------------------------------------


def _scope(session: Session) -> NameScope:
    return NameScope(session.world, session.state, session.focus)


def _print(session: Session, call: CommandCall) -> Answer:
    if not call.text:
        return "print what? an expression over the program's variables"
    try:
        value = value_of(_scope(session), call.text)
    except Undetermined as problem:
        value = f"? ({problem})"
    return replace(session, said=f"{call.text} = {value}")


def _watch(session: Session, call: CommandCall) -> Answer:
    if not call.text:
        return "watch what? an expression over the program's variables"
    with suppress(Undetermined):
        value_of(_scope(session), call.text)
    return replace(session, watches=tuple(dict.fromkeys((*session.watches, call.text))))


def _unwatch(session: Session, call: CommandCall) -> Answer:
    if call.text and call.text not in session.watches:
        return f"'{call.text}' is not watched"
    return replace(session, watches=tuple(w for w in session.watches if call.text and w != call.text))


def _seed(session: Session, call: CommandCall) -> Answer:
    if not call.text.isdecimal():
        return f"expected a number, found '{call.text}'"
    return replace(session, seed=int(call.text))


def _save(session: Session, call: CommandCall) -> Answer:
    if not call.text:
        return "save to which file?"
    files.write(session, call.text)
    return replace(session, said=f"{session.here.count} steps saved in {call.text}")


def _load(session: Session, call: CommandCall) -> Answer:
    if not call.text:
        return "load which file?"
    recorded = files.read(call.text, None)
    if recorded.granularity is not session.world.granularity:
        return (
            f"{call.text} has {recorded.granularity.value} steps, this session {session.world.granularity.value} ones"
        )
    fresh = begin(session.world, recorded.schedule, recorded.cause, session.seed)
    said = f"{len(recorded.schedule)} steps loaded: `next` follows them"
    return replace(fresh, watches=session.watches, said=said)


def _picture(session: Session, call: CommandCall) -> Answer:
    if not call.text.endswith(".svg"):
        return "a picture of the screen goes to a file whose name ends in .svg"
    write_picture(session, call.text)
    return replace(session, said=f"the screen as a picture: {call.text}")


def _help(session: Session, call: CommandCall) -> Answer:
    wanted = [BY_NAME[word] for word in call.words if word in BY_NAME] or list(COMMANDS)
    lines = [f"{c.name} {c.usage}".rstrip() + (f"  ({c.short})" if c.short else "") for c in wanted]
    width = max(len(line) for line in lines)
    return replace(session, said="\n".join(f"{line:<{width}}  {c.says}" for line, c in zip(lines, wanted, strict=True)))


COMMANDS = (
    Command("step", "s", "[THREAD] [N]", "the thread makes a step, or N", _step),
    Command("thread", "t", "THREAD", "which thread `step` moves; its name alone does the same", _thread),
    Command("choose", "c", "VALUE", "answer the value a step needs; the number alone does the same", _choose),
    Command("back", "b", "[N|all]", "step back; `next` makes the steps again", _back),
    Command("until", "u", "WHAT", "step the thread to a line, a function, a condition, or `end`", _until),
    Command("finish", "f", "", "step the thread until its function returns", _finish),
    Command("random", "r", "[N|until WHAT]", "threads and values by chance", _random),
    Command("seed", "", "N", "seed of `random`", _seed),
    Command("next", "n", "[N|until WHAT]", "follow the schedule that was loaded or stepped back over", _next),
    Command("undo", "", "", "take back the last command, whatever it was", _undo),
    Command("print", "p", "EXPR", "value of a C expression: x, a[2], T1::seen, head->next", _print),
    Command("watch", "w", "EXPR", "show an expression's value from now on", _watch),
    Command("unwatch", "", "[EXPR]", "stop showing it, or all", _unwatch),
    Command("save", "", "FILE", "write the schedule of the steps made", _save),
    Command("load", "", "FILE", "go to the start and follow a schedule or counterexample with `next`", _load),
    Command("picture", "", "FILE.svg", "the screen as a drawing", _picture),
    Command("help", "h", "[COMMAND]", "this list", _help),
)
BY_NAME = {word: command for command in COMMANDS for word in (command.name, command.short) if word}
