#include <alloca.h>
#include <assert.h>

static int digit_sum(int n)
{
	char *text = alloca(12);
	int len = 0, sum = 0;
	for (; n; n /= 10)
		text[len++] = (char)('0' + n % 10);
	while (len > 0)
		sum += text[--len] - '0';
	return sum;
}

int main(void)
{
	assert(digit_sum(98765) == 35);
	return 0;
}
