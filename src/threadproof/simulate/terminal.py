"""The front end for a terminal: the screen above, a command line below.

Commands run beside the screen, so that Ctrl-C can end a long one after its current step. With an empty command line
the arrow keys step and step back, Tab goes to the next thread and Enter repeats the last command.
"""

from __future__ import annotations

import asyncio

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output import Output
from prompt_toolkit.widgets import TextArea

from threadproof.core.thread_id import name
from threadproof.report.lanes import Line, StyledSpan
from threadproof.semantics.state import live_threads
from threadproof.simulate.commands import COMMANDS, perform
from threadproof.simulate.runs import Interrupt
from threadproof.simulate.session import Session
from threadproof.simulate.text import clip, in_ascii
from threadproof.simulate.view import notices, screen

_STYLES = {
    "dim": "ansibrightblack",
    "red": "ansired",
    "green": "ansigreen",
    "yellow": "ansiyellow",
    "blue": "ansiblue",
    "magenta": "ansimagenta",
    "cyan": "ansicyan",
}
_HINT = "→ step   ← back   Tab thread   Enter repeats   help   quit"
_HINT_ASCII = "Right: step   Left: back   Tab: thread   Enter: repeat   help   quit"
_ANSWER_LINES = 3
NEXT_THREAD = "thread +"


def interact(session: Session, source: Input | None = None, target: Output | None = None) -> Session:
    """Runs until the person leaves; returns the session they left."""
    return Screen(session, source, target).run()


class Screen:
    def __init__(self, session: Session, source: Input | None = None, target: Output | None = None) -> None:
        self.session = session
        self._answer: list[Line] = []
        self._last = ""
        self._interrupt: Interrupt | None = None  # of the command that runs now
        self._waiting: list[str] = []  # commands typed while one runs
        words = [*(command.name for command in COMMANDS), "quit"]
        self._input = TextArea(
            height=1,
            prompt="> ",
            multiline=False,
            history=InMemoryHistory(),
            completer=WordCompleter(words),
            complete_while_typing=False,
            accept_handler=self._accept,
        )
        body = Window(FormattedTextControl(self._body), always_hide_cursor=True, wrap_lines=False)
        answer = Window(FormattedTextControl(self._below), height=_ANSWER_LINES, wrap_lines=True)
        self._app: Application[None] = Application(
            Layout(HSplit([body, answer, self._input]), focused_element=self._input),
            key_bindings=self._keys(),
            full_screen=True,
            input=source,
            output=target,
        )

    def run(self) -> Session:
        self._app.run()
        return self.session

    # --- what is seen ----------------------------------------------------------------------------------------------

    def _size(self) -> tuple[int, int]:
        size = self._app.output.get_size()
        return max(40, size.columns), max(12, size.rows)

    def _body(self) -> StyleAndTextTuples:
        width, height = self._size()
        if len(self._answer) > _ANSWER_LINES:  # help, for example: over the screen until the next command
            return self._styled(self._answer[: height - _ANSWER_LINES - 1])
        return self._styled(screen(self.session, width, height - _ANSWER_LINES))

    def _below(self) -> StyleAndTextTuples:
        width, _ = self._size()
        hint = clip((StyledSpan(_HINT if self._unicode() else _HINT_ASCII, "dim"),), width)
        if self._interrupt is not None:
            return self._styled([(StyledSpan("running: Ctrl-C stops", "bold"),)])
        said = [] if len(self._answer) > _ANSWER_LINES else self._answer
        told = [*notices(self.session), *said, (), ()][: _ANSWER_LINES - 1]
        return self._styled([*told, hint])

    def _styled(self, lines: list[Line]) -> StyleAndTextTuples:
        found: StyleAndTextTuples = []
        for line in lines:
            for span in line:
                style = " ".join(_STYLES.get(word, word) for word in span.style.split())
                found.append((style, span.text if self._unicode() else in_ascii(span.text)))
            found.append(("", "\n"))
        return found

    def _unicode(self) -> bool:
        return self._app.output.encoding().lower().replace("-", "").startswith("utf")

    # --- what is done ----------------------------------------------------------------------------------------------

    def _accept(self, buffer: Buffer) -> bool:
        self.submit(buffer.text.strip() or self._last)
        return False  # the line is emptied

    def submit(self, line: str) -> None:
        """Do a command after those that were given before it."""
        if not line:
            return
        self._last = line
        self._waiting.append(line)
        if self._interrupt is None:
            self._interrupt = Interrupt()
            self._app.create_background_task(self._work())

    async def _work(self) -> None:
        while self._waiting:
            line = self._waiting.pop(0)
            if line in ("quit", "q", "exit"):
                self._app.exit()
                return
            self._interrupt = Interrupt()
            if line == NEXT_THREAD:
                line = f"thread {self._next_thread()}"
            self._told(await asyncio.to_thread(perform, self.session, line, self._interrupt))
        self._interrupt = None
        self._app.invalidate()

    def _told(self, answer: Session | str) -> None:
        if isinstance(answer, str):
            self._answer = [(StyledSpan(answer, "bold yellow"),)]
        else:
            self.session = answer
            repeats = answer.said.endswith(answer.here.end) and bool(answer.here.end)
            self._answer = [] if repeats else [(StyledSpan(text),) for text in answer.said.splitlines()]

    def _next_thread(self) -> str:
        """The live thread after the focused one, round and round."""
        threads = [name(self.session.state.threads[n].id) for n in live_threads(self.session.state)]
        now = name(self.session.focus)
        if now not in threads:
            return threads[0] if threads else now
        return threads[(threads.index(now) + 1) % len(threads)]

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        empty = Condition(lambda: not self._input.text)

        @keys.add("right", filter=empty)
        def _(event: KeyPressEvent) -> None:
            self.submit("step")

        @keys.add("left", filter=empty)
        def _(event: KeyPressEvent) -> None:
            self.submit("back")

        @keys.add("tab", filter=empty)
        def _(event: KeyPressEvent) -> None:
            self.submit(NEXT_THREAD)

        @keys.add("c-d", filter=empty)
        def _(event: KeyPressEvent) -> None:
            self.submit("quit")

        @keys.add("c-c")
        def _(event: KeyPressEvent) -> None:
            if self._interrupt is not None:
                self._interrupt.asked = True
                self._waiting.clear()
            elif self._input.text:
                self._input.text = ""
            else:
                self._answer = [(StyledSpan("`quit` or Ctrl-D leaves"),)]

        return keys
