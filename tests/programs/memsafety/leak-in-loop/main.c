#include <stdlib.h>

int main(void)
{
	char *line = 0;
	for (int i = 0; i < 3; i++) {
		line = malloc(4);
		line[0] = (char)i;
	}
	free(line);
	return 0;
}
