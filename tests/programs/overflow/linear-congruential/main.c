static int seed = 12345;

static int draw(void)
{
	seed = seed * 1103515245 + 12345;
	return seed & 0x7fff;
}

int main(void)
{
	return draw() == draw();
}
