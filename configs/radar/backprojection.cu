// SAR backprojection: a pixel's value is the sum over the pulses of what the range profile
// has at the pixel's range R, interpolated between two bins, times exp(2πi·2R/wavelength).
// Pixels lie spacing apart around the origin, pulses at (px, py, pz).
//
// A problem takes 28 FLOPs a pixel and pulse (8 for the range with its root, 3 for bin and
// weight, 6 to interpolate, 3 for sine and cosine of the phase, 8 for product and sum) and
// about 8·(N·N + PULSES·BINS) bytes: arithmetic bounds it. A range of 2 km is some 10000
// wavelengths, of which f32 leaves a phase of a thousandth of a turn: ranges are to be computed in double
// precision, or as differences.

__device__ __forceinline__ void add(float2 &sum, const float2 *bin, float weight, float sine, float cosine) {
    float2 a = bin[0], b = bin[1];
    float re = a.x + weight * (b.x - a.x), im = a.y + weight * (b.y - a.y);
    sum.x += re * cosine - im * sine;
    sum.y += re * sine + im * cosine;
}

// A thread a pixel, ranges in double precision.
extern "C" __global__ void plain(const float2 *profile, const float *px, const float *py, const float *pz, float2 *image,
                                 int n, int pulses, int bins, double spacing, double nearest, double step, double wavelength) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= n || row >= n)
        return;
    double x = (column - 0.5 * (n - 1)) * spacing, y = (row - 0.5 * (n - 1)) * spacing;
    float2 sum = make_float2(0, 0);
    for (int p = 0; p < pulses; p++) {
        double dx = x - px[p], dy = y - py[p], dz = pz[p];
        double range = sqrt(dx * dx + dy * dy + dz * dz);
        double place = (range - nearest) / step, turns = 2 * range / wavelength;
        int bin = floor(place);
        if (bin < 0 || bin >= bins - 1)
            continue;
        float sine, cosine;
        sincospif(2 * (float)(turns - rint(turns)), &sine, &cosine);
        add(sum, profile + (size_t)p * bins + bin, (float)(place - bin), sine, cosine);
    }
    image[(size_t)row * n + column] = sum;
}

#ifdef PIXELS

constexpr int TILE = 16;
constexpr int THREADS = TILE * TILE / PIXELS;

// A block takes a tile of 16 × 16 pixels. For THREADS pulses at a time it computes in double
// precision the range of the tile's centre, one a thread, and for each pixel in f32 how
// much farther it is: with d from pulse to centre, e from centre to pixel and s = e·(2d + e)
// that is R·(√(1 + u) - 1) for u = s/R², of which u/2 - u²/8 + u³/16 is right to 2^-24 since u is less than
// 0.01. Phase and bin are those of the centre, whole turns and bins taken off, and what
// the difference adds: at most 18 turns, of which three roundings to 2^-24 leave 2e-5 radians, the
// tolerance. There is no root or division a pixel; two special functions are left.
extern "C" __global__ void __launch_bounds__(THREADS) differences(const float2 *profile, const float *px, const float *py, const float *pz, float2 *image,
                                                                  int n, int pulses, int bins, double spacing, double nearest, double step, double wavelength) {
    __shared__ float4 direction[THREADS]; // 2d in x and y, 1/R, 1/R²
    __shared__ float4 centre[THREADS];    // turns, bins, and the whole bins as an integer's bits
    float2 sum[PIXELS] = {};
    int column = threadIdx.x % TILE, row = threadIdx.x / TILE;
    int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    double x = (left + 0.5 * (TILE - 1) - 0.5 * (n - 1)) * spacing, y = (top + 0.5 * (TILE - 1) - 0.5 * (n - 1)) * spacing;
    float ex = (column - 0.5f * (TILE - 1)) * (float)spacing;
    float turns_of = 2 / wavelength, bins_of = 1 / step;
    for (int first = 0; first < pulses; first += THREADS) {
        int p = first + threadIdx.x;
        __syncthreads();
        if (p < pulses) {
            double dx = x - px[p], dy = y - py[p], dz = pz[p];
            double square = dx * dx + dy * dy + dz * dz, range = sqrt(square);
            double place = (range - nearest) / step, turns = 2 * range / wavelength, whole = floor(place);
            direction[threadIdx.x] = make_float4(2 * dx, 2 * dy, 1 / range, 1 / square);
            centre[threadIdx.x] = make_float4(turns - rint(turns), place - whole, __int_as_float((int)whole), 0);
        }
        __syncthreads();
        for (int k = 0; k < THREADS && first + k < pulses; k++) {
            float4 d = direction[k], c = centre[k];
            const float2 *line = profile + (size_t)(first + k) * bins;
            float sx = ex * (d.x + ex);
#pragma unroll
            for (int i = 0; i < PIXELS; i++) {
                float ey = (row + i * (TILE / PIXELS) - 0.5f * (TILE - 1)) * (float)spacing;
                float s = fmaf(ey, d.y + ey, sx), u = s * d.w;
                float farther = s * d.z * fmaf(u, fmaf(u, 0.0625f, -0.125f), 0.5f);
                float turns = fmaf(farther, turns_of, c.x), place = fmaf(farther, bins_of, c.y);
                float whole = floorf(place);
                int bin = __float_as_int(c.z) + (int)whole;
                if (bin >= 0 && bin < bins - 1) {
                    float sine, cosine;
                    __sincosf(6.2831853f * (turns - rintf(turns)), &sine, &cosine);
                    add(sum[i], line + bin, place - whole, sine, cosine);
                }
            }
        }
    }
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        int at = top + row + i * (TILE / PIXELS);
        if (left + column < n && at < n)
            image[(size_t)at * n + left + column] = sum[i];
    }
}

#endif
