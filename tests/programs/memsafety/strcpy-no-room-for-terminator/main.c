#include <stdlib.h>
#include <string.h>

static char *duplicate(const char *s)
{
	char *copy = malloc(strlen(s));
	strcpy(copy, s);
	return copy;
}

int main(void)
{
	char *c = duplicate("mutex");
	int first = c[0];
	free(c);
	return first != 'm';
}
