#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union { uint32_t word; uint16_t half[2]; } cell;

static void *write_halves(void *arg)
{
	cell.half[0] = 0x1111;
	cell.half[1] = 0x1111;
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, write_halves, 0);
	uint32_t w = cell.word;
	pthread_join(t, 0);
	assert(cell.word == 0x11111111u);
	assert(w == 0 || w == 0x11111111u);
	return 0;
}
