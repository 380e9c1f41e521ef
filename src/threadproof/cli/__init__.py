"""The command line: wiring, options, exit codes.

May import everything; imports what a command needs when the command runs, so that `--help` answers at once.
"""
