struct header {
	unsigned int id : 31;
	unsigned int last : 1;
};

int main(void)
{
	struct header h = { 0x7fffffff, 0 };
	long next = h.id + 1;
	return next == 0;
}
