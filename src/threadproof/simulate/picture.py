"""The screen as an SVG drawing, for documents."""

from __future__ import annotations

import io
import re

from threadproof.core.errors import InputError
from threadproof.simulate.session import Session
from threadproof.simulate.view import notices, screen

WIDTH, HEIGHT = 108, 36


def write_picture(session: Session, file: str) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(record=True, width=WIDTH, file=io.StringIO(), highlight=False)
    for line in [*screen(session, WIDTH, HEIGHT), *notices(session)]:
        console.print(Text.assemble(*((span.text, span.style) for span in line)), no_wrap=True, overflow="crop")
    title = "threadproof simulate " + " ".join(session.world.machine.program.sources)
    drawing = re.sub(r"\s*(@font-face \{.*?\}|<!--.*?-->)", "", console.export_svg(title=title), flags=re.DOTALL)
    drawing = drawing.replace("<text ", '<text xml:space="preserve" ').replace("Fira Code, monospace", "monospace")
    try:
        with open(file, "w", encoding="utf-8") as out:
            out.write(drawing)
    except OSError as error:
        raise InputError(f"cannot write {file}: {error.strerror}") from None
