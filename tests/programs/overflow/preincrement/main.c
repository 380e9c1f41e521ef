#include <limits.h>

static int ticket = INT_MAX - 2;

static int take_ticket(void)
{
	return ++ticket;
}

int main(void)
{
	for (int i = 0; i < 3; i++)
		take_ticket();
	return 0;
}
