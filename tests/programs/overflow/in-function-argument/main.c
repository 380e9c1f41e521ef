static int last_digit(int v)
{
	return v % 10;
}

int main(void)
{
	int cents = 1999999999;
	return last_digit(cents + 100000000) + last_digit(cents + 200000000);
}
