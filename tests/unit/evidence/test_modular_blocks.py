"""Arrays whose size is an input: labels of all threads speak of how large a block of main is."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.proofs import ThreadModularProof
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe
from threadproof.engines import modular
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, check_proof
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel, Program
from threadproof.portfolio import prepare

pytestmark = pytest.mark.usefixtures("without_pairs")

SUMMING = """#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *a, n, last;
void *t(void *p) { for (int i = 0; i COMPARED n; i++) last = a[i]; return 0; }
int main(void) {
  pthread_t h;
  n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000000) abort();
  a = malloc(sizeof(int) * n);
  pthread_create(&h, 0, t, 0);
}
"""
CHUNKS = """#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *a, next, n;
pthread_mutex_t m;
void *t(void *p) {
  int i = 0, end = 0;
  pthread_mutex_lock(&m);
  if (next + CHUNK <= n) {
    i = next;
    next = end = next + 10;
  }
  pthread_mutex_unlock(&m);
  while (i < end) a[i++] = 1;
  return 0;
}
int main(void) {
  pthread_t h;
  n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000000) abort();
  a = malloc(sizeof(int) * n);
  while (1) pthread_create(&h, 0, t, 0);
}
"""
FILLED = """#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int *a, *b, *c, i, n, m, k, total;
int *made(int size) {
  if (size < 0 || size > 1000000) abort();
  int *block = malloc(sizeof(int) * size);
  for (int j = 0; j < size; j++) block[j] = __VERIFIER_nondet_int();
  return block;
}
void *t(void *p) {
  __VERIFIER_atomic_begin();
  _Bool more = i COMPARED n;
  __VERIFIER_atomic_end();
  while (more) {
    __VERIFIER_atomic_begin();
    total = a[i] & b[0] & c[0];
    i++;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    more = i COMPARED n;
    __VERIFIER_atomic_end();
  }
  return 0;
}
int main(void) {
  pthread_t h;
  n = __VERIFIER_nondet_int(); m = __VERIFIER_nondet_int(); k = __VERIFIER_nondet_int();
  a = made(n); b = made(m); c = made(k);
  if (m < 1 || k < 1) abort();
  pthread_create(&h, 0, t, 0);
  pthread_join(h, 0);
}
"""
PROPERTIES = (Property.NO_OVERFLOW, Property.VALID_MEMSAFETY)


def program_of(folder: Path, prop: Property, compared: str) -> Program:
    return of_text(folder, SUMMING.replace("COMPARED", compared), prop)


def of_text(
    folder: Path, text: str, prop: Property = Property.VALID_MEMSAFETY, model: DataModel = DataModel.LP64
) -> Program:
    file = folder / "main.c"
    file.write_text(text, encoding="utf-8")
    return prepare([str(file)], prop, FrontendOptions(data_model=model))


def asked(program: Program, prop: Property) -> Result:
    return modular.check(Task(program, prop), Budget(300), Silent())


@pytest.mark.parametrize("prop", PROPERTIES)
def test_elements_below_the_size(tmp_path: Path, prop: Property) -> None:
    program = program_of(tmp_path, prop, "<")
    found = asked(program, prop)
    assert isinstance(found, Safe)
    assert isinstance(check_proof(program, prop, found.proof, Budget(300)), Accepted)
    other = program_of(tmp_path, prop, "<=")
    assert not isinstance(check_proof(other, prop, found.proof, Budget(300)), Accepted)


@pytest.mark.parametrize("prop", PROPERTIES)
def test_one_element_too_many(tmp_path: Path, prop: Property) -> None:
    assert not isinstance(asked(program_of(tmp_path, prop, "<="), prop), Safe)


def test_what_was_asked_of_a_number_holds_of_those_that_get_it(tmp_path: Path) -> None:
    """Each thread takes elements under a lock: their end is what was compared with the size before."""
    program = of_text(tmp_path, CHUNKS.replace("CHUNK", "10"))
    found = asked(program, Property.VALID_MEMSAFETY)
    assert isinstance(found, Safe), found
    assert isinstance(check_proof(program, Property.VALID_MEMSAFETY, found.proof, Budget(300)), Accepted)
    other = of_text(tmp_path, CHUNKS.replace("CHUNK", "9"))
    assert not isinstance(check_proof(other, Property.VALID_MEMSAFETY, found.proof, Budget(300)), Accepted)
    assert not isinstance(asked(other, Property.VALID_MEMSAFETY), Safe)


def test_arrays_filled_by_one_function_and_an_answer_that_is_kept(tmp_path: Path) -> None:
    """Locals of calls that are over are not spoken of, and `more` says that there is another element."""
    found = asked(of_text(tmp_path, FILLED.replace("COMPARED", "<"), model=DataModel.ILP32), Property.VALID_MEMSAFETY)
    assert isinstance(found, Safe), found
    other = of_text(tmp_path, FILLED.replace("COMPARED", "<="), model=DataModel.ILP32)
    assert not isinstance(check_proof(other, Property.VALID_MEMSAFETY, found.proof, Budget(300)), Accepted)
    assert not isinstance(asked(other, Property.VALID_MEMSAFETY), Safe)


def test_a_proof_says_what_is_needed(tmp_path: Path) -> None:
    """The last element that was read has nothing to do with where it was, nor has what the block is filled with."""
    found = asked(program_of(tmp_path, Property.VALID_MEMSAFETY, "<"), Property.VALID_MEMSAFETY)
    assert isinstance(found, Safe)
    assert isinstance(found.proof, ThreadModularProof)
    assert "|n+0|" in found.proof.labels
    assert "last" not in found.proof.labels
    assert found.proof.labels.count("bvslt") < 12, found.proof.labels
