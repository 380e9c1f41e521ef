#include <string.h>

static unsigned char used[10];

int main(void)
{
	memset(used, 0xff, 10 * sizeof(int));
	return used[0];
}
