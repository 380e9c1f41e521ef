#include <string.h>

static const char tag[6] = { 'h', 'e', 'a', 'd', 'e', 'r' };

int main(void)
{
	char field[16];
	memcpy(field, tag, sizeof field);
	return field[0];
}
