#include <string.h>

int main(void)
{
	char key[10] = "read";
	strcat(key, "/");
	strcat(key, "write");
	return key[0];
}
