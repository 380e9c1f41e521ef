struct range { int low, high; };
struct iterator { const struct range *r; int at; };

static void begin(struct iterator *it, struct range r)
{
	it->r = &r;
	it->at = r.low;
}

int main(void)
{
	struct range r = { 2, 5 };
	struct iterator it;
	begin(&it, r);
	return it.at < it.r->high;
}
