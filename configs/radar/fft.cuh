// The Fourier transform of N complex numbers, a power of two from 64 on, by N/8 threads
// with 8 numbers each in registers: Stockham's algorithm (Cochran et al., What is the fast
// Fourier transform?, 1967) in passes of radix 8, the first one of 2 or 4 where N is no
// power of 8. Between passes numbers change threads through shared memory. One of them is
// skipped after 16, so that writes 8 numbers apart meet different banks.

__device__ __forceinline__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ __forceinline__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ __forceinline__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ __forceinline__ float2 conjugate(float2 a) { return make_float2(a.x, -a.y); }
__device__ __forceinline__ float2 swapped(float2 a) { return make_float2(a.y, a.x); }

__device__ __forceinline__ void butterfly(float2 &a, float2 &b) {
    float2 difference = a - b;
    a = a + b;
    b = difference;
}

__device__ __forceinline__ void butterfly(float2 &a, float2 &b, float2 &c, float2 &d) {
    butterfly(a, c);
    butterfly(b, d);
    float2 turned = make_float2(d.y, -d.x), even = a;
    a = even + b;
    float2 third = even - b;
    b = c + turned;
    d = c - turned;
    c = third;
}

__device__ __forceinline__ void butterfly(float2 (&v)[8]) {
    constexpr float HALF = 0.70710678118654752f;
    float2 even[4], odd[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        even[i] = v[i] + v[i + 4];
        odd[i] = v[i] - v[i + 4];
    }
    odd[1] = make_float2(HALF * (odd[1].x + odd[1].y), HALF * (odd[1].y - odd[1].x));
    odd[2] = make_float2(odd[2].y, -odd[2].x);
    odd[3] = make_float2(HALF * (odd[3].y - odd[3].x), -HALF * (odd[3].x + odd[3].y));
    butterfly(even[0], even[1], even[2], even[3]);
    butterfly(odd[0], odd[1], odd[2], odd[3]);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        v[2 * i] = even[i];
        v[2 * i + 1] = odd[i];
    }
}

constexpr int logarithm(int n) { return n == 1 ? 0 : 1 + logarithm(n / 2); }

// Number i of N in the order that radix2 takes.
template <int N>
__device__ __forceinline__ int reversed(int i) { return __brev(i) >> (32 - logarithm(N)); }

// The textbook's transform by all threads of a block, in place in shared memory: radix 2,
// each number read and written in each of log2 N stages.
template <int N>
__device__ void radix2(float2 *shared) {
    for (int length = 1; length < N; length *= 2) {
        __syncthreads();
        for (int i = threadIdx.x; i < N / 2; i += blockDim.x) {
            int k = i % length, at = 2 * i - k;
            float2 w;
            sincospif(-(float)k / length, &w.y, &w.x);
            shared[at + length] = shared[at + length] * w;
            butterfly(shared[at], shared[at + length]);
        }
    }
    __syncthreads();
}

template <int N>
struct Transform {
    static_assert(N >= 64 && (N & (N - 1)) == 0, "a power of two from 64 on");
    static constexpr int THREADS = N / 8;
    static constexpr int SHARED = N + N / 16; // numbers of shared memory
    static constexpr int FIRST = logarithm(N) % 3 == 0 ? 8 : 1 << logarithm(N) % 3;
    static constexpr int PASSES = (logarithm(N) + 2) / 3;

    int thread;
    float2 turn[PASSES - 1]; // the twiddle factors of the second number in each pass but the first

    // The transform as the thread of N/8 computes it. The factors serve any number of
    // transforms.
    __device__ explicit Transform(int thread) : thread(thread) {
        int length = FIRST;
#pragma unroll
        for (int p = 0; p + 1 < PASSES; p++, length *= 8)
            sincospif(-0.25f * (thread % length) / length, &turn[p].y, &turn[p].x);
    }

    static __device__ __forceinline__ int place(int i) { return i + i / 16; }

    // Hides where a number is from: what is computed of it is computed anew, and not kept in
    // registers from one transform to the next.
    static __device__ __forceinline__ void anew(float &x) {
#ifndef BENCH_SIM
        asm volatile("" : "+f"(x));
#endif
    }
    static __device__ __forceinline__ void anew(int &x) {
#ifndef BENCH_SIM
        asm volatile("" : "+r"(x));
#endif
    }

    // Threads of one transform that are neighbours in a warp need not wait for others.
    template <bool spread>
    static __device__ __forceinline__ void wait() {
        if (THREADS <= 32 && !spread)
            __syncwarp();
        else
            __syncthreads();
    }

    // Transforms v: before and after, number i of v is number thread + i·N/8 of all. All
    // threads of the block take part, each transform with shared memory of its own. Its
    // threads are neighbours, or spread over the block.
    template <bool spread = false>
    __device__ __forceinline__ void run(float2 (&v)[8], float2 *shared) const {
        int thread = this->thread;
        anew(thread);
        if (FIRST == 8) {
            butterfly(v);
        } else if (FIRST == 4) {
            butterfly(v[0], v[2], v[4], v[6]);
            butterfly(v[1], v[3], v[5], v[7]);
        } else {
#pragma unroll
            for (int i = 0; i < 4; i++)
                butterfly(v[i], v[i + 4]);
        }
        // Places add up, of i that is known to the compiler and of the thread, since one of
        // both is a multiple of 16, or none of the sums crosses one.
        constexpr int REST = 8 / FIRST;
        const float2 *from = shared + place(thread);
        float2 *to = shared + place(thread * FIRST);
        wait<spread>();
#pragma unroll
        for (int i = 0; i < 8; i++)
            to[place(i % REST * THREADS * FIRST) + i / REST] = v[i];
        int length = FIRST;
#pragma unroll
        for (int p = 0; p + 1 < PASSES; p++, length *= 8) {
            wait<spread>();
#pragma unroll
            for (int i = 0; i < 8; i++)
                v[i] = from[place(i * THREADS)];
            float2 w = turn[p];
            anew(w.x), anew(w.y);
            float2 w2 = w * w, w4 = w2 * w2;
#pragma unroll
            for (int i = 1; i < 8; i++) { // times w to the power of i
                if (i & 1)
                    v[i] = v[i] * w;
                if (i & 2)
                    v[i] = v[i] * w2;
                if (i & 4)
                    v[i] = v[i] * w4;
            }
            butterfly(v);
            if (p + 2 < PASSES) {
                to = shared + place((thread - thread % length) * 8) + place(thread % length);
                wait<spread>();
#pragma unroll
                for (int i = 0; i < 8; i++)
                    to[place(i * length)] = v[i];
            }
        }
    }

    // The same for the inverse transform, which is N times too large.
    __device__ __forceinline__ void inverse(float2 (&v)[8], float2 *shared) const {
#pragma unroll
        for (int i = 0; i < 8; i++)
            v[i] = swapped(v[i]);
        run(v, shared);
#pragma unroll
        for (int i = 0; i < 8; i++)
            v[i] = swapped(v[i]);
    }
};
