#include <assert.h>

struct rec { char name[5]; int score; short rank; };

static struct rec board[3] = {
	{ "ann", 30, 0 },
	{ "bob", 10, 0 },
	[2] = { .name = "cy", .score = 20 },
};

int main(void)
{
	for (int i = 0; i < 3; i++)
		for (struct rec *r = board; r < board + 3; r++)
			if (r->score > board[i].score)
				board[i].rank++;
	assert(board[0].rank == 0 && board[1].rank == 2 && board[2].rank == 1);
	assert(&board[2].score - &board[1].score == sizeof(struct rec) / sizeof(int));
	assert(board[2].name[2] == 0 && board[1].name[0] == 'b');
	return 0;
}
