#include <alloca.h>

static int digits(unsigned int n)
{
	char *text = alloca(3);
	int len = 0;
	while (n) {
		text[len++] = (char)('0' + n % 10);
		n /= 10;
	}
	text[len] = 0;
	return len;
}

int main(void)
{
	return digits(12) + digits(123);
}
