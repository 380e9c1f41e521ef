static unsigned char frame[3] __attribute__((aligned(4))) = { 1, 2, 3 };

static int read16(const unsigned char *p)
{
	return *(const unsigned short *)p;
}

int main(void)
{
	return read16(frame) == read16(frame + 2);
}
