#include <stdio.h>
extern void reach_error(void);
int n = 2;
int main(int argc, char *argv[]) {
  if (argc != 1) {
    if (argc != 2) return 1;
    sscanf(argv[1], "%d", &n);
  }
  if (n == 2) reach_error();
  return 0;
}
