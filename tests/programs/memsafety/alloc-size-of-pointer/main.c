#include <stdlib.h>

struct job { int id; int priority; int cost; int owner; };

int main(void)
{
	struct job *j = malloc(sizeof j);
	j->id = 1;
	j->owner = 2;
	free(j);
	return 0;
}
