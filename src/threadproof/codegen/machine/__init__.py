"""The step machine as C text: numbering of instructions, accesses, operations, the state block."""
