#include <assert.h>

struct big { int a[20]; double d; };
struct small { char c; short s; };
struct pair { float x, y; };
struct bits { unsigned a : 3; int b : 5; unsigned c : 17; unsigned long long d : 40; };
struct packed { char c; int i; } __attribute__((packed));
struct node { struct node *next; int v; };
union view { int i; unsigned char c[4]; float f; };

struct bits bits = { 5, -3, 70000, 0xABCDEF1234ull };
struct packed packed[3] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
int table[3][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } };
int *places[] = { &table[1][2], &table[2][0], 0 };
extern struct node n1;
struct node n2 = { &n1, 2 };
struct node n1 = { &n2, 1 };

static struct big change(struct big x) { x.a[1] = 3; x.d *= 2; return x; }
static struct small step(struct small s) { s.c++; s.s--; return s; }
static struct pair flip(struct pair p) { struct pair q = { p.y, p.x }; return q; }

int main(void)
{
    struct big b = { { 1, 2 }, 1.5 }, r = change(b);
    assert(r.a[0] == 1 && r.a[1] == 3 && r.d == 3.0 && b.a[1] == 2);
    struct small s = step((struct small){ 1, 2 });
    assert(s.c == 2 && s.s == 1);
    struct pair p = flip((struct pair){ 1.5f, 2.5f });
    assert(p.x == 2.5f && p.y == 1.5f);
    assert(bits.a == 5 && bits.b == -3 && bits.c == 70000 && bits.d == 0xABCDEF1234ull);
    bits.b = 7;
    bits.d++;
    assert(bits.a == 5 && bits.b == 7 && bits.c == 70000 && bits.d == 0xABCDEF1235ull);
    union view v;
    v.f = 1.0f;
    assert(v.i == 0x3f800000 && v.c[3] == 0x3f);
    assert(packed[2].i == 6 && sizeof packed == 15);
    assert(*places[0] == 7 && *places[1] == 9 && places[2] == 0 && places[0][-1] == 6);
    assert(n1.next->next == &n1 && n1.next->v == 2);
    int n = table[1][2];
    int vla[n];
    for (int i = 0; i < n; i++)
        vla[i] = i * i;
    assert(vla[6] == 36 && sizeof vla == 28);
}
