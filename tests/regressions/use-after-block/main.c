int main(){ int *p; { int x=1; p=&x; } *p=2; return 0; }
