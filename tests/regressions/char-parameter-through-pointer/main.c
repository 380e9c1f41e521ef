extern void reach_error(void);
int f(char c){ char d=c; return d; }
int main(){ int (*p)(int)=(int(*)(int))f; if (p(300)!=44) reach_error(); return 0; }
