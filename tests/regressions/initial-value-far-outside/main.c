int a[4]; int b[4000]; int *p=&a[2000];
int main(){ b[0]=0; *p=1; return 0; }
