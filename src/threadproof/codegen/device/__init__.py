"""Runs on a graphics processor: the step machine as PTX, NVIDIA's driver, batches of lanes (ADR 64).

No CUDA toolkit takes part: the bundled compiler writes the code, the driver's library loads it.
"""
