extern void reach_error(void);
int *g;
void keep(int *q) { g = q; }
int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++) {
    int v = i;
    if (i == 1) *p = 5;
    keep(&v);
    p = &v;
    keep(0);
    if (v == 7) reach_error();
  }
  return 0;
}
