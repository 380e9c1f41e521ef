/* Whole words at places that are known to be in bounds. */

#define ACCESS(bits) \
    static inline u64 get##bits(const u8 *p) { u##bits v; copy_bytes(&v, p, sizeof v); return v; } \
    static inline void put##bits(u8 *p, u64 v) { u##bits w = (u##bits)v; copy_bytes(p, &w, sizeof w); }

ACCESS(8)
ACCESS(16)
ACCESS(32)
ACCESS(64)
