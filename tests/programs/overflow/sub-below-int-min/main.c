#include <limits.h>

static int balance = INT_MIN + 2;

static void withdraw(int amount)
{
	balance = balance - amount;
}

int main(void)
{
	withdraw(1);
	withdraw(1);
	withdraw(1);
	return 0;
}
