// Inline PTX: arithmetic, bits, predicates, conversions, memory, atomics and what lanes exchange.
__device__ __forceinline__ unsigned lane() {
    unsigned r;
    asm("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}

__global__ void inlined(int *y, float *z, unsigned *total, const int *x, const float4 *v) {
    __shared__ int s[64];
    int t = threadIdx.x, *to = y + t * 24, a = x[t], b = x[63 - t];
    float *f = z + t * 8;
    asm("add.s32 %0, %1, %2;" : "=r"(to[0]) : "r"(a), "r"(b));
    asm("mul.hi.s32 %0, %1, %2;" : "=r"(to[1]) : "r"(a), "r"(b));
    long long wide;
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(wide) : "r"(a), "r"(b), "l"(5ll));
    asm("{\n .reg .b32 high;\n mov.b64 {%0, high}, %2;\n xor.b32 %1, high, 0xff;\n}" : "=r"(to[2]), "=r"(to[3]) : "l"(wide));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(to[4]) : "r"(a), "r"(b), "r"(t));
    asm("bfe.s32 %0, %1, 4, 8;" : "=r"(to[5]) : "r"(a));
    asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(to[6]) : "r"(b), "r"(a));
    asm("prmt.b32 %0, %1, %2, 0x1073;" : "=r"(to[7]) : "r"(a), "r"(b));
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(to[8]) : "r"(a), "r"(b), "r"(t));
    asm("{ .reg .pred p, q; setp.lt.and.s32 p|q, %1, %2, 1; @p mov.s32 %0, 5; @!p mov.s32 %0, 7; }" : "=r"(to[9]) : "r"(a), "r"(b));
    asm("{ .reg .pred p; setp.ge.u32 p, %1, 32; selp.b32 %0, 11, %2, p; }" : "=r"(to[10]) : "r"(t), "r"(a));
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(to[11]) : "f"(a / 1000.0f));
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(to[12]) : "r"(a / 1000));
    asm("popc.b32 %0, %1;" : "=r"(to[13]) : "r"(a));
    asm("shr.s32 %0, %1, 33;" : "=r"(to[14]) : "r"(a));
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(to[15]) : "r"(a), "r"(b), "r"(t));
    asm("{ .reg .pred p; setp.gt.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(to[16]) : "r"(a));
    to[17] = a;
    asm volatile("{ .reg .b32 r; .reg .pred p; shfl.sync.up.b32 r|p, %0, 3, 0, 0xffffffff; @p add.s32 %0, %0, r; }" : "+r"(to[17]));
    asm volatile("shfl.sync.bfly.b32 %0, %1, 5, 0x1f, 0xffffffff;" : "=r"(to[18]) : "r"(a));
    unsigned at = (unsigned)__cvta_generic_to_shared(s);
    asm volatile("st.shared.u32 [%0 + 4], %1;" ::"r"(at + 4 * ((t + 63) % 64) - 4), "r"(a) : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    asm volatile("ld.shared.s32 %0, [%1];" : "=r"(to[19]) : "r"(at + 4 * t));
    asm volatile("ld.volatile.global.s32 %0, [%1 + 4];" : "=r"(to[20]) : "l"(x + t % 32));
    asm("min.s32 %0, %1, %2;" : "=r"(to[21]) : "r"(a), "r"(b));
    asm("sad.s32 %0, %1, %2, %3;" : "=r"(to[22]) : "r"(a >> 1), "r"(b >> 1), "r"(t));
    to[23] = lane();
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3]) : "l"(v + t));
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(f[4]) : "f"(f[0]), "f"(f[1]), "f"(f[2]));
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f[5]) : "f"(f[3]));
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f[0]));
    asm("cvt.f32.f16 %0, %1;" : "=f"(f[6]) : "h"(h));
    unsigned pair;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(f[1]), "f"(f[2]));
    asm("{ .reg .f16 low, high; mov.b32 {low, high}, %1; cvt.f32.f16 %0, high; }" : "=f"(f[7]) : "r"(pair));
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(total), "r"(t) : "memory");
}
