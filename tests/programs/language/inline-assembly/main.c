// Inline assembly as Concurrency Kit, nginx, the Linux kernel and libatomic_ops spell it; gcc -no-pie runs this, too.
#include <stdint.h>
#include <assert.h>
typedef unsigned int u32;
int lk(volatile u32 *p, u32 o, u32 n){ u32 r; __asm__ __volatile__("lock; cmpxchgl %2,%1" : "=a"(r), "+m"(*p) : "r"(n), "0"(o) : "memory"); return r==o; }
_Bool ck(u32 *t, u32 c, u32 s){ _Bool z; __asm__ __volatile__("lock cmpxchgl %2, %0; setz %1" : "+m"(*(u32*)t), "=a"(z) : "q"(s), "a"(c) : "memory","cc"); return z; }
_Bool ck2(u32 *t, u32 c, u32 s){ _Bool z; __asm__ __volatile__("lock " "cmpxchgl" " %3, %0" : "+m"(*t), "=@ccz"(z), "+a"(c) : "q"(s): "memory"); return z; }
unsigned char nginx(volatile long *lock, long old, long set){ unsigned char res; __asm__ volatile ("lock;    cmpxchgq  %3, %1;   sete      %0;   " : "=a"(res) : "m"(*lock), "a"(old), "r"(set) : "cc","memory"); return res; }
long xadd(volatile long *v, long add){ __asm__ volatile("lock;    xaddq  %0, %1;   " : "+r"(add) : "m"(*v) : "cc","memory"); return add; }
int xchg(volatile int *p, int v){ __asm__ volatile("xchgl %0,%1" : "=r"(v), "+m"(*p) : "0"(v) : "memory"); return v; }
int xchg2(volatile int *p, int v){ __asm__ volatile("xchg %1,%0" : "+m"(*p), "+q"(v) : : "memory"); return v; }
char xb(volatile char *p, char v){ __asm__ volatile("xchgb %b0,%1" : "=q"(v) : "m"(*p), "0"(v) : "memory"); return v; }
void atomic_inc(volatile int *v){ __asm__ volatile("lock\n\tincl %0" : "+m"(*v)); }
int dec_test(volatile int *v){ unsigned char c; __asm__ volatile("lock; decl %0; sete %1" : "=m"(*v), "=qm"(c) : "m"(*v) : "memory"); return c!=0; }
int bts(volatile long *a, long nr){ int old; __asm__ volatile("lock; btsl %2,%1\n\tsbbl %0,%0" : "=r"(old), "+m"(*a) : "Ir"((int)nr) : "memory"); return old; }
int btsq(volatile unsigned long *a, long nr){ unsigned char c; __asm__ volatile("lock; btsq %2,%1; setc %0" : "=q"(c), "+m"(*a) : "r"(nr) : "memory"); return c; }
void addi(volatile int *p, int i){ __asm__ volatile("lock; addl %1,%0" : "=m"(*p) : "ir"(i), "m"(*p)); }
void named(int *p, int i){ __asm__ volatile("lock; addl %[val],%[ptr]" : [ptr]"+m"(*p) : [val]"er"(i)); }
int mv(int *p){ int r; __asm__ volatile("movl %1, %0" : "=r"(r) : "m"(*p)); return r; }
void mvs(int *p,int v){ __asm__ volatile("movl %1, %0" : "=m"(*p) : "r"(v) : "memory"); }
uint64_t tsc(void){ unsigned lo,hi; __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi)); return lo|((uint64_t)hi<<32); }
uint64_t tscA(void){ uint64_t x; __asm__ volatile("rdtsc; shlq $32, %%rdx; orq %%rdx, %%rax" : "=a"(x) : : "rdx"); return x; }
void cpuid(unsigned l){ unsigned a,b,c,d; __asm__ volatile("cpuid" : "=a"(a),"=b"(b),"=c"(c),"=d"(d) : "a"(l), "c"(0)); }
unsigned long bsf(unsigned long x){ __asm__("bsfq %1,%0" : "=r"(x) : "r"(x)); return x; }
unsigned bsr(unsigned x){ unsigned r; __asm__("bsrl %1,%0" : "=r"(r) : "rm"(x) : "cc"); return r; }
unsigned bsw(unsigned x){ __asm__("bswapl %0" : "+r"(x)); return x; }
unsigned bsw2(unsigned x){ __asm__("bswap %0" : "=r"(x) : "0"(x)); return x; }
_Bool c16(uint64_t t[2], uint64_t c[2], uint64_t s[2]){ _Bool z; __asm__ __volatile__("movq 0(%4), %%rax;" "movq 8(%4), %%rdx;" "lock " "cmpxchg16b %0; setz %1" : "+m"(*t), "=q"(z) : "b"(s[0]), "c"(s[1]), "q"(c) : "memory","cc","%rax","%rdx"); return z; }
char c16b(volatile uint64_t *t, uint64_t o0, uint64_t o1, uint64_t n0, uint64_t n1){ char r; __asm__ volatile("lock; cmpxchg16b %0; setz %1" : "=m"(*t), "=a"(r) : "m"(*t), "d"(o1), "a"(o0), "c"(n1), "b"(n0) : "memory"); return r; }
void unl(int *p){ __asm__ volatile("incl %0" : "+m"(*p)); }
void fence(void){ __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory"); __asm__ volatile("mfence" ::: "memory");__asm__ volatile("rep; nop"); __asm__ volatile("lock; orl $0,(%%rsp)":::"memory"); __asm__ volatile("":::"memory"); }
int reg(int *p){ int x=3; __asm__("lock; xaddl %0, (%1)" : "+r"(x) : "r"(p) : "memory","cc"); return x;}
int gp; int pp(void){ int v; __asm__("movl %P1, %0":"=r"(v):"m"(gp)); __asm__("" : "+r"(v)); return v; }
short w(short*p, short n, short o){ __asm__ volatile("lock; cmpxchgw %w1,%2":"=a"(o):"r"(n),"m"(*p),"0"(o):"memory"); __asm__ volatile("lock xaddw %w0,%1":"+r"(n),"+m"(*p)::"cc"); return o;}
int imm(int*p){ __asm__ volatile("lock; andl $0x7f, %0":"+m"(*p)); return *p; }
static int test_and_set_bit(int nr, volatile void *addr){ int oldbit; __asm__ volatile(".section .smp_locks,\"a\"\n .align 4\n .long 661f\n.previous\n661:\n\tlock; " "btsl %2,%1\n\tsbbl %0,%0" :"=r" (oldbit),"+m" (*(volatile long *) addr) :"Ir" (nr) : "memory"); return oldbit; }
static unsigned char neg(int *p){ unsigned char s; __asm__ volatile("lock; negl %0; sets %1" : "+m"(*p), "=q"(s)); return s; }
static void notl(int *p){ __asm__ volatile("lock; notl %0" : "+m"(*p)); }
static unsigned sub_and_test(int i, int *v){ unsigned char c; __asm__ volatile("lock; subl %2,%0; sete %1" : "+m"(*v), "=qm"(c) : "ir"(i) : "memory"); return c; }
static int cmov(int a, int b){ __asm__("cmpl %1,%0; cmovll %1,%0" : "+&r"(a) : "r"(b)); return a; }
static uint16_t rot(uint16_t x){ __asm__("rorw $8, %w0" : "+r"(x)); return x; }
static int movz(unsigned char x){ int r; __asm__("movzbl %1,%0" : "=r"(r) : "q"(x)); return r; }
static int movsx(signed char *x){ int r; __asm__("movsbl %1,%0" : "=r"(r) : "m"(*x)); return r; }
static int btcc(long v, long k){ int c; __asm__("btq %2,%1" : "=@ccc"(c) : "r"(v), "r"(k)); return c; }
static int cond(int a, int b){ int l, be, o; __asm__("cmpl %4,%3" : "=@ccl"(l), "=@ccbe"(be), "=@cco"(o) : "r"(a), "r"(b)); return l*100+be*10+o; }
static long shl(long v, char n){ __asm__("shlq %%cl,%0" : "+r"(v) : "c"(n)); return v; }
static long lea(long a, long b){ long r; __asm__("leaq 5(%1,%2,4),%0":"=r"(r):"r"(a),"r"(b)); return r; }
static unsigned long c8(uint64_t *p, uint64_t o, uint64_t n){ uint32_t a=o, d=o>>32; unsigned char z; __asm__ volatile("lock; cmpxchg8b %0; setz %3":"+m"(*p),"+a"(a),"+d"(d),"=q"(z):"b"((uint32_t)n),"c"((uint32_t)(n>>32)):"memory"); return z*7 + a + ((uint64_t)d<<32); }
static int pop(int x){ int r; __asm__("popcntl %1,%0":"=r"(r):"r"(x)); return r; }
int main(void)
{
    u32 x = 5; long l = 9; int i = 3; char c = 'a'; short s = 4; unsigned long bits[3] = {0};
    assert(lk(&x, 5, 6) && x == 6 && !lk(&x, 5, 7) && x == 6);
    assert(ck(&x, 6, 7) && x == 7 && !ck(&x, 6, 8) && x == 7);
    assert(ck2(&x, 7, 8) && x == 8 && !ck2(&x, 6, 8));
    assert(nginx(&l, 9, 10) == 1 && l == 10 && nginx(&l, 9, 11) == 0 && l == 10);
    assert(xadd(&l, -3) == 10 && l == 7);
    assert(xchg(&i, 4) == 3 && xchg2(&i, 5) == 4 && i == 5);
    assert(xb(&c, 'b') == 'a' && c == 'b');
    atomic_inc(&i); assert(i == 6 && !dec_test(&i) && i == 5);
    i = 1; assert(dec_test(&i) && i == 0);
    assert(btsq(bits, 65) == 0 && bits[1] == 2 && btsq(bits, 65) == 1 && bits[0] == 0);
    l = 0; assert(bts(&l, 3) == 0 && bts(&l, 3) == -1 && l == 8);
    assert(test_and_set_bit(40, bits) == 0 && bits[0] == 1ul << 40 && test_and_set_bit(40, bits) == -1);
    addi(&i, 7); named(&i, 8); assert(i == 15 && mv(&i) == 15); mvs(&i, 0xff); assert(imm(&i) == 0x7f);
    assert(bsf(0x50) == 4 && bsr(0x50) == 6 && bsw(0x11223344) == 0x44332211 && bsw2(1) == 0x1000000);
    uint64_t t[2] __attribute__((aligned(16))) = {1, 2}, o[2] = {1, 2}, n[2] = {3, 4};
    assert(c16(t, o, n) && t[0] == 3 && t[1] == 4 && !c16(t, o, n) && c16b(t, 3, 4, 5, ~0ul) && t[0] == 5 && t[1] == ~0ul);
    unl(&i); assert(i == 0x80); fence(); assert(reg(&i) == 0x80 && i == 0x83);
    assert(w(&s, 9, 4) == 4 && s == 18);
    gp = 77; assert(pp() == 77);
    assert(neg(&i) == 1 && i == -0x83); notl(&i); assert(i == 0x82);
    assert(!sub_and_test(1, &i) && sub_and_test(0x81, &i) && i == 0);
    assert(cmov(3, 5) == 5 && cmov(7, 5) == 7 && rot(0x1234) == 0x3412 && movz(200) == 200);
    signed char m = -3; assert(movsx(&m) == -3 && btcc(8, 3) == 1 && btcc(8, 2) == 0 && btcc(8, 67) == 1);
    assert(cond(1, 2) == 110 && cond(-1, 2) == 100 && cond(-2147483647, 2) == 101 && cond(2, 2) == 10 && cond(3,2)==0);
    assert(shl(1, 35) == 1l << 35 && lea(100, 3) == 117 && pop(0xf0f) == 8);
    uint64_t q = 0x100000002; assert(c8(&q, 0x100000002, 5) == 0x100000009 && q == 5 && c8(&q, 4, 6) == 5 && q == 5);
    return 0;
}
