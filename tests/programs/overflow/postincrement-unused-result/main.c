#include <limits.h>

int main(void)
{
	int serial = INT_MAX;
	int last = serial++;
	return last != INT_MAX;
}
