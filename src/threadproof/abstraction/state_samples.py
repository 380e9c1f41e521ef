"""States of executions, many at once, that are run along letters without a solver: labels have to admit them anyway.

A solver's model takes milliseconds and refutes little, since solvers like zeros; a vector of states takes as long.

Invariants: samples only say what labels must admit. What is proved of labels is asked of a solver. States that cannot
be said in vectors are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from threadproof.domains.equations import Equations
from threadproof.encoding.transitions import Transition
from threadproof.smt.batch import SPAN, ArrayVector, CannotBatch, Column, ValueBatch, Vector, batch_of, zeros
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import BOOL, Array, BitVec, Op, Term

FIRST = 128  # states to begin with
_MUTANTS = 256
_NEAR = 48  # states like one that a solver found
_AGAIN = 4  # times that inputs of a letter are drawn for each state
_MOST_DRAWN = 1024


class StateSamples:
    def __init__(self, variables: Iterable[Term], fixed: Mapping[Term, int]) -> None:
        """`fixed`: variables that are not drawn."""
        self.variables = tuple(v for v in dict.fromkeys(variables) if _has_vectors(v))
        self._fixed = fixed
        self._random = np.random.default_rng(0)
        self.nothing = ValueBatch(0, {v: zeros(v.sort, 0) for v in self.variables})

    def first(self, initial: Mapping[Term, Term], facts: Sequence[Term]) -> ValueBatch:
        """Of states in which executions begin."""
        drawn = ValueBatch(FIRST, {v: self._column(v, FIRST) for v in self.variables})
        try:
            begun = drawn.updated({v: drawn.value(new) for v, new in initial.items() if v in drawn.values})
            return begun.take(self.all_hold(begun, facts))
        except CannotBatch:
            return self.nothing

    def near(self, found: Assignment, transition: Transition) -> ValueBatch:
        """A state that a solver found, with inputs of the letter, and as it is again and again."""
        inputs = [one.term for one in transition.inputs if _has_vectors(one.term)]
        batch = batch_of([found], (*self.variables, *inputs))
        return batch.take(np.zeros(_NEAR, dtype=np.int64)) if batch.size else batch

    def with_inputs(self, batch: ValueBatch, transition: Transition) -> ValueBatch:
        """The first one as it is, the others with other inputs of the letter."""
        inputs = [one.term for one in transition.inputs if one.term in batch.values]
        if not inputs or not batch.size:
            return batch
        changed = {v: self._perhaps(batch.values[v], self._column(v, batch.size)) for v in inputs}
        return batch.take(np.arange(1)).joined(batch.updated(changed))

    def moved(self, batch: ValueBatch, parts: Iterable[Equations]) -> ValueBatch:
        """States like these in which the equations hold as well. Reads of arrays are columns like others: what is to be
        read there is written there."""
        drawn = [(part, part.directions(batch.size, self._random)) for part in parts if not part.is_bottom]
        every = [
            (column, batch.numbers(column), step)
            for part, steps in drawn
            for column, step in zip(part.columns, steps, strict=True)
        ]
        scalars = {c: (old + step) & _mask(c) for c, old, step in every if c in batch.values}
        result, arrays = batch.updated(scalars), dict[Term, ArrayVector]()
        for column, old, step in every:
            array = column.args[0] if column.op is Op.SELECT else None
            if array is not None and array in batch.values:
                index = result.numbers(column.args[1])
                known = arrays.setdefault(array, _copied(batch.values[array]))
                there = np.flatnonzero(index < SPAN)
                known.cells[there, index[there].astype(np.int64)] = ((old + step) & _mask(column))[there]
        return result.updated(arrays)

    def mutants(self, batch: ValueBatch, columns: Iterable[Term], parts: Sequence[Equations]) -> ValueBatch:
        """States like these, in which the equations hold; in half of them, single variables are changed then."""
        base = self.moved(batch.take(self._random.integers(0, batch.size, _MUTANTS)), parts)
        keep = np.where(self._random.random(_MUTANTS) < 0.5, 1.0, 0.85)
        changed: dict[Term, Column] = {}
        for v in columns:
            column = base.values.get(v)
            if column is not None:
                changed[v] = self._perhaps(column, self._column(v, _MUTANTS), keep)
        return base.updated(changed)

    def made(self, batch: ValueBatch, transition: Transition) -> ValueBatch:
        """Where the letter can be made: the states before, with inputs."""
        try:
            if transition.inputs and any(one.term not in batch.values for one in transition.inputs):
                again = min(_AGAIN, max(1, _MOST_DRAWN // max(batch.size, 1)))
                batch = batch.take(np.repeat(np.arange(batch.size), again))
                inputs = [one.term for one in transition.inputs if _has_vectors(one.term)]
                batch = batch.updated({v: self._column(v, batch.size) for v in inputs})
            return batch.take(batch.holds(transition.guard))
        except CannotBatch:
            return self.nothing

    def after(self, batch: ValueBatch, transition: Transition) -> ValueBatch:
        """The states that the letter leads to; the batch is one of states where it is made."""
        try:
            new = {v: batch.value(term) for v, term in transition.updates.items() if v in self.nothing.values}
        except CannotBatch:
            return self.nothing
        kept = {v: batch.values[v] for v in self.variables}
        return ValueBatch(batch.size, {**kept, **new}).take(batch.sound)

    def all_hold(self, batch: ValueBatch, formulas: Iterable[Term]) -> Vector:
        """In which of them."""
        found = batch.sound.copy()
        for one in formulas:
            try:
                found &= batch.holds(one)
            except CannotBatch:
                found[:] = False
        return found

    def some(self, batch: ValueBatch, most: int) -> ValueBatch:
        if batch.size <= most:
            return batch
        return batch.take(self._random.choice(batch.size, most, replace=False))

    def _perhaps(self, old: Column, new: Column, keep: float | Vector = 0.7) -> Column:
        """Mostly the old values, of arrays element by element; `keep` for all or for each row."""
        if isinstance(old, ArrayVector):
            assert isinstance(new, ArrayVector)
            kept = self._random.random(old.cells.shape) < np.reshape(keep, (-1, 1))
            return ArrayVector(np.where(kept[:, 0], old.default, new.default), np.where(kept, old.cells, new.cells))
        return np.where(self._random.random(len(old)) < keep, old, new)  # type: ignore[arg-type]

    def _column(self, variable: Term, size: int) -> Column:
        if variable in self._fixed:
            return np.full(size, self._fixed[variable], dtype=np.uint64)
        match variable.sort:
            case Array(element=width):
                return ArrayVector(self._numbers((size,), width), self._numbers((size, SPAN), width))
            case BitVec(width=width):
                return self._numbers((size,), width)
            case _:
                return self._random.integers(0, 2, size).astype(np.bool_)

    def _numbers(self, shape: tuple[int, ...], width: int) -> Vector:
        """Rows by turns 0 and 1, small, negative too, anything: where all is small, much is equal."""
        turn = np.arange(shape[0]) % 4
        if len(shape) == 2:
            turn = turn[:, None]
        draw = self._random.integers
        small, some = draw(0, 2, shape), draw(0, 4, shape)
        signed, large = draw(-2, 6, shape), draw(-(1 << 62), 1 << 62, shape)
        edge = (1 << (width - 1)) - 1 + draw(0, 2, shape) if width < 64 else large
        large = np.where(draw(0, 4, shape) == 0, edge, large)
        found = np.select([turn == 0, turn == 1, turn == 2], [small, some, signed], large)
        return found.astype(np.int64).view(np.uint64) & np.uint64((1 << width) - 1)


def _mask(column: Term) -> np.uint64:
    return np.uint64((1 << column.width) - 1)


def _copied(column: Column) -> ArrayVector:
    assert isinstance(column, ArrayVector)
    return ArrayVector(column.default, column.cells.copy())


def _has_vectors(variable: Term) -> bool:
    sort = variable.sort
    wide = sort.element if isinstance(sort, Array) else sort.width if isinstance(sort, BitVec) else 1
    return (sort is BOOL or isinstance(sort, Array | BitVec)) and wide <= 64
