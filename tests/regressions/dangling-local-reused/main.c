int *p;
void f(void){int x=1; p=&x;}
int g(void){int y=2; int*q=&y; *p=3; return *q;}
int main(){ f(); return g(); }
