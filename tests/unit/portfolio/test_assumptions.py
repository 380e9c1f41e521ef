"""Nothing is assumed in silence: functions without a body are named all at once, and verdicts say what they rest on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from threadproof.cli.main import run

FORGOTTEN = """void set(int v); void other(int *p); int x; void reach_error(void);
int main(void) {
  set(1);
  other(&x);
  if (x) reach_error();
  return 0;
}
"""


def report(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    run(["verify", *words, "--json", "-"])
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def forgotten(tmp_path: Path) -> str:
    file = tmp_path / "a.c"
    file.write_text(FORGOTTEN)
    return str(file)


def test_functions_without_a_body_are_named_at_once(forgotten: str, capsys: pytest.CaptureFixture[str]):
    found = report(capsys, forgotten)
    assert found["verdict"] == "unknown"
    names = f"set ({forgotten}:3), other ({forgotten}:4)"
    assert found["reason"] == (
        f"no body for {names}: give the files that define them (threadproof stubs writes some to begin with), "
        "or say --undefined pure|havoc, or --assume-pure set,other"
    )


def test_what_is_assumed_is_listed(forgotten: str, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    pure = report(capsys, forgotten, "--undefined", "pure")
    assert pure["verdict"] == "true"
    assert pure["assumptions"] == [
        f"set ({forgotten}:3) returns any value and changes nothing",
        f"other ({forgotten}:4) returns any value and changes nothing",
        "sequential consistency",
    ]
    assert report(capsys, forgotten, "--assume-pure", "set, other")["verdict"] == "true"
    havoc = report(capsys, forgotten, "--undefined", "havoc")
    assert havoc["verdict"] == "false"
    assert havoc["assumptions"] == [
        f"set ({forgotten}:3) may change what it can reach, no more",
        f"other ({forgotten}:4) may change what it can reach, no more",
    ]
    rule = tmp_path / "unreach-call.prp"
    rule.write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    assert report(capsys, forgotten, "-p", str(rule))["verdict"] == "true"  # SV-COMP's rule


def test_an_error_that_needs_none_of_them_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "a.c"
    file.write_text("void set(int); int main(void) { int n; if (n) __builtin_trap(); if (n > 0) set(1); return 0; }")
    assert report(capsys, str(file))["verdict"] == "true"  # the call is not reached
    file.write_text("void set(int); void reach_error(void); int main(void) { reach_error(); set(1); return 0; }")
    assert report(capsys, str(file))["verdict"] == "false"


def test_models_with_fewer_behaviours_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "a.c"
    file.write_text("""#include <pthread.h>
        void *t(void *p) { return 0; }
        int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); pthread_join(h, 0); return 0; }""")
    assert report(capsys, str(file), "-p", "no-data-race", "--engine", "races")["assumptions"] == [
        "sequential consistency",
        "every access is to a live object and within its bounds",
        "thread creation never fails",
    ]


def test_arguments_of_the_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "a.c"
    file.write_text("""#include <assert.h>
        int main(int argc, char **argv) { if (argc == 2) assert(argv[1][0] != 'x'); return 0; }""")
    asked = (str(file), "--engine", "explicit", "--json", "-")
    assert run(["verify", *asked]) == 1
    assert run(["verify", *asked, "--", "xy"]) == 1
    capsys.readouterr()
    assert run(["verify", *asked, "--", "a b"]) == 0
    assumed = json.loads(capsys.readouterr().out)["assumptions"]
    assert assumed == ["sequential consistency", "it is started as program 'a b'"]
    assert run(["verify", *asked, "-p", "valid-memsafety"]) == 0
    assumed = json.loads(capsys.readouterr().out)["assumptions"]
    assert assumed[1] == "at most 2 command-line arguments of at most 3 characters"


@pytest.mark.parametrize(
    ("kind", "more"), [("weak", ["a weak compare-exchange does not fail without a reason"]), ("strong", [])]
)
def test_weak_compare_exchange(tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, more: list[str]):
    file = tmp_path / "a.c"
    file.write_text(f"""#include <assert.h>
        #include <stdatomic.h>
        atomic_int x = 3;
        int main(void) {{ int e = 3; assert(atomic_compare_exchange_{kind}(&x, &e, 4)); return 0; }}""")
    assert report(capsys, str(file), "--engine", "explicit")["assumptions"] == ["sequential consistency", *more]


def test_blocks_of_unknown_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "a.c"
    file.write_text("""#include <stdlib.h>
        extern unsigned __VERIFIER_nondet_uint(void);
        extern void reach_error(void);
        int main(void) {
          unsigned n = __VERIFIER_nondet_uint();
          if (n == 0 || n > (unsigned)-1 / sizeof(int)) return 0;
          int *a = malloc(n * sizeof(int));
          a[n - 1] = 3;
          if (a[n - 1] != 3) reach_error();
          return 0;
        }""")
    assert report(capsys, str(file), "--engine", "impact", "--data-model", "ILP32")["assumptions"] == [
        "sequential consistency",
        "memory allocation never fails",
        "nobody asks for a block of more than half of all addresses",
    ]


def test_memory_orders_of_races(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A relaxed store that publishes data makes no race in interleavings: `true` says so."""
    text = """#include <pthread.h>
#include <stdatomic.h>
int data; atomic_int ready;
void *f(void *a) { data = 1; atomic_store_explicit(&ready, 1, ORDER); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  if (atomic_load_explicit(&ready, ORDER)) data++;
  pthread_join(t, 0);
  return 0;
}
"""
    file = tmp_path / "a.c"
    said = "memory orders are not looked at"
    for order, places in (("relaxed", [4, 8]), ("acquire", [4, 8]), ("seq_cst", [])):
        store = "release" if order == "acquire" else order
        weak = text.replace("ORDER", f"memory_order_{store}", 1).replace("ORDER", f"memory_order_{order}")
        file.write_text(weak)
        found = report(capsys, str(file), "-p", "no-data-race", "--engine", "explicit")
        assert found["verdict"] == "true"
        told = [one for one in found["assumptions"] if said in one]
        assert len(told) == bool(places)
        assert all(f"{file}:{line}" in told[0] for line in places)
    file.write_text(text.replace("ORDER", "memory_order_relaxed"))
    assert not [one for one in report(capsys, str(file), "--engine", "explicit")["assumptions"] if said in one]
