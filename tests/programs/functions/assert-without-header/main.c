int main(void) {
  int x = 1;
  assert(x); // <assert.h> was forgotten
  assert(x == 2);
  return 0;
}
