#include <stdlib.h>
#include <string.h>

static char *name(int known)
{
	if (!known)
		return "anonymous";
	char *s = malloc(4);
	strcpy(s, "Ada");
	return s;
}

int main(void)
{
	for (int known = 1; known >= 0; known--)
		free(name(known));
	return 0;
}
