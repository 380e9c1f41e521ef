#include <limits.h>

static int state = INT_MAX;

int main(void)
{
	switch (state * 2) {
	case -2:
		return 0;
	default:
		return 1;
	}
}
