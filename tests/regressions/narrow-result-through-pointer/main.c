extern void reach_error(void);
long f(void){ return 0x123456789L; }
int main(){ int (*p)(void)=(int(*)(void))f; int r=p(); if(r!=0x23456789) reach_error(); return 0; }
