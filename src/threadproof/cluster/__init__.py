"""The only door to dask: functions of plain values, computed by the workers of a cluster.

May import: core, toolchain.
"""
