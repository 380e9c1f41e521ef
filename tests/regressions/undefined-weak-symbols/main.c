extern int variable __attribute__((weak));
extern void function(void) __attribute__((weak));
void reach_error(void);

int main(void) {
  if (&variable || function)
    reach_error();
  return 0;
}
