struct ring { int head, tail; };

static int slot[4];
static struct ring r;

static void put(int v) { slot[r.tail++] = v; }
static int get(void) { return slot[r.head++]; }

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 5; i++) {
		put(i);
		sum += get();
	}
	return sum;
}
