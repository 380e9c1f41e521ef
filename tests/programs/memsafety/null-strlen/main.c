#include <string.h>

static const char *name[2] = { "left", 0 };

int main(void)
{
	size_t total = 0;
	for (int i = 0; i < 2; i++)
		total += strlen(name[i]);
	return (int)total;
}
