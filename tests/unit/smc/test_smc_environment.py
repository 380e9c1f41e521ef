"""Observers and platforms."""

from __future__ import annotations

from pathlib import Path

import pytest
from smc_support import LODIN, fib

from threadproof import estimate
from threadproof.core.errors import InputError
from threadproof.core.observer import Silent
from threadproof.engines.smc.language.score import ScoreObserver, read_observer
from threadproof.engines.smc.options import SamplingMachine, SmcOptions, SplittingKind, SplittingOptions
from threadproof.engines.smc.platform import load_platform
from threadproof.engines.smc.run import estimate_program

OBSERVER = """
start = "even"

[state.even]
score = 0
go = [ { when = "i == 2 && j == 1", to = "first" }, { when = "j == 2 && i == 1", to = "first" } ]

[state.first]
score = "1 + (i + j > 3)"
go = [ { when = "i + j >= 8", to = "lost" } ]

[state.lost]
fail = true
"""


def test_an_observer_is_read_and_used(tmp_path: Path):
    file = tmp_path / "o.toml"
    file.write_text(OBSERVER)
    observer = read_observer(fib(), file)
    assert isinstance(observer, ScoreObserver)
    assert [stage.name for stage in observer.stages] == ["even", "first", "lost"]
    asked = SplittingOptions(SplittingKind.FIXED, str(file), ("1", "2"), budget=60, repeat=4)
    query = "Pr[<=500] (<> i + j == 5)"
    made = estimate_program(fib(), query, SmcOptions(splitting=asked, confidence=0.999), Silent())
    plain = estimate_program(fib(), query, SmcOptions(runs=50_000), Silent())
    assert made.sampler == "native"
    assert made.low <= plain.estimate <= made.high


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = ", "not an observer"),
        ("start = 'a'", "needs at least one [state.NAME]"),
        ("[state.a]\ngo = [ { when = 'i == 1', to = 'b' } ]", "no state 'b'"),
        ("[state.a]\ngo = [ { when = 'ii == 1', to = 'a' } ]", "did you mean i?"),
        ("[state.a]\nscor = 1", "has no 'scor'"),
        ("[state.a]\ngo = [ 'b' ]", "written { when"),
    ],
)
def test_a_wrong_observer_says_why(tmp_path: Path, text: str, says: str):
    file = tmp_path / "o.toml"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        read_observer(fib(), file)
    assert says in str(caught.value)
    assert "o.toml" in str(caught.value)


def test_ptrace_succeeds_as_often_as_four_steps_come_before_three():
    options = SmcOptions(runs=250, platform="ptrace", confidence=0.999)
    made = estimate(str(LODIN / "ptrace.c"), "Pr[<=400] (<> [1.poketext])", options=options)
    assert made.low <= 22 / 64 <= made.high


PLATFORM = """
from threadproof.engines.smc.platform import Platform, Wait

def give(call):
    return 7 + call.arg(0), call.env + 1

def take(call):
    if call.env == 0:
        raise Wait
    return 0, call.env - 1

platform = Platform(
    functions={"give": give, "take": take},
    declarations="int give(int more); void take(void);",
    initial=lambda: 0,
    choose=lambda source, low, high, rng: 3 if "nondet" in source else None,
)
"""
PROGRAM = """
#include <pthread.h>
int give(int more);
void take(void);
int __VERIFIER_nondet_int(void);
int got, drawn;
void *taker(void *arg) { take(); got += 100; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, taker, 0);
    drawn = __VERIFIER_nondet_int();
    got = give(-2);
    pthread_join(t, 0);
    return 0;
}
"""


def test_a_platform_answers_blocks_and_chooses(tmp_path: Path):
    module, source = tmp_path / "p.py", tmp_path / "p.c"
    module.write_text(PLATFORM)
    source.write_text(PROGRAM)
    options = SmcOptions(runs=30, platform=str(module))
    always = estimate(str(source), "Pr[<=200] (<> got == 5 && drawn == 3)", options=options)
    assert always.estimate == 1.0
    early = estimate(str(source), "Pr[<=200] (<> got == 100)", options=options)
    assert 0 < early.estimate < 1  # the taker goes on once the token is there, before or after main stores its result


def test_platforms_that_cannot_be_used(tmp_path: Path):
    with pytest.raises(InputError, match="those that come with Threadproof: ptrace"):
        load_platform(Path("nosuch"))
    broken = tmp_path / "broken.py"
    broken.write_text("1/0")
    with pytest.raises(InputError, match="ZeroDivisionError"):
        load_platform(broken)
    empty = tmp_path / "empty.py"
    empty.write_text("")
    with pytest.raises(InputError, match="platform = Platform"):
        load_platform(empty)
    python, source = tmp_path / "python.py", tmp_path / "p.c"
    python.write_text(PLATFORM)
    source.write_text(PROGRAM)
    options = SmcOptions(machine=SamplingMachine.NATIVE, platform=str(python), runs=1)
    with pytest.raises(InputError, match="no C part"):
        estimate(str(source), "Pr[<=4] (<> got == 1)", options=options)
