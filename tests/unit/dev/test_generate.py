"""Random programs: a function of the seed, real C, every feature there."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.dev.features import Feature
from threadproof.dev.generate import DEFAULT, Shape, generate, main
from threadproof.frontend import load


def test_a_program_is_a_function_of_its_seed() -> None:
    assert [generate(seed) for seed in range(20)] == [generate(seed) for seed in range(20)]
    assert len({generate(seed) for seed in range(20)}) == 20


@pytest.mark.parametrize("feature", list(Feature), ids=lambda feature: feature.value)
def test_every_feature_gives_real_c(feature: Feature, tmp_path: Path) -> None:
    shape = Shape(allowed=(feature,), features=(1, 1), statements=(4, 6))
    path = tmp_path / "main.c"
    path.write_text("".join(generate(3, shape)), encoding="utf-8")
    assert "main" in load([str(path)]).functions


def test_features_do_not_get_into_each_other_s_way(tmp_path: Path) -> None:
    shape = Shape(features=(len(DEFAULT.allowed),) * 2, statements=(12, 20), nesting=3)
    for seed in range(5):
        path = tmp_path / f"{seed}.c"
        path.write_text(generate(seed, shape), encoding="utf-8")
        assert "main" in load([str(path)]).functions


def test_the_command_prints_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seed", "5"]) == 0
    assert capsys.readouterr().out == generate(5)
    assert main(["--seed", "5", "--feature", "barrier"]) == 0
    assert "pthread_barrier_init" in capsys.readouterr().out
