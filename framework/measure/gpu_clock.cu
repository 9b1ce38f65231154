// gpu_clock.cu: what the GPU timer runs beside the measured work.

// Nanoseconds since an epoch of the device's own; its tick may be as coarse as
// 1 us, and some devices count too slowly (gpu_calibrate.go).
static __device__ unsigned long long nanoseconds()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// Holds back the stream until the host has raised *opened to ticket. Gives up
// after limit_ns and says so in *expired, so that it cannot block for ever.
extern "C" __global__ void hold_stream(const volatile unsigned *opened, volatile unsigned *expired, unsigned ticket,
                                       unsigned long long limit_ns)
{
    const unsigned long long start = nanoseconds();
    while ((int)(*opened - ticket) < 0) {
        if (nanoseconds() - start > limit_ns) {
            *expired = ticket;
            return;
        }
    }
}

// Ends after so many nanoseconds of the device's own.
extern "C" __global__ void pass_time(unsigned long long ns)
{
    const unsigned long long start = nanoseconds();
    while (nanoseconds() - start < ns)
        ;
}

// Looks at the timer for so many nanoseconds, and stores how often at least so many passed
// between two looks, and how many that were in all. tag marks the call.
extern "C" __global__ void count_pauses(volatile unsigned long long *pauses, unsigned long long ns, unsigned long long least,
                                        unsigned long long tag)
{
    const unsigned long long start = nanoseconds();
    unsigned long long last = start, count = 0, sum = 0;
    while (last - start < ns) {
        const unsigned long long now = nanoseconds();
        if (now - last >= least) {
            count++;
            sum += now - last;
        }
        last = now;
    }
    pauses[0] = count;
    pauses[1] = sum;
    pauses[2] = tag;
}

// Stores cycle count and time of one multiprocessor: clock64 counts each
// multiprocessor's cycles on its own, so one block runs on each and the block
// on number sm writes. tag marks which stamp it was.
extern "C" __global__ void stamp_clock(volatile unsigned long long *stamp, unsigned sm, unsigned long long tag)
{
    unsigned here;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(here));
    if (here != sm)
        return;
    stamp[0] = clock64();
    stamp[1] = nanoseconds();
    stamp[2] = tag;
}

// Reads n elements, all 0, into the L2 cache, which then holds them and nothing else:
// every line of it is clean. The store, which never happens, is what keeps the assembler
// from leaving out the loads.
extern "C" __global__ void read_lines(uint4 *data, unsigned long long n)
{
    const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
    unsigned any = 0;
    for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        uint4 x;
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w) : "l"(data + i));
        any |= x.x | x.y | x.z | x.w;
    }
    if (any != 0)
        data[0].x = any;
}

// Exchanges the two words of each of n pairs, or not, by chance; all if seed is 0.
extern "C" __global__ void exchange_words(uint2 *data, unsigned long long n, unsigned long long seed)
{
    const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        unsigned long long x = (seed ^ i) * 0x9e3779b97f4a7c15ull;
        x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
        if (x >> 63 || seed == 0) {
            const uint2 pair = data[i];
            data[i] = make_uint2(pair.y, pair.x);
        }
    }
}
