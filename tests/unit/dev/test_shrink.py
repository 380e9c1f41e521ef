"""The shrinker: what must stay stays, everything else goes."""

from __future__ import annotations

from threadproof.dev.programs.generate import ProgramShape, generate
from threadproof.dev.programs.shrink import shrink

PROGRAM = """\
int x = 0;
int y = 0;
void *t(void *arg) {
    y = 1;
    if (y == 1) {
        x = 2;
        y = 3;
    } else {
        y = 4;
    }
    for (int i = 0; i < 2; i++) {
        y++;
    }
    return 0;
}
"""


def test_one_line_is_found() -> None:
    assert shrink(PROGRAM, lambda source: "x = 2;" in source) == "        x = 2;\n"


def test_a_block_goes_only_as_a_whole() -> None:
    def balanced(source: str) -> bool:
        return source.count("{") == source.count("}") and "y = 4;" in source

    def in_else(source: str) -> bool:
        return balanced(source) and "else" in source

    assert shrink(PROGRAM, balanced) == "        y = 4;\n"
    assert [line.strip() for line in shrink(PROGRAM, in_else).splitlines()] == [
        "if (y == 1) {", "} else {", "y = 4;", "}"
    ]  # fmt: skip


def test_lines_that_need_each_other_stay_together() -> None:
    """Smallest in the sense that nothing can be left out alone."""
    found = shrink(PROGRAM, lambda source: ("int y" in source) == ("y++" in source) and "x = 2" in source)
    assert [line.strip() for line in found.splitlines()] == ["int y = 0;", "x = 2;", "y++;"]


def test_every_candidate_is_tried_once() -> None:
    tried: list[str] = []

    def remember(source: str) -> bool:
        tried.append(source)
        return "pthread_join" in source

    shrink(generate(1, ProgramShape(statements=(5, 5))), remember)
    assert len(tried) == len(set(tried))
