"""Random programs: a function of the seed, real C, every feature there."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from threadproof.dev.programs import tiny
from threadproof.dev.programs.features import Feature
from threadproof.dev.programs.generate import DEFAULT, TINY, ProgramShape, TinyShape, generate, generate_tiny, main
from threadproof.dev.programs.threaded import WAYS, generate_threaded
from threadproof.dev.programs.threaded_topics import TOPICS
from threadproof.frontend import load
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Choose, Moved
from threadproof.semantics.state import State, live_threads


def test_a_program_is_a_function_of_its_seed() -> None:
    assert [generate(seed) for seed in range(20)] == [generate(seed) for seed in range(20)]
    assert len({generate(seed) for seed in range(20)}) == 20


@pytest.mark.parametrize("feature", list(Feature), ids=lambda feature: feature.value)
def test_every_feature_gives_real_c(feature: Feature, tmp_path: Path) -> None:
    shape = ProgramShape(allowed=(feature,), features=(1, 1), statements=(4, 6))
    path = tmp_path / "main.c"
    path.write_text("".join(generate(3, shape)), encoding="utf-8")
    assert "main" in load([str(path)]).functions


def test_features_do_not_get_into_each_other_s_way(tmp_path: Path) -> None:
    shape = ProgramShape(features=(len(DEFAULT.allowed),) * 2, statements=(12, 20), nesting=3)
    for seed in range(5):
        path = tmp_path / f"{seed}.c"
        path.write_text(generate(seed, shape), encoding="utf-8")
        assert "main" in load([str(path)]).functions


def test_the_command_prints_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seed", "5"]) == 0
    assert capsys.readouterr().out == generate(5)
    assert main(["--seed", "5", "--feature", "barrier"]) == 0
    assert "pthread_barrier_init" in capsys.readouterr().out


# --- tiny programs -------------------------------------------------------------------------------------------------


def read_tiny(folder: Path, source: str) -> Program:
    path = folder / "main.c"
    path.write_text(source, encoding="utf-8")
    return load([str(path)])


def test_a_tiny_program_is_a_function_of_its_seed() -> None:
    assert [generate_tiny(seed) for seed in range(20)] == [generate_tiny(seed) for seed in range(20)]
    assert len({generate_tiny(seed) for seed in range(20)}) == 20


@pytest.mark.parametrize("feature", list(tiny.PIECES), ids=lambda feature: feature.value)
def test_every_piece_is_real_c(feature: Feature, tmp_path: Path) -> None:
    shape = TinyShape(steps=(40, 40), together=80, allowed=(feature,), features=(1, 1))
    assert "main" in read_tiny(tmp_path, generate_tiny(3, shape)).functions


@pytest.mark.parametrize("seed", range(30))
def test_threads_of_tiny_programs_make_few_steps(seed: int, tmp_path: Path) -> None:
    """At most four visible steps, with two more: up to the first of them, and the end of the thread."""
    source = generate_tiny(seed)
    machine = Machine(normalise(read_tiny(tmp_path, source)))
    for walk in range(10):
        rng, state, moves = Random(walk), machine.initial(), dict[int, int]()
        while (moved := one_move(machine, state, rng)) is not None:
            number, state = moved
            moves[number] = moves.get(number, 0) + 1
        assert all(count <= TINY.steps[1] + 2 for number, count in moves.items() if number != 0), source


def one_move(machine: Machine, state: State, rng: Random) -> tuple[int, State] | None:
    threads = live_threads(state)
    rng.shuffle(threads)
    for number in threads:
        choices: tuple[int, ...] = ()
        while isinstance(outcome := machine.step(state, number, choices), Choose):
            choices = (*choices, rng.randint(outcome.low, outcome.high))
        if isinstance(outcome, Moved):
            return number, outcome.state
    return None


def test_the_command_prints_a_tiny_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tiny", "--seed", "5"]) == 0
    assert capsys.readouterr().out == generate_tiny(5)
    assert main(["--tiny", "--feature", "barrier"]) == 0
    assert "pthread_barrier_init" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--tiny", "--feature", "struct"])


# --- programs about threads ------------------------------------------------------------------------------------------


def test_a_threaded_program_is_a_function_of_its_seed() -> None:
    assert generate_threaded(3) == generate_threaded(3)
    assert len({generate_threaded(seed) for seed in range(20)}) == 20


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_making_threads_is_real_c(way: str, tmp_path: Path) -> None:
    assert "main" in read_tiny(tmp_path, generate_threaded(1, ("endings", "choices"), way)).functions


@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_is_real_c(topic: str, tmp_path: Path) -> None:
    texts = [generate_threaded(seed, (topic,), "one by one") for seed in range(20)]
    assert "main" in read_tiny(tmp_path, max(texts, key=len)).functions
