extern void reach_error(void);
int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++) {
    int v = i;
    if (i == 1) *p = 5;
    p = &v;
    if (v == 7) reach_error();
  }
  return 0;
}
