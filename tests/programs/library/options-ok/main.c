#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <string.h>
#include <stddef.h>
int main(void){
 char *v[] = {"p","x","-a","-bval","y","-b","w","-q","--","-a",NULL};
 int n = 10;
 assert(getopt(n,v,"ab:")=='a'); assert(optind==3);
 assert(getopt(n,v,"ab:")=='b'); assert(!strcmp(optarg,"val"));
 assert(getopt(n,v,"ab:")=='b'); assert(!strcmp(optarg,"w"));
 assert(getopt(n,v,"ab:")=='?'); assert(optopt=='q');
 assert(getopt(n,v,"ab:")==-1); assert(optind==7);
 assert(!strcmp(v[7],"x") && !strcmp(v[8],"y") && !strcmp(v[9],"-a"));
 static int flag; int at=-1;
 struct option longs[] = {{"size",required_argument,0,'s'},{"verbose",no_argument,&flag,7},{"quick",optional_argument,0,'k'},{0}};
 char *w[] = {"p","--size=3","--verb","file","--size","4","--quick","--nope","--verbose=1","-c","--size",0};
 optind = 0;
 assert(getopt_long(11,w,":c",longs,&at)=='s' && at==0 && *optarg=='3');
 assert(getopt_long(11,w,":c",longs,&at)==0 && at==1 && flag==7);
 assert(getopt_long(11,w,":c",longs,&at)=='s' && *optarg=='4');
 assert(getopt_long(11,w,":c",longs,&at)=='k' && !optarg);
 assert(getopt_long(11,w,":c",longs,&at)=='?' && optopt==0);
 assert(getopt_long(11,w,":c",longs,&at)=='?' && optopt==7);
 assert(getopt_long(11,w,":c",longs,&at)=='c');
 assert(getopt_long(11,w,":c",longs,&at)==':' && optopt=='s');
 assert(getopt_long(11,w,":c",longs,&at)==-1 && optind==10 && !strcmp(w[10],"file"));
 char *u[] = {"p","-size","9","-cc","--","z",0};
 optind = 0;
 assert(getopt_long_only(6,u,"+c",longs,0)=='s' && *optarg=='9');
 assert(getopt_long_only(6,u,"+c",longs,0)=='c');
 assert(getopt_long_only(6,u,"+c",longs,0)=='c');
 assert(getopt_long_only(6,u,"+c",longs,0)==-1 && optind==5 && opterr==1);
 return 0;}
