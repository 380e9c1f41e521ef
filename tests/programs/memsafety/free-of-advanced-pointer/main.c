#include <stdlib.h>

static char *text;

int main(void)
{
	text = malloc(4);
	for (int i = 0; i < 3; i++)
		*text++ = 'a';
	free(text);
	return 0;
}
