"""The random numbers of one run: those of `codegen/kernel/base.h`, so that a run is the same on every machine."""

from __future__ import annotations

from random import Random

_WORD = (1 << 64) - 1
_FEW_CHANGES = 24


def _mix(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _WORD
    return z ^ z >> 31


class RunRandom(Random):
    """SplittableRandom (Steele, Lea, Flood, OOPSLA 2014); a function of seed and run number alone."""

    def __new__(cls, seed: int, run: int) -> RunRandom:
        return super().__new__(cls)

    def __init__(self, seed: int, run: int) -> None:
        super().__init__(0)
        a = _mix(seed + 0x9E3779B97F4A7C15 & _WORD)
        b = _mix(run * 0xD1342543DE82EF95 + 0x2545F4914F6CDD1D & _WORD)
        self._at, gamma = _mix(a ^ b), _mix(a + 3 * b & _WORD) | 1
        self._gamma = gamma ^ 0xAAAAAAAAAAAAAAAA if (gamma ^ gamma >> 1).bit_count() < _FEW_CHANGES else gamma

    def draw(self) -> int:
        """64 bits."""
        self._at = self._at + self._gamma & _WORD
        return _mix(self._at)

    def below(self, count: int) -> int:
        """A number from 0 to count - 1, count below 2^32."""
        return (self.draw() >> 32) * count >> 32

    def between(self, low: int, high: int) -> int:
        """A number from low to high, both included; the span is 2^64 at most."""
        span, x = high - low + 1, self.draw()
        if span <= _WORD:
            return low + (x * span >> 64)
        return x if low >= 0 or x <= high else x - span

    # What `Random` makes everything else of, for platforms.

    def random(self) -> float:
        return (self.draw() >> 11) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        found = 0
        for _ in range(-(-k // 64)):
            found = found << 64 | self.draw()
        return found >> -k % 64
