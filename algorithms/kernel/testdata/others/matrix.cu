// Products of 16 x K and K x 8 matrices by mma.sync, and of 16 x 16 ones by wmma, one warp each.
#include <mma.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
using namespace nvcuda;

__device__ unsigned word(const void *from, int at) { return *(const unsigned *)((const char *)from + at); }

__device__ void store(float *d, const float *r) {
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    d[g * 8 + 2 * t] = r[0], d[g * 8 + 2 * t + 1] = r[1];
    d[(g + 8) * 8 + 2 * t] = r[2], d[(g + 8) * 8 + 2 * t + 1] = r[3];
}

#define MMA_F16(d, a, b)                                                                                                     \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"     \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                                       \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))

#define MMA_BF16(d, a, b)                                                                                                     \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"     \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                                       \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))

// A is 16 x 16 by rows, B 16 x 8 by columns.
__global__ void halves(float *d, const __half *a, const __half *b, float *e, const __nv_bfloat16 *x, const __nv_bfloat16 *y) {
    __shared__ __align__(16) __half tile[256];
    __shared__ __align__(16) __half columns[128];
    int lane = threadIdx.x;
    for (int i = lane; i < 32; i += 32) {
        unsigned at = (unsigned)__cvta_generic_to_shared(tile + 8 * i);
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(at), "l"(a + 8 * i));
    }
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
    for (int i = lane; i < 128; i += 32) columns[i % 16 * 8 + i / 16] = b[i];  // by rows
    __syncwarp();
    unsigned ra[4], rb[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                 : "r"((unsigned)__cvta_generic_to_shared(tile + lane % 16 * 16 + lane / 16 * 8)));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];\n"
                 : "=r"(rb[0]), "=r"(rb[1])
                 : "r"((unsigned)__cvta_generic_to_shared(columns + lane % 16 * 8)));
    float r[4] = {0, 0, 0, 0};
    MMA_F16(r, ra, rb);
    store(d, r);
    int g = lane / 4, t = lane % 4;
    for (int i = 0; i < 4; i++) {
        ra[i] = word(x, 2 * ((g + i % 2 * 8) * 16 + 2 * t + i / 2 * 8));
        if (i < 2) rb[i] = word(y, 2 * (g * 16 + 2 * t + 8 * i));
        r[i] = 1;
    }
    MMA_BF16(r, ra, rb);
    store(e, r);
}

// A is 16 x 8 floats, or 16 x 32 bytes; B 8 x 8, or 32 x 8 by columns.
__global__ void others(float *d, const float *a, const float *b, int *e, const signed char *x, const signed char *y) {
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    unsigned ra[4], rb[2];
    for (int i = 0; i < 4; i++) {
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(ra[i]) : "f"(a[(g + i % 2 * 8) * 8 + t + i / 2 * 4]));
        if (i < 2) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rb[i]) : "f"(b[g * 8 + t + 4 * i]));
    }
    float r[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(r[0]), "+f"(r[1]), "+f"(r[2]), "+f"(r[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    store(d, r);
    for (int i = 0; i < 4; i++) {
        ra[i] = word(x, (g + i % 2 * 8) * 32 + 4 * t + i / 2 * 16);
        if (i < 2) rb[i] = word(y, g * 32 + 4 * t + 16 * i);
    }
    int s[4] = {1, 2, 3, 4};
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    e[g * 8 + 2 * t] = s[0] - 1, e[g * 8 + 2 * t + 1] = s[1] - 2;
    e[(g + 8) * 8 + 2 * t] = s[2] - 3, e[(g + 8) * 8 + 2 * t + 1] = s[3] - 4;
}

// 16 x 16 matrices of halves, of which B is stored by columns, of bfloat16, of tf32 (16 x 8 x 16) and of bytes.
__global__ void fragments(float *d, float *e, float *f, int *g, const __half *a, const __half *b, const __nv_bfloat16 *x, const __nv_bfloat16 *y,
                          const float *v, const float *w, const signed char *m, const signed char *n) {
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> p;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> q;
        wmma::fill_fragment(sum, 0.0f);
        wmma::load_matrix_sync(p, a, 16);
        wmma::load_matrix_sync(q, b, 16);
        wmma::mma_sync(sum, p, q, sum);
        for (int i = 0; i < sum.num_elements; i++) sum.x[i] *= 2;
        wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
    }
    {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> p;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> q;
        wmma::load_matrix_sync(p, x, 16);
        wmma::load_matrix_sync(q, y, 16);
        wmma::load_matrix_sync(sum, d, 16, wmma::mem_row_major);
        wmma::mma_sync(sum, p, q, sum);
        wmma::store_matrix_sync(e, sum, 16, wmma::mem_col_major);
    }
    {
        wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> p;
        wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> q;
        wmma::fragment<wmma::accumulator, 16, 16, 8, float> total;
        wmma::load_matrix_sync(p, v, 8);
        wmma::load_matrix_sync(q, w, 16);
        for (int i = 0; i < p.num_elements; i++) p.x[i] = wmma::__float_to_tf32(p.x[i]);
        for (int i = 0; i < q.num_elements; i++) q.x[i] = wmma::__float_to_tf32(q.x[i]);
        wmma::fill_fragment(total, 0.0f);
        wmma::mma_sync(total, p, q, total);
        wmma::store_matrix_sync(f, total, 16, wmma::mem_row_major);
    }
    {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> p;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> q;
        wmma::fragment<wmma::accumulator, 16, 16, 16, int> total;
        wmma::load_matrix_sync(p, m, 16);
        wmma::load_matrix_sync(q, n, 16);
        wmma::fill_fragment(total, 0);
        wmma::mma_sync(total, p, q, total);
        wmma::store_matrix_sync(g, total, 16, wmma::mem_row_major);
    }
}
