"""What can be known about a program without running it: pointers, memory, threads, locks, what commutes.

May import: core, ir, sync.
"""
