static int stack[4];
static int top;

static void push(int v) { stack[top++] = v; }
static int pop(void) { return --top; }

int main(void)
{
	push(1);
	pop();
	pop();
	push(2);
	return 0;
}
