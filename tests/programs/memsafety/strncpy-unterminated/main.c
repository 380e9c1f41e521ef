#include <string.h>

int main(void)
{
	char name[5];
	strncpy(name, "barrier", sizeof name);
	return (int)strlen(name);
}
