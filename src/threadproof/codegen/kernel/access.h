/* Whole words at places that are known to be in bounds. */

#if GPU
/* A graphics processor has no accesses of words that are not aligned; where it is known, the question vanishes. */
#define ACCESS(bits) \
    static inline u64 get##bits(const u8 *p) { \
        u64 v = 0; \
        if (!((u64)p & (bits / 8 - 1))) return *(const u##bits *)p; \
        for (int i = 0; i < bits / 8; i++) v |= (u64)p[i] << (8 * i); \
        return v; \
    } \
    static inline void put##bits(u8 *p, u64 v) { \
        if (!((u64)p & (bits / 8 - 1))) *(u##bits *)p = (u##bits)v; \
        else for (int i = 0; i < bits / 8; i++) p[i] = (u8)(v >> (8 * i)); \
    }
#else
#define ACCESS(bits) \
    static inline u64 get##bits(const u8 *p) { u##bits v; copy_bytes(&v, p, sizeof v); return v; } \
    static inline void put##bits(u8 *p, u64 v) { u##bits w = (u##bits)v; copy_bytes(p, &w, sizeof w); }
#endif

ACCESS(8)
ACCESS(16)
ACCESS(32)
ACCESS(64)
