int a[4];
int main(){ int i=1<<30; a[i]=1; return 0; }
