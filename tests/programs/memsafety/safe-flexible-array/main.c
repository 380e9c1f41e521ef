#include <assert.h>
#include <stdlib.h>

struct packet { int length; int word[]; };

static struct packet *make(int n)
{
	struct packet *p = malloc(sizeof *p + n * sizeof p->word[0]);
	p->length = n;
	for (int i = 0; i < n; i++)
		p->word[i] = i * i;
	return p;
}

int main(void)
{
	struct packet *p = make(4);
	assert(p->word[3] == 9);
	free(p);
	p = make(0);
	assert(p->length == 0);
	free(p);
	return 0;
}
