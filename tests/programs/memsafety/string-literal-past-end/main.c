static char at(const char *s, int i)
{
	return s[i];
}

int main(void)
{
	int sum = at("abc", 2) + at("abc", 3);
	sum += at("abc", 4);
	return sum;
}
