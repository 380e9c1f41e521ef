#include <assert.h>
#include <stdio.h>

int main(void)
{
	int n = 3;
	printf("%d %s %c %5.2f %lx\n", n, "three", 'c', 3.0, 3UL);
	puts("done");
	assert(n == 3);
	return 0;
}
