void reach_error(void);
void set(int value); // in a file that was not given: it writes x
int x;

int main(void) {
  set(1);
  if (x)
    reach_error();
  return 0;
}
