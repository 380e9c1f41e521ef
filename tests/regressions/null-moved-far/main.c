int big[1000000];
int main(){ int *p=0; big[0]=1; p[300000]=1; return 0; }
