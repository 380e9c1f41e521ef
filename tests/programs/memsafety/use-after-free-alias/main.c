#include <stdlib.h>

struct view { char *base; char *cursor; };

int main(void)
{
	struct view v;
	v.base = malloc(4);
	v.cursor = v.base + 1;
	*v.cursor = 'x';
	free(v.base);
	v.base = 0;
	return *v.cursor == 'x';
}
