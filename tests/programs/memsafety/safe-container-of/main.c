#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

struct link { struct link *next; };
struct item { int key; struct link link; };

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

int main(void)
{
	struct item *it = malloc(sizeof *it);
	it->key = 5;
	it->link.next = 0;
	struct link *l = &it->link;
	struct item *back = container_of(l, struct item, link);
	assert(back == it && back->key == 5);
	free(back);
	return 0;
}
