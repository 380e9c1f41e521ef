#include <string.h>

int main(void)
{
	char code[4] = { 'A', 'B', 'C', 'D' };
	return (int)strlen(code);
}
