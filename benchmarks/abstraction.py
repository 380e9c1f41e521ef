"""Hoare triples, predicates and memory of `abstraction`, on letters of real programs.

    python benchmarks/abstraction.py FOLDER_OR_FILE ... [--data-model ILP32] [--programs 12] [--questions 3000]
        [--sources sp wp] [--long 100000] [--profile]

Letters are those that engines look at (`for_letters`). For each program: paths to its error that cannot be made give
predicates (by every source, or those of `--sources`), and guards of letters more.
Then random questions `{P} letter {Q}`, with P, Q and the letter sharing variables, are asked twice: to a service that
forgets everything after each of them, and to one that remembers. `--long` asks one program so many questions and
prints the memory in use on the way, `--profile` says where the time of forgetful questions goes. Times are of this
process, so a busy machine changes little.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from cProfile import Profile
from pathlib import Path
from pstats import Stats
from random import Random

from threadproof.abstraction.path import LetterPath, PathStep, path_of
from threadproof.abstraction.predicates import Predicate, Predicates
from threadproof.abstraction.sources import Refiner, SourceName
from threadproof.abstraction.trace_check import Infeasible, PathCore, TraceCheck
from threadproof.abstraction.triples import Triples, TripleUse
from threadproof.automaton import CannotUnfold, End, Instance, Kind, Letter, for_letters, program_automaton
from threadproof.core.errors import ThreadproofError
from threadproof.core.property import Property
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import Encoder, Space
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel
from threadproof.portfolio.prepare import prepare
from threadproof.smt.context import Context, conjuncts
from threadproof.smt.terms import Terms

Question = tuple[int, PathStep, Predicate]


class Bench:
    """A program with all services over it."""

    def __init__(self, file: Path, model: DataModel) -> None:
        program = prepare([str(file)], Property.UNREACH_CALL, FrontendOptions(data_model=model))
        program = for_letters(program, Property.UNREACH_CALL)
        self.automaton = program_automaton(program)
        self.space = Space(Terms(), program, self.automaton)
        self.encoder = Encoder(self.space)
        self.context = Context(self.space.terms)
        self.predicates = Predicates(self.context)
        self.triples = Triples(self.predicates, self.space.facts())
        self.trace_check = TraceCheck(self.space, self.context)
        self.refiner = Refiner(self.space, self.triples)

    def paths(self, rng: Random, most: int, tries: int = 60) -> Iterator[LetterPath]:
        for _ in range(tries):
            places, path = self.automaton.initial(), list[tuple[Instance, Letter]]()
            while len(path) < 80 and not (path and path[-1][1].kind is Kind.ERROR):
                still = [one for one, at in places.threads[1:] if at.at is not End.FINISHED]
                every = list(self.automaton.letters_from(places))
                ways = [(i, a) for i, a in every if a.target.at is not End.HALTED and not (a.joins and still)]
                if not ways:
                    break
                path.append(rng.choice(ways))
                places = self.automaton.after(places, *path[-1])
            if path and path[-1][1].kind is Kind.ERROR:
                yield path_of(self.encoder, path)
                most -= 1
            if not most:
                return

    def refuted(self, rng: Random, most: int) -> Iterator[tuple[LetterPath, PathCore]]:
        for path in self.paths(rng, most):
            answer = self.trace_check.check(path)
            if isinstance(answer, Infeasible):
                yield path, answer.core

    def steps(self) -> list[PathStep]:
        found: list[PathStep] = []
        for letter in self.automaton.letters:
            starts = tuple(Instance(name, 0) for name in letter.forks)
            instance = Instance(letter.template, 0)
            found.append(PathStep(instance, letter, starts, self.encoder.transition(instance, letter, starts)))
        return found

    def questions(self, rng: Random, count: int) -> list[Question]:
        """P has up to four predicates that share a variable with Q or the letter."""
        steps = self.steps()
        for step in steps:
            inputs = {one.term for one in step.transition.inputs}
            for guard in conjuncts(step.transition.guard):
                if not inputs & self.triples.questions.support(guard):
                    self.predicates.unify(guard)
        pool = [one for one in self.predicates if one.number > 1]
        found: list[Question] = []
        while pool and len(found) < count:
            step = rng.choice(steps)
            near = step.transition.reads | step.transition.writes
            posts = [one for one in pool if one.variables & near] or pool
            post = rng.choice([*posts, self.predicates.false])
            around = [one for one in pool if one.variables & (near | post.variables)] or pool
            pre = 0
            for one in rng.sample(around, min(len(around), rng.randrange(5))):
                pre |= one.bit
            found.append((self.predicates.normal(pre), step, post))
        return found


class Tally:
    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()

    def add(self, name: str, seconds: float) -> None:
        self.count[name] += 1
        self.seconds[name] += seconds

    def __str__(self) -> str:
        rows = (
            f"{name}: {number} at {number / max(self.seconds[name], 1e-9):,.0f}/s"
            for name, number in self.count.items()
        )
        return "; ".join(rows)


def ask(triples: Triples, questions: list[Question], tally: Tally, uses: Tally, *, forget: bool) -> None:
    for pre, step, post in questions:
        if forget:
            triples.forget()
        started = time.process_time()
        answer = triples.ask(pre, step, post)
        taken = time.process_time() - started
        hard = answer.by in (TripleUse.GROUPS, TripleUse.SOLVER)
        tally.add("by groups, with a solver where needed" if hard else "by a look", taken)
        uses.add(f"{answer.by.value} ({answer.truth.value})", taken)


def by_source(bench: Bench, rng: Random, total: Tally, counts: Counter[str], sources: tuple[SourceName, ...]) -> None:
    refuted = list(bench.refuted(rng, 6))
    bench.refiner = Refiner(bench.space, bench.triples, sources)
    for name in sources:
        fresh = Triples(Predicates(bench.context), bench.space.facts())
        refiner = Refiner(bench.space, fresh)
        for path, core in refuted:
            started, known = time.process_time(), len(fresh.predicates)
            found = refiner.by(name, path, core)
            total.seconds[name.value] += time.process_time() - started
            total.count[name.value] += len(fresh.predicates) - known
            counts[f"{name.value}: {type(found).__name__}"] += 1
    for path, core in refuted:
        bench.refiner.assertions(path, core)


def long(bench: Bench, count: int) -> None:
    rng = Random(9)
    for _ in bench.refuted(rng, 6):
        pass
    for done in range(0, count, count // 10):
        for question in bench.questions(rng, count // 10):
            bench.triples.ask(*question)
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"  {done + count // 10:7} questions: {used} MiB at most, {len(bench.space.terms)} terms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--data-model", type=DataModel, choices=list(DataModel), default=DataModel.LP64)
    parser.add_argument("--sources", type=SourceName, nargs="+", default=list(SourceName))
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--programs", type=int, default=12)
    parser.add_argument("--questions", type=int, default=3000)
    parser.add_argument("--long", type=int, default=0)
    options = parser.parse_args()
    files = sorted(one for file in options.files for one in (file.glob("*.c") if file.is_dir() else [file]))
    files = Random(1).sample(files, min(options.programs, len(files)))
    profile = Profile(time.process_time)
    sources, counts, tallies = Tally(), Counter[str](), [Tally() for _ in range(4)]
    for file in files:
        try:
            bench = Bench(file, options.data_model)
            rng = Random(4)
            by_source(bench, rng, sources, counts, tuple(options.sources))
            questions = bench.questions(rng, options.questions)
        except (ThreadproofError, CannotUnfold, CannotEncode) as refusal:
            print(f"{file.name}: {refusal}")
            continue
        with profile if options.profile else nullcontext():
            ask(bench.triples, questions[: options.questions // 5], tallies[0], tallies[1], forget=True)
        bench.triples.forget()
        ask(bench.triples, questions, tallies[2], tallies[3], forget=False)
        print(f"{file.name}: {len(bench.predicates)} predicates, {len(questions)} questions", flush=True)
        if options.long:
            long(bench, options.long)
            options.long = 0
    print(f"forgetting: {tallies[0]}\n  {tallies[1]}")
    print(f"remembering: {tallies[2]}\n  {tallies[3]}")
    print(f"predicates by source: {sources}\n  {dict(counts)}")
    if options.profile:
        Stats(profile).sort_stats("tottime").print_stats(30)


if __name__ == "__main__":
    main()
