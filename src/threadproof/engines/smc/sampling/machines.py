"""Who executes the runs: the native step machine where it can, else the reference semantics."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from threadproof.codegen.device.choice import Device, DeviceChoice
from threadproof.codegen.machine.environment_text import NativeEnvironment
from threadproof.core.errors import InputError
from threadproof.engines.smc.language.c_text import NoText
from threadproof.engines.smc.language.goal import CountStates, QueryGoal
from threadproof.engines.smc.language.score import Score
from threadproof.engines.smc.options import SamplingMachine, SmcOptions
from threadproof.engines.smc.platform import Platform, PlatformWalker, load_platform
from threadproof.engines.smc.sampling.native import NativeParticles, NativeSampler, OutOfRoom
from threadproof.engines.smc.sampling.particles import Particles, ReferenceParticles
from threadproof.engines.smc.sampling.reference import ReferenceSampler
from threadproof.engines.smc.sampling.sampler import Sampler
from threadproof.engines.smc.sampling.walk import RandomWalker, UniformWalker
from threadproof.ir.program import Mutability, Program
from threadproof.semantics.machine import Machine

MOST_STATE_BYTES = 1 << 24
"""Of the variables: each run copies them, and some keep a copy."""


def _require_small(program: Program) -> None:
    size = sum(variable.size for variable in program.globals.values() if variable.mutability is not Mutability.CONSTANT)
    if size > MOST_STATE_BYTES:
        most = MOST_STATE_BYTES // 1_000_000
        raise OutOfRoom(
            f"the variables have {size // 1_000_000:,} MB, and every run copies them: sampling takes up to {most} MB"
        )


def sampler_for(program: Program, goal: QueryGoal, options: SmcOptions) -> Sampler:
    _require_small(program)
    counts = isinstance(goal.question, CountStates)
    if counts and options.device is DeviceChoice.GPU:
        raise InputError("states are counted on the processor: leave out --device gpu")
    platform = _platform(options)
    if _wants_native(options, platform):
        try:
            device = None if counts or platform is not None else Device(options.device)
            sampler = NativeSampler(program, goal, options.seed, device, _environment(platform))
            fits = sampler.fits()  # and whether the GPU takes it
            if fits or options.machine is SamplingMachine.NATIVE:
                return sampler
            if options.device is DeviceChoice.GPU:
                raise InputError("the program needs the reference machine: leave out --device gpu")
        except NoText as problem:
            _require_reference(options, problem)
    return ReferenceSampler(program, goal, options.seed, _walker_for(platform))


def particles_for(program: Program, goal: QueryGoal, score: Score, options: SmcOptions) -> Particles:
    _require_small(program)
    platform = _platform(options)
    if _wants_native(options, platform):
        try:
            device = None if platform is not None else Device(options.device)
            return NativeParticles(program, goal, score, options.seed, device, _environment(platform))
        except NoText as problem:
            _require_reference(options, problem)
    return ReferenceParticles(program, goal, score, options.seed, _walker_for(platform))


def _require_reference(options: SmcOptions, problem: NoText) -> None:
    """Only the reference can do it: may it?"""
    if options.machine is SamplingMachine.NATIVE or options.device is DeviceChoice.GPU:
        raise problem


def _platform(options: SmcOptions) -> Platform | None:
    return None if options.platform is None else load_platform(Path(options.platform))


def _environment(platform: Platform | None) -> NativeEnvironment | None:
    return None if platform is None else platform.in_c()


def _wants_native(options: SmcOptions, platform: Platform | None) -> bool:
    if platform is None or platform.in_c() is not None:
        return options.machine is not SamplingMachine.REFERENCE
    if options.machine is SamplingMachine.NATIVE:
        raise InputError("the platform has no C part that says as much as its Python part: leave out --machine native")
    return False


def _walker_for(platform: Platform | None) -> Callable[[Machine], RandomWalker]:
    if platform is None:
        return UniformWalker
    return lambda machine: PlatformWalker(machine, platform)
