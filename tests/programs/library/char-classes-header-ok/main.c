#include <assert.h>
#include <ctype.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int c = __VERIFIER_nondet_uchar();
    assert(!isalnum(c) == !(isalnum)(c) && !isalpha(c) == !(isalpha)(c) && !isblank(c) == !(isblank)(c));
    assert(!iscntrl(c) == !(iscntrl)(c) && !isdigit(c) == !(isdigit)(c) && !isgraph(c) == !(isgraph)(c));
    assert(!islower(c) == !(islower)(c) && !isprint(c) == !(isprint)(c) && !ispunct(c) == !(ispunct)(c));
    assert(!isspace(c) == !(isspace)(c) && !isupper(c) == !(isupper)(c) && !isxdigit(c) == !(isxdigit)(c));
    assert(!isdigit(-1) && !iscntrl(-1));
    return 0;
}
