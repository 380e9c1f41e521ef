static int hash(const char *s)
{
	int h = 0;
	while (*s)
		h = 31 * h + *s++;
	return h;
}

int main(void)
{
	int a = hash("cat");
	int b = hash("interleaving");
	return a == b;
}
