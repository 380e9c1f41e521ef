#include <string.h>

static const char *greeting = "good morning";

int main(void)
{
	char buffer[8];
	strcpy(buffer, greeting);
	return buffer[0];
}
