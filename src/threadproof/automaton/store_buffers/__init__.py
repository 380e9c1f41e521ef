"""A program under TSO or PSO as one under sequential consistency, in which threads keep their stores in buffers."""

from threadproof.automaton.store_buffers.empty import CannotBuffer
from threadproof.automaton.store_buffers.rewrite import MORE_STORES, BufferedProgram, with_store_buffers

__all__ = ["MORE_STORES", "BufferedProgram", "CannotBuffer", "with_store_buffers"]
