static unsigned int read_be32(const unsigned char *p)
{
	return (p[0] << 24) | (p[1] << 16) | (p[2] << 8) | p[3];
}

int main(void)
{
	unsigned char low[4] = { 0x7f, 0xff, 0, 1 };
	unsigned char high[4] = { 200, 0, 0, 1 };
	if (read_be32(low) != 0x7fff0001u)
		return 1;
	return read_be32(high) == 0;
}
