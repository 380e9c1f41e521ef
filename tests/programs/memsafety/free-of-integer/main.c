#include <stdint.h>
#include <stdlib.h>

int main(void)
{
	intptr_t handle = 48;
	free((void *)handle);
	return 0;
}
