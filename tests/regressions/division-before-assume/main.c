extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); extern void reach_error(void);
int main(){ int x=__VERIFIER_nondet_int(); int y=10/x; __VERIFIER_assume(x>0 && x<10); if (y<1) reach_error(); return 0; }
