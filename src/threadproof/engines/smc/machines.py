"""Who executes the runs: the native step machine where it can, else the reference semantics."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from threadproof.core.errors import NotThereYet
from threadproof.engines.smc.goal import Goal
from threadproof.engines.smc.options import Machine, SmcOptions
from threadproof.engines.smc.particles import Particles, ReferenceParticles
from threadproof.engines.smc.platform import PlatformWalker, load_platform
from threadproof.engines.smc.reference import ReferenceSampler
from threadproof.engines.smc.sampler import Sampler
from threadproof.engines.smc.score import Score
from threadproof.engines.smc.walk import UniformWalker, Walker
from threadproof.ir.program import Program
from threadproof.semantics.machine import Machine as Semantics


def sampler_for(program: Program, goal: Goal, options: SmcOptions) -> Sampler:
    if options.machine is Machine.NATIVE:
        raise NotThereYet("runs on the native step machine are not there yet: use --machine reference")
    return ReferenceSampler(program, goal, options.seed, walker_for(options))


def particles_for(program: Program, goal: Goal, score: Score, options: SmcOptions) -> Particles:
    if options.machine is Machine.NATIVE:
        raise NotThereYet("runs on the native step machine are not there yet: use --machine reference")
    return ReferenceParticles(program, goal, score, options.seed, walker_for(options))


def walker_for(options: SmcOptions) -> Callable[[Semantics], Walker]:
    if options.platform is None:
        return UniformWalker
    platform = load_platform(Path(options.platform))
    return lambda machine: PlatformWalker(machine, platform)
