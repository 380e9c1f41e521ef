int main(void)
{
	unsigned short a = 65535, b = 65535;
	unsigned int product = a * b;
	return product == 1;
}
