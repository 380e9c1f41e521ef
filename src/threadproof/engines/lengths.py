"""How long random runs may get, when nobody knows how long they must be.

Paper: Luby, Sinclair, Zuckerman, Optimal Speedup of Las Vegas Algorithms, Inf. Process. Lett. 1993.
Differs: lengths grow by four, not by two, up to a longest one: half of the turns are of the shortest length, a quarter
four times as long, and so on. An endless program is so tried over and over from its beginning, and a long one still
gets to its end.
"""

from __future__ import annotations


def length(turn: int, shortest: int, longest: int) -> int:
    """Of turn 0, 1, 2, ..."""
    number = turn + 1
    trailing_zeros = (number & -number).bit_length() - 1
    return min(longest, shortest * 4**trailing_zeros)
