static int parse(const char *digits)
{
	int value = 0;
	for (; *digits >= '0' && *digits <= '9'; digits++)
		value = value * 10 + (*digits - '0');
	return value;
}

int main(void)
{
	if (parse("2147483647") != 2147483647)
		return 1;
	return parse("2147483648") == 0;
}
