"""What can be known about a program without running it: call graph, escape, sharing.

May import: ir, sync.
"""
