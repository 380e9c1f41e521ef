#include <assert.h>
#include <string.h>

int main(void)
{
	char name[5];
	strncpy(name, "barrier", sizeof name);
	name[sizeof name - 1] = 0;
	assert(strlen(name) == 4);
	return 0;
}
