static int table[16];

static int cell(int row, int stride)
{
	int index = row * stride % 16;
	return table[index < 0 ? -index : index];
}

int main(void)
{
	return cell(3, 5) + cell(50000, 50000);
}
