#include <stdlib.h>
#include <string.h>

int main(void)
{
	char line[8] = "1234567";
	char *copy = malloc(6);
	memcpy(copy, line, sizeof line);
	free(copy);
	return 0;
}
