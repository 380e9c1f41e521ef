"""What all tests share: which cases the quick suite takes of the long lists, how examples are made, whose clock runs.

Of a long list it takes a spread by a hash of the case's name, so that a new case changes nothing for the others. Those
are marked slow, and `sh scripts/test --all` runs them too. No test takes a part of its list by itself. Every program of
`test_programs.py` is always asked about, so that every row of the library has its program, but about few properties.

A test that skips most of its cases checks nothing: the session fails then.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import zlib
from collections import Counter
from collections.abc import Callable, Generator
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from threadproof.core import budget
from threadproof.frontend.clang import compile_c
from threadproof.frontend.options import FrontendOptions

# The suite always tries the same examples, however long one takes; `HYPOTHESIS_PROFILE=long` looks for new ones.
SLOW_IS_FINE = [HealthCheck.too_slow]
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=SLOW_IS_FINE)
settings.register_profile("long", max_examples=3_000, deadline=None, suppress_health_check=SLOW_IS_FINE)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

SPREAD = {
    "differential/test_agreement.py::test_engines_agree": 18,
    "differential/test_engine.py::test_same_answers": 5,
    "differential/test_engine.py::test_same_answers_for_each_feature": 3,
    "differential/test_engine.py::test_same_answers_for_each_feature_of_tiny_programs": 3,
    "differential/test_expansion.py::test_no_proof_is_refuted": 3,
    "differential/test_expansion.py::test_the_same_verdicts": 3,
    "differential/test_footprints.py::test_same_footprints": 55,
    "differential/test_native_leaks.py::test_programs_step_by_step": 12,
    "differential/test_native_reductions.py::test_same_for_each_feature": 3,
    "differential/test_native_reductions.py::test_same_traces_ends_and_verdicts": 5,
    "differential/test_native_search.py::test_programs": 60,
    "differential/test_native_search.py::test_random_programs": 4,
    "differential/test_partition_runs.py::test_programs": 31,
    "differential/test_passes.py::test_pass_preserves_what_can_happen": 3,
    "differential/test_reductions.py::test_same_for_each_feature": 3,
    "differential/test_reductions.py::test_same_traces_ends_and_verdicts": 8,
    "differential/test_search_reductions.py::test_random_programs_reduced": 3,
    "differential/test_search_reductions.py::test_symmetric_programs_folded": 4,
    "differential/test_search_reductions.py::test_tiny_programs_reduced": 5,
    "differential/test_sequential.py::test_programs_have_the_same_outcomes": 230,
    "differential/test_step_machine.py::test_random_programs": 3,
    "differential/test_step_machine.py::test_single_instructions": 36,
    "differential/test_step_machine.py::test_visible_steps": 36,
    "differential/test_three_ways.py::test_three_ways": 3,
    "differential/test_waiting.py::test_same_traces_ends_and_verdicts": 3,
    "differential/test_weak.py::test_every_outcome_has_a_schedule_made_from_its_memory_order": 3,
    "differential/test_weak.py::test_the_machine_reaches_exactly_the_outcomes_of_the_axioms": 3,
    "litmus/test_explicit_litmus.py::test_explicit_is_never_wrong_about_the_large_ones": 10,
    "litmus/test_explicit_litmus.py::test_explicit_says_what_is_expected": 5,
    "litmus/test_explicit_litmus.py::test_races_never_proves_what_is_wrong": 4,
    "litmus/test_litmus.py::test_brute_force": 6,
    "litmus/test_litmus.py::test_optimal_explores_each_trace_once": 2,
    "litmus/test_litmus.py::test_sleep_sets": 3,
    "litmus/test_litmus.py::test_source_sets_explore_each_trace_once_and_some_in_vain": 3,
    "litmus/test_native_bounded.py::test_the_same_violations": 28,
    "litmus/test_native_litmus.py::test_counts_and_ends": 3,
    "litmus/test_native_litmus.py::test_verdicts": 2,
    "litmus/weak/test_weak_litmus.py::test_verdicts": 5,
    "papers/skink/test_skink.py::test_by_fixpoints": 3,
    "papers/skink/test_skink.py::test_by_paths_of_source_sets": 3,
    "programs/test_bmc_engine.py::test_bmc_is_never_wrong": 144,
    "programs/test_cegar_programs.py::test_cegar_is_never_wrong": 80,
    "programs/test_cegar_programs.py::test_cegar_knows": 2,
    "programs/test_crowds.py::test_auto_finds_the_others": 8,
    "programs/test_crowds.py::test_deadlocks_proves_what_has_none": 4,
    "programs/test_deadlocks_engine.py::test_deadlocks_is_never_wrong": 4,
    "programs/test_dpor_engine.py::test_dpor_is_never_wrong": 72,
    "programs/test_impact_engine.py::test_impact_is_never_wrong": 120,
    "programs/test_modular_programs.py::test_modular_is_never_wrong": 180,
    "programs/test_races_engine.py::test_finds_races": 4,
    "programs/test_races_engine.py::test_proves_only_what_is_true": 6,
    "programs/test_seq_programs.py::test_seq_is_never_wrong": 160,
    "programs/test_seq_programs.py::test_seq_knows": 3,
    "programs/test_trace_programs.py::test_trace_is_never_wrong": 160,
    "programs/test_trace_programs.py::test_trace_knows_by_paths": 3,
    "programs/test_values_engine.py::test_never_wrong": 80,
    "property/test_encoded_sync.py::test_guarded_operations_as_in_the_reference": 3,
    "statistics/test_interval_coverage.py::test_sequential_stops_cover": 2,
    "statistics/test_splitting_markov.py::test_the_interval_of_ten_repetitions_covers": 0,
    "unit/analysis/test_points_to.py::test_every_accessed_address_is_in_the_set": 8,
    "unit/analysis/test_points_to.py::test_inclusion_is_at_least_as_precise_as_unification": 4,
    "unit/automaton/test_store_buffers.py::test_litmus": 3,
    "unit/codegen/test_sequential_compiles.py::test_whatever_the_options": 3,
    "unit/codegen/test_sequential_compiles.py::test_whatever_the_program": 120,
    "unit/dev/test_hits.py::test_a_known_error_is_hit_and_told": 0,
    "unit/engines/test_random_testing.py::test_thousands_of_threads_that_all_wait": 0,
    "unit/explore/test_searches.py::test_same_ends_of_litmus_programs": 2,
    "unit/portfolio/test_left_behind.py::test_nothing_is_left_behind": 3,
    "unit/portfolio/test_seq_engine.py::test_bounds_on_threads_grow": 0,
    "unit/portfolio/test_seq_engine.py::test_no_bound_is_enough": 0,
    "unit/races/test_race_pitfalls.py::test_is_not_proved": 2,
    "unit/races/test_race_pitfalls.py::test_is_proved": 2,
}
"""One case of so many; 0: none."""

OFTEN = {
    "programs/test_bmc_engine.py::test_bmc_is_never_wrong": ("regressions/", 1),
    "programs/test_dpor_engine.py::test_dpor_is_never_wrong": ("regressions/", 4),
    "programs/test_races_engine.py::test_finds_races": ("regressions/", 1),
    "programs/test_races_engine.py::test_proves_only_what_is_true": ("regressions/", 1),
    "programs/test_seq_programs.py::test_seq_is_never_wrong": ("regressions/seq-", 1),
}
"""Cases with these words, what went wrong before, are taken more often: one of so many."""

LONG = {
    "test_cegar_is_never_wrong[overflow/safe-unsigned-hash:unreach-call]",
    "test_cegar_knows[reduction/counter-bad:unreach-call]",
    "test_cegar_knows[reduction/counter-ok:unreach-call]",
    "test_finds_races[regressions/format-race]",
    "test_proves_only_what_is_true[regressions/format-race]",
    "test_trace_is_never_wrong[library/sort-any-three-ok:unreach-call]",
} | {
    f"test_verdict[{case}]"
    for case in (
        "library/environment-changed-ok:valid-memsafety",
        "library/environment-ok:no-data-race",
        "library/format-float-ok:no-overflow",
        "library/format-text-ok:no-overflow",
        "library/format-text-ok:valid-memsafety",
        "library/options-ok:valid-memsafety",
        "library/parse-text-ok:no-overflow",
        "library/parse-text-ok:valid-memsafety",
        "library/print-result-ok:valid-memsafety",
        "library/scan-text-ok:valid-memsafety",
        "library/strings-more-ok:valid-memsafety",
        "litmus/saturation-ok:no-data-race",
        "sync/eventfd-ok:no-deadlock",
    )
}
"""Verdicts that take seconds, of programs whose verdict is also asked for by another test, or for another property."""


def is_taken(name: str, one_of: int) -> bool:
    """Of the test and the case in brackets: each test takes others."""
    return one_of > 0 and zlib.crc32(name.encode()) % one_of == 0


VERDICTS, OTHER_PROPERTIES = "programs/test_programs.py::test_verdict", 3
"""Of what else is asked about a program, one of so many."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    seen: set[str] = set()
    for item in items:
        function = item.nodeid.partition("[")[0].removeprefix("tests/")
        word, one_of = OFTEN.get(function, ("", 0))
        if not word or word not in item.name:
            one_of = SPREAD.get(function, 1)
        if function == VERDICTS:
            program = item.name.partition(":")[0]
            one_of = OTHER_PROPERTIES if program in seen else 1
            if item.name not in LONG:
                seen.add(program)
        if item.name in LONG or not is_taken(item.name, one_of):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def at_length(request: pytest.FixtureRequest) -> bool:
    """Whether only the long suite runs this case: then it may do more."""
    return request.node.get_closest_marker("slow") is not None


@pytest.fixture
def counted_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Budgets count looks at the clock instead of seconds: after so many in a second, as often as the test says."""

    def counted(looks_per_second: float) -> None:
        looks = itertools.count()
        monkeypatch.setattr(budget, "clock", lambda: next(looks) / looks_per_second)

    return counted


HERE = Path(__file__).parent
SHARED = [HERE / folder for folder in ("programs", "regressions", "litmus")]
"""Programs that many tests read, each for several properties and engines."""


@pytest.fixture(scope="session", autouse=True)
def compiled_once(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Generator[None]:
    """What clang makes of a shared program is kept for the session, in a folder of all workers."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "compiled"
    folder.mkdir(exist_ok=True)

    def kept(path: str, options: FrontendOptions) -> str:
        if not any(shared in Path(path).absolute().parents for shared in SHARED):
            return compile_c(path, options)
        place = folder / hashlib.sha256(f"{path} {options}".encode()).hexdigest()
        if not place.exists():
            text = compile_c(path, options)
            part = folder / f"{place.name}.{worker_id}"
            part.write_text(text, encoding="utf-8")
            part.rename(place)  # nobody sees half a file
        return place.read_text(encoding="utf-8")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("threadproof.frontend.loading"), "compile_c", kept)
        yield


# --- skipped cases ---------------------------------------------------------------------------------------------------

FEW_CASES = 6  # of fewer than these, all may be skipped
ABSENT = ("here", "not installed")  # a reason with these words is about the machine: no native runs here, no gcc
_cases: Counter[str] = Counter()
_skipped: Counter[str] = Counter()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    function = report.nodeid.partition("[")[0]
    if report.when == "call" or report.skipped:
        _cases[function] += 1
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
    if report.skipped and not any(word in reason for word in ABSENT):
        _skipped[function] += 1


def mostly_skipped() -> list[str]:
    return [name for name, count in _cases.items() if count >= FEW_CASES and 2 * _skipped[name] > count]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if mostly_skipped() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for name in mostly_skipped():
        terminalreporter.write_line(f"{name} skipped {_skipped[name]} of {_cases[name]} cases", red=True)


@pytest.fixture
def without_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """`modular` does not look for labels of pairs of threads, which takes as long again where nothing is proved; they
    have tests of their own (`test_pairs_of_threads.py`, `modular_sweep.py`)."""
    monkeypatch.setattr("threadproof.engines.modular.engine.answer_of", lambda *_: None)
