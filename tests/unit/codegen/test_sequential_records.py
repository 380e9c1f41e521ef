"""Records keep the names of their members where these lie as they did; everything else goes by offset."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.codegen.sequential import Options, sequentialize
from threadproof.core.property import Property
from threadproof.dev.compilers import complaint, installed
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel
from threadproof.portfolio.prepare import prepare

SOURCE = """
#include <pthread.h>
extern void reach_error(void);
struct node { char c; long long n; struct node *next; short s[3]; _Bool b; } one = {.n = -5, .s = {1, 2, 3}}, many[4];
struct padded { int a; int b __attribute__((aligned(32))); } padded = {.b = 7};
struct __attribute__((packed)) packed { char c; int n; } packed = {.n = 7};
union either { int a; char b; } either = {7};
struct bits { int a : 3; int b : 5; } bits = {.b = 7};
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *arg) {
  pthread_mutex_lock(&m);
  one.n++; one.s[1] = 9; many[2].next = &one; padded.b++; packed.n++; either.a++; bits.b++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, t, 0);
  pthread_mutex_lock(&m);
  if (one.n > 0 || padded.b > 8 || packed.n > 8 || either.a > 8 || bits.b > 8) reach_error();
  pthread_mutex_unlock(&m);
  return 0;
}
"""


@pytest.mark.parametrize("model", list(DataModel))
def test_members(tmp_path: Path, model: DataModel) -> None:
    """The assertions about sizes and offsets are the compiler's to check."""
    path = tmp_path / "main.c"
    path.write_text(SOURCE, encoding="utf-8")
    program = prepare([str(path)], Property.UNREACH_CALL, FrontendOptions(data_model=model))
    text = sequentialize(program, Options()).text
    assert not [said for compiler in installed() if (said := complaint(text, model, compiler))]
    for written in ("one.n = ", "one.s[1] = 9", "many[2].next = &one", "padded.b = ", "m.owner == 1", ".n = -5"):
        assert written in text
    for unwritten in ("packed.n = ", "either.a = ", "bits.b = "):
        assert unwritten not in text
