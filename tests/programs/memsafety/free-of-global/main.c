#include <stdlib.h>

struct settings { int level; };

static struct settings defaults = { 1 };
static struct settings *active = &defaults;

int main(void)
{
	int level = active->level;
	free(active);
	return level;
}
