struct record { char text[4096]; };

static int bytes_needed(int records)
{
	return records * (int)sizeof(struct record);
}

int main(void)
{
	int few = bytes_needed(100);
	int many = bytes_needed(600000);
	return few == many;
}
