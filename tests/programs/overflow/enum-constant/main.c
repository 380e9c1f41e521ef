enum limit { NONE = -1, FEW = 3, ALL = 0x7fffffff };

int main(void)
{
	int extra = 1;
	int bound = ALL + extra;
	return bound == NONE;
}
