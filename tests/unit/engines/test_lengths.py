"""Half of the turns are short."""

from threadproof.engines.lengths import length


def test_lengths() -> None:
    assert [length(turn, 10, 500) for turn in range(9)] == [10, 40, 10, 160, 10, 40, 10, 500, 10]
