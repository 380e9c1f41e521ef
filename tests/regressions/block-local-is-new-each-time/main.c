extern void reach_error(void);
int main(){ for(int i=0;i<2;i++){ int x; if(i==0) x=5; else if(x!=5) reach_error(); } return 0; }
