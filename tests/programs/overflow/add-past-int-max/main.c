#include <limits.h>

static int next_reading(int current)
{
	return current + 1;
}

int main(void)
{
	int reading = INT_MAX;
	reading = next_reading(reading);
	return reading == 0;
}
