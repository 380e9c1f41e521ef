struct picture { int width, height; };

static int area(const struct picture *p)
{
	return p->width * p->height;
}

int main(void)
{
	struct picture small = { 640, 480 };
	struct picture large = { 70000, 70000 };
	int total = area(&small);
	total = area(&large);
	return total == 0;
}
