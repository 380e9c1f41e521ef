#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char stack[6];
	strcpy(stack, "mutex");
	char *heap = malloc(strlen(stack) + 1);
	strcpy(heap, stack);
	assert(strcmp(stack, heap) == 0);
	free(heap);
	return 0;
}
