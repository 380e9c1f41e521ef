#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
int main(void){
 char *before = getenv("A");
 assert(!setenv("A","hello",1));
 assert(!strcmp(getenv("A"),"hello"));
 assert(!setenv("A","other",0));
 char *a = getenv("A");
 assert(!strcmp(a,"hello"));
 assert(!setenv("A","xx",1)); assert(a[0]=='h');
 assert(setenv("A=","",1)==-1 && errno==EINVAL);
 assert(!unsetenv("A")); assert(!getenv("A"));
 static char own[] = "A=1";
 putenv(own); assert(getenv("A")==own+2); own[2]='5'; assert(getenv("A")[0]=='5');
 putenv("A"); assert(!getenv("A"));
 clearenv(); assert(!getenv("B"));
 setenv("B","",1); assert(*getenv("B")==0);
 return 0;}
