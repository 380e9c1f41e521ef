extern void reach_error(void);
int main(int argc){ if(argc<-3) reach_error(); if(argc>0 && argc < 4) return main(argc-1); return 0; }
