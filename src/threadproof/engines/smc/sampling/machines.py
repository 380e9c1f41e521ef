"""Who executes the runs: the native step machine where it can, else the reference semantics."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from threadproof.codegen.device.choice import Device, DeviceChoice
from threadproof.core.errors import InputError, NotThereYet
from threadproof.engines.smc.language.c_text import NoText
from threadproof.engines.smc.language.goal import CountStates, QueryGoal
from threadproof.engines.smc.language.score import Score
from threadproof.engines.smc.options import SamplingMachine, SmcOptions
from threadproof.engines.smc.platform import PlatformWalker, load_platform
from threadproof.engines.smc.sampling.native import NativeParticles, NativeSampler
from threadproof.engines.smc.sampling.particles import Particles, ReferenceParticles
from threadproof.engines.smc.sampling.reference import ReferenceSampler
from threadproof.engines.smc.sampling.sampler import Sampler
from threadproof.engines.smc.sampling.walk import RandomWalker, UniformWalker
from threadproof.ir.program import Program
from threadproof.semantics.machine import Machine


def sampler_for(program: Program, goal: QueryGoal, options: SmcOptions) -> Sampler:
    if isinstance(goal.question, CountStates) and options.device is DeviceChoice.GPU:
        raise InputError("states are counted on the processor: leave out --device gpu")
    if _wants_native(options):
        try:
            device = None if isinstance(goal.question, CountStates) else Device(options.device)
            sampler = NativeSampler(program, goal, options.seed, device)
            fits = sampler.fits()  # and whether the GPU takes it
            if fits or options.machine is SamplingMachine.NATIVE:
                return sampler
            if options.device is DeviceChoice.GPU:
                raise InputError("the program needs the reference machine: leave out --device gpu")
        except NoText as problem:
            _require_reference(options, problem)
    return ReferenceSampler(program, goal, options.seed, walker_for(options))


def particles_for(program: Program, goal: QueryGoal, score: Score, options: SmcOptions) -> Particles:
    if _wants_native(options):
        try:
            return NativeParticles(program, goal, score, options.seed, Device(options.device))
        except NoText as problem:
            _require_reference(options, problem)
    return ReferenceParticles(program, goal, score, options.seed, walker_for(options))


def _require_reference(options: SmcOptions, problem: NoText) -> None:
    """Only the reference can do it: may it?"""
    if options.machine is SamplingMachine.NATIVE or options.device is DeviceChoice.GPU:
        raise problem


def _wants_native(options: SmcOptions) -> bool:
    if options.machine is SamplingMachine.NATIVE and options.platform is not None:
        raise NotThereYet("platform modules on the native machine are not there yet: leave out --machine native")
    return options.machine is not SamplingMachine.REFERENCE and options.platform is None


def walker_for(options: SmcOptions) -> Callable[[Machine], RandomWalker]:
    if options.platform is None:
        return UniformWalker
    platform = load_platform(Path(options.platform))
    return lambda machine: PlatformWalker(machine, platform)
