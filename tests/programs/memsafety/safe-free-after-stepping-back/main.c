#include <stdlib.h>

int main(void)
{
	char *cursor = malloc(5);
	for (int i = 0; i < 4; i++)
		*cursor++ = (char)('a' + i);
	*cursor = 0;
	cursor -= 4;
	int first = *cursor;
	free(cursor);
	return first != 'a';
}
